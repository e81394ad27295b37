/**
 * The stage: the panel of the phase, and the nodes below it as cards, tiles or one canvas. The one rule: draw on change only.
 * @module
 */
import { h, keepFocus, keyed, one } from "../dom.js";
import { candidatesOf } from "../trace/scene.js";
import { drawCard } from "./cards.js";
import { travel, wantsMotion, whereThingsAre } from "./flip.js";
import { bandsOf, cardModel, dependencies } from "./model.js";
import { Minimap } from "./minimap.js";
import { panelFor } from "./panels.js";
import { drawTable } from "./table.js";
import { MOST_SVG, TileCanvas, TileField, spotsOf } from "./tiles.js";

/** @typedef {import("../trace/scene.js").Scene} Scene */
/** @typedef {import("../words.js").Words} Words */

export const MOST_CARDS = 60;
const AFTER = 60; // ms after a step in which the overview follows: it never makes a step longer
const NEAR = 8; // cards drawn beside the tiles of a large cluster

export class Stage {
  /** @param {Element} root @param {Words} words @param {(asked: {node?: string, pod?: string}) => void} ask */
  constructor(root, words, ask) {
    this.root = root;
    this.words = words;
    this.panel = one("[data-part=panel]", root);
    this.cards = one("[data-part=cards]", root);
    this.tiles = one("[data-part=tiles]", root);
    this.table = one("[data-part=table]", root);
    this.field = new TileField();
    this.asTable = false;
    this.filter = "";
    /** @type {string|null} the label by which tiles are grouped; null until somebody looked */ this.grouping = null;
    /** @type {number} side of a tile in px; 0: by the number of nodes */ this.side = 0;
    /** @type {(state: import("../trace/reducer.js").State) => void} */ this.onField = () => {};
    /** @type {Map<string, {lang: string, seen: any[], model: any, sign: string}>} */ this.memory = new Map();
    /** @type {Map<string, string>} */ this.shownSigns = new Map();
    this.canvas = new TileCanvas((node) => ask({ node }));
    this.minimap = new Minimap(/** @type {HTMLElement} */ (root), this.tiles, words, (node) => ask({ node }));
    this.mapping = 0;
    root.addEventListener("click", (event) => this.#clicked(event, ask));
  }

  /** @param {Event} event @param {(asked: {node?: string, pod?: string}) => void} ask */
  #clicked(event, ask) {
    const target = /** @type {Element} */ (event.target);
    const pod = /** @type {HTMLElement|null} */ (target.closest("[data-pod]"));
    if (pod) { ask({ pod: pod.dataset.pod }); return; }
    const node = /** @type {HTMLElement|null} */ (target.closest("[data-node-name], tr[data-node], [data-node]"));
    if (node) ask({ node: node.dataset.nodeName || node.dataset.node });
  }

  /**
   * @param {Scene} scene @param {boolean} near whether the place is close to the last one, so that motion explains
   * @param {() => void} [beside] draws the rest of the page, after places were looked at and before they are looked at again
   */
  draw(scene, near, beside) {
    const moving = near && wantsMotion();
    const cards = this.#cardsOf(scene);
    const changing = new Set(cards.filter((card) => this.shownSigns.get(card.model.name) !== card.sign).map((card) => card.model.name));
    this.shownSigns = new Map(cards.map((card) => [card.model.name, card.sign]));
    const before = moving ? whereThingsAre(this.root, changing) : new Map();
    beside?.();
    keepFocus(this.root, () => { this.#drawPanel(scene); this.#drawNodes(scene, cards); });
    this.#showFocus(scene);
    if (moving) travel(this.root, before, changing);
  }

  /** Scrolls no more than it must, and only when another node comes into focus. @param {Scene} scene */
  #showFocus(scene) {
    const chapter = scene.chapter + (scene.place.cycle || "");
    if (chapter !== this.chapter) this.root.scrollTop = 0;
    this.chapter = chapter;
    const card = this.cards.querySelector(".card.is-focus, .card.wins");
    const name = card ? /** @type {HTMLElement} */ (card).dataset.node : "";
    const moved = name !== this.shown;
    this.shown = name;
    if (!card || !moved || scene.chapter === "best-pick") return;
    const room = this.root.getBoundingClientRect(), box = card.getBoundingClientRect();
    const head = this.panel.offsetHeight;
    if (box.bottom > room.bottom) this.root.scrollTop += Math.max(0, Math.min(box.bottom - room.bottom + 12, box.top - room.top - head - 8));
    else if (box.top < room.top + head) this.root.scrollTop -= room.top + head - box.top + 8;
  }

  /** @param {Scene} scene */
  #drawPanel(scene) {
    const panel = panelFor(scene, this.words);
    this.panel.classList.toggle("is-tall", Boolean(panel?.matches(".pick, .score")));
    if (panel) { this.panel.replaceChildren(panel); showColumn(panel); }
    else this.panel.replaceChildren();
  }

  /** @param {Scene} scene */
  #cardsOf(scene) {
    if (this.asTable) return [];
    const many = scene.state.nodes.size > MOST_CARDS;
    const names = many ? nearNames(scene) : [...scene.state.nodes.keys()].filter((name) => !this.filter || name.includes(this.filter));
    return names.map((name) => this.#card(scene, name));
  }

  /** @param {Scene} scene @param {{model: any, sign: string}[]} cards */
  #drawNodes(scene, cards) {
    const many = scene.state.nodes.size > MOST_CARDS;
    this.cards.hidden = this.asTable;
    this.table.hidden = !this.asTable;
    this.tiles.hidden = !many || this.asTable;
    if (this.asTable) { clearTimeout(this.mapping); this.minimap.draw(null, () => ({ width: 0, height: 0, spots: [] })); drawTable(this.table, scene, this.words, this.filter); return; }
    this.#drawCards(scene, cards);
    if (many) this.#drawTiles(scene, scene.state.nodes.size);
    clearTimeout(this.mapping);
    if (many) this.mapping = window.setTimeout(() => this.minimap.draw(scene, () => this.#geometry(scene.state.nodes.size)), AFTER);
    else this.minimap.draw(null, () => ({ width: 0, height: 0, spots: [] }));
  }

  /** Where each node's tile is. @param {number} count of nodes */
  #geometry(count) { return count <= MOST_SVG ? spotsOf(this.tiles) : this.canvas.spots(); }

  /** @param {Scene} scene @param {{model: any, sign: string}[]} cards */
  #drawCards(scene, cards) {
    this.cards.classList.toggle("is-roomy", cards.length <= 3);
    this.cards.classList.toggle("has-star", cards.some((card) => card.model.star));
    this.cards.classList.toggle("has-focus", cards.some((card) => card.model.focus));
    this.cards.classList.toggle("is-compact", scene.chapter === "best-pick" && Boolean(candidatesOf(scene.cycle)));
    keyed(this.cards, cards, (card) => card.model.name, (card) => card.sign, (card) => drawCard(card.model, this.words));
  }

  /** The card of a node: the one of the last step when nothing that it shows has changed. @param {Scene} scene @param {string} name */
  #card(scene, name) {
    const seen = dependencies(scene, name);
    const kept = this.memory.get(name);
    if (kept && kept.lang === this.words.lang && kept.seen.length === seen.length && kept.seen.every((each, index) => each === seen[index])) return kept;
    const model = cardModel(scene, name, bandsOf(scene.state), this.words);
    const card = { lang: this.words.lang, seen, model, sign: JSON.stringify(model) };
    this.memory.set(name, card);
    return card;
  }

  /** @param {Scene} scene @param {number} count */
  #drawTiles(scene, count) {
    this.onField(scene.state);
    const how = { filter: this.filter, label: this.grouping || "", side: this.sideFor(count) };
    if (count <= MOST_SVG) { this.field.draw(this.tiles, scene, this.words, how); return; }
    if (this.canvas.canvas.parentElement !== this.tiles) this.tiles.replaceChildren(this.canvas.canvas);
    this.canvas.draw(scene, this.words, how, this.tiles.clientWidth || 800);
  }

  /** @param {number} count of nodes */
  sideFor(count) {
    if (this.side) return this.side;
    return count <= MOST_SVG ? 26 : count > 3000 ? 10 : count > 1200 ? 14 : 18;
  }
}

/** The rule just asked is the column to look at: on a narrow screen the table scrolls to it. @param {Element} panel */
function showColumn(panel) {
  const wrap = panel.querySelector(".table-wrap"), now = /** @type {HTMLElement|null} */ (panel.querySelector("th.is-now"));
  if (!wrap || !now || wrap.scrollWidth <= wrap.clientWidth) return;
  wrap.scrollLeft = now.offsetLeft + now.offsetWidth - wrap.clientWidth + 8;
}

/** The nodes worth a card when there are too many for all. @param {Scene} scene */
function nearNames(scene) {
  const { cycle } = scene;
  const names = [scene.node, cycle?.picked?.node, cycle?.selected?.host, ...(scene.chapter === "best-pick" ? Object.keys(candidatesOf(cycle) || {}) : []), ...[...scene.state.nominations.values()]];
  return [...new Set(names)].filter((name) => name && scene.state.nodes.has(name)).slice(0, NEAR);
}
export { h };
