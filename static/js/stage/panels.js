/**
 * What stands above the nodes in each phase: gates, funnel, extender strips, the elimination table, filter and score matrices.
 * The one rule: each panel is a function of the scene, and each says in words what it shows.
 * @module
 */
import { h } from "../dom.js";
import { moment, number } from "../format.js";
import { icon } from "../icons.js";
import { candidatesOf, struckBy } from "../trace/scene.js";
import { reasonText } from "./model.js";

/** @typedef {import("../trace/scene.js").Scene} Scene */
/** @typedef {import("../words.js").Words} Words */

export const RULES = Object.freeze(["pdb-violations", "highest-priority", "priority-sum", "victim-count", "latest-start", "first"]);
export const ROWS = 80;
export const FIRST_ROWS = 12; // of a long table, until somebody wants all
const LEAST_STRUCK = 3;
const HALF = 2 ** 31;

/** How much of a panel is drawn: so many rows at once, the verdicts node by node when somebody opened them. @typedef {{rows: number, open: boolean}} Extent */

/** @param {Scene} scene @param {Words} words @param {Extent} [extent] @returns {HTMLElement|null} */
export function panelFor(scene, words, extent = { rows: ROWS, open: false }) {
  return PANELS[scene.chapter]?.(scene, words, extent) || null;
}

/** @param {Scene} scene @param {Words} words */
function gates(scene, words) {
  const data = scene.cycle.eligibility;
  return h("section.panel.gates", {},
    h("h2.panel-title", {}, words.say("gates.title", { pod: scene.cycle.pod })),
    h("ol.gate-list", {}, data.gates.map((gate) => h(`li.gate.${gate.passed ? "is-open" : "is-shut"}`, {},
      h("span.gate-mark", {}, icon(gate.passed ? "check" : "cross")),
      h("span.gate-text", {}, h("strong", {}, words.say(`gate.${gate.name}`)), h("span.gate-verdict", {}, words.say(gate.passed ? "gate.open" : "gate.shut")),
        gate.reason ? h("code.kube", {}, gate.reason) : h("span.quiet", {}, words.say(`gate.${gate.name}.why`)), gate.passed ? null : changeGate(gate.name, scene.cycle.pod, words))))));
}

/** A shut gate offers what would open it: the field in the editor, or a change of the cluster at this step. @param {string} name @param {string} pod @param {Words} words */
function changeGate(name, pod, words) {
  if (name === "preemption-policy") return h("button.button.is-small.gate-change", { type: "button", "data-edit-pod": pod, "data-line": "gate-change" }, words.say("gate.change"));
  return h("button.button.is-small.gate-change", { type: "button", "data-change": "", "data-line": "gate-change" }, words.say("gate.change.cluster"));
}

/** The budgets of the victims on show, each with a way to change it. @param {Scene} scene @param {Object<string, any>} candidates @param {Words} words */
function changeBudgets(scene, candidates, words) {
  const victims = new Set(Object.values(candidates).flatMap((each) => each.victims));
  const budgets = [...scene.state.budgets.values()].filter((budget) => budget.pods.some((/** @type {string} */ pod) => victims.has(pod)));
  if (!budgets.length) return null;
  return h("p.pick-budgets", {}, budgets.slice(0, 4).map((budget) => h("button.button.is-small", { type: "button", "data-change": "budget", "data-target": budget.key, "data-line": `budget ${budget.key}` }, icon("shield"), words.say("pick.change", { pdb: budget.key.slice(budget.key.indexOf("/") + 1) }))));
}

/** @param {Scene} scene @param {Words} words */
function refresh(scene, words) {
  const pod = scene.state.pods.get(scene.cycle.pod);
  const changed = scene.cycle.refreshed?.changed || [];
  return h("section.panel.refresh", {},
    h("p.refresh-pod", {}, h("span.pulse", { "aria-hidden": "true" }), h("strong", {}, words.podLabel(scene.cycle.pod)), h("span.quiet", {}, words.say("refresh.waits", { count: pod?.attempts || 1 }))),
    changed.length ? h("ul.changes", {}, changed.map((line) => h("li", {}, line))) : h("p.quiet", {}, words.say("refresh.unchanged")));
}

/** @param {Scene} scene @param {Words} words */
function funnel(scene, words) {
  const { cycle } = scene;
  const start = cycle.candidates;
  if (!start) return null;
  const never = Object.keys(start.unresolvable).length;
  const found = cycle.finished ? Object.keys(cycle.finished.candidates).length : [...cycle.checked.values()].filter((each) => !each.status).length;
  return h("section.panel.funnel", {},
    h("ol.funnel-steps", {},
      stage(words.say("funnel.all", { count: start.total })), arrow(),
      stage(words.say("funnel.never", { count: never }), "is-quiet", unresolvableText(start.unresolvable)), arrow(),
      stage(words.say("funnel.potential", { count: start.potential.length })), arrow(),
      stage(words.say("funnel.checked", { count: cycle.checked.size, total: start.potential.length }), "is-now"), arrow(),
      stage(words.say("funnel.found", { count: found }), "is-found")),
    meter(start.potential, cycle, scene, words),
    h("p.funnel-start", {}, icon("die"), h("span", {}, words.say(start.drawn ? "funnel.offset.drawn" : "funnel.offset", { node: start.potential[start.offset] || "", number: start.offset + 1 })),
      cycle.finished?.stopped_early ? h("strong.stopped", {}, words.say("funnel.stopped", { count: cycle.finished.checked, total: cycle.finished.potential_count })) : h("span.quiet", {}, words.say("funnel.wanted", { count: start.wanted }))));
}

/** @param {string} text @param {string} [extra] @param {string} [title] */
function stage(text, extra, title) { return h(`li.funnel-step${extra ? `.${extra}` : ""}`, { title }, text); }
function arrow() { return h("li.funnel-arrow", { "aria-hidden": "true" }, icon("arrow")); }

/** @param {Object<string, string[]>} unresolvable */
function unresolvableText(unresolvable) {
  return [...new Set(Object.values(unresolvable).flat())].join("\n");
}

/** One mark for each potential node in the order asked. @param {string[]} potential @param {any} cycle @param {Scene} scene @param {Words} words */
function meter(potential, cycle, scene, words) {
  if (potential.length < 2 || potential.length > 120) return null;
  const offset = cycle.candidates.offset;
  const order = [...potential.slice(offset), ...potential.slice(0, offset)];
  return h("div.meter", { "aria-hidden": "true" }, order.map((name) => {
    const checked = cycle.checked.get(name);
    const now = scene.dry?.node === name && scene.dry.stage !== "verdict";
    return h(`span.meter-mark${now ? ".is-now" : checked ? (checked.status ? ".is-no" : ".is-yes") : ""}`, { title: words.nodeName(name) });
  }));
}

/** @param {Scene} scene @param {Words} words */
function extenders(scene, words) {
  return h("section.panel.extenders", {},
    h("h2.panel-title", {}, words.say("extenders.title")),
    scene.cycle.extenders.map((each) => {
      const struck = Object.keys(each.before).filter((name) => !(name in each.after));
      return h(`div.strip${each.error ? ".is-error" : ""}`, {},
        h("strong.strip-name", {}, each.extender), h("span.strip-in", {}, words.say("extenders.in", { count: Object.keys(each.before).length })), icon("arrow"),
        h("span.strip-out", {}, words.say("extenders.out", { count: Object.keys(each.after).length })),
        h("span.strip-struck", {}, struck.slice(0, 8).map((name) => h("s", {}, words.nodeName(name)))),
        each.error ? h("p.strip-error", {}, icon("cross"), h("code.kube", {}, each.error), words.say(each.ignored ? "extenders.ignored" : "extenders.fatal")) : null);
    }));
}

/** Whether start times are so close that minutes do not tell them apart. @param {Scene} scene */
function needsSeconds(scene) {
  const times = Object.values(scene.cycle?.rules.find((each) => each.rule === "latest-start")?.values || {}).sort((a, b) => a - b);
  return times.some((time, index) => index > 0 && time - times[index - 1] < 120);
}

/** A value of a rule as people read it. @param {string} rule @param {number} value @param {Scene} scene @param {Words} words */
export function ruleValue(rule, value, scene, words) {
  if (rule === "latest-start") return moment(scene.epoch, value, words.lang, needsSeconds(scene));
  if (rule === "priority-sum" && value >= HALF) {
    const count = Math.round(value / HALF);
    return `${number(value - count * HALF)} + ${count}·2³¹`;
  }
  if (rule === "first") return value === 0 ? words.say("pick.first") : "–";
  return number(value);
}

/** @param {Scene} scene @param {Words} words @param {Extent} extent */
export function pickTable(scene, words, { rows }) {
  const { cycle } = scene;
  const candidates = candidatesOf(cycle) || {};
  const names = Object.keys(candidates);
  if (!names.length) return null;
  const alive = names.filter((name) => !struckBy(cycle, name));
  if (cycle.picked) alive.sort((a, b) => Number(b === cycle.picked.node) - Number(a === cycle.picked.node));
  const struck = names.filter((name) => struckBy(cycle, name)).sort((a, b) => struckBy(cycle, b) - struckBy(cycle, a));
  const above = Math.min(alive.length, rows - Math.min(struck.length, LEAST_STRUCK));
  const line = cycle.rules.length && struck.length ? outLine(cycle, names.length, words) : null;
  return h("section.panel.pick", {},
    h("p.pick-lead", {}, words.say("pick.lead", { count: names.length })),
    h("div.table-wrap", { tabindex: "0", role: "group", "aria-label": words.say("pick.scroll") }, h("table.pick-table", { "aria-label": words.say("table.pick") },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.say("pick.candidate")), RULES.map((rule, index) => h(`th${ruleState(cycle, rule)}`, { scope: "col" }, h("span.rule-number", {}, index + 1), " ", words.say(`rule.${rule}`), h("span.rule-way", { "aria-hidden": "true" }, rule === "latest-start" ? " ↑" : " ↓"))))),
      h("tbody", {}, alive.slice(0, above).map((name) => pickRow(scene, name, candidates[name], words)), more(alive.length - above, words, rows)),
      line ? h("tbody.out", {}, h("tr.out-line", {}, h("td", { colspan: 7 }, line)), struck.slice(0, rows - above).map((name) => pickRow(scene, name, candidates[name], words)), more(struck.length - (rows - above), words, rows)) : null)),
    cycle.picked ? h("p.pick-verdict", {}, icon("flag"), h("strong", {}, words.say(cycle.picked.decided_by === "only" ? "pick.only" : "pick.wins", { node: cycle.picked.node, number: RULES.indexOf(cycle.picked.decided_by) + 1 })), " ",
      h("span", {}, cycle.picked.decided_by === "only" ? "" : words.say(`pick.because.${cycle.picked.decided_by}`)), " ", h("span.quiet", {}, unasked(cycle, words))) : null,
    changeBudgets(scene, candidates, words));
}

/** @param {number} count @param {Words} words @param {number} [rows] that there are: fewer than all can become all */
function more(count, words, rows = ROWS) {
  if (count <= 0) return null;
  const text = words.say("list.more", { count });
  return h("tr.more", {}, h("td", { colspan: 7 }, rows < ROWS ? h("button.link", { type: "button", "data-more": "", "data-line": "more" }, text) : text));
}

/** @param {any} cycle @param {string} rule */
function ruleState(cycle, rule) {
  if (cycle.rules[cycle.rules.length - 1]?.rule === rule) return ".is-now";
  return cycle.rules.some((each) => each.rule === rule) ? ".is-asked" : "";
}

/** @param {any} cycle @param {Words} words */
function unasked(cycle, words) {
  const next = RULES.indexOf(cycle.picked.decided_by) + 2;
  if (cycle.picked.decided_by === "only" || next > 6) return "";
  return words.say(next === 6 ? "pick.unasked.one" : "pick.unasked", { from: next, to: 6 });
}

/** @param {any} cycle @param {number} all @param {Words} words */
function outLine(cycle, all, words) {
  const parts = [number(all)];
  let left = all;
  for (const rule of cycle.rules) {
    if (rule.survivors.length < left) parts.push(words.say("pick.after", { count: rule.survivors.length, number: rule.number }));
    left = rule.survivors.length;
  }
  return words.say("pick.outline", { steps: parts.join(" → ") });
}

/** @param {Scene} scene @param {string} name @param {any} candidate @param {Words} words */
function pickRow(scene, name, candidate, words) {
  const { cycle } = scene;
  const out = struckBy(cycle, name);
  return h(`tr${out ? ".is-out" : ""}${cycle.picked?.node === name ? ".wins" : ""}`, { "data-flip": `row:${name}`, "data-node": name },
    h("th", { scope: "row" }, h("span.row-node", {}, words.nodeName(name)), h("span.row-victims", {}, candidate.victims.slice(0, 6).map((/** @type {string} */ pod, /** @type {number} */ index) => [index ? ", " : "", h("span.whole", {}, words.podLabel(pod))]), candidate.victims.length > 6 ? ` +${candidate.victims.length - 6}` : null), out ? h("span.sr", {}, ` ${words.say("badge.out", { number: out })}`) : null),
    RULES.map((rule) => pickCell(scene, name, rule, words)));
}

/** @param {Scene} scene @param {string} name @param {string} rule @param {Words} words */
function pickCell(scene, name, rule, words) {
  const { cycle } = scene;
  const asked = cycle.rules.find((each) => each.rule === rule);
  if (!asked) {
    return cycle.picked ? h("td.is-unneeded", {}, h("span.sr", {}, words.say("pick.unneeded"))) : h("td.is-later", {}, h("span.sr", {}, words.say("pick.later")));
  }
  if (!(name in asked.values)) return h("td.is-gone", {}, h("span.sr", {}, words.say("pick.gone")));
  const text = ruleValue(rule, asked.values[name], scene, words);
  return asked.survivors.includes(name) ? h("td", {}, h("span.best", {}, text)) : h("td", {}, h("s.struck", {}, text), h("span.sr", {}, ` ${words.say("pick.struck")}`));
}

/** Reasons, most frequent first. @param {any} filtered @returns {{plugin: string, reason: string, nodes: string[]}[]} */
export function reasonGroups(filtered) {
  const groups = new Map();
  for (const [node, status] of Object.entries(filtered.statuses)) {
    for (const reason of status.reasons.length ? status.reasons : [""]) {
      const key = `${status.plugin}\n${reason}`;
      if (!groups.has(key)) groups.set(key, { plugin: status.plugin, reason, nodes: [] });
      groups.get(key).nodes.push(node);
    }
  }
  return [...groups.values()].sort((a, b) => b.nodes.length - a.nodes.length);
}

/** @param {Scene} scene @param {Words} words @param {Extent} extent */
function filterPanel(scene, words, { open }) {
  const data = scene.cycle.filtered;
  if (!data) return null;
  const groups = reasonGroups(data);
  return h("section.panel.filter", {},
    h("div.ratio", {}, h("strong.ratio-number", {}, `${data.feasible.length}/${data.total}`), h("span", {}, words.say("filter.feasible"))),
    h("ul.reasons", {}, groups.slice(0, 8).map((group) => h("li.reason", {}, h("span.reason-count", {}, number(group.nodes.length)), h("code.reason-plugin", {}, group.plugin), h("span.reason-text", {}, group.reason || group.plugin))),
      data.feasible.length ? h("li.reason.is-good", {}, h("span.reason-count", {}, number(data.feasible.length)), icon("check"), h("span", {}, words.say("badge.feasible"))) : null,
      groups.length > 8 ? h("li.quiet", {}, words.say("list.more", { count: groups.length - 8 })) : null),
    data.nominated_first ? h("p.quiet", {}, words.say("filter.nominated_first", { node: data.nominated_first })) : null,
    Object.keys(data.with_nominated || {}).length ? h("p.quiet", {}, words.say("filter.twice", { count: Object.keys(data.with_nominated).length })) : null,
    data.total <= 400 || groups.length ? byNode(data, words, open) : null,
    data.evaluated < data.total && !data.nominated_first ? h("p.quiet", {}, words.say("filter.stopped", { count: data.evaluated, total: data.total })) : null);
}

/** Which plugin said what, node by node: as long as nobody opens it there is nothing in it. @param {any} data @param {Words} words @param {boolean} open */
function byNode(data, words, open) {
  if (!open) return h("details.by-node", {}, h("summary", {}, words.say("filter.by_node")));
  const rows = [...Object.entries(data.statuses), ...data.feasible.map((/** @type {string} */ name) => [name, null])];
  return h("details.by-node", { open: true }, h("summary", {}, words.say("filter.by_node")),
    h("div.table-wrap", { tabindex: "0", role: "group", "aria-label": words.say("filter.by_node") }, h("table.filter-table", { "aria-label": words.say("filter.by_node") },
      h("thead", {}, h("tr", {}, ["table.node", "table.verdict", "table.plugin", "table.reason"].map((id) => h("th", { scope: "col" }, words.say(id))))),
      h("tbody", {}, rows.slice(0, 200).map(([name, status]) => h("tr", { "data-node": name }, h("th", { scope: "row" }, words.nodeName(name)),
        h("td", {}, status ? status.code : words.say("badge.feasible")), h("td", {}, status ? status.plugin : "–"), h("td", {}, status ? reasonText(status) : "–"))), more(rows.length - 200, words)))));
}

/** @param {Scene} scene @param {Words} words */
function scorePanel(scene, words) {
  const data = scene.cycle.scored;
  if (!data) return scene.cycle.selected ? h("section.panel", {}, h("p", {}, words.say("score.only", { node: scene.cycle.selected.host }))) : null;
  const plugins = Object.keys(data.weights).filter((plugin) => Object.values(data.scores).some((scores) => scores[plugin] !== undefined));
  const names = Object.keys(data.totals).sort((a, b) => data.totals[b] - data.totals[a]);
  const best = data.totals[names[0]];
  return h("section.panel.score", {},
    h("div.table-wrap", { tabindex: "0", role: "group", "aria-label": words.say("score.scroll") }, h("table.score-table", { "aria-label": words.say("table.score") },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, words.say("table.node")), h("th", { scope: "col" }, words.say("score.total")), plugins.map((plugin) => h("th", { scope: "col" }, plugin, h("span.weight", {}, ` ×${data.weights[plugin]}`))))),
      h("tbody", {}, names.slice(0, 12).map((name) => h(`tr${scene.cycle.selected?.host === name ? ".wins" : ""}`, { "data-node": name }, h("th", { scope: "row" }, words.nodeName(name)),
        h("td", {}, h(data.totals[name] === best ? "span.best" : "span", {}, number(data.totals[name]))), plugins.map((plugin) => scoreCell(data, name, plugin, words)))), more(names.length - 12, words)))),
    scene.cycle.selected?.ties?.length > 1 ? h("p", {}, icon("die"), words.say("score.tie", { count: scene.cycle.selected.ties.length, node: scene.cycle.selected.host })) : null);
}

/** @param {any} data @param {string} name @param {string} plugin @param {Words} words */
function scoreCell(data, name, plugin, words) {
  const weighted = data.scores[name]?.[plugin];
  if (weighted === undefined) return h("td.is-gone", {}, "–");
  const raw = data.raw?.[name]?.[plugin], normal = data.normalized?.[name]?.[plugin];
  const how = raw === undefined ? "" : words.say("score.how", { raw, normal, weight: data.weights[plugin], total: weighted });
  return h("td", { title: how }, h("span.score-bar", { "--level": (normal ?? 0) / 100, "aria-hidden": "true" }), number(weighted), raw !== undefined ? h("span.score-raw", {}, raw === normal ? `${number(raw)} × ${data.weights[plugin]}` : `${number(raw)} → ${number(normal)} × ${data.weights[plugin]}`) : null);
}

/** @param {Scene} scene @param {Words} words */
function eviction(scene, words) {
  const { cycle } = scene;
  if (!cycle.picked) return null;
  const steps = [
    ...cycle.picked.victims.map((pod) => ({ done: cycle.deleted.includes(pod), text: words.say("evict.victim", { victim: pod }) })),
    ...cycle.cleared.map((pod) => ({ done: true, text: words.say("evict.cleared", { pod }) })),
    { done: Boolean(cycle.nominated), text: words.say("evict.nominated", { pod: cycle.pod, node: cycle.picked.node }) },
  ];
  return h("section.panel.eviction", {}, h("ol.todo", {}, steps.map((step) => h(`li${step.done ? ".is-done" : ""}`, {}, h("span.todo-mark", {}, step.done ? icon("check") : null), step.text))),
    cycle.nominated ? h("p.quiet", {}, words.say("evict.honest")) : null);
}

/** @param {Scene} scene @param {Words} words */
function failure(scene, words) {
  return h("section.panel.failure", {}, h("p.quiet", {}, words.say("fail.condition")), h("code.kube", {}, scene.cycle?.failed?.message || ""));
}

/** @param {Scene} scene @param {Words} words */
function ending(scene, words) {
  const counts = scene.event.data.counts;
  if (!counts) return h("section.panel", {}, h("p", {}, words.say("end.limit")));
  return h("section.panel.ending", {}, h("dl.figures", {}, ["bound", "pending", "evicted", "cycles"].map((name) => h("div.figure", {}, h("dt", {}, words.say(`count.${name}`)), h("dd", {}, number(counts[name] ?? 0))))));
}

/** @type {Object<string, (scene: Scene, words: Words, extent: Extent) => HTMLElement|null>} */
const PANELS = {
  filter: filterPanel, score: scorePanel, refresh, eligibility: gates, candidates: funnel, extenders, "best-pick": pickTable, eviction, failure, end: ending,
};
export { reasonText };
