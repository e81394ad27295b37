/**
 * The deck of cards: where each stands, which are in sight, and what of them has to be written.
 * The one rule: within a step nothing is read back from the page. Cards out of sight are written when nobody waits, before they can come into sight.
 * @module
 */
import { drawCard } from "./cards.js";
import { travel } from "./flip.js";
import { placeCards, planOf } from "./grid.js";
import { h } from "../dom.js";
import { measureLike } from "./measure.js";
import { make, patch } from "./patch.js";

/** @typedef {import("./model.js").Block} Block */
/** @typedef {ReturnType<typeof import("./model.js").cardModel>} Model */
/** @typedef {import("./cards.js").Drawing} Drawing */
/** @typedef {import("./cards.js").Mode} Mode */
/** @typedef {import("./grid.js").Place} Place */
/** @typedef {{name: string, focus: boolean, star: boolean, wins: boolean, model: () => Model|null}} Card */
/** @typedef {{mode: Mode, width: number, sign: string}} Look */
/** @typedef {{name: string, card: Card, element: HTMLElement, svg: SVGElement|null, look: Look, model: Model|null, drawn: string, drawing: Drawing|null, fresh: boolean, shown: Drawing|null, place: Place|null, standing: Place|null, classes: string}} Entry `fresh`: its drawing is of this step */

const SIGHT = 80; // px above and below what is in sight that are written at once
const PHONE = 480;
const CROWD = 12; // of more cards than this only the one that a step is about tells all: the others stay as they are from phase to phase
const ROUNDS = 4; // a card that is higher than it was taken for brings others out of sight, seldom into it
const SLICE = 5; // ms for cards out of sight, at a time
/** @type {(work: () => void) => number} */
const whenIdle = (work) => (globalThis.requestIdleCallback ? globalThis.requestIdleCallback(work, { timeout: 400 }) : setTimeout(work, 60));
const neverMind = (/** @type {number} */ handle) => (globalThis.cancelIdleCallback ? globalThis.cancelIdleCallback(handle) : clearTimeout(handle));

export class Deck {
  /** @param {HTMLElement} room what scrolls @param {HTMLElement} root @param {import("../words.js").Words} words @param {() => void} again draws the last scene again */
  constructor(room, root, words, again) {
    this.room = room; this.root = root; this.words = words; this.again = again;
    /** @type {Map<string, Entry>} */ this.entries = new Map();
    this.width = 0; this.unit = 1; this.space = 1; this.top = 0; this.scroll = 0; this.height = 0; this.head = 0;
    this.idle = 0;
    /** @type {string[]} */ this.order = [];
    this.kind = "";
    /** @type {Map<string, number>} how high each kind of panel was last */ this.heads = new Map();
    this.waiting = false; this.missed = false; this.aside = false; this.phone = false; this.tall = "";
    /** @type {Map<Mode, number>} about how high a card is */ this.heights = new Map();
    room.addEventListener("scroll", () => { this.scroll = room.scrollTop; this.#writeSeen(); }, { passive: true });
    root.addEventListener("pointerover", (event) => { root.title = nameUnder(event.target); });
    this.panel = /** @type {HTMLElement|null} */ (room.querySelector("[data-part=panel]"));
    this.observer = new ResizeObserver((sizes) => this.#resized(sizes));
    for (const each of [room, this.panel]) if (each) this.observer.observe(each);
  }

  /** How much room there is: read when it changes, never within a step. */
  #look() {
    const isEmpty = !this.root.childElementCount;
    if (isEmpty) this.root.style.display = "block"; // without cards it takes no room, and would seem to have none
    const style = getComputedStyle(this.root), unit = (Number(style.getPropertyValue("--unit")) || 1) * (parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1);
    const box = this.root.getBoundingClientRect(), around = this.room.getBoundingClientRect();
    const found = [Math.floor(this.root.clientWidth), unit].join();
    this.width = Math.floor(this.root.clientWidth);
    this.unit = unit;
    this.space = unit > 1.4 ? 1.4 : Math.max(1, unit);
    this.scroll = this.room.scrollTop;
    this.top = box.top - around.top + this.scroll;
    this.height = this.room.clientHeight;
    this.head = this.panel?.offsetHeight || 0;
    if (isEmpty) this.root.style.display = "";
    const changed = found !== this.looked;
    this.looked = found;
    return changed;
  }

  /** The panel above becomes another one: how high it will be is taken from the last time it was there. @param {string} kind @param {number} guess px, when it never was */
  expect(kind, guess) {
    if (kind === this.kind) return;
    this.heads.set(this.kind, this.head);
    const head = this.heads.get(kind) ?? guess;
    this.kind = kind;
    this.top += head - this.head;
    this.head = head;
  }

  /** @param {ResizeObserverEntry[]} sizes */
  #resized(sizes) {
    if (!this.order.length) return;
    const head = sizes.find((size) => size.target === this.panel)?.borderBoxSize[0]?.blockSize;
    if (head !== undefined) { this.top += head - this.head; this.head = head; }
    if (sizes.some((size) => size.target === this.room) && this.#look() && this.width) this.again();
    else this.#writeSeen();
  }

  /** @param {Card[]} cards in the order of the nodes @param {{compact: boolean, moving: boolean, pick: string}} how `pick`: the one card of a phone */
  draw(cards, { compact, moving, pick }) {
    if (!this.measure) this.measure = measureLike(this.root);
    if (!this.width) this.#look();
    const entries = this.#order(cards, compact, pick);
    this.order = entries.map(({ name }) => name);
    this.#place(entries);
    const shown = new Set(this.order);
    this.#keepOnly(new Set(cards.map(({ name }) => name)), shown);
    this.#keepOrder(cards.filter(({ name }) => shown.has(name)));
    /** @type {import("./flip.js").Move[]|null} */
    const moves = moving ? [] : null;
    for (const entry of entries) this.#write(entry, moves);
    if (moves) travel(moves);
    this.#later();
  }

  /** Which cards, in which order, how wide and how much of each. @param {Card[]} cards @param {boolean} compact @param {string} pick @returns {Entry[]} */
  #order(cards, compact, pick) {
    const { unit, space } = this, width = this.width || 900;
    const phone = width <= PHONE && unit < 1.5 && cards.length > 1, aside = unit >= 1.5, gap = 16 * space, room = Math.max(space, unit * 0.9);
    this.phone = phone;
    const crowd = cards.length > CROWD;
    if (crowd) compact = false;
    let shown = cards;
    if (phone) shown = [cards.find(({ name }) => name === pick) || cards.find((card) => card.focus || card.star || card.wins) || cards[0]];
    if (compact) shown = [...shown].sort((a, b) => Number(b.wins) - Number(a.wins));
    const roomy = !compact && shown.length <= 3;
    const star = compact || roomy ? -1 : shown.findIndex((card) => card.star);
    if (star > 0) shown = [shown[star], ...shown.filter((_, index) => index !== star)];
    const plan = planOf(width, shown.length, compact ? { least: 148 * space * Math.min(unit, 1.6), most: 260 * room, gap: 12 * space, star: false } : roomy ? { least: 290 * room, most: 600 * room, gap, star: false } : { least: 240 * room, gap, star: star >= 0, aside });
    this.plan = plan;
    this.aside = aside && plan.star > 0;
    return shown.map((card, index) => {
      const mode = /** @type {Mode} */ (compact ? "compact" : roomy || (star < 0 && !crowd) ? "full" : star >= 0 && index === 0 ? "star" : aside ? "brief" : "lean");
      const wide = Math.floor(index === 0 && plan.star ? plan.starWidth : this.aside ? plan.restWidth : plan.column);
      return this.#entry(card, { mode, width: wide, sign: `${mode} ${wide} ${unit} ${space} ${this.words.lang}` });
    });
  }

  /** @param {Card} card @param {Look} look @returns {Entry} */
  #entry(card, look) {
    const kept = this.entries.get(card.name);
    if (kept) return Object.assign(kept, { card, look, fresh: false });
    /** @type {Entry} */
    const entry = { name: card.name, card, element: h("article.card", { "data-node": card.name }), svg: null, look, model: null, drawn: "", drawing: null, fresh: false, shown: null, place: null, standing: null, classes: "card" };
    this.entries.set(card.name, entry);
    return entry;
  }

  /** Cards in sight are drawn, then placed; of the others it is enough to know about how high they are. @param {Entry[]} entries */
  #place(entries) {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { places, height } = placeCards(entries.map((entry) => this.#heightOf(entry)), /** @type {import("./grid.js").Plan} */ (this.plan), this.aside);
      entries.forEach((entry, index) => { entry.place = places[index]; });
      this.#setHeight(height);
      let again = false;
      for (const entry of entries) if (!entry.fresh && this.#inSight(entry)) again = this.#draw(entry) || again;
      if (!again) return;
    }
  }

  /** @param {number} height */
  #setHeight(height) {
    const tall = `${Math.ceil(height)}px`;
    if (this.tall === tall) return;
    this.tall = tall;
    this.root.style.height = tall;
  }

  /** @param {Entry} entry */
  #heightOf(entry) {
    if (entry.drawing && entry.drawn === entry.look.sign) return entry.drawing.height;
    const guess = this.heights.get(entry.look.mode);
    if (guess && this.height) return guess;
    this.#draw(entry);
    return entry.drawing?.height || 100;
  }

  /** The drawing of a card: made again only when its model, its size or the language changed. @param {Entry} entry @returns {boolean} whether it is higher or lower than it was taken for */
  #draw(entry) {
    const { look, place } = entry, model = entry.card.model();
    if (!model) { this.missed = true; return false; }
    entry.fresh = true;
    if (entry.model !== model || entry.drawn !== look.sign || !entry.drawing) {
      entry.drawing = drawCard(model, this.words, { mode: look.mode, width: look.width, unit: this.unit, space: this.space, measure: /** @type {import("./measure.js").Measure} */ (this.measure) });
      entry.model = model;
      entry.drawn = look.sign;
      this.heights.set(look.mode, entry.drawing.height);
    }
    return Boolean(place) && /** @type {Place} */ (place).height !== entry.drawing.height;
  }

  /** @param {Set<string>} names of cards there are @param {Set<string>} shown of those that have a place */
  #keepOnly(names, shown) {
    for (const [name, entry] of this.entries) {
      if (names.has(name) && shown.has(name)) continue;
      entry.element.remove();
      entry.standing = null;
      if (!names.has(name)) this.entries.delete(name);
    }
  }

  /** Elements stand in the order of the nodes, for who tabs through them. @param {Card[]} cards */
  #keepOrder(cards) {
    let next = this.root.firstElementChild;
    for (const { name } of cards) {
      const { element } = /** @type {Entry} */ (this.entries.get(name));
      if (element === next) next = element.nextElementSibling;
      else this.root.insertBefore(element, next);
    }
  }

  /** @param {Entry} entry */
  #inSight(entry) {
    if (!this.height) return true;
    const { y, height } = /** @type {Place} */ (entry.place);
    return this.top + y + height > this.scroll - SIGHT && this.top + y < this.scroll + this.height + SIGHT;
  }

  /** @param {Entry} entry @param {import("./flip.js").Move[]|null} moves */
  #write(entry, moves) {
    const seen = this.#inSight(entry);
    this.#stand(entry, seen ? moves : null);
    if (entry.fresh && seen) { if (entry.shown !== entry.drawing) this.#paint(entry, moves); } else this.waiting = true;
  }

  /** @param {Entry} entry @param {import("./flip.js").Move[]|null} moves */
  #stand(entry, moves) {
    const { element, place, standing } = entry;
    const at = /** @type {Place} */ (place), style = element.style;
    entry.standing = at;
    if (!standing || standing.x !== at.x || standing.y !== at.y) style.translate = `${at.x}px ${at.y}px`;
    if (!standing || standing.width !== at.width) style.width = `${Math.floor(at.width)}px`;
    if (!standing || standing.height !== at.height) style.height = `${at.height}px`;
    if (moves && standing && (Math.abs(standing.x - at.x) > 1 || Math.abs(standing.y - at.y) > 1)) moves.push({ element, property: "translate", from: `${standing.x}px ${standing.y}px`, to: `${at.x}px ${at.y}px` });
  }

  /** @param {Entry} entry @param {import("./flip.js").Move[]|null} [moves] */
  #paint(entry, moves = null) {
    const model = /** @type {Model} */ (entry.model), drawing = /** @type {Drawing} */ (entry.drawing), old = entry.shown;
    const classes = `card${model.focus ? " is-focus" : ""}${model.dim ? " is-dim" : ""}${model.wins ? " wins" : ""}${model.star ? " is-star" : ""}${model.cordoned ? " is-cordoned" : ""}${model.taints.length ? " is-tainted" : ""}`;
    if (classes !== entry.classes) { const lit = entry.element.classList.contains("is-lit"); entry.element.className = classes; entry.element.classList.toggle("is-lit", lit); entry.classes = classes; }
    if (entry.element.getAttribute("aria-label") !== model.short) entry.element.setAttribute("aria-label", model.short);
    entry.shown = drawing;
    if (!entry.svg || !old) {
      entry.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      entry.svg.setAttribute("class", "card-drawing");
      entry.svg.setAttribute("role", "presentation");
      entry.svg.append(make(drawing.shape));
      entry.element.replaceChildren(entry.svg);
      return;
    }
    patch(old.shape, drawing.shape);
    if (moves) movesInside(old, drawing, moves);
  }

  /** What has come into sight, or soon may. */
  #writeSeen() {
    const entries = this.#entriesShown();
    if (entries.every((entry) => (entry.fresh && entry.shown === entry.drawing) || !this.#inSight(entry))) return;
    this.#place(entries);
    for (const entry of entries) this.#write(entry, null);
  }

  #entriesShown() { return this.order.map((name) => this.entries.get(name)).filter((entry) => entry !== undefined); }

  /** The rest, when nobody waits. */
  #later() {
    neverMind(this.idle);
    if (!this.waiting) return;
    this.waiting = false;
    this.missed = false;
    const rest = this.#entriesShown().filter((entry) => !entry.fresh || entry.shown !== entry.drawing);
    const work = () => {
      const began = performance.now();
      while (rest.length && !this.missed) {
        if (performance.now() - began > SLICE) { this.idle = whenIdle(work); return; }
        const entry = /** @type {Entry} */ (rest.shift());
        if (!entry.fresh) this.#draw(entry);
        if (entry.drawing && entry.fresh) this.#paint(entry);
      }
      if (this.missed) { this.again(); return; }
      const entries = this.#entriesShown();
      this.#place(entries);
      for (const entry of entries) this.#stand(entry, null);
    };
    this.idle = whenIdle(work);
  }

  /** Where the ghost of a nominated pod stands, at rest, in the window: the middle of its left edge. @param {string} node @param {string} pod @returns {{x: number, y: number, star: boolean, seen: boolean}} */
  ghostAt(node, pod) {
    const entry = this.entries.get(node), spot = entry?.standing && entry.drawing?.ghosts.get(pod), at = this.#inWindow(entry, spot);
    return at ? { ...at, star: Boolean(entry?.model?.star || entry?.model?.wins) } : { x: 0, y: 0, star: false, seen: false };
  }

  /** Where a pod stands on a card that is in sight. @param {string} node @param {string} pod @returns {{x: number, y: number}|null} */
  spotAt(node, pod) {
    const entry = this.entries.get(node), at = this.#inWindow(entry, entry?.standing && entry.drawing?.spots.get(`pod:${pod}`));
    return at?.seen ? at : null;
  }

  /** @param {Entry|undefined} entry @param {{x: number, y: number}|null|undefined} spot on the card */
  #inWindow(entry, spot) {
    if (!entry?.standing || !spot) return null;
    const around = this.room.getBoundingClientRect(), box = this.root.getBoundingClientRect();
    const x = box.left + entry.standing.x + spot.x, y = box.top + entry.standing.y + spot.y;
    return { x, y, seen: y > around.top && y < around.bottom };
  }

  /** Scrolls no more than it must to bring a card into sight. @param {string} name */
  show(name) {
    const place = this.entries.get(name)?.standing;
    if (!place || !this.height) return;
    const top = this.top + place.y, sticky = this.head < this.height / 2 ? this.head : 0;
    let to = this.scroll;
    if (top + place.height > this.scroll + this.height) to = Math.min(top - sticky - 8, top + place.height - this.height + 12);
    else if (top < this.scroll + sticky) to = top - sticky - 8;
    this.scrollTo(to);
  }

  /** @param {number} to */
  scrollTo(to) {
    if (Math.abs(to - this.scroll) < 1) return;
    this.scroll = Math.max(0, to);
    this.room.scrollTop = this.scroll;
    if (to) this.#writeSeen();
  }
}

/** A pod that has moved on its card, or is new there. @param {Drawing} old @param {Drawing} now @param {import("./flip.js").Move[]} moves */
function movesInside(old, now, moves) {
  for (const shape of now.shape.children) {
    const spot = shape.key.startsWith("pod:") ? now.spots.get(shape.key) : null;
    if (!spot) continue;
    const before = old.spots.get(shape.key);
    if (!before) moves.push({ element: shape.element, property: "opacity", from: "0", to: "1" });
    else if (Math.abs(before.x - spot.x) > 1 || Math.abs(before.y - spot.y) > 1) moves.push({ element: shape.element, property: "transform", from: `translate(${before.x}px, ${before.y}px)`, to: `translate(${spot.x}px, ${spot.y}px)` });
  }
}

/** The whole name of what is pointed at: on the card there may not have been room for it. @param {EventTarget|null} target */
function nameUnder(target) {
  const found = target instanceof Element ? /** @type {SVGElement|null} */ (target.closest("[data-pod], [data-node-name]")) : null;
  return found?.dataset.pod || found?.dataset.nodeName || "";
}
