/**
 * Motion that explains: things travel from where they were to where they are. The one rule: under 300 ms, and a cut for who asked for less motion.
 * @module
 */
const TIME = 240;
const MOST = 400;
const CARDS_MEASURED_WHOLE = 12;

/** @returns {boolean} */
export function wantsMotion() { return !globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches; }

/** @typedef {{x: number, y: number, element: Element}} Spot where a thing is, on the page */

/** Of many cards only the ones that change are measured pod by pod. @param {Element} root @param {Set<string>} changing names of nodes @returns {Element[]} */
function thingsIn(root, changing) {
  const cards = [...root.querySelectorAll(".card")];
  if (cards.length <= CARDS_MEASURED_WHOLE) return [...root.querySelectorAll("[data-flip]")];
  const inside = cards.filter((card) => changing.has(/** @type {HTMLElement} */ (card).dataset.node || "")).flatMap((card) => [...card.querySelectorAll("[data-flip]")]);
  return [...cards, ...inside, ...root.querySelectorAll("tr[data-flip]")];
}

/** @param {Element} root @param {Set<string>} changing @returns {Map<string, Spot>} */
export function whereThingsAre(root, changing) {
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  const things = thingsIn(root, changing);
  if (things.length > MOST) return spots;
  for (const element of things) {
    const box = element.getBoundingClientRect();
    if (box.width) spots.set(/** @type {HTMLElement} */ (element).dataset.flip || "", { x: box.left, y: box.top, element });
  }
  return spots;
}

/** A thing inside a card moves with its card; only what is left over is its own motion. @param {Element} root @param {Map<string, Spot>} before @param {Set<string>} changing */
export function travel(root, before, changing) {
  if (!before.size) return;
  const after = whereThingsAre(root, changing);
  const moves = [];
  for (const [name, now] of after) {
    const old = before.get(name);
    if (!old) { if (now.element.closest(".cards, .pick-table")) moves.push({ element: now.element, frames: [{ opacity: 0 }, { opacity: 1 }] }); continue; }
    const [dx, dy] = own(name, old, now, before, after);
    if (Math.abs(dx) > 1 || Math.abs(dy) > 1) moves.push({ element: now.element, frames: [{ transform: `translate(${dx}px, ${dy}px)`, zIndex: 4 }, { transform: "none", zIndex: 4 }] });
  }
  for (const { element, frames } of moves) element.animate(frames, { duration: TIME, easing: "cubic-bezier(.2,.7,.2,1)" });
}

/** @param {string} name @param {Spot} old @param {Spot} now @param {Map<string, Spot>} before @param {Map<string, Spot>} after */
function own(name, old, now, before, after) {
  const card = name.startsWith("pod:") ? /** @type {HTMLElement|null} */ (now.element.closest(".card")) : null;
  const key = card?.dataset.flip || "";
  const from = before.get(key), to = after.get(key);
  const [cx, cy] = from && to ? [from.x - to.x, from.y - to.y] : [0, 0];
  return [old.x - now.x - cx, old.y - now.y - cy];
}
