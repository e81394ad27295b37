/**
 * In and out: files into the draft, the draft into files, drafts of before. The one rule: everything is read in this browser.
 * @module
 */
import { h, one } from "../dom.js";
import { ago } from "./drafts.js";

/** @param {any} bench */
export function wireTransfer(bench) {
  bench.drafts.onOpen = (/** @type {string} */ text) => { bench.code.open(text); bench.selected = ""; bench.read(); bench.checker.now(text); };
  const dialog = /** @type {HTMLDialogElement} */ (one("[data-part=dialog]", bench.root));
  bench.root.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const what = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-do]"))?.dataset.do;
    if (what === "history") showHistory(bench, dialog);
  });
}

/** @param {any} bench @param {HTMLDialogElement} dialog */
function showHistory(bench, dialog) {
  const { words, drafts } = bench;
  drafts.flush();
  const open = (/** @type {string} */ id, /** @type {string} */ text) => { dialog.close(); drafts.open(id, text); };
  const row = (/** @type {any} */ kept) => {
    const states = h("select", { "aria-label": words.say("move.history.states", { count: kept.states.length }) }, h("option", { value: "" }, ago(kept.changed, words.lang)), [...kept.states].reverse().map((state, index) => h("option", { value: String(kept.states.length - 1 - index) }, ago(state.at, words.lang))));
    return h("li", {}, h("strong", {}, kept.title || words.say("scenario.untitled")), states,
      h("button.button.is-small", { type: "button", onclick: () => { const at = /** @type {HTMLSelectElement} */ (states).value; open(kept.id, at ? kept.states[Number(at)].text : kept.text); } }, words.say("move.history.open")),
      kept.id === drafts.id ? null : h("button.button.is-small", { type: "button", onclick: (/** @type {Event} */ event) => { drafts.forget(kept.id); /** @type {HTMLElement} */ (event.target).closest("li")?.remove(); } }, words.say("move.history.forget")));
  };
  const all = drafts.all();
  dialog.replaceChildren(h("div.ed-dialog-body", {}, h("h2", { id: "dialog-title" }, words.say("move.history.title")), h("p.quiet", {}, words.say("move.history.lead")),
    all.length ? h("ul.ed-draft-list", {}, all.map(row)) : h("p", {}, words.say("move.history.none")),
    h("div.ed-verb-row", {}, h("button.button", { type: "button", onclick: () => dialog.close() }, words.say("move.cancel")))));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.showModal();
}
