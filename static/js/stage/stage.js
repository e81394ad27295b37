/**
 * The stage: the panel of the phase, and the nodes below it as cards, tiles or one canvas. The one rule: draw on change only.
 * @module
 */
import { keepFocus, morph, one } from "../dom.js";
import { candidatesOf } from "../trace/scene.js";
import { Deck } from "./deck.js";
import { rowsOf, sink, wantsMotion } from "./flip.js";
import { bandsOf, cardModel, dependencies, isFocus, isStar } from "./model.js";
import { Minimap } from "./minimap.js";
import { Pager } from "./pager.js";
import { FIRST_ROWS, ROWS, panelFor } from "./panels.js";
import { drawTable } from "./table.js";
import { MOST_SVG, TileCanvas, TileField, spotsOf } from "./tiles.js";

/** @typedef {import("../trace/scene.js").Scene} Scene */
/** @typedef {import("../words.js").Words} Words */

export const MOST_CARDS = 60;
const AFTER = 60; // ms after a step in which the overview follows: it never makes a step longer
const NARROW = 640; // px in which the elimination table has to scroll
const NEAR = 8; // cards drawn beside the tiles of a large cluster
/** @type {Map<string, number>} */
const NO_ROWS = new Map();
const NOWHERE = () => ({ width: 0, height: 0, spots: [] });

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
    /** @type {() => void} asks for the scene anew: the state it was made of has moved on */ this.onStale = () => {};
    this.filter = "";
    /** @type {string|null} the label by which tiles are grouped; null until somebody looked */ this.grouping = null;
    /** @type {number} side of a tile in px; 0: by the number of nodes */ this.side = 0;
    /** @type {(state: import("../trace/reducer.js").State) => void} */ this.onField = () => {};
    /** @type {Map<string, {lang: string, seen: any[], model: any}>} */ this.memory = new Map();
    /** @type {Scene|null} */ this.scene = null;
    this.picked = "";
    this.byNode = false;
    this.allRows = false;
    this.one = Boolean(root.closest(".view-card"));
    this.deck = new Deck(/** @type {HTMLElement} */ (root), this.cards, words, () => this.#again());
    this.pager = new Pager(this.cards, words, (name) => { this.picked = name; this.#again(); });
    this.canvas = new TileCanvas(/** @type {HTMLElement} */ (root), (node) => ask({ node }));
    this.minimap = new Minimap(/** @type {HTMLElement} */ (root), this.tiles, words, (node) => ask({ node }));
    this.mapping = 0;
    root.addEventListener("click", (event) => this.#clicked(event, ask));
    root.addEventListener("toggle", (event) => this.#toggled(/** @type {HTMLDetailsElement} */ (event.target)), true);
    root.addEventListener("keydown", (event) => this.#pressed(/** @type {KeyboardEvent} */ (event)));
  }

  /** What is folded is drawn when it is opened. @param {HTMLDetailsElement} details */
  #toggled(details) {
    if (!details.matches(".by-node") || details.open === this.byNode) return;
    this.byNode = details.open;
    this.#again();
  }

  /** What is drawn answers the keys of a button. @param {KeyboardEvent} event */
  #pressed(event) {
    const button = /** @type {Element} */ (event.target).closest("g[role=button]");
    if (!button || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    button.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }

  /** @param {Event} event @param {(asked: {node?: string, pod?: string}) => void} ask */
  #clicked(event, ask) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[data-more]")) { this.allRows = true; this.#again(); return; }
    const pod = /** @type {HTMLElement|null} */ (target.closest("[data-pod]"));
    if (pod) { ask({ pod: pod.dataset.pod }); return; }
    const node = /** @type {HTMLElement|null} */ (target.closest("[data-node-name], tr[data-node], [data-node]"));
    if (node) ask({ node: node.dataset.nodeName || node.dataset.node });
  }

  /**
   * @param {Scene} scene @param {boolean} near whether the place is close to the last one, so that motion explains
   * @param {() => void} [beside] draws the rest of the page, before anything is measured
   */
  draw(scene, near, beside) {
    const moving = near && wantsMotion();
    this.scene = scene;
    const chapter = scene.chapter + (scene.place.cycle || "");
    if (chapter !== this.chapter) this.deck.scrollTo(0);
    this.chapter = chapter;
    const rows = moving && scene.chapter === "best-pick" ? rowsOf(this.panel) : NO_ROWS;
    beside?.();
    keepFocus(this.root, () => { this.#drawPanel(scene); this.#drawNodes(scene, moving); });
    this.#showFocus(scene);
    if (rows.size) sink(this.panel, rows);
  }

  /** The same scene in a room of another size. */
  #again() {
    if (this.scene?.state.seq === this.scene?.place.seq && this.scene) this.draw(this.scene, false);
    else this.onStale();
  }

  /** Scrolls no more than it must, and only when another node comes into focus. @param {Scene} scene */
  #showFocus(scene) {
    const name = this.focused;
    const moved = name !== this.shown;
    this.shown = name;
    if (name && moved && scene.chapter !== "best-pick") this.deck.show(name);
  }

  /** @param {Scene} scene */
  #drawPanel(scene) {
    const panel = panelFor(scene, this.words, { rows: this.allRows ? ROWS : FIRST_ROWS, open: this.byNode }), old = this.panel.firstElementChild;
    this.panel.classList.toggle("is-tall", Boolean(panel?.matches(".pick, .score")));
    this.deck.expect(panel?.className || "", panel?.matches(".pick") ? 420 : panel ? 90 : 0);
    if (!panel) { if (old) this.panel.replaceChildren(); return; }
    if (old && panel.tagName === old.tagName && panel.className === old.className) morph(old, panel);
    else this.panel.replaceChildren(panel);
    if (panel.matches(".pick") && this.deck.width < NARROW) requestAnimationFrame(() => { if (this.panel.firstElementChild) showColumn(this.panel.firstElementChild); });
  }

  /** What there is to draw; what a card shows is only worked out when it is wanted. @param {Scene} scene @returns {import("./deck.js").Card[]} */
  #cardsOf(scene) {
    const many = scene.state.nodes.size > MOST_CARDS, chosen = scene.cycle?.picked?.node || scene.cycle?.selected?.host;
    const names = many ? nearNames(scene) : [...scene.state.nodes.keys()].filter((name) => !this.filter || name.includes(this.filter));
    const cards = names.map((name) => ({ name, focus: isFocus(scene, name), star: isStar(scene, name), wins: chosen === name, model: () => this.#model(scene, name) }));
    return this.one && cards.some((card) => card.focus || card.wins) ? cards.filter((card) => card.focus || card.wins) : cards;
  }

  /** @param {Scene} scene @param {boolean} moving */
  #drawNodes(scene, moving) {
    const many = scene.state.nodes.size > MOST_CARDS;
    if (this.cards.hidden !== this.asTable) this.cards.hidden = this.asTable;
    if (this.table.hidden === this.asTable) this.table.hidden = !this.asTable;
    if (this.tiles.hidden === (many && !this.asTable)) this.tiles.hidden = !many || this.asTable;
    if (this.asTable) { clearTimeout(this.mapping); this.minimap.draw(null, NOWHERE); drawTable(this.table, scene, this.words, this.filter); return; }
    this.#drawCards(scene, this.#cardsOf(scene), moving);
    if (many) this.#drawTiles(scene, scene.state.nodes.size);
    clearTimeout(this.mapping);
    if (many) this.mapping = window.setTimeout(() => this.minimap.draw(scene, () => this.#geometry(scene.state.nodes.size)), AFTER);
    else this.minimap.draw(null, NOWHERE);
  }

  /** Where each node's tile is. @param {number} count of nodes */
  #geometry(count) { return count <= MOST_SVG ? spotsOf(this.tiles) : this.canvas.spots(); }

  /** @param {Scene} scene @param {import("./deck.js").Card[]} cards @param {boolean} moving */
  #drawCards(scene, cards, moving) {
    const focused = (cards.find((card) => card.focus) || cards.find((card) => card.wins))?.name || "";
    if (focused !== this.focused) this.picked = "";
    this.focused = focused;
    this.deck.draw(cards, { compact: scene.chapter === "best-pick" && Boolean(candidatesOf(scene.cycle)), moving, pick: this.picked });
    this.pager.draw(this.deck.phone ? cards.map((card) => card.name) : [], this.deck.order[0]);
  }

  /** The model of a card: the one of the last step when nothing that it shows has changed; null when the scene is over. @param {Scene} scene @param {string} name */
  #model(scene, name) {
    if (scene.state.seq !== scene.place.seq || scene !== this.scene) return null;
    const seen = dependencies(scene, name);
    const kept = this.memory.get(name);
    if (kept && kept.lang === this.words.lang && kept.seen.length === seen.length && kept.seen.every((each, index) => each === seen[index])) return kept.model;
    const model = cardModel(scene, name, bandsOf(scene.state), this.words);
    this.memory.set(name, { lang: this.words.lang, seen, model });
    return model;
  }

  /** @param {Scene} scene @param {number} count */
  #drawTiles(scene, count) {
    this.onField(scene.state);
    const how = { filter: this.filter, label: this.grouping || "", side: this.sideFor(count), width: Math.max(240, this.deck.width || 800) };
    if (count <= MOST_SVG) { this.field.draw(this.tiles, scene, this.words, how); return; }
    if (this.canvas.root.parentElement !== this.tiles) this.tiles.replaceChildren(this.canvas.root);
    this.canvas.draw(scene, this.words, how, this.deck.width || 800);
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
