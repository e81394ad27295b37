/** The Share button of a run: the dialog knows the step that is on the stage. The one rule: the step is read when the button is pressed. */
import { wireShare } from "./dialog.js";

const page = /** @type {HTMLElement} */ (document.querySelector("[data-behaviour=run]"));
wireShare(() => ({ run: page.dataset.run, step: /** @type {any} */ (globalThis).playground?.player.at ? page.dataset.path : "" }));
export {};
