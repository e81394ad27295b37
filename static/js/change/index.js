/**
 * Where the panel is asked for: the button, the key, the menus of nodes and pods. The one rule: what nobody asks for is not loaded.
 * @module
 */
import { one } from "../dom.js";
import { icon } from "../icons.js";

/** @typedef {import("./panel.js").Run} Run */

/** Which field of the form the thing that was selected goes into. */
const TARGETS = Object.freeze(/** @type {Object<string, string>} */ ({
  "pod-delete": "pod", "pod-add": "copy", "gate-lift": "gated", cordon: "node", uncordon: "cordoned", drain: "node", taint: "node", untaint: "tainted", "node-remove": "node", "node-add": "like", budget: "pdb",
}));

/** @param {Element} target @returns {{pod?: string, node?: string}} */
function subjectOf(target) {
  const pod = /** @type {HTMLElement|null} */ (target.closest("[data-pod]"))?.dataset.pod;
  const node = /** @type {HTMLElement|null} */ (target.closest("[data-node-name], [data-node]"));
  return pod ? { pod } : { node: node?.dataset.nodeName || node?.dataset.node };
}

/** @param {Run} run @returns {() => void} opens the panel */
export function wireChange(run) {
  /** @type {Promise<import("./panel.js").ChangePanel>|null} */
  let loading = null;
  const panel = () => (loading ||= import("./panel.js").then(({ ChangePanel }) => new ChangePanel(/** @type {HTMLDialogElement} */ (one("[data-part=change]")), run)));
  const open = async (/** @type {string} */ action = "", /** @type {string} */ target = "", /** @type {HTMLElement|null} */ from = null) => {
    if (!run.store.lastSeq) return;
    (await panel()).open(action || undefined, action && target ? { [TARGETS[action]]: target } : {}, from);
  };
  const button = /** @type {HTMLElement} */ (one("[data-do=change]"));
  button.prepend(icon("bolt"));
  button.addEventListener("click", () => open("", "", button));
  run.page.addEventListener("click", (event) => {
    const asked = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-change]"));
    if (asked) open(asked.dataset.change, asked.dataset.target, button);
    else if (loading && !(/** @type {Element} */ (event.target).closest("dialog"))) loading.then((found) => found.choose(subjectOf(/** @type {Element} */ (event.target))));
  });
  return () => { open("", "", button); };
}
