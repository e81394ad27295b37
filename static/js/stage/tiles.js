/**
 * Many nodes: SVG tiles up to 400, one canvas beyond. The one rule: each node keeps its own mark; nothing is averaged away.
 * @module
 */
import { h, s } from "../dom.js";
import { asking, badgeOf, bandsOf, isDim, isFocus } from "./model.js";
import { requestedOn, roleOf, tooMuch } from "../trace/scene.js";

/** @typedef {import("../trace/scene.js").Scene} Scene */
/** @typedef {import("../words.js").Words} Words */
/** @typedef {{name: string, level: number, tone: string, dim: boolean, focus: boolean, over: boolean}} Tile */

export const MOST_SVG = 400;

/** @param {Scene} scene @param {string} name @param {Words} words @returns {Tile} */
export function tileOf(scene, name, words) {
  const node = scene.state.nodes.get(name);
  const used = requestedOn(scene, name);
  let level = 0;
  for (const resource of ["cpu", "memory"]) if (node.allocatable[resource]) level = Math.max(level, Math.min(1, (used[resource] || 0) / node.allocatable[resource]));
  const badge = badgeOf(scene, name, words);
  const requests = asking(scene)?.requests;
  return { name, level: Math.round(level * 20) / 20, tone: !badge || (badge.tone === "quiet" && !badge.icon) ? "none" : badge.tone, dim: isDim(scene, name), focus: isFocus(scene, name), over: Boolean(requests && Object.keys(tooMuch(scene, name, requests)).length) };
}

/** Nodes in groups by the value of a label, in the order in which they came. @param {Scene} scene @param {string} filter @param {string} label */
export function groupsOf(scene, filter, label) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const node of scene.state.nodes.values()) {
    if (filter && !node.name.includes(filter)) continue;
    const zone = label ? String(node.labels?.[label] ?? "") : "";
    const group = groups.get(zone);
    if (group) group.push(node.name);
    else groups.set(zone, [node.name]);
  }
  return [...groups].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}

const GAP = 4;

/** Tiles that stay where they are; only those that changed are drawn again. */
export class TileField {
  constructor() {
    this.layout = "";
    /** @type {Map<string, {element: Element, sign: string}>} */ this.tiles = new Map();
  }

  /** @param {Element} root @param {Scene} scene @param {Words} words @param {{filter: string, label: string, side: number, width: number}} how */
  draw(root, scene, words, how) {
    const { filter, width } = how;
    const layout = `${width} ${JSON.stringify(how)} ${words.lang} ${scene.state.nodes.size} ${root.childElementCount}`;
    if (layout !== this.layout || ![...scene.state.nodes.keys()].every((name) => filter || this.tiles.has(name))) {
      drawAll(root, scene, words, how, width);
      this.tiles = new Map([...root.querySelectorAll(".tile")].map((element) => [/** @type {any} */ (element).dataset.nodeName, { element, sign: /** @type {any} */ (element).sign }]));
      this.layout = `${width} ${JSON.stringify(how)} ${words.lang} ${scene.state.nodes.size} ${root.childElementCount}`;
      return;
    }
    for (const [name, kept] of this.tiles) {
      if (!scene.state.nodes.has(name)) continue;
      const tile = tileOf(scene, name, words), sign = JSON.stringify(tile);
      if (sign === kept.sign) continue;
      const fresh = tileDrawing(tile, kept.element.getAttribute("transform") || "", how.side, words);
      kept.element.replaceWith(fresh);
      this.tiles.set(name, { element: fresh, sign });
    }
  }
}

/** Where each node's tile is, in px from the corner of the room of all tiles. @param {Element} root */
export function spotsOf(root) {
  const room = root.getBoundingClientRect();
  const spots = [...root.querySelectorAll("svg.tiles")].flatMap((drawing) => {
    const top = drawing.getBoundingClientRect().top - room.top;
    return [...drawing.querySelectorAll(".tile")].map((tile) => {
      const [x, y] = (tile.getAttribute("transform") || "").match(/[\d.]+/g)?.map(Number) || [0, 0];
      return { name: /** @type {any} */ (tile).dataset.nodeName, x, y: y + top };
    });
  });
  return { width: room.width, height: room.height, spots };
}

/** @param {Element} root @param {Scene} scene @param {Words} words @param {{filter: string, label: string, side: number}} how @param {number} width */
function drawAll(root, scene, words, how, width) {
  const side = how.side;
  const across = Math.max(1, Math.floor((width - 8) / (side + GAP)));
  root.replaceChildren(...groupsOf(scene, how.filter, how.label).map(([zone, names]) => {
    const rows = Math.ceil(names.length / across);
    return h("section.tile-group", {}, h("h2.tile-zone", {}, zone || words.say("node.no_zone"), h("span.quiet", {}, ` ${words.say("node.count", { count: names.length })}`)),
      s("svg.tiles", { width, height: rows * (side + GAP) + 2, role: "img", "aria-label": words.say("tiles.label", { count: names.length }) }, names.map((name, index) => drawTile(tileOf(scene, name, words), index, across, side, words))));
  }));
}

/** @param {Tile} tile @param {number} index @param {number} across @param {number} side @param {Words} words */
function drawTile(tile, index, across, side, words) {
  return tileDrawing(tile, `translate(${(index % across) * (side + GAP) + 2} ${Math.floor(index / across) * (side + GAP) + 2})`, side, words);
}

/** A larger tile says more: from 44 px on its name stands in it. @param {Tile} tile @param {string} transform @param {number} side @param {Words} words */
function tileDrawing(tile, transform, side, words) {
  const fill = (side - 4) * tile.level;
  const drawing = s(`g.tile.tone-${tile.tone}${tile.focus ? ".is-focus" : ""}${tile.dim ? ".is-dim" : ""}`, { "data-node-name": tile.name, transform },
    s("title", {}, tile.name), s("rect.tile-room", { width: side, height: side, rx: 4 }), s("rect.tile-used", { x: 2, y: 2 + (side - 4) - fill, width: side - 4, height: fill, rx: 2 }),
    MARKS[tile.tone] ? s("path.tile-mark", { d: MARKS[tile.tone], transform: `scale(${(side >= 44 ? 22 : side) / 26})` }) : null,
    side >= 44 ? s("text.tile-name", { x: 4, y: side - 6 }, words.nodeName(tile.name).slice(-Math.floor(side / 7))) : null);
  /** @type {any} */ (drawing).sign = JSON.stringify(tile);
  return drawing;
}
/** Shapes of the tones, so that they differ without colour. @type {Object<string, string>} */
const MARKS = { good: "M7 13l4 4 8-9", candidate: "M13 6l7 13H6z", win: "M8 21V6h11l-3 4 3 4H8", quiet: "M9 9l8 8M17 9l-8 8", focus: "M5 13h16" };

const MARGIN = 500; // px above and below what is in sight that are painted too
const NAMED = 44, WITH_PODS = 56; // px from which a tile says more: its name, its pods

/** The same on one canvas, for thousands: it is as large as what is in sight, and moves along. Keeps the geometry for clicks. */
export class TileCanvas {
  /** @param {HTMLElement} room what scrolls @param {(name: string) => void} ask */
  constructor(room, ask) {
    this.room = room;
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas.tile-canvas", { role: "img" }));
    this.root = h("div.tile-window", {}, this.canvas);
    /** @type {string[]} */ this.names = [];
    /** @type {{text: string, row: number}[]} */ this.headings = [];
    this.side = 10; this.across = 1; this.from = 0; this.to = 0; this.frame = 0;
    /** @type {(() => void)|null} */ this.repaint = null;
    this.canvas.addEventListener("click", (event) => { const name = this.#at(event.offsetX, event.offsetY); if (name) ask(name); });
    this.canvas.addEventListener("pointermove", (event) => { this.canvas.title = this.#at(event.offsetX, event.offsetY) || ""; });
    room.addEventListener("scroll", () => this.#follow(), { passive: true });
  }

  get #tall() { return Math.ceil(this.names.length / this.across) * this.side; }

  /** Where each node's tile is, in px of the room of all tiles. */
  spots() {
    const spots = [];
    this.names.forEach((name, index) => { if (name) spots.push({ name, x: (index % this.across) * this.side, y: Math.floor(index / this.across) * this.side }); });
    return { width: this.across * this.side, height: this.#tall, spots };
  }

  /** @param {number} x @param {number} y */
  #at(x, y) {
    const column = Math.floor(x / this.side), row = Math.floor((y + this.from) / this.side);
    return column < this.across ? this.names[row * this.across + column] : undefined;
  }

  /** @param {Scene} scene @param {Words} words @param {{filter: string, label: string, side: number}} how @param {number} width */
  draw(scene, words, how, width) {
    const groups = groupsOf(scene, how.filter, how.label), before = `${this.side} ${this.across} ${this.names.length}`;
    this.side = how.side;
    this.across = Math.max(1, Math.floor(width / this.side));
    this.#place(groups);
    if (before !== `${this.side} ${this.across} ${this.names.length}`) { this.root.style.height = `${this.#tall}px`; this.to = Math.min(this.#tall, 2 * MARGIN); this.from = 0; }
    this.canvas.setAttribute("aria-label", words.say("tiles.label", { count: scene.state.nodes.size }));
    this.repaint = () => this.#paint(scene, words);
    this.repaint();
    this.#follow();
  }

  /** After the step, and while somebody scrolls: the canvas goes where it is looked at. */
  #follow() {
    cancelAnimationFrame(this.frame);
    if (!this.root.isConnected) return;
    this.frame = requestAnimationFrame(() => {
      const top = this.root.getBoundingClientRect().top - this.room.getBoundingClientRect().top;
      const first = Math.max(0, -top), last = Math.min(this.#tall, this.room.clientHeight - top);
      if (last < first || (first >= this.from && last <= this.to)) return;
      this.from = Math.max(0, Math.floor((first - MARGIN) / this.side) * this.side);
      this.to = Math.min(this.#tall, last + MARGIN);
      this.repaint?.();
    });
  }

  /** Lays the groups out in rows: each begins a new row, below a row that holds its name. @param {[string, string[]][]} groups */
  #place(groups) {
    const heading = Math.ceil(20 / this.side);
    this.names = [];
    this.headings = [];
    for (const [value, names] of groups) {
      if (groups.length > 1) { this.headings.push({ text: value, row: this.names.length / this.across }); for (let index = this.across * heading; index > 0; index -= 1) this.names.push(""); }
      for (const name of names) this.names.push(name);
      while (this.names.length % this.across) this.names.push("");
    }
  }

  /** @param {Scene} scene @param {Words} words */
  #paint(scene, words) {
    const pen = this.canvas.getContext("2d");
    if (!pen || scene.state.seq !== scene.place.seq) return;
    const { canvas, side, across } = this, scale = Math.min(2, globalThis.devicePixelRatio || 1), [wide, tall] = [across * side, Math.max(1, this.to - this.from)];
    if (canvas.width !== wide * scale || canvas.height !== tall * scale) { Object.assign(canvas, { width: wide * scale, height: tall * scale }); canvas.style.width = `${wide}px`; canvas.style.height = `${tall}px`; }
    if (canvas.style.translate !== `0px ${this.from}px`) canvas.style.translate = `0px ${this.from}px`;
    const style = getComputedStyle(this.room);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const paints = { room: colour("--soft"), used: colour("--neutral"), good: colour("--reprieved"), candidate: colour("--victim"), win: colour("--reprieved"), focus: colour("--preemptor"), ink: colour("--ink"), paper: colour("--paper"), bands: [0, 1, 2, 3, 4].map((band) => colour(`--band-${band}`)) };
    pen.setTransform(scale, 0, 0, scale, 0, -this.from * scale);
    pen.clearRect(0, this.from, wide, tall);
    pen.font = "600 13px Inter, system-ui, sans-serif";
    pen.fillStyle = paints.ink;
    for (const { text, row } of this.headings) pen.fillText(text || words.say("node.no_zone"), 1, row * side + 14);
    const bands = side >= WITH_PODS ? bandsOf(scene.state) : null;
    for (let index = Math.floor(this.from / side) * across, end = Math.min(this.names.length, Math.ceil(this.to / side) * across); index < end; index += 1) {
      const name = this.names[index];
      if (!name) continue;
      const [x, y] = [(index % across) * side, Math.floor(index / across) * side], tile = tileOf(scene, name, words);
      paintTile(pen, tile, x, y, side - 2, paints);
      if (bands) paintPods(pen, scene, name, x, y, side - 2, paints, bands);
      if (side >= NAMED) paintName(pen, words.nodeName(name), x, y, side - 2, paints);
    }
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Tile} tile @param {number} x @param {number} y @param {number} side @param {any} paints */
function paintTile(pen, tile, x, y, side, paints) {
  pen.globalAlpha = tile.dim ? 0.45 : 1;
  pen.fillStyle = paints.room;
  pen.fillRect(x, y, side, side);
  pen.fillStyle = paints.used;
  pen.fillRect(x, y + side * (1 - tile.level), side, side * tile.level);
  pen.globalAlpha = 1;
  if (!tile.focus && (tile.tone === "none" || tile.tone === "quiet")) return;
  pen.strokeStyle = tile.focus ? paints.focus : paints[tile.tone] || paints.ink;
  pen.lineWidth = tile.focus || tile.tone === "win" ? 3 : 2;
  pen.strokeRect(x + 1, y + 1, side - 2, side - 2);
  if (side >= 24) { paintMark(pen, MARKS[tile.tone], x, y, Math.min(side, 24), paints); return; }
  if (tile.tone === "candidate" || tile.tone === "win") { pen.fillStyle = paints[tile.tone]; pen.beginPath(); pen.moveTo(x + side, y); pen.lineTo(x + side, y + side * 0.6); pen.lineTo(x + side * 0.4, y); pen.fill(); }
}

/** The shape of a tone, as on a tile of SVG. @param {CanvasRenderingContext2D} pen @param {string|undefined} path @param {number} x @param {number} y @param {number} side @param {any} paints */
function paintMark(pen, path, x, y, side, paints) {
  if (!path) return;
  pen.save();
  pen.translate(x, y);
  pen.scale(side / 26, side / 26);
  pen.lineCap = pen.lineJoin = "round";
  for (const [colour, width] of [[paints.paper, 6], [paints.ink, 2.6]]) { pen.strokeStyle = colour; pen.lineWidth = width; pen.stroke(new Path2D(path)); }
  pen.restore();
}

/** The pods of a node as bars of their priority; who would have to go is framed. @param {CanvasRenderingContext2D} pen @param {Scene} scene @param {string} name @param {number} x @param {number} y @param {number} side @param {any} paints @param {(priority: number) => number} bands */
function paintPods(pen, scene, name, x, y, side, paints, bands) {
  const pods = scene.state.nodes.get(name).pods.slice(0, 8), wide = (side - 8) / 4 - 2;
  pods.forEach((/** @type {string} */ key, /** @type {number} */ index) => {
    const [left, top] = [x + 5 + (index % 4) * (wide + 2), y + 24 + Math.floor(index / 4) * 9], role = roleOf(scene, key);
    pen.fillStyle = paints.bands[bands(scene.state.pods.get(key).priority)];
    pen.fillRect(left, top, wide, 7);
    if (role === "victim" || role === "terminating" || role === "bench") { pen.strokeStyle = paints.candidate; pen.lineWidth = 2; pen.strokeRect(left, top, wide, 7); }
  });
}

/** @param {CanvasRenderingContext2D} pen @param {string} name @param {number} x @param {number} y @param {number} side @param {any} paints */
function paintName(pen, name, x, y, side, paints) {
  pen.font = "600 11px Inter, system-ui, sans-serif";
  const text = name.slice(-Math.floor(side / 6.6));
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.strokeStyle = paints.paper;
  pen.strokeText(text, x + 4, y + side - 5);
  pen.fillStyle = paints.ink;
  pen.fillText(text, x + 4, y + side - 5);
}
