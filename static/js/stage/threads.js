/**
 * Threads from a nominated pod's ghost on its node to its place in the queue. The one rule: only where both ends are in sight, and only
 * after the step is on the screen: where a ghost stands is known, where an entry stands is asked once.
 * @module
 */
import { s } from "../dom.js";

const MOST = 12;

/** The overlay that holds them, over the whole run. @param {HTMLElement} page @param {import("./stage.js").Stage} stage @param {Element} queues @returns {() => void} */
export function wireThreads(page, stage, queues) {
  const overlay = s("svg.threads", { "aria-hidden": "true", focusable: "false" });
  page.append(overlay);
  let frame = 0;
  const draw = () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(() => drawThreads(overlay, page, stage, queues)); };
  for (const region of [stage.root, queues]) region.addEventListener("scroll", draw, { passive: true });
  const sizes = new ResizeObserver(draw);
  for (const each of [stage.root, stage.cards, queues]) sizes.observe(each);
  globalThis.document.fonts?.ready.then(draw);
  return draw;
}

/** @param {SVGElement} overlay @param {HTMLElement} page @param {import("./stage.js").Stage} stage @param {Element} queues */
function drawThreads(overlay, page, stage, queues) {
  const claims = [...(stage.scene?.state.nominations || [])].slice(0, MOST * 4);
  const ghosts = claims.map(([pod, node]) => ({ pod, ...stage.deck.ghostAt(node, pod) })).filter((each) => each.seen).slice(0, MOST);
  if (!ghosts.length) { if (overlay.childElementCount) overlay.replaceChildren(); return; }
  const origin = page.getBoundingClientRect(), room = queues.getBoundingClientRect();
  overlay.replaceChildren(...ghosts.flatMap((ghost) => {
    const entry = queues.querySelector(`[data-flip="queue:${CSS.escape(ghost.pod)}"]`);
    if (!entry) return [];
    const to = entry.getBoundingClientRect(), middle = to.top + to.height / 2;
    if (!to.width || middle < room.top || middle > room.bottom) return [];
    const x1 = to.right - origin.left, y1 = middle - origin.top, x2 = ghost.x - origin.left, y2 = ghost.y - origin.top;
    const bend = Math.max(24, Math.min(80, (x2 - x1) / 2)), extra = ghost.star ? "" : ".is-faint";
    return [s(`path.thread${extra}`, { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }), s(`circle.thread-end${extra}`, { cx: x1, cy: y1, r: 3 }), s(`circle.thread-end${extra}`, { cx: x2, cy: y2, r: 3 })];
  }));
}
