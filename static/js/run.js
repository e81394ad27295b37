/**
 * The run page: joins socket, store, player and drawings. The one rule: the wiring is here and nothing else is.
 * @module
 */
import { wireContinues } from "./change/continues.js";
import { wireChange } from "./change/index.js";
import { Clock } from "./clock.js";
import { h, one } from "./dom.js";
import { icon } from "./icons.js";
import { wireLight } from "./light.js";
import { ManifestPanel } from "./manifest.js";
import { sentenceOf } from "./narrate.js";
import { drawPhases } from "./phases.js";
import { Player, commandOf } from "./player.js";
import { PlayerBar } from "./playerbar.js";
import { Predict } from "./predict.js";
import { drawQueues } from "./queues.js";
import { RunSocket } from "./socket.js";
import { wireField } from "./stage/field.js";
import { Flights } from "./stage/flights.js";
import { Stage } from "./stage/stage.js";
import { wireThreads } from "./stage/threads.js";
import { sceneAt } from "./trace/scene.js";
import { sinceLast } from "./trace/since.js";
import { TraceStore } from "./trace/store.js";
import { drawWhy } from "./why.js";
import { Words } from "./words.js";

const page = one("[data-behaviour=run]");
const data = (/** @type {string} */ id) => JSON.parse(one(`#${id}`).textContent || "null");
const words = new Words(document.documentElement.dataset.lang || "en", data("wording"), data("sentences"));
const store = new TraceStore();
const player = new Player(store.steps);
const regions = { queues: one("[data-part=queues]"), phases: one("[data-part=phases]"), why: one("[data-part=why]"), step: one("[data-part=step]"), chip: one("[data-part=chip]") };
/** @type {{node?: string, pod?: string}|null} */
let asked = null;
let wanted = new URLSearchParams(location.search).get("step") || "";
const narrow = matchMedia("(max-width: 900px)");
const stage = new Stage(one("[data-part=stage]"), words, ask);
const drawThreads = wireThreads(page, stage, regions.queues);
const flights = new Flights(page, stage, regions.queues);
stage.onStale = () => redraw(false);
const clock = new Clock(page, one("[data-part=clock]"), { player, store, words });
const manifest = new ManifestPanel(page, store, words);
const bar = new PlayerBar(one("[data-part=player]"), player, store, words, () => copyLink());

/** @param {{node?: string, pod?: string}|null} subject */
function ask(subject) {
  asked = subject;
  redraw(false);
  showWhy(Boolean(subject));
}

/** On a narrow screen WHY is a sheet, and so is the manifest: one of them at a time. @param {boolean} [shown] */
function showWhy(shown) {
  const open = page.classList.toggle("shows-why", shown);
  if (open && sheets() && manifest.shown) manifest.toggle();
  one("[data-do=why]").setAttribute("aria-expanded", String(open));
}

/** Whether there is no room beside the stage: on a narrow screen, and on a projector. */
function sheets() { return narrow.matches || document.body.classList.contains("view-projector"); }

/** The buttons of what stands beside the stage go where a thumb reaches them. */
function seatTools() {
  const tools = one(".beside-tools", page);
  if (sheets()) one(".player-buttons", page).after(tools);
  else one(".beside", page).prepend(tools);
  if (sheets()) tools.prepend(one("[data-do=why]", page));
  else one(".player-buttons", page).append(one("[data-do=why]", page));
}

let frame = 0;
/** Draws once for each frame at most. @param {boolean} near */
function redraw(near) {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(() => draw(near));
}

const RAPID = 100; // ms between steps within which nobody follows a motion: a key that is held cuts
let drawn = 0;
/** Whether the last step has been on the screen for long enough to be seen. */
function calm() {
  const now = performance.now(), since = now - drawn;
  drawn = now;
  return since > RAPID;
}

/** @param {boolean} near */
function draw(near) {
  performance.mark("step-start");
  const scene = sceneAt(store, player.at);
  if (!scene) return;
  scene.since = sinceLast(store, scene, player.grainMoved);
  const followed = near && calm();
  const fly = flights.before(scene, followed && player.at > player.before);
  stage.draw(scene, followed, () => drawAround(scene));
  fly?.();
  drawThreads();
  performance.measure("step", "step-start");
}

/** Everything but the stage: drawn before anything is measured, so that the page is laid out once for each step. @param {import("./trace/scene.js").Scene} scene */
function drawAround(scene) {
  page.dataset.chapter = scene.chapter;
  page.dataset.path = scene.place.path;
  bar.drawPlace(scene);
  drawQueues(regions.queues, scene, words, store);
  drawPhases(regions.phases, scene, store, words, (index) => player.go(index));
  drawWhy(regions.why, scene, store, words, asked, () => ask(null));
  clock.show(scene);
  manifest.place(scene, asked);
  const { id, args } = sentenceOf(scene);
  const sentence = words.say(id, args);
  if (regions.step.textContent !== sentence) regions.step.textContent = sentence;
}

player.addEventListener("place", () => redraw(Math.abs(player.at - player.before) <= 12));
player.addEventListener("place", rememberPlace);
words.addEventListener("change", () => { translatePage(); redraw(false); });

let remembering = 0;
/** The address follows the place, so that a copied address is a link to the step. */
function rememberPlace() {
  clearTimeout(remembering);
  remembering = window.setTimeout(() => history.replaceState(null, "", stepAddress()), 250);
}

function stepAddress() {
  const address = new URL(location.href);
  const place = store.steps.places[player.at];
  if (place && player.at > 0) address.searchParams.set("step", place.path);
  else address.searchParams.delete("step");
  address.search = address.search.replaceAll("%2F", "/");
  return address.href;
}

async function copyLink() {
  const address = stepAddress();
  try { await navigator.clipboard.writeText(address); toast(words.say("link.copied")); } catch { toast(address); }
}

/** @param {string} text */
function toast(text) {
  const box = one("[data-part=toast]");
  box.textContent = text;
  box.hidden = false;
  setTimeout(() => { box.hidden = true; }, 3000);
}

// -- events as they come ---------------------------------------------------------------------------------------------
let knownNodes = 0;
const socket = new RunSocket(page.dataset.socket || "", () => store.lastSeq, { early: /** @type {any} */ (globalThis).earlySocket });
socket.addEventListener("events", (event) => {
  const first = store.lastSeq === 0;
  store.append(/** @type {CustomEvent} */ (event).detail);
  if (store.head.nodes.size !== knownNodes) { knownNodes = store.head.nodes.size; words.learnNodes(store.head.nodes.keys()); }
  settle(first);
});

/** Where to stand when more has come: at the step of the link as soon as it is there, else where one was. @param {boolean} first */
function settle(first) {
  const found = wanted ? store.steps.byPath.get(wanted) : undefined;
  if (found !== undefined) { wanted = ""; player.go(found); } else if (first) { player.go(0); player.follows = false; }
  if (player.at === 0 && store.lastSeq && !page.classList.contains("is-ready")) page.classList.add("is-ready");
  player.grew();
  if (player.at === 0) givenGrew();
  continues.grew();
}

let givenUpTo = 0, givenTimer = 0;
/** The objects given at the start come in many messages: the first is drawn at once, what follows together. */
function givenGrew() {
  const { seq } = store.steps.places[0] || { seq: 0 };
  if (seq === givenUpTo || givenTimer) return;
  givenUpTo = seq;
  redraw(false);
  givenTimer = window.setTimeout(() => { givenTimer = 0; if (player.at === 0) givenGrew(); }, 200);
}

socket.addEventListener("status", (event) => {
  const { link, run } = /** @type {CustomEvent} */ (event).detail;
  bar.streaming = link !== "done" && link !== "unknown";
  player.streams(bar.streaming);
  regions.chip.dataset.link = link;
  regions.chip.dataset.run = run;
  regions.chip.textContent = words.say(link === "live" || link === "done" ? `state.${run}` : `link.${link}`);
  if (link === "done" && wanted) lostStep();
  bar.drawPlace();
});

/** The link names a step that this run does not have. */
function lostStep() {
  const near = store.steps.find(wanted);
  toast(words.say("link.lost"));
  wanted = "";
  if (near >= 0) player.go(near);
}

// -- keys, buttons, language -----------------------------------------------------------------------------------------
/** @param {Element|null} element */
function typesText(element) {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches("textarea, select, input:not([type=range]):not([type=radio])"));
}

document.addEventListener("keydown", (event) => {
  const command = commandOf(event);
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === "Escape" && (asked || page.classList.contains("shows-why"))) { ask(null); return; }
  if (!command || typesText(target) || target.closest("dialog")) return;
  if (event.key === " " && target.matches("button, a, summary, [role=button], input[type=radio], input[type=checkbox]")) return;
  if (target.matches("input[type=radio]") && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  obey(command);
});

/** @param {[string, ...any[]]} command */
function obey([name, ...args]) {
  if (name === "move") player.move(args[0], args[1]);
  if (name === "go") player.go(args[0]);
  if (name === "toggle") player.toggle();
  if (name === "live") player.live();
  if (name === "help") help();
  if (name === "edit") edit();
  if (name === "compare") /** @type {HTMLElement|null} */ (document.querySelector("[data-do=compare]"))?.click();
  if (name === "change") change();
  if (name === "manifest") manifest.toggle();
  if (name === "predict") predict.toggle();
}

/** The cluster of this step, in the editor; with one pod open there when it is named. @param {string} [pod] */
function edit(pod = "") {
  const place = store.steps.places[player.at];
  location.assign(`${location.pathname}/edit?seq=${place ? place.seq : store.lastSeq}${pod ? `&pod=${encodeURIComponent(pod)}` : ""}`);
}
one("[data-do=edit]").addEventListener("click", () => edit());
stage.root.addEventListener("click", (event) => {
  const field = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-edit-pod]"));
  if (field) edit(field.dataset.editPod);
});

function help() { /** @type {HTMLDialogElement} */ (one("[data-part=help]")).showModal(); }
one("[data-do=help]").addEventListener("click", help);
for (const region of [regions.queues, regions.why]) {
  region.addEventListener("click", (event) => {
    const pod = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-pod]"));
    if (pod) ask({ pod: pod.dataset.pod });
  });
}
one("[data-do=table]").addEventListener("click", (event) => {
  stage.asTable = !stage.asTable;
  /** @type {HTMLElement} */ (event.currentTarget).setAttribute("aria-pressed", String(stage.asTable));
  redraw(false);
});
one("[data-do=table]").prepend(icon("table"));
const filter = /** @type {HTMLInputElement} */ (one("[data-part=filter]"));
filter.addEventListener("input", () => { stage.filter = filter.value.trim(); redraw(false); });
one("[data-do=why]").addEventListener("click", () => showWhy());
one("[data-do=manifest]").addEventListener("click", () => { if (sheets() && manifest.shown) showWhy(false); });
seatTools();
narrow.addEventListener("change", seatTools);
wireField(stage, words, () => redraw(false));

for (const link of document.querySelectorAll("[data-language]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    speak(/** @type {HTMLElement} */ (link).dataset.language || "en");
  });
}

/** @param {string} lang */
async function speak(lang) {
  document.cookie = `lang=${lang}; path=/; max-age=31536000; samesite=lax`;
  const address = new URL(location.href);
  address.searchParams.set("lang", lang);
  history.replaceState(null, "", address.href.replaceAll("%2F", "/"));
  await words.change(lang, page.dataset.static || "/static/");
}

/** The words that the server wrote are marked with their ids. */
function translatePage() {
  document.documentElement.dataset.lang = words.lang;
  document.documentElement.lang = words.lang === "zh-hans" ? "zh-Hans" : "en";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = words.say(/** @type {HTMLElement} */ (element).dataset.t || "");
  for (const element of document.querySelectorAll("[data-in-en]")) element.textContent = element.getAttribute(`data-in-${words.lang}`);
  for (const element of document.querySelectorAll("[data-t-label]")) {
    const text = words.say(/** @type {HTMLElement} */ (element).dataset.tLabel || "");
    element.setAttribute("aria-label", text);
    if (element.hasAttribute("title")) element.setAttribute("title", text);
  }
  for (const link of document.querySelectorAll("[data-language]")) {
    if (/** @type {HTMLElement} */ (link).dataset.language === words.lang) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

wireLight(page, one("[data-part=marks]"), store, (subject) => manifest.point(subject));
const change = wireChange({ page, store, player, words });
const predict = new Predict(page, { player, store, words });
const continues = wireContinues({ page, store, player, words });
window.addEventListener("resize", () => redraw(false));
Object.assign(globalThis, { playground: { store, player, stage } });
bar.drawButtons();
socket.open();
export { h };
