/**
 * A run inside a page of another site. The one rule: it brings no cookie, and tells the page around it nothing but its height.
 * @module
 */
import { one } from "../dom.js";
import { Player, commandOf } from "../player.js";
import { Scenes, wordsOfPage } from "./scenes.js";

const page = one("[data-behaviour=embed]");
const words = wordsOfPage();
const scenes = new Scenes(page, words);
const player = new Player(scenes.store.steps);
const range = /** @type {HTMLInputElement} */ (one("[data-part=timeline]"));
const counter = one("[data-part=counter]");
let wanted = page.dataset.step || "";

function draw() {
  range.max = String(player.last);
  range.value = String(player.at);
  counter.textContent = words.say("player.counter", { at: player.at + 1, count: player.last + 1 });
  scenes.draw(player.at);
}

function grew() {
  const found = wanted ? scenes.store.steps.byPath.get(wanted) : undefined;
  if (found !== undefined) { wanted = ""; player.go(found); }
  draw();
}

player.addEventListener("place", draw);
range.addEventListener("input", () => player.go(Number(range.value)));
one("[data-do=back]").addEventListener("click", () => player.move("node", -1));
one("[data-do=forward]").addEventListener("click", () => player.move("node", 1));
document.addEventListener("keydown", (event) => {
  const command = commandOf(event);
  if (!command || (event.target instanceof HTMLElement && event.target.matches("button, a") && event.key === " ")) return;
  const [name, ...args] = command;
  if (name === "move") player.move(args[0], args[1]);
  else if (name === "go") player.go(args[0]);
  else if (name === "toggle") player.toggle();
  else return;
  event.preventDefault();
});

/** The page around may make the frame as high as this. */
function tellHeight() {
  if (parent !== window) parent.postMessage({ type: "preemption-playground:height", height: Math.ceil(document.documentElement.scrollHeight) }, "*");
}

for (const part of ["stage", "bar"]) one(`[data-part=${part}]`).hidden = false;
new ResizeObserver(tellHeight).observe(page);
scenes.read(page.dataset.run || "", grew).then(() => {
  const near = wanted ? scenes.store.steps.find(wanted) : -1;
  if (near >= 0) player.go(near);
  else if (player.at === 0 && !page.dataset.step) player.go(firstDecision());
  draw();
  page.dataset.ready = "true";
  tellHeight();
}).catch((error) => { one("[data-part=step]").textContent = String(error.message || error); });

/** Without a step in the address: where the first best pick is, else the start. */
function firstDecision() {
  const index = scenes.store.steps.places.findIndex((place) => scenes.store.event(place.seq)?.kind === "preemption.picked");
  return Math.max(0, index);
}
export {};
