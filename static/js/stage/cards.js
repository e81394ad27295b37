/**
 * Nodes as cards, each one SVG: bars, pods, bench, brackets, ghost. The one rule: draws a model of stage/model.js, decides nothing itself,
 * and knows where everything stands without asking the browser.
 * @module
 */
import { amount } from "../format.js";
import { v } from "./patch.js";
import { mark, podRows, podShape, round, sizeOf, smallPods, text } from "./pods.js";

/** @typedef {import("../words.js").Words} Words */
/** @typedef {import("./patch.js").Shape} Shape */
/** @typedef {import("./pods.js").Pen} Pen */
/** @typedef {ReturnType<typeof import("./model.js").cardModel>} Card */
/** @typedef {"full"|"star"|"lean"|"compact"|"brief"} Mode */
/** @typedef {{mode: Mode, width: number, unit: number, space: number, measure: import("./measure.js").Measure}} How */
/** @typedef {{height: number, shape: Shape, spots: Map<string, {x: number, y: number}>, ghosts: Map<string, {x: number, y: number}>}} Drawing `ghosts`: where their threads end */

const FULL = 0.88; // of the bar's drawing stands for the node's capacity; what is too much sticks out beyond
const EDGE = 1.5; // a border may become thicker without being cut off
const NOTCH = 18;

/** @param {Card} card @param {Words} words @param {How} how @returns {Drawing} */
export function drawCard(card, words, how) {
  const sheet = new Sheet(card, words, how);
  if (card.benchShown && how.mode !== "brief") sheet.bench();
  sheet.head();
  if (how.mode !== "brief" && how.mode !== "compact") sheet.bars();
  if (how.mode !== "brief") sheet.pods();
  sheet.badge();
  return sheet.done();
}

class Sheet {
  /** @param {Card} card @param {Words} words @param {How} how */
  constructor(card, words, how) {
    const { unit, space, width } = how;
    this.card = card; this.words = words; this.how = how; this.unit = unit; this.space = space; this.width = width;
    this.pad = (how.mode === "compact" ? 11 : 15) * space;
    /** @type {Pen} */ this.pen = { unit, space, measure: how.measure, mode: how.mode, inner: width - 2 * this.pad };
    this.y = EDGE;
    this.top = EDGE;
    /** @type {(Shape|null)[]} */ this.shapes = [];
    /** @type {Map<string, {x: number, y: number}>} */ this.spots = new Map();
    /** @type {Map<string, {x: number, y: number}>} */ this.ghosts = new Map();
    /** @type {Set<string>} */ this.labelled = new Set();
  }

  /** @param {ReturnType<typeof podRows>} rows */
  #take(rows) {
    this.shapes.push(...rows.shapes);
    for (const [key, spot] of rows.spots) this.spots.set(key, spot);
    for (const key of rows.labelled) this.labelled.add(key);
    this.y += rows.height;
  }

  /** Who would have to go is lifted above the node, onto a bench that stands on it. */
  bench() {
    const { card, words, pen, unit, space, pad } = this;
    const lines = pen.measure.wrap(words.say(card.bench.length ? "bench.title" : "bench.empty"), 12 * unit, 450, pen.inner, 2);
    lines.forEach((line, index) => this.shapes.push(text(pad, this.y + (13 + index * 16) * unit, `${line} `, { size: 12 * unit, tone: "quiet", key: `bench-text ${index}` })));
    this.y += (13 + (lines.length - 1) * 16) * unit + 8 * space;
    if (card.bench.length) this.#take(podRows(card.bench, card.brackets, pad, this.y, pen));
    else this.y += 36 * unit;
    this.y += 4 * space;
    const legs = [pad + 10, this.width - pad - 10];
    this.shapes.push(v("path", { key: "bench-edge", class: "bench-edge", d: `M${round(pad / 2)} ${round(this.y + 2.5)}H${round(this.width - pad / 2)}M${legs[0]} ${round(this.y + 3)}v9M${legs[1]} ${round(this.y + 3)}v9`, "stroke-width": 5 }));
    this.y += 5 + 7 * space;
    this.top = this.y;
  }

  head() {
    const { card, pen, unit, space, pad, how } = this;
    const line = Math.max(24, 20 * unit), size = 14 * unit;
    const notch = card.taints.length ? NOTCH * 0.6 : 0;
    const zone = how.mode === "compact" ? "" : pen.measure.clip(card.zone, 12 * unit, 450, pen.inner * 0.4);
    const room = pen.inner - (zone ? pen.measure.width(zone, 12 * unit, 450) + 14 * unit : 0) - notch;
    const { text: name, narrowed } = pen.measure.fit(card.short, size, 680, room), wide = Math.max(24, narrowed ?? pen.measure.width(name, size, 680));
    this.y += (how.mode === "full" || how.mode === "star" ? 10 : 7) * space;
    this.shapes.push(v("g", { key: "head", class: "card-name", role: "button", tabindex: 0, "data-node-name": card.name, "aria-label": name, "aria-description": name === card.short ? null : card.name },
      v("rect", { class: "hit", x: pad, y: round(this.y), width: round(wide), height: round(line) }), text(pad, this.y + line / 2 + 5 * unit, name, { size, weight: 680, tone: "name", narrowed })));
    if (zone) this.shapes.push(text(this.width - pad - notch, this.y + line / 2 + 5 * unit, `${zone} `, { size: 12 * unit, tone: "quiet", end: true, key: "zone" }));
    this.y += line;
    if (how.mode === "full" || how.mode === "star") this.#flags();
  }

  /** What keeps pods away, in words. */
  #flags() {
    const { card, words, pen, unit, pad } = this;
    const lines = [];
    if (card.cordoned) lines.push(words.say("node.cordoned"));
    if (card.taints.length) lines.push(card.taints.slice(0, 2).join(" · ") + (card.taints.length > 2 ? ` +${card.taints.length - 2}` : ""));
    lines.forEach((line, index) => {
      const lock = card.cordoned && index === 0;
      if (lock) this.shapes.push(mark("lock", pad, this.y + 1 * unit, 13 * unit, "quiet-mark"));
      this.shapes.push(text(pad + (lock ? 18 * unit : 0), this.y + 12 * unit, `${pen.measure.clip(line, 12 * unit, 450, pen.inner - (lock ? 18 * unit : 0))} `, { size: 12 * unit, tone: "quiet", key: `flag ${line}` }));
      this.y += 17 * unit;
    });
  }

  /** CPU, memory and what else the pod asks for. */
  bars() {
    const { card, how, pad, pen, unit, space } = this;
    const bars = how.mode === "lean" ? [card.bars.find((bar) => bar.over) || card.bars[0]].filter(Boolean) : card.bars.slice(0, 5);
    const across = how.mode === "star" && pen.inner > 340 * unit ? 2 : 1, gap = 22 * space, wide = (pen.inner - gap * (across - 1)) / across;
    const deep = 18 * unit + 10 * space;
    this.y += 6 * space;
    bars.forEach((bar, index) => this.#bar(bar, pad + (index % across) * (wide + gap), this.y + Math.floor(index / across) * (deep + 6 * space), wide));
    this.y += Math.ceil(bars.length / across) * (deep + 6 * space) - 6 * space;
  }

  /** @param {import("./model.js").Bar} bar @param {number} x @param {number} y @param {number} wide */
  #bar(bar, x, y, wide) {
    const { words, pen: { measure }, unit, space } = this;
    const size = 12 * unit, high = 8 * space, top = y + 17 * unit, all = wide * FULL;
    const used = Math.min(1, bar.all ? bar.used / bar.all : 1) * all, asked = bar.all ? (bar.asked / bar.all) * all : 0, end = Math.min(wide, used + asked);
    const over = bar.over ? words.say("bar.over", { amount: amount(bar.resource, bar.over) }) : "";
    const label = words.say("bar.of", { resource: words.has(`resource.${bar.resource}`) ? words.say(`resource.${bar.resource}`) : bar.resource, used: amount(bar.resource, bar.used), all: amount(bar.resource, bar.all) });
    this.shapes.push(v("g", { key: `bar:${bar.resource}`, class: `bar${bar.changed ? " is-changed" : ""}`, transform: `translate(${round(x)} ${round(y)})` },
      text(0, 12 * unit, `${measure.clip(label, size, 450, wide - (over ? measure.width(over, size, 650) + 8 : 0))} `, { size, tone: "quiet", key: "label" }),
      over ? text(wide, 12 * unit, `${over} `, { size, weight: 650, end: true, tone: "over", key: "over" }) : null,
      v("rect", { key: "room", class: "bar-room", x: 0, y: round(top - y), width: round(all), height: high, rx: high / 2 }),
      v("rect", { key: "used", class: "bar-used", x: 0, y: round(top - y), width: round(used), height: high, rx: high / 2 }),
      end > used ? v("rect", { key: "asked", class: "bar-asked", x: round(used), y: round(top - y), width: round(Math.max(2, end - used)), height: high }) : null,
      bar.over ? v("path", { key: "end", class: "bar-end", d: `M${round(all)} ${round(top - y - 2)}v${high + 4}` }) : null));
  }

  pods() {
    const { card, words, pen, pad, how, space } = this;
    const compact = how.mode === "compact";
    this.y += 10 * space;
    const start = this.y;
    if (!compact) { this.#guest(); if (how.mode !== "lean") this.#small(words.say("pods.small", { count: card.small.length })); }
    const blocks = compact ? card.blocks.filter((block) => block.role) : card.blocks;
    const brackets = compact || how.mode === "lean" ? [] : card.brackets.map((bracket) => (this.labelled.has(bracket.key) ? { ...bracket, text: "" } : bracket));
    if (blocks.length) { this.#take(podRows(blocks, brackets, pad, this.y, pen)); this.y += 5 * space; }
    for (const bracket of brackets) if (!this.labelled.has(bracket.key) && bracket.text) this.#budget(bracket);
    if (!compact) for (const block of card.ghosts) this.#ghost(block);
    this.y = Math.max(this.y - 5 * space, start + (compact ? 0 : 20 * space)) + 12 * space;
  }

  /** The pod that wants in stands in the same place on every node: right below the bars. */
  #guest() {
    const { card, pen, pad, space } = this;
    const { guest } = card;
    if (!guest && !card.slot) return;
    const { width, height } = sizeOf(/** @type {any} */ (guest || card.slot), pen);
    if (guest) this.shapes.push(podShape(guest, { x: pad, y: this.y, width, height }, pen, "guest"));
    else this.shapes.push(v("rect", { key: "slot", class: "slot", x: pad + 1, y: round(this.y + 1), width: width - 2, height: height - 2, rx: 6 }));
    if (guest) this.spots.set(`pod:${guest.key}`, { x: pad, y: this.y });
    this.y += height + 6 * space;
  }

  /** @param {string} words */
  #small(words) {
    const { card, pen, pad, space } = this;
    const { shapes, height } = smallPods(card.small, words, pad, this.y, pen);
    this.shapes.push(...shapes);
    if (height) this.y += height + 6 * space;
  }

  /** A budget whose pods are too small to stand in a row. @param {import("./flow.js").Bracket} bracket */
  #budget(bracket) {
    const { words, pen, pad, unit, space } = this;
    const line = `${bracket.text} · ${words.say("pdb.covers", { count: bracket.pods.length })}`;
    this.shapes.push(v("g", { key: `pdb:${bracket.key}`, class: "bracket" }, mark("shield", pad, this.y + 1 * unit, 14 * unit, "bracket-mark"), text(pad + 18 * unit, this.y + 12.5 * unit, `${pen.measure.clip(line, 12 * unit, 450, pen.inner - 18 * unit)} `, { size: 12 * unit })));
    this.y += 18 * unit + 5 * space;
  }

  /** A claim is no pod yet: dotted, with a flag that says so. @param {import("./model.js").Block} block */
  #ghost(block) {
    const { words, pen, pad, unit, space } = this;
    const { width, height } = sizeOf(block, pen);
    this.shapes.push(podShape({ ...block, role: "nominated" }, { x: pad, y: this.y, width, height }, pen, "ghost"));
    this.spots.set(`pod:${block.key}`, { x: pad, y: this.y });
    this.ghosts.set(block.key, { x: pad, y: this.y + height / 2 });
    this.y += height + 3 * space;
    this.shapes.push(v("g", { key: `flag:${block.key}`, class: "flag" }, mark("flag", pad, this.y, 14 * unit, "flag-mark"), text(pad + 18 * unit, this.y + 12 * unit, `${pen.measure.clip(words.say("flag.nominated"), 12 * unit, 450, pen.inner - 18 * unit)} `, { size: 12 * unit })));
    this.y += 17 * unit + 5 * space;
  }

  /** What this node is at this moment, at its foot. */
  badge() {
    const { card, pen, unit, space, pad, width, how } = this;
    if (how.mode === "brief") this.y += 5 * space;
    this.foot = this.y;
    if (!card.badge) return;
    const size = 13 * unit, weight = { quiet: 450, win: 700 }[card.badge.tone] || 560, icon = card.badge.icon;
    const left = pad + (icon ? 20 * unit : 0), air = (how.mode === "full" || how.mode === "star" ? 8 : 5) * space;
    const lines = pen.measure.wrap(card.badge.text, size, weight, width - left - pad, 3), deep = lines.length * 18 * unit + 2 * air;
    this.shapes.push(v("g", { key: "badge", class: `badge tone-${card.badge.tone}${card.changed ? " is-changed" : ""}` }, lines.join(" ").includes("…") ? v("title", {}, card.badge.text) : null,
      v("path", { key: "ground", class: "badge-ground", d: footPath(width, this.y, deep) }), v("path", { key: "line", class: "badge-line", d: `M${EDGE} ${round(this.y)}H${width - EDGE}` }),
      icon ? mark(icon, pad, this.y + air + 2 * unit, 14 * unit, "badge-mark") : null,
      ...lines.map((line, index) => text(left, this.y + air + (13.5 + index * 18) * unit, `${line} `, { size, weight, tone: "badge-text" }))));
    this.y += deep;
  }

  /** @returns {Drawing} */
  done() {
    const { card, width } = this, height = round(this.y + EDGE), deep = height - EDGE - this.top;
    const notched = card.taints.length > 0;
    const shape = v("g", { class: "sheet" },
      v("path", { key: "body", class: "card-body", d: bodyPath(width, this.top, deep, notched) }),
      notched ? v("path", { key: "notch", class: "card-notch", d: `M${width - EDGE - NOTCH} ${this.top}l${NOTCH} ${NOTCH}` }) : null,
      card.cordoned ? v("path", { key: "cordon", class: "card-cordon", d: `M8 ${round(height - 8 - EDGE)}L${width - 8} ${round(this.top + 8)}` }) : null,
      ...this.shapes);
    return { height, shape, spots: this.spots, ghosts: this.ghosts };
  }
}

const R = 14;

/** The outline of a card; a tainted node has a notch. @param {number} width @param {number} top @param {number} deep @param {boolean} notched */
function bodyPath(width, top, deep, notched) {
  const [left, right, bottom] = [EDGE, width - EDGE, round(top + deep)];
  const corner = notched ? `H${right - NOTCH}L${right} ${round(top + NOTCH)}` : `H${right - R}a${R} ${R} 0 0 1 ${R} ${R}`;
  return `M${left + R} ${round(top)}${corner}V${bottom - R}a${R} ${R} 0 0 1 ${-R} ${R}H${left + R}a${R} ${R} 0 0 1 ${-R} ${-R}V${round(top + R)}a${R} ${R} 0 0 1 ${R} ${-R}z`;
}

/** @param {number} width @param {number} top @param {number} deep */
function footPath(width, top, deep) {
  const [left, right, r] = [EDGE + 0.5, width - EDGE - 0.5, R - 0.5];
  return `M${left} ${round(top)}H${right}v${round(deep - r)}a${r} ${r} 0 0 1 ${-r} ${r}H${left + r}a${r} ${r} 0 0 1 ${-r} ${-r}z`;
}
