/**
 * The cluster of a draft as cards: bars, pods to drag, the pods that wait, and a shelf with everything else.
 * The one rule: it draws a model and says what was asked for; it changes nothing itself.
 * @module
 */
import { h, keepFocus, keyed, s } from "../dom.js";
import { amount, cores, dominantShare, number } from "../format.js";
import { icon } from "../icons.js";
import { Drags } from "./drags.js";
import { nextStep, progress } from "./next_step.js";

/** @typedef {import("../words.js").Words} Words */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").PodView} PodView */
/** @typedef {import("./model.js").NodeView} NodeView */

const MOST_CARDS = 120;
const MOST_PODS = 40;
const FULL = 88;
const MAIN = ["cpu", "memory"];

export class ClusterView extends EventTarget {
  /** @param {HTMLElement} root @param {Words} words */
  constructor(root, words) {
    super();
    this.root = root;
    this.words = words;
    this.parts = Object.fromEntries(["waiting", "cards", "shelf", "next"].map((name) => [name, /** @type {HTMLElement} */ (root.querySelector(`[data-part=${name}]`))]));
    /** @type {string} key of the entry that is open */ this.selected = "";
    this.filter = "";
    this.#listen();
  }

  /** @param {string} name @param {any} detail */
  #raise(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  #listen() {
    this.root.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-entry]"));
      if (target) this.#raise("select", { key: target.dataset.entry, byKey: event.detail === 0, from: target });
    });
    this.root.addEventListener("keydown", (event) => {
      const target = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("button[data-entry]"));
      if (!target) return;
      if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); this.#raise("remove", { key: target.dataset.entry }); }
      if (event.key.toLowerCase() === "d" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.#raise("copy", { key: target.dataset.entry }); }
      if (event.key.toLowerCase() === "m" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); this.#raise("move", { key: target.dataset.entry, from: target }); }
    });
    this.#listenToDrags();
  }

  #listenToDrags() {
    const drags = new Drags(this.root);
    drags.addEventListener("lift", (event) => this.#raise("lift", { key: /** @type {CustomEvent} */ (event).detail }));
    drags.addEventListener("drop", (event) => this.#raise("bind", /** @type {CustomEvent} */ (event).detail));
  }

  /** @param {Model} model @param {any} facts @param {import("./check.js").Problem[]} remarks @param {{scenario: any}} draft */
  draw(model, facts, remarks, draft) {
    this.model = model;
    this.facts = facts;
    const asking = model.pods.find((pod) => pod.entry.key === this.selected && !pod.node && !pod.made) || null;
    keepFocus(this.root, () => {
      this.#drawWaiting(model);
      this.#drawCards(model, asking);
      this.#drawShelf(model, draft);
      this.#drawNext(model, facts);
    });
  }

  /** What comes next, while somebody builds a first cluster. @param {Model} model @param {any} facts */
  #drawNext(model, facts) {
    const { words, parts: { next } } = this;
    const name = nextStep(model, facts);
    const { done, all } = progress(name);
    const sign = `${name} ${words.lang}`;
    next.hidden = !name;
    if (this.nextSign === sign) return;
    this.nextSign = sign;
    next.replaceChildren(h("span.ed-dots", { "aria-hidden": "true" }, Array.from({ length: all }, (_, index) => h(`span.ed-dot${index < done ? ".is-done" : ""}`))), h("span", {}, name ? words.say(`edit.next.${name}`) : ""));
  }

  /** @param {Model} model */
  #drawWaiting(model) {
    const { words } = this;
    const pods = model.waiting;
    this.parts.waiting.replaceChildren(
      h("h2.label", {}, words.say("edit.waiting"), h("span.ed-count", {}, String(pods.length))),
      h("div.ed-lane", { "data-drop": "" }, pods.slice(0, MOST_PODS).map((pod) => this.#pod(pod, null)), this.#more(pods.length - MOST_PODS), pods.length ? null : h("p.quiet", {}, words.say(model.pods.length ? "edit.waiting.none" : "edit.waiting.empty"))));
  }

  /** @param {Model} model @param {PodView|null} asking */
  #drawCards(model, asking) {
    const wanted = this.filter.trim().toLowerCase();
    const nodes = [...model.nodes, ...model.missing].filter((node) => !wanted || node.name.toLowerCase().includes(wanted) || node.pods.some((pod) => pod.key.toLowerCase().includes(wanted)));
    const shown = nodes.slice(0, MOST_CARDS);
    const items = shown.map((node) => ({ node, fit: asking ? this.facts?.fits?.[asking.key]?.[node.name] : null, asks: asking?.requests || null }));
    keyed(this.parts.cards, items, ({ node }) => `${node.name}|${node.made}`, (item) => this.#sign(item), (item) => this.#card(item));
    if (nodes.length > shown.length) this.parts.cards.append(h("p.quiet.ed-more", { "data-key": "" }, this.words.say("edit.more.nodes", { count: nodes.length - shown.length })));
    if (!nodes.length) this.parts.cards.append(h("div.ed-empty", { "data-key": "empty" }, h("p", {}, this.words.say(model.nodes.length ? "edit.nodes.unfound" : "edit.nodes.empty")), model.nodes.length ? null : h("p.quiet", {}, this.words.say("edit.nodes.empty.lead"))));
  }

  /** @param {{node: NodeView, fit: any, asks: any}} item */
  #sign({ node, fit, asks }) {
    const { entry, pods, ...rest } = node;
    return JSON.stringify([rest, this.words.nodeName(node.name), entry?.key, entry?.key === this.selected, fit, asks, this.words.lang, pods.map((pod) => [pod.key, pod.priority, pod.requests, pod.qos, pod.budgets, pod.entry.key === this.selected, pod.made]), this.#budgetsOn(node)]);
  }

  /** @param {NodeView} node */
  #budgetsOn(node) {
    /** @type {Map<string, number>} */ const found = new Map();
    for (const pod of node.pods) for (const key of pod.budgets) found.set(key, (found.get(key) || 0) + 1);
    return [...found].map(([key, count]) => ({ key, count, allowed: this.facts?.budgets?.[key]?.allowed }));
  }

  /** @param {{node: NodeView, fit: any, asks: Object<string, number>|null}} item */
  #card({ node, fit, asks }) {
    const { words } = this;
    const classes = ["ed-card", node.entry?.key === this.selected && "is-selected", node.cordoned && "is-cordoned", node.taints.length && "is-tainted", !node.entry && "is-missing", node.made && "is-made"].filter(Boolean).join(".");
    const extra = Object.keys(node.allocatable).filter((name) => !MAIN.includes(name) && name !== "pods" && (node.requested[name] || asks?.[name]));
    return h(`article.${classes}`, { "aria-label": node.name, ...(node.entry ? { "data-drop": node.name } : {}) },
      h("header.card-head", {},
        node.entry ? h("button.card-name", { type: "button", "data-entry": node.entry.key, "data-node-name": node.name, title: node.name, "aria-pressed": String(node.entry.key === this.selected) }, words.nodeName(node.name)) : h("span.card-name", {}, node.name),
        h("span.card-zone", {}, node.made ? words.say("edit.generated") : node.zone)),
      node.entry ? null : h("p.card-flag", {}, words.say("edit.missing.node")),
      node.cordoned ? h("p.card-flag", {}, icon("lock"), words.say("node.cordoned")) : null,
      node.taints.length ? h("p.card-flag", {}, node.taints.slice(0, 2).map((taint) => `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`).join(" · "), node.taints.length > 2 ? ` +${node.taints.length - 2}` : "") : null,
      node.entry ? h("div.bars", {}, [...MAIN, ...extra].map((resource) => this.#bar(resource, node, asks))) : null,
      h("div.ed-pods", {}, node.pods.slice(0, MOST_PODS).map((pod) => this.#pod(pod, node)), this.#more(node.pods.length - MOST_PODS)),
      this.#budgetsOn(node).map(({ key, count, allowed }) => h("p.ed-bracket", {}, icon("shield"), h("span", {}, words.say("pdb.allowed", { pdb: key.slice(key.indexOf("/") + 1), count: allowed ?? "?" })), count > 1 ? h("span.quiet", {}, words.say("pdb.covers", { count })) : null)),
      fit ? this.#verdict(fit) : null);
  }

  /** @param {any} fit */
  #verdict(fit) {
    const { words } = this;
    if (fit.fits) return h("p.ed-verdict.is-good", {}, icon("check"), h("span", {}, words.say("edit.fits")));
    const short = Object.entries(fit.short || {}).map(([resource, excess]) => `${amount(resource, Number(excess))} ${this.#resource(resource)}`);
    const reasons = [...(fit.plugin === "NodeResourcesFit" && short.length ? [] : [fit.reasons.join(", ") || fit.plugin]), ...(short.length ? [words.say("edit.fits.not", { short: short.join(", ") })] : [])];
    return h("p.ed-verdict.is-bad", {}, icon("cross"), h("span", {}, reasons.join(" · ")));
  }

  /** @param {string} resource */
  #resource(resource) { return this.words.has(`resource.${resource}`) ? this.words.say(`resource.${resource}`) : resource; }

  /** @param {string} resource @param {NodeView} node @param {Object<string, number>|null} asks */
  #bar(resource, node, asks) {
    const all = node.allocatable[resource] || 0, used = node.requested[resource] || 0, asked = asks?.[resource] || 0;
    const share = all ? Math.min(1, used / all) * FULL : used ? FULL : 0;
    const end = all ? Math.min(100, share + (asked / all) * FULL) : share;
    const over = used - all;
    return h("div.bar", {},
      h("div.bar-text", {}, h("span", {}, this.words.say("bar.of", { resource: this.#resource(resource), used: amount(resource, used), all: amount(resource, all) })), over > 0 ? h("strong.over", {}, this.words.say("bar.over", { amount: amount(resource, over) })) : null),
      s("svg.bar-drawing", { width: "100%", height: "10", "aria-hidden": "true" },
        s("rect.bar-room", { x: 0, y: 1, width: `${FULL}%`, height: 8, rx: 4 }),
        s("rect.bar-used", { x: 0, y: 1, width: `${over > 0 ? 100 : share}%`, height: 8, rx: 4 }),
        end > share ? s("rect.bar-asked", { x: `${share}%`, y: 1, width: `${Math.max(1, end - share)}%`, height: 8 }) : null,
        over > 0 || (asks && end > FULL) ? s("line.bar-end", { x1: `${FULL}%`, x2: `${FULL}%`, y1: 0, y2: 10 }) : null));
  }

  /** @param {PodView} pod @param {NodeView|null} node */
  #pod(pod, node) {
    const { words } = this;
    const share = node ? dominantShare(pod.requests, node.allocatable) : 0;
    const facts = [number(pod.priority), pod.requests.cpu ? `${cores(pod.requests.cpu)} CPU` : ""].filter(Boolean).join(" · ");
    const name = words.podLabel(pod.key);
    return h(`button.pod.band-${bandOf(pod.priority)}${pod.entry.key === this.selected ? ".is-selected" : ""}${pod.made ? ".is-made" : ""}`, {
      type: "button", "data-drag": pod.made ? null : "", "data-pod": pod.key, "data-entry": pod.entry.key, "--share": share.toFixed(4), title: `${pod.key}${pod.qos ? ` · ${pod.qos}` : ""}`,
      "aria-pressed": String(pod.entry.key === this.selected),
    }, h("span.pod-name", {}, name), h("span.sr", {}, words.say("edit.pod.priority")), h("span.pod-facts", {}, facts), pod.gates.length ? h("span.pod-facts", {}, words.say("lane.gates", { gates: pod.gates })) : null);
  }

  /** @param {number} count */
  #more(count) { return count > 0 ? h("p.quiet", {}, this.words.say("list.more", { count })) : null; }

  /** Budgets, priority classes, namespaces, generators and the rest. @param {Model} model @param {{scenario: any}} draft */
  #drawShelf(model, draft) {
    const { words } = this;
    const chip = (/** @type {string} */ key, /** @type {string} */ kind, /** @type {string} */ name, /** @type {string} */ text) =>
      h(`button.ed-chip${key === this.selected ? ".is-selected" : ""}`, { type: "button", "data-entry": key, "aria-pressed": String(key === this.selected) }, h("span.ed-chip-kind", {}, kind), h("span.ed-chip-name", {}, name), text ? h("span.quiet", {}, text) : null);
    this.parts.shelf.replaceChildren(
      ...this.#settings(draft.scenario).map(([key, text]) => chip(`setting/${key}`, "", words.say(`edit.setting.${key}`), text)),
      ...model.others.slice(0, 200).map((entry) => chip(entry.key, words.has(`kind.${entry.kind}`) ? words.say(`kind.${entry.kind}`) : entry.kind, entry.name, this.#about(entry))));
  }

  /** @param {any} scenario @returns {[string, string][]} */
  #settings(scenario) {
    const { words } = this;
    const count = (/** @type {any} */ value) => (Array.isArray(value) ? value.length : Object.keys(value || {}).length);
    return [
      ["scenario", scenario.metadata?.title ? String(scenario.metadata.title) : ""],
      ["timeline", count(scenario.timeline) ? words.say("edit.setting.operations", { count: count(scenario.timeline) }) : ""],
      ["scheduler", scenario.config ? words.say("edit.setting.changed") : words.say("edit.setting.default")],
      ["extenders", count(scenario.extenders) ? String(count(scenario.extenders)) : ""],
      ["chance", scenario.seed ? words.say("edit.setting.seed", { seed: scenario.seed }) : ""],
    ];
  }

  /** @param {import("./manifests.js").Entry} entry */
  #about({ kind, namespace, name, manifest }) {
    const { words } = this;
    if (kind === "PriorityClass") return number(Number(manifest.value) || 0);
    if (kind === "Generator") return `${manifest.generate.count ?? "?"} × ${manifest.generate.kind ?? "?"}`;
    if (kind !== "PodDisruptionBudget") return namespace && namespace !== "default" ? namespace : "";
    const budget = this.facts?.budgets?.[`${namespace}/${name}`];
    return budget ? words.say("edit.budget.left", { count: budget.pods.length, allowed: budget.allowed }) : "";
  }
}

/** The band of a priority, 0 to 4, as on the stage. @param {number} priority */
function bandOf(priority) {
  if (priority >= 1e9) return 4;
  if (priority >= 100000) return 3;
  if (priority >= 1000) return 2;
  return priority > 0 ? 1 : 0;
}
