/**
 * What travels between the queues and the nodes: a claim goes out, a claim that is given up flies back, a pod is placed, a pod changes its lane.
 * The one rule: a picture of the pod flies, for less than 300 ms; the step itself waits for nothing.
 * @module
 */
import { h } from "../dom.js";
import { wantsMotion } from "./flip.js";

const TIME = 260;

/** @typedef {{x: number, y: number}} Spot */
/** @typedef {{pod: string, from: "queue"|"node", to: "queue"|"node", node: string, role: string}} Route */

/** @type {Object<string, (data: any) => {pod: string, from: "queue"|"node", to: "queue"|"node", role: string}>} */
const ROUTES = {
  "preemption.nominated": (data) => ({ pod: data.pod, from: "queue", to: "node", role: "nominated" }),
  "preemption.nomination_cleared": (data) => ({ pod: data.cleared, from: "node", to: "queue", role: "nominated" }),
  "pod.assumed": (data) => ({ pod: data.pod, from: "queue", to: "node", role: "preemptor" }),
  "queue.moved": (data) => ({ pod: data.pod, from: "queue", to: "queue", role: "plain" }),
};

export class Flights {
  /** @param {HTMLElement} page @param {import("./stage.js").Stage} stage @param {Element} queues */
  constructor(page, stage, queues) { Object.assign(this, { page, stage, queues }); }

  /** To be asked before a step is drawn: where the thing is that is about to move. @param {import("../trace/scene.js").Scene} scene @param {boolean} forward @returns {(() => void)|null} to be called when it is drawn */
  before(scene, forward) {
    const route = forward && wantsMotion() ? ROUTES[scene.event.kind]?.(scene.event.data) : null;
    const old = this.stage.scene;
    if (!route || !old) return null;
    const leaves = old.state.pods.get(route.pod)?.nominated || "";
    const from = route.from === "queue" ? this.#inQueue(route.pod) : this.#onNode(leaves, route.pod);
    if (!from) return null;
    return () => requestAnimationFrame(() => {
      const to = route.to === "queue" ? this.#inQueue(route.pod) : this.#onNode(scene.event.data.node, route.pod);
      if (to) this.#fly(route, from, to);
    });
  }

  /** @param {string} pod @returns {Spot|null} */
  #inQueue(pod) {
    const box = this.queues.querySelector(`[data-flip="queue:${CSS.escape(pod)}"]`)?.getBoundingClientRect();
    return box?.width ? { x: box.left, y: box.top } : null;
  }

  /** @param {string} node @param {string} pod @returns {Spot|null} */
  #onNode(node, pod) { return this.stage.deck.spotAt(node, pod); }

  /** @param {{pod: string, role: string}} route @param {Spot} from @param {Spot} to */
  #fly({ pod, role }, from, to) {
    if (Math.hypot(from.x - to.x, from.y - to.y) < 12) return;
    const flyer = h(`div.flyer.is-${role}`, { "aria-hidden": "true" }, this.stage.words.podLabel(pod));
    this.page.append(flyer);
    const place = ({ x, y }) => `translate(${x}px, ${y}px)`;
    const flight = flyer.animate([{ transform: place(from), opacity: 1 }, { transform: place(to), opacity: 1, offset: 0.85 }, { transform: place(to), opacity: 0 }], { duration: TIME, easing: "cubic-bezier(.3,.6,.2,1)" });
    flight.onfinish = flight.oncancel = () => flyer.remove();
  }
}
