/**
 * The overview of a large cluster: every node a dot where its tile is, what matters marked, the part in sight framed.
 * The one rule: an outlier is never lost among the many; it has a mark of its own and a way to go there.
 * @module
 */
import { h } from "../dom.js";
import { candidatesOf } from "../trace/scene.js";

/** @typedef {import("../trace/scene.js").Scene} Scene */
/** @typedef {{name: string, x: number, y: number}} Spot */

const WIDTH = 190, TALLEST = 150;
const MOST_OUTLIERS = 40;
const FAR = 0.3; // of its capacity: so much fuller or emptier than the middle node
const KINDS = Object.freeze(["chosen", "candidate", "outlier"]);

/** How full a node is, 0 to 1. @param {any} node */
function levelOf(node) {
  return Math.max(...["cpu", "memory"].map((resource) => (node.allocatable[resource] ? Math.min(1, (node.requested[resource] || 0) / node.allocatable[resource]) : 0)));
}

/** The few nodes that are much fuller or much emptier than the rest. @param {import("../trace/reducer.js").State} state @returns {string[]} */
export function outliersOf(state) {
  const levels = [...state.nodes.values()].map((node) => ({ name: node.name, level: levelOf(node) }));
  if (levels.length < 10) return [];
  const middle = [...levels].sort((a, b) => a.level - b.level)[levels.length >> 1].level;
  const far = levels.filter(({ level }) => Math.abs(level - middle) >= FAR);
  if (far.length > Math.min(MOST_OUTLIERS, levels.length / 10)) return [];
  return far.map(({ name }) => name);
}

/** Which nodes matter at this place. @param {Scene} scene @returns {{potential: Set<string>, candidate: string[], chosen: string[], outlier: string[]}} */
export function markedNodes(scene) {
  const { cycle } = scene;
  const chosen = cycle?.picked?.node || cycle?.selected?.host;
  const found = Object.keys(candidatesOf(cycle || /** @type {any} */ ({ extenders: [] })) || {});
  const checked = cycle?.candidates ? [...cycle.checked].filter(([, data]) => !data.status).map(([name]) => name) : [];
  return {
    potential: new Set(cycle?.candidates ? cycle.candidates.potential : cycle?.filtered ? cycle.filtered.feasible : []),
    candidate: found.length ? found : checked, chosen: chosen ? [chosen] : [], outlier: outliersOf(scene.state),
  };
}

export class Minimap {
  /** @param {HTMLElement} room what scrolls @param {HTMLElement} tiles @param {import("../words.js").Words} words @param {(node: string) => void} ask */
  constructor(room, tiles, words, ask) {
    Object.assign(this, { room, tiles, words, ask });
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas.minimap-canvas", { "aria-hidden": "true" }));
    this.frame = h("div.minimap-frame", { "aria-hidden": "true" });
    this.picture = h("div.minimap-picture", {}, this.canvas, this.frame);
    this.buttons = h("div.minimap-buttons");
    this.root = h("section.minimap", { hidden: true }, this.picture, this.buttons);
    /** @type {Object<string, number>} which of a kind comes next */ this.next = {};
    this.sign = "";
    room.after(this.root);
    room.addEventListener("scroll", () => this.#showFrame(), { passive: true });
    this.picture.addEventListener("click", (event) => { event.stopPropagation(); this.#goTo(event.offsetY / this.scale); });
  }

  /** @param {Scene|null} scene null: there is nothing to map @param {() => {width: number, height: number, spots: Spot[]}} geometry */
  draw(scene, geometry) {
    this.root.hidden = !scene;
    this.room.classList.toggle("has-minimap", Boolean(scene));
    if (!scene) return;
    const { width, height, spots } = geometry();
    this.scaleX = WIDTH / width;
    this.scale = Math.min(this.scaleX, TALLEST / Math.max(1, height));
    this.places = new Map(spots.map((spot) => [spot.name, spot]));
    const marked = markedNodes(scene);
    this.#paint(spots, marked, width, height);
    this.#drawButtons(marked);
    this.#showFrame();
  }

  /** @param {Spot[]} spots @param {ReturnType<typeof markedNodes>} marked @param {number} width @param {number} height */
  #paint(spots, marked, width, height) {
    const [w, tall] = [Math.ceil(width * this.scaleX), Math.max(4, Math.ceil(height * this.scale))];
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    Object.assign(this.canvas, { width: w, height: tall });
    const style = getComputedStyle(this.room);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const [plain, potential] = [colour("--line"), colour("--neutral")];
    for (const { name, x, y } of spots) {
      pen.fillStyle = marked.potential.has(name) ? potential : plain;
      pen.fillRect(Math.floor(x * this.scaleX), Math.floor(y * this.scale), 2, 2);
    }
    const mark = (/** @type {string[]} */ names, /** @type {string} */ paint, /** @type {number} */ side, /** @type {boolean} */ hollow) => {
      for (const name of names) {
        const spot = this.places.get(name);
        if (!spot) continue;
        const [x, y] = [spot.x * this.scaleX - side / 2 + 1, spot.y * this.scale - side / 2 + 1];
        if (hollow) { pen.strokeStyle = paint; pen.lineWidth = 1.5; pen.strokeRect(x, y, side, side); } else { pen.fillStyle = paint; pen.fillRect(x, y, side, side); }
      }
    };
    mark(marked.outlier, colour("--ink"), 6, true);
    mark(marked.candidate, colour("--victim"), 4, false);
    mark(marked.chosen, colour("--reprieved"), 7, false);
  }

  /** @param {ReturnType<typeof markedNodes>} marked */
  #drawButtons(marked) {
    const kinds = KINDS.filter((kind) => marked[/** @type {"chosen"} */ (kind)].length);
    this.marked = marked;
    this.root.setAttribute("aria-label", this.words.say("minimap.label"));
    const sign = JSON.stringify([this.words.lang, kinds.map((kind) => [kind, marked[/** @type {"chosen"} */ (kind)].length])]);
    if (sign === this.sign) return;
    this.sign = sign;
    const held = this.buttons.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.kind : "";
    this.buttons.replaceChildren(...kinds.map((kind) => h(`button.minimap-button.is-${kind}`, { type: "button", "data-kind": kind, onclick: () => this.#goToKind(kind) }, this.words.say(`minimap.${kind}`, { count: marked[/** @type {"chosen"} */ (kind)].length }))));
    if (held) /** @type {HTMLElement|null} */ (this.buttons.querySelector(`[data-kind=${held}]`))?.focus();
  }

  /** The next one of a kind comes into sight, and Why tells about it. @param {string} kind */
  #goToKind(kind) {
    const names = this.marked[/** @type {"chosen"} */ (kind)];
    const name = names[(this.next[kind] = ((this.next[kind] ?? -1) + 1) % names.length)];
    const spot = this.places.get(name);
    if (spot) this.#goTo(spot.y);
    this.ask(name);
  }

  /** Where the tiles begin inside what scrolls. */
  get #top() { return this.tiles.getBoundingClientRect().top - this.room.getBoundingClientRect().top + this.room.scrollTop; }

  /** @param {number} y in the tiles */
  #goTo(y) { this.room.scrollTop = this.#top + y - this.room.clientHeight / 2; }

  #showFrame() {
    if (this.root.hidden) return;
    const top = Math.max(0, this.room.scrollTop - this.#top), end = Math.max(0, this.room.scrollTop + this.room.clientHeight - this.#top);
    const tall = this.canvas.height;
    this.frame.style.setProperty("--top", `${Math.min(tall, top * this.scale)}px`);
    this.frame.style.setProperty("--tall", `${Math.max(0, Math.min(tall, end * this.scale) - Math.min(tall, top * this.scale))}px`);
    this.frame.style.setProperty("--wide", `${this.canvas.width}px`);
  }
}
