/**
 * Threads from a nominated pod's ghost on its node to its place in the queue. The one rule: only where both ends are in sight.
 * @module
 */
import { s } from "../dom.js";

const MOST = 12;

/** @param {DOMRect} box @param {DOMRect} room */
function inSight(box, room) {
  const middle = box.top + box.height / 2;
  return box.width > 0 && middle > room.top && middle < room.bottom && box.right > room.left && box.left < room.right;
}

/** The overlay that holds them, over the whole run. @param {HTMLElement} page @param {{stage: Element, queues: Element}} regions */
export function wireThreads(page, regions) {
  const overlay = s("svg.threads", { "aria-hidden": "true", focusable: "false" });
  page.append(overlay);
  const draw = () => drawThreads(overlay, page, regions);
  for (const region of [regions.stage, regions.queues]) region.addEventListener("scroll", draw, { passive: true });
  return draw;
}

/** @param {SVGElement} overlay @param {HTMLElement} page @param {{stage: Element, queues: Element}} regions */
function drawThreads(overlay, page, regions) {
  const ghosts = [...regions.stage.querySelectorAll(".is-ghost")].slice(0, MOST);
  if (!ghosts.length && !overlay.childElementCount) return;
  const origin = page.getBoundingClientRect();
  const stage = regions.stage.getBoundingClientRect(), queues = regions.queues.getBoundingClientRect();
  overlay.replaceChildren(...ghosts.flatMap((ghost) => {
    const key = CSS.escape(/** @type {HTMLElement} */ (ghost).dataset.pod || "");
    const entry = regions.queues.querySelector(`[data-flip="queue:${key}"]`);
    if (!entry) return [];
    const from = ghost.getBoundingClientRect(), to = entry.getBoundingClientRect();
    if (!inSight(from, stage) || !inSight(to, queues)) return [];
    const x1 = to.right - origin.left, y1 = to.top + to.height / 2 - origin.top, x2 = from.left - origin.left, y2 = from.top + from.height / 2 - origin.top;
    const bend = Math.max(24, Math.min(80, (x2 - x1) / 2));
    const extra = ghost.closest(".is-star") ? "" : ".is-faint";
    return [s(`path.thread${extra}`, { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }), s(`circle.thread-end${extra}`, { cx: x1, cy: y1, r: 3 }), s(`circle.thread-end${extra}`, { cx: x2, cy: y2, r: 3 })];
  }));
}
