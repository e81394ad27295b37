/**
 * The six phases of preemption as a bar. The one rule: it always shows all six, and which of them this cycle has been through.
 * @module
 */
import { h, morph } from "./dom.js";
import { icon } from "./icons.js";
import { candidatesOf } from "./trace/scene.js";

/** @typedef {import("./trace/scene.js").Scene} Scene */
/** @typedef {import("./words.js").Words} Words */

export const PHASES = Object.freeze(["refresh", "eligibility", "candidates", "extenders", "best-pick", "eviction"]);

/** Where each phase begins in a cycle, so that its button can go there. @param {import("./trace/store.js").TraceStore} store @param {string|null} cycle */
export function phaseStarts(store, cycle) {
  /** @type {Object<string, number>} */
  const starts = {};
  for (const seq of (cycle && store.cycles.get(cycle)) || []) {
    const phase = store.event(seq).phase;
    if (phase && !(phase in starts)) starts[phase] = store.steps.firstOf(seq);
  }
  return starts;
}

/** @param {Scene} scene @param {string} phase @param {Words} words */
function note(scene, phase, words) {
  const { cycle } = scene;
  if (!cycle?.refreshed) return "";
  if (phase === "candidates" && cycle.candidates) return words.say("phase.of", { count: cycle.checked.size, total: cycle.candidates.potential.length });
  if (phase === "extenders" && cycle.finished && !cycle.extenders.length && (cycle.rules.length || cycle.picked)) return words.say("phase.none");
  if (phase === "best-pick" && cycle.rules.length) return words.say("phase.rule", { number: cycle.rules[cycle.rules.length - 1].number });
  if (phase === "eligibility" && cycle.eligibility && !cycle.eligibility.eligible) return words.say("phase.no");
  return "";
}

/** @param {Scene} scene @param {string} phase @param {Object<string, number>} starts */
function standing(scene, phase, starts) {
  if (scene.place.phase === phase) return "now";
  if (phase in starts) return starts[phase] <= scene.index ? "done" : "ahead";
  const last = Math.max(-1, ...PHASES.map((each, index) => (each in starts && starts[each] <= scene.index ? index : -1)));
  return last > PHASES.indexOf(phase) || (scene.cycle?.failed && scene.cycle.refreshed) ? "skipped" : "ahead";
}

/** @param {Element} root @param {Scene} scene @param {import("./trace/store.js").TraceStore} store @param {Words} words @param {(index: number) => void} go */
export function drawPhases(root, scene, store, words, go) {
  const starts = phaseStarts(store, scene.place.cycle);
  const model = PHASES.map((phase) => ({ phase, at: starts[phase], standing: standing(scene, phase, starts), note: note(scene, phase, words) }));
  const title = scene.cycle ? words.say(scene.cycle.refreshed ? "phases.preemption" : "phases.scheduling", { number: scene.cycle.id.slice(1) }) : words.say("phases.between");
  const sign = JSON.stringify([title, model, words.lang]);
  if (/** @type {any} */ (root).signature === sign) return;
  /** @type {any} */ (root).signature = sign;
  const fresh = h("div.phases-body", {}, h("span.phases-title", {}, title), h("ol.phase-list", {}, model.map((each, index) => h(`li.phase.is-${each.standing}`, { "aria-current": each.standing === "now" ? "step" : null },
    h("button.phase-button", { type: "button", "data-phase": each.phase, "data-at": each.at ?? null, "aria-disabled": each.at === undefined ? "true" : null },
      h("span.phase-mark", { "aria-hidden": "true" }, each.standing === "done" ? icon("check") : each.standing === "skipped" ? "–" : index),
      h("span.phase-name", {}, words.say(`phase.${each.phase}`)), each.note ? h("span.phase-note", {}, ` ${each.note}`) : null)))));
  if (root.firstElementChild) morph(root.firstElementChild, fresh);
  else {
    root.append(fresh);
    root.addEventListener("click", (event) => { const at = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-at]"))?.dataset.at; if (at !== undefined) go(Number(at)); });
  }
  requestAnimationFrame(() => showNow(root));
}

/** Where not all six have room, the one that is on comes into sight. @param {Element} root */
function showNow(root) {
  if (root.scrollWidth <= root.clientWidth) return;
  const now = root.querySelector(".is-now, .is-done:last-child");
  root.scrollLeft += now ? now.getBoundingClientRect().left - root.getBoundingClientRect().left - 16 : -root.scrollLeft;
}
export { candidatesOf };
