/**
 * Motion that explains: things travel from where they were to where they are. The one rule: under 300 ms, and a cut for who asked for less motion.
 * @module
 */
const TIME = 240;
const MOST = 48; // more than this nobody could follow
const EASING = "cubic-bezier(.2,.7,.2,1)";

/** @typedef {{element: Element, property: "translate"|"transform"|"opacity", from: string, to: string}} Move both ends are known before anything is drawn: nothing is measured */

/** @returns {boolean} */
export function wantsMotion() { return !globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches; }

/** @param {Move[]} moves */
export function travel(moves) {
  if (moves.length > MOST) return;
  for (const { element, property, from, to } of moves) element.animate([{ [property]: from }, { [property]: to }], { duration: TIME, easing: EASING });
}

/** Where the rows of the elimination table stand. @param {Element} panel @returns {Map<string, number>} */
export function rowsOf(panel) {
  /** @type {Map<string, number>} */
  const rows = new Map();
  for (const row of panel.querySelectorAll("tr[data-flip]")) rows.set(/** @type {HTMLElement} */ (row).dataset.flip || "", /** @type {HTMLElement} */ (row).offsetTop);
  return rows;
}

/** A row that is struck sinks below the line. @param {Element} panel @param {Map<string, number>} before */
export function sink(panel, before) {
  if (!before.size) return;
  for (const row of panel.querySelectorAll("tr[data-flip]")) {
    const old = before.get(/** @type {HTMLElement} */ (row).dataset.flip || ""), now = /** @type {HTMLElement} */ (row).offsetTop;
    if (old !== undefined && Math.abs(old - now) > 1) row.animate([{ transform: `translateY(${old - now}px)` }, { transform: "none" }], { duration: TIME, easing: EASING });
  }
}
