/**
 * Whatever is pointed at or has the focus lights up wherever it stands: on the stage, in tables, in the queues, in the manifest, on the timeline.
 * The one rule: only a class changes; nothing is drawn again.
 * @module
 */
import { h } from "./dom.js";

const MOST_TICKS = 400;

/** @param {EventTarget|null} target @returns {{pod: string, node: string}|null} */
function subjectOf(target) {
  if (!(target instanceof Element)) return null;
  const pod = /** @type {HTMLElement|null} */ (target.closest("[data-pod]"));
  if (pod) return { pod: pod.dataset.pod || "", node: "" };
  const node = /** @type {HTMLElement|null} */ (target.closest("[data-node-name], tr[data-node]"));
  return node ? { pod: "", node: node.dataset.nodeName || node.dataset.node || "" } : null;
}

/** @param {ParentNode} page @param {{pod: string, node: string}|null} subject */
function lightUp(page, subject) {
  for (const lit of page.querySelectorAll(".is-lit")) lit.classList.remove("is-lit");
  if (!subject) return;
  const name = CSS.escape(subject.pod || subject.node);
  const wanted = subject.pod ? `[data-pod="${name}"]` : `.card[data-node="${name}"], tr[data-node="${name}"], .tile[data-node-name="${name}"], .manifest [data-node-name="${name}"], [data-names-node="${name}"]`;
  for (const same of page.querySelectorAll(wanted)) same.classList.add("is-lit");
}

/** Who reads the manifest keeps it. @param {EventTarget|null} target */
function inManifest(target) { return target instanceof Element && Boolean(target.closest(".manifest")); }

/** @param {any} data @param {{pod: string, node: string}} subject */
function concerns(data, subject) {
  if (subject.node) return data.node === subject.node || data.host === subject.node;
  return data.pod === subject.pod || data.victim === subject.pod || data.cleared === subject.pod || (data.potential_victims || []).some((/** @type {any} */ each) => each.pod === subject.pod);
}

/** @param {HTMLElement} page @param {Element} marks @param {import("./trace/store.js").TraceStore} store @param {(subject: {pod: string, node: string}|null) => void} point told what is pointed at */
export function wireLight(page, marks, store, point) {
  let shown = "";
  const show = (/** @type {{pod: string, node: string}|null} */ subject) => {
    const name = subject ? subject.pod || subject.node : "";
    lightUp(page, subject);
    if (name === shown) return;
    shown = name;
    point(subject);
    for (const tick of marks.querySelectorAll(".tick")) tick.remove();
    if (!subject) return;
    const last = Math.max(1, store.steps.length - 1);
    const places = store.steps.places.map((place, index) => (!place.sub && concerns(store.event(place.seq).data, subject) ? index : -1)).filter((index) => index >= 0);
    marks.append(...places.slice(0, MOST_TICKS).map((index) => h("span.tick", { "--from": index / last })));
  };
  page.addEventListener("pointerover", (event) => { if (!inManifest(event.target)) show(subjectOf(event.target)); });
  page.addEventListener("pointerleave", () => show(null));
  page.addEventListener("focusin", (event) => { if (!inManifest(event.target)) show(subjectOf(event.target)); });
  page.addEventListener("focusout", () => show(null));
}
