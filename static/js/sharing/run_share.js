/** The Share button of a run: the dialog knows the step that is on the stage. The one rule: the step is read when the button is pressed. */
import { wireShare } from "./dialog.js";

const page = /** @type {HTMLElement} */ (document.querySelector("[data-behaviour=run]"));
wireShare(() => ({ run: page.dataset.run, step: /** @type {any} */ (globalThis).playground?.player.at ? page.dataset.path : "" }));
document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key.toLowerCase() !== "c" || event.ctrlKey || event.metaKey || event.altKey || target.isContentEditable || target.closest("input:not([type=range]), textarea, select, dialog")) return;
  /** @type {HTMLAnchorElement|null} */ (document.querySelector("[data-do=compare]"))?.click();
});
export {};
