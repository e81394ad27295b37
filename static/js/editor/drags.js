/**
 * Pods that are dragged: by mouse, finger or pen. A finger lifts a pod by resting on it, so that it can still scroll the page.
 * The one rule: it says what was lifted and where it was dropped; it changes nothing itself.
 * @module
 */

const FAR = 6; // pixels that a mouse moves before a press is a drag
const REST_MS = 300; // that a finger rests before it lifts
const EDGE = 48; // pixels from an edge where the page scrolls along

/** @typedef {{pod: HTMLElement, id: number, x: number, y: number, ghost: HTMLElement|null, timer: number}} Drag */

export class Drags extends EventTarget {
  /** @type {Drag|null} */ #drag = null;

  /** @param {HTMLElement} root holds pods, marked `data-drag`, and places, marked `data-drop` */
  constructor(root) {
    super();
    this.root = root;
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("contextmenu", (event) => { if (this.#drag?.ghost) event.preventDefault(); });
    root.addEventListener("dragstart", (event) => event.preventDefault());
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#end(event, true));
    document.addEventListener("pointercancel", (event) => this.#end(event, false));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && this.#drag?.ghost) { event.stopPropagation(); this.#stop(); } }, true);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const pod = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-drag]"));
    if (!pod || event.button !== 0 || this.#drag) return;
    const drag = this.#drag = { pod, id: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, timer: 0 };
    if (event.pointerType === "touch") drag.timer = setTimeout(() => this.#lift(drag), REST_MS);
  }

  /** @param {Drag} drag */
  #lift(drag) {
    const { pod } = drag;
    this.root.setPointerCapture(drag.id); // the pod may be drawn anew while it is dragged
    pod.addEventListener("touchmove", (event) => { if (this.#drag === drag) event.preventDefault(); }, { passive: false });
    const ghost = drag.ghost = /** @type {HTMLElement} */ (pod.cloneNode(true));
    ghost.classList.add("ed-ghost");
    ghost.setAttribute("aria-hidden", "true");
    ghost.removeAttribute("data-pod");
    ghost.removeAttribute("data-entry");
    ghost.style.width = `${pod.offsetWidth}px`;
    this.root.append(ghost);
    this.root.classList.add("is-dragging");
    this.#follow(drag.x, drag.y);
    navigator.vibrate?.(15);
    this.dispatchEvent(new CustomEvent("lift", { detail: pod.dataset.entry || "" }));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId) return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!drag.ghost && isFar && event.pointerType === "touch") { this.#stop(); return; } // it scrolls
    if (!drag.ghost && isFar) this.#lift(drag);
    if (!drag.ghost) return;
    event.preventDefault();
    this.#follow(event.clientX, event.clientY);
    this.#mark(this.#placeAt(event.clientX, event.clientY));
  }

  /** @param {number} x @param {number} y */
  #follow(x, y) {
    this.#drag?.ghost?.style.setProperty("transform", `translate(${x + 8}px, ${y + 8}px)`);
    const scroller = this.root.scrollHeight > this.root.clientHeight + 1 ? this.root : document.scrollingElement;
    const { top, bottom } = this.root.getBoundingClientRect();
    if (y < Math.max(0, top) + EDGE) scroller?.scrollBy(0, -14);
    if (y > Math.min(innerHeight, bottom) - EDGE) scroller?.scrollBy(0, 14);
  }

  /** @param {number} x @param {number} y @returns {HTMLElement|null} */
  #placeAt(x, y) {
    const place = /** @type {HTMLElement|null} */ (document.elementFromPoint(x, y)?.closest("[data-drop]") || null);
    return place && this.root.contains(place) ? place : null;
  }

  /** @param {Element|null} place */
  #mark(place) {
    for (const each of this.root.querySelectorAll(".is-over")) if (each !== place) each.classList.remove("is-over");
    place?.classList.add("is-over");
  }

  /** @param {PointerEvent} event @param {boolean} drops */
  #end(event, drops) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId) return;
    const place = drag.ghost && drops ? this.#placeAt(event.clientX, event.clientY) : null;
    const wasLifted = Boolean(drag.ghost);
    this.#stop();
    if (wasLifted) document.addEventListener("click", (click) => { click.stopPropagation(); click.preventDefault(); }, { capture: true, once: true, signal: AbortSignal.timeout(50) }); // a drop is no click
    if (place) this.dispatchEvent(new CustomEvent("drop", { detail: { key: drag.pod.dataset.entry || "", node: place.dataset.drop || "" } }));
  }

  #stop() {
    clearTimeout(this.#drag?.timer);
    this.#drag?.ghost?.remove();
    const wasLifted = Boolean(this.#drag?.ghost);
    this.#drag = null;
    this.#mark(null);
    this.root.classList.remove("is-dragging");
    if (wasLifted) this.dispatchEvent(new CustomEvent("lift", { detail: "" }));
  }
}
