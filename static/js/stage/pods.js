/**
 * Pods as blocks, the bench, and the brackets of budgets, as shapes of SVG. The one rule: shape, text and colour say the same thing, each alone.
 * @module
 */
import { number, seconds } from "../format.js";
import { pathOf } from "../icons.js";
import { flow } from "./flow.js";
import { v } from "./patch.js";

/** @typedef {import("./model.js").Block} Block */
/** @typedef {import("./patch.js").Shape} Shape */
/** @typedef {{unit: number, space: number, measure: import("./measure.js").Measure, mode: string, inner: number}} Pen unit: what a px of text is worth; space: of everything else */

const ROLE_ICONS = { preemptor: "play", reprieved: "return", victim: "cross", terminating: "cross", nominated: "flag" };
const ROUND = 2 * Math.PI * 6;

/** @param {number} x @param {number} y @param {string} content @param {{size: number, weight?: number, tone?: string, end?: boolean, key?: string, narrowed?: number|null}} how `narrowed`: glyphs are drawn narrower, to take so many px @returns {Shape} */
export function text(x, y, content, { size, weight = 450, tone = "", end = false, key, narrowed = null }) {
  return v("text", { key, x: round(x), y: round(y), "font-size": round(size), "font-weight": weight, class: tone || null, "text-anchor": end ? "end" : null, textLength: narrowed === null ? null : round(narrowed), lengthAdjust: narrowed === null ? null : "spacingAndGlyphs" }, content);
}

/** @param {number} value */
export function round(value) { return Math.round(value * 10) / 10; }

/** An icon in a square. @param {string} name @param {number} x @param {number} y @param {number} side @param {string} [extra] @returns {Shape} */
export function mark(name, x, y, side, extra = "") {
  const { d, filled } = pathOf(name);
  return v("path", { class: `glyph${filled ? " is-filled" : ""}${extra ? ` ${extra}` : ""}`, d, transform: `translate(${round(x)} ${round(y)}) scale(${round((side / 24) * 100) / 100})` });
}

/** @param {Block} block */
function markOf(block) {
  const role = block.role || "plain";
  return block.violating && role !== "reprieved" ? "broken" : /** @type {Object<string, string>} */ (ROLE_ICONS)[role] || "";
}

/** How large a pod is drawn: by its dominant share of the node. @param {Block} block @param {Pen} pen */
export function sizeOf(block, { unit, space, mode, inner }) {
  const marked = block.ring !== null || markOf(block) !== "";
  const least = (marked ? 122 : 100) * Math.max(unit * 0.92, space);
  const wide = mode === "compact" ? inner : Math.min(inner, Math.max(least, block.share * (mode === "star" ? 1.5 : 2.05) * inner));
  const plain = (mode === "star" ? 6 : mode === "full" ? 3 : 2) * space + 35 * unit;
  return { width: Math.floor(wide), height: round(plain + (mode === "compact" ? 0 : Math.max(0, block.share - 0.5) * 76 * space)) };
}

/** What stands below the name: in words up to the seconds left, the seconds, the words after. @param {Block} block @returns {[string, string, string]} */
function factsOf(block) {
  if (block.until === null) return [`${number(block.priority)}${block.text ? ` · ${block.text}` : ""}`, "", ""];
  return [`${number(block.priority)} · ${block.left[0]}`, seconds((block.ring || 0) * block.grace), block.left[1]];
}

/** @param {Block} block @param {{x: number, y: number, width: number, height: number}} box @param {Pen} pen @param {string} [kind] `guest` or `ghost` @returns {Shape} */
export function podShape(block, { x, y, width, height }, pen, kind = "") {
  const { unit, space, measure } = pen;
  const role = block.role || "plain", double = role === "preemptor";
  const name = markOf(block), side = 15 * unit, edge = double ? 4 * space : 0;
  const left = edge + 6 * space + 6 * space, room = width - left - (block.ring !== null || name ? side + 9 * space : 6 * space);
  const [first, second] = [12.5 * unit, 11.5 * unit], top = (height - 31 * unit) / 2;
  const { text: label, narrowed } = measure.fit(block.label, first, 620, room), under = factsOf(block);
  if (!under[1]) under[0] = measure.clip(under[0], second, 450, room);
  return v("g", {
    key: `pod:${block.key}`, class: `pod is-${role} band-${block.band}${kind ? ` is-${kind}` : ""}${block.asking ? " is-asked" : ""}${block.changed ? " is-changed" : ""}`,
    transform: `translate(${round(x)} ${round(y)})`, role: "button", tabindex: -1, "data-pod": block.key, "aria-label": `${label} ${under.join("")}${block.note ? `, ${block.note}` : ""}`, "aria-description": block.key,
  },
  block.changed || block.asking ? v("rect", { key: "around", class: "pod-around", x: -3.5, y: -3.5, width: width + 7, height: height + 7, rx: 9 }) : null,
  v("rect", { key: "box", class: "pod-box", x: 1, y: 1, width: width - 2, height: height - 2, rx: 6 }),
  double ? v("rect", { key: "inner", class: "pod-inner", x: 4, y: 4, width: width - 8, height: height - 8, rx: 3.5 }) : null,
  v("path", { key: "band", class: "pod-band", d: bandPath(edge + 1, height - 2 * edge - 2, 6 * space) }),
  text(left, top + 11.6 * unit, `${label} `, { size: first, weight: 620, tone: "pod-name", key: "name", narrowed }),
  facts(block, left, top + 26.6 * unit, second, under),
  block.ring !== null ? ring(block, width - side - 5 * space - edge / 2, (height - 18 * unit) / 2, 18 * unit) : name ? mark(name, width - side - 6 * space - edge / 2, (height - side) / 2, side, "pod-mark") : null);
}

/** The band of priority along the left edge, round where the block is round. @param {number} at @param {number} height @param {number} wide */
function bandPath(at, height, wide) {
  const r = Math.min(5, wide);
  return `M${round(at + wide)} ${at}v${round(height)}h${round(r - wide)}a${r} ${r} 0 0 1 ${-r} ${-r}v${round(2 * r - height)}a${r} ${r} 0 0 1 ${r} ${-r}z`;
}

/** @param {Block} block @param {number} x @param {number} y @param {number} size @param {[string, string, string]} under */
function facts(block, x, y, size, [words, left, after]) {
  if (!left) return text(x, y, words, { size, tone: "quiet", key: "facts" });
  return v("text", { key: "facts", x: round(x), y: round(y), "font-size": round(size), "font-weight": 450, class: "quiet" }, v("tspan", { key: "plain" }, words), v("tspan", { key: "timer", class: "timer", "data-until": block.until }, left), v("tspan", { key: "after" }, after));
}

/** The ring that counts the grace period down. @param {Block} block @param {number} x @param {number} y @param {number} side */
function ring({ ring: left, until, grace }, x, y, side) {
  return v("g", { key: "ring", class: "ring", transform: `translate(${round(x)} ${round(y)}) scale(${round((side / 16) * 100) / 100})` },
    v("circle", { class: "ring-room", cx: 8, cy: 8, r: 6 }),
    v("circle", { class: "ring-left", cx: 8, cy: 8, r: 6, "data-until": until, "data-length": grace || 1, "data-round": ROUND, "stroke-dasharray": `${ROUND * (left || 0)} ${ROUND}`, transform: "rotate(-90 8 8)" }));
}

/** Pods too small for a name: squares, and how many in words. @param {Block[]} small @param {string} words @param {number} x @param {number} y @param {Pen} pen @returns {{shapes: (Shape|null)[], height: number}} */
export function smallPods(small, words, x, y, { unit, space, inner, measure }) {
  if (!small.length) return { shapes: [], height: 0 };
  const side = 26 * space, gap = 5 * space, fitting = Math.max(1, Math.floor((inner + gap) / (side + gap)));
  const shown = small.slice(0, Math.min(12, fitting));
  const label = measure.clip(words, 12 * unit, 450, inner), beside = shown.length * (side + gap) + 4 + measure.width(label, 12 * unit, 450) <= inner;
  return {
    height: side + (beside ? 0 : 18 * unit),
    shapes: [
      ...shown.map((block, index) => v("g", { key: `pod:${block.key}`, class: `pod is-small band-${block.band}${block.changed ? " is-changed" : ""}`, transform: `translate(${round(x + index * (side + gap))} ${round(y)})`, role: "button", tabindex: -1, "data-pod": block.key, "aria-label": `${block.label}, ${number(block.priority)}` },
        v("rect", { class: "pod-box", x: 0.5, y: 0.5, width: side - 1, height: side - 1, rx: 5 }), v("path", { class: "pod-band", d: bandPath(1, side - 2, 6 * space) }))),
      text(beside ? x + shown.length * (side + gap) + 4 : x, beside ? y + side / 2 + 4.2 * unit : y + side + 14 * unit, label, { size: 12 * unit, tone: "quiet", key: "small-text" }),
    ],
  };
}

/**
 * Pods in rows with the brackets of their budgets. @param {Block[]} blocks @param {import("./flow.js").Bracket[]} brackets @param {number} x @param {number} y @param {Pen} pen
 * @returns {{shapes: (Shape|null)[], height: number, spots: [string, {x: number, y: number}][], labelled: Set<string>}}
 */
export function podRows(blocks, brackets, x, y, pen) {
  const { unit, space, inner, measure } = pen;
  const items = blocks.map((block) => ({ block, ...sizeOf(block, pen) }));
  const { placed, spans, height } = flow(items, brackets, { width: inner, gap: 5 * space, drop: 9 * space, line: 18 * unit, wide: (bracket) => measure.width(bracket.text, 12 * unit, 640) + 26 * unit });
  return {
    height, labelled: new Set(spans.filter((span) => span.label).map((span) => span.bracket.key)),
    spots: placed.map((item) => [`pod:${item.block.key}`, { x: x + item.x, y: y + item.y }]),
    shapes: [...placed.map((item) => podShape(item.block, { ...item, x: x + item.x, y: y + item.y }, pen)), ...spans.map((span) => bracketShape(span, x, y, pen))],
  };
}

/** A bracket around the pods of a budget: below their row, with what it allows in words. @param {import("./flow.js").Span} span @param {number} x @param {number} y @param {Pen} pen */
function bracketShape(span, x, y, { unit, space, inner, measure }) {
  const { bracket } = span, deep = 6 * space, [left, right, top] = [x + span.x + 1, x + span.x + span.width - 1, y + span.y + 2 * space];
  const size = 12 * unit, weight = bracket.live ? 640 : 450, at = x + span.labelX, baseline = y + span.labelY + 13.5 * unit;
  const content = measure.clip(bracket.text, size, weight, inner - 20 * unit);
  return v("g", { key: `pdb:${bracket.key}:${Math.round(y + span.y)}:${Math.round(span.x)}`, class: `bracket${bracket.broken ? " is-broken" : ""}${bracket.live ? " is-live" : ""}` },
    v("path", { class: "bracket-line", d: `M${round(left)} ${round(top)}v${round(deep)}H${round(right)}v${round(-deep)}` }),
    span.label ? mark(bracket.broken ? "broken" : "shield", at, baseline - 11 * unit, 14 * unit, "bracket-mark") : null,
    span.label ? text(at + 18 * unit, baseline, `${content} `, { size, weight }) : null);
}
