/**
 * Nodes as cards: bars, pods, bench, brackets, ghost. The one rule: draws a model of stage/model.js and decides nothing itself.
 * @module
 */
import { h, s } from "../dom.js";
import { amount, number, seconds } from "../format.js";
import { icon } from "../icons.js";

/** @typedef {import("../words.js").Words} Words */
/** @typedef {ReturnType<typeof import("./model.js").cardModel>} Card */
/** @typedef {import("./model.js").Block} Block */

const ROLE_ICONS = { preemptor: "play", reprieved: "return", victim: "cross", terminating: "cross", nominated: "flag" };
const FULL = 88; // percent of the bar's drawing that stands for the node's capacity; what is too much sticks out beyond

/** @param {import("./model.js").Bar} bar @param {Words} words */
export function drawBar(bar, words) {
  const used = Math.min(1, bar.all ? bar.used / bar.all : 1) * FULL;
  const asked = bar.all ? (bar.asked / bar.all) * FULL : 0;
  const end = Math.min(100, used + asked);
  const label = words.say("bar.of", { resource: words.has(`resource.${bar.resource}`) ? words.say(`resource.${bar.resource}`) : bar.resource, used: amount(bar.resource, bar.used), all: amount(bar.resource, bar.all) });
  return h("div.bar", {},
    h("div.bar-text", {}, h("span", {}, label), bar.over ? h("strong.over", {}, words.say("bar.over", { amount: amount(bar.resource, bar.over) })) : null),
    s("svg.bar-drawing", { width: "100%", height: "10", "aria-hidden": "true" },
      s("rect.bar-room", { x: 0, y: 1, width: `${FULL}%`, height: 8, rx: 4 }),
      s("rect.bar-used", { x: 0, y: 1, width: `${used}%`, height: 8, rx: 4 }),
      end > used ? s("rect.bar-asked", { x: `${used}%`, y: 1, width: `${Math.max(1, end - used)}%`, height: 8 }) : null,
      bar.over ? s("line.bar-end", { x1: `${FULL}%`, x2: `${FULL}%`, y1: 0, y2: 10 }) : null));
}

/** @param {Block} block */
function ring({ ring: left, until, grace }) {
  const round = 2 * Math.PI * 6;
  return s("svg.ring", { viewBox: "0 0 16 16", "aria-hidden": "true" },
    s("circle.ring-room", { cx: 8, cy: 8, r: 6 }), s("circle.ring-left", { cx: 8, cy: 8, r: 6, "data-until": until, "data-length": grace || 1, "data-round": round, "stroke-dasharray": `${round * left} ${round}`, transform: "rotate(-90 8 8)" }));
}

/** @param {Block} block @param {string} [extra] a class of its own */
export function drawBlock(block, extra) {
  const role = block.role || "plain";
  const mark = block.violating && role !== "reprieved" ? "broken" : ROLE_ICONS[role];
  return h(`button.pod.is-${role}.band-${block.band}${extra ? `.${extra}` : ""}${block.asking ? ".is-asked" : ""}${block.ring !== null || mark ? ".has-mark" : ""}`, {
    type: "button", "data-flip": `pod:${block.key}`, "data-pod": block.key, "--share": block.share.toFixed(4), title: `${block.key}${block.note ? ` · ${block.note}` : ""}`, tabindex: "-1",
  },
  h("span.pod-name", {}, block.label), " ",
  h("span.pod-facts", {}, number(block.priority), block.text ? ` · ${block.text}` : "", block.until === null ? null : [" · ", block.left[0], h("span.timer", { "data-until": block.until }, seconds(block.ring * block.grace)), block.left[1]]), block.note ? h("span.sr", {}, `, ${block.note}`) : null,
  block.ring !== null ? ring(block) : mark ? h("span.pod-mark", {}, icon(/** @type {any} */ (mark))) : null);
}

/** @param {Block[]} small @param {Words} words */
function drawSmall(small, words) {
  if (!small.length) return null;
  return h("div.small-pods", {},
    small.slice(0, 12).map((block) => h(`button.pod.is-small.band-${block.band}`, { type: "button", "data-flip": `pod:${block.key}`, "data-pod": block.key, "aria-label": `${block.label}, ${number(block.priority)}`, title: `${block.key} · ${number(block.priority)}`, tabindex: "-1" })),
    h("span.small-text", {}, words.say("pods.small", { count: small.length })));
}

/** @param {Card} card @param {Words} words */
function drawBench(card, words) {
  if (!card.benchShown) return null;
  return h("div.bench", {},
    h("p.bench-text", {}, words.say(card.bench.length ? "bench.title" : "bench.empty")),
    h("div.bench-pods", {}, card.bench.map((block) => drawBlock(block))),
    h("div.bench-edge"));
}

/** @param {Card} card @param {Words} words */
function drawBrackets(card, words) {
  return card.brackets.map((bracket) => h(`div.bracket${bracket.broken ? ".is-broken" : ""}${bracket.live ? ".is-live" : ""}`, {},
    icon(bracket.broken ? "broken" : "shield"), h("span", {}, bracket.text), bracket.pods.length > 1 ? h("span.bracket-count", {}, words.say("pdb.covers", { count: bracket.pods.length })) : null));
}

/** @param {Card} card @param {Words} words */
export function drawCard(card, words) {
  const classes = ["card", card.focus && "is-focus", card.dim && "is-dim", card.wins && "wins", card.star && "is-star", card.cordoned && "is-cordoned", card.taints.length && "is-tainted"].filter(Boolean).join(".");
  return h(`article.${classes}`, { "data-node": card.name, "aria-label": card.short, "data-flip": `node:${card.name}` },
    drawBench(card, words),
    h("div.card-body", {},
      h("header.card-head", {}, h("button.card-name", { type: "button", "data-node-name": card.name, title: card.name }, card.short), h("span.card-zone", {}, card.zone)),
      card.cordoned ? h("p.card-flag", {}, icon("lock"), words.say("node.cordoned")) : null,
      card.taints.length ? h("p.card-taints", { title: card.taints.join("\n") }, card.taints.slice(0, 2).join(" · "), card.taints.length > 2 ? ` +${card.taints.length - 2}` : "") : null,
      h("div.bars", {}, card.bars.slice(0, 5).map((bar) => drawBar(bar, words))),
      h("div.pods", {}, drawSmall(card.small, words), card.blocks.map((block) => drawBlock(block)),
        card.guest ? drawBlock(card.guest, "is-guest") : null,
        card.ghosts.map((block) => h("div.ghost-wrap", { "--share": block.share.toFixed(4) }, drawBlock({ ...block, role: "nominated" }, "is-ghost"), h("span.flag", {}, icon("flag"), words.say("flag.nominated"))))),
      drawBrackets(card, words)),
    card.badge ? h(`p.badge.tone-${card.badge.tone}`, {}, card.badge.icon ? icon(/** @type {any} */ (card.badge.icon)) : null, h("span", {}, card.badge.text)) : null);
}
