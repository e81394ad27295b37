/**
 * Motion that explains: things travel from where they were to where they are. The one rule: under 300 ms, and a cut for who asked for less motion.
 * @module
 */
const TIME = 240;
const MOST = 500;

/** @returns {boolean} */
export function wantsMotion() { return !globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches; }

/** @param {Element} root @returns {Map<string, DOMRect>} */
export function whereThingsAre(root) {
  const places = new Map();
  const things = root.querySelectorAll("[data-flip]");
  if (things.length > MOST) return places;
  for (const thing of things) places.set(/** @type {HTMLElement} */ (thing).dataset.flip, thing.getBoundingClientRect());
  return places;
}

/** @param {Element} root @param {Map<string, DOMRect>} before */
export function travel(root, before) {
  if (!before.size) return;
  const moves = [];
  for (const thing of root.querySelectorAll("[data-flip]")) {
    const old = before.get(/** @type {HTMLElement} */ (thing).dataset.flip);
    const now = thing.getBoundingClientRect();
    if (!now.width) continue;
    if (!old) { moves.push([thing, [{ opacity: 0 }, { opacity: 1 }]]); continue; }
    const dx = old.left - now.left, dy = old.top - now.top;
    if (Math.abs(dx) > 1 || Math.abs(dy) > 1) moves.push([thing, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }]]);
  }
  for (const [thing, frames] of moves) /** @type {Element} */ (thing).animate(frames, { duration: TIME, easing: "cubic-bezier(.2,.7,.2,1)" });
}
