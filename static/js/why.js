/**
 * Why: one sentence, the rule, the numbers, kube-scheduler's own message, the place in its source.
 * The one rule: everything comes from the trace; what the trace does not say, this does not say either.
 * @module
 */
import { h, keepFocus, morph } from "./dom.js";
import { changesFor } from "./change/menu.js";
import { amount, moment, number, seconds } from "./format.js";
import { sentenceOf, sourceOf } from "./narrate.js";
import { answersAbout } from "./trace/questions.js";
import { reasonGroups, ruleValue } from "./stage/panels.js";
import { candidatesOf, requestedOn } from "./trace/scene.js";

/** @typedef {import("./trace/scene.js").Scene} Scene */
/** @typedef {import("./words.js").Words} Words */
/** @typedef {{title: string, rows: [string, string, string?][]}} Numbers */

/** @param {Element} root @param {Scene} scene @param {import("./trace/store.js").TraceStore} store @param {Words} words @param {{node?: string, pod?: string}|null} asked @param {() => void} stopAsking */
export function drawWhy(root, scene, store, words, asked, stopAsking) {
  const { id, args } = sentenceOf(scene);
  const numbers = numbersOf(scene, words);
  const message = kubeMessage(scene);
  const source = sourceOf(scene.event.kind);
  const since = scene.since.lines;
  const fresh = h("div.why-body", {}, ...[
    asked ? drawAnswers(scene, asked, words, stopAsking) : null,
    h("div.why-card", {},
      h("p.why-sentence", {}, words.rich(id, args)),
      ruleText(scene, words) ? h("p.why-rule", {}, ruleText(scene, words)) : null,
      numbers ? drawNumbers(numbers) : null,
      message ? h("div.why-message", {}, h("p.label", {}, words.say("why.says")), h("code.kube", {}, message)) : null,
      source ? h("p.why-source", {}, `${words.say("why.source")} `, h("a", { href: source.href, rel: "noreferrer noopener", target: "_blank" }, source.text)) : null),
    since.length ? h("div.since", {}, h("h2.label", {}, words.say("since.title")), h("ul", {}, since.map((line) => h("li", {}, words.rich(line.id, shown(line.args, words)))))) : null,
    asked ? null : h("p.why-ask", {}, words.say("ask.how")),
  ].filter(Boolean));
  if (root.firstElementChild && asked?.pod === shownFor?.pod && asked?.node === shownFor?.node) morph(root.firstElementChild, fresh);
  else keepFocus(root, () => root.replaceChildren(fresh));
  shownFor = asked;
}

/** @type {{node?: string, pod?: string}|null} about what the answers on show are */
let shownFor = null;

/** Amounts of CPU are given in milli by the scene. @param {Object<string, any>} args @param {Words} words */
function shown(args, words) {
  const copy = { ...args };
  for (const name of ["from", "to"]) if (words.has(`lane.${copy[name]}`)) copy[name] = words.say(`lane.${copy[name]}`);
  return copy;
}

/** @param {Scene} scene @param {{node?: string, pod?: string}} asked @param {Words} words @param {() => void} stop */
function drawAnswers(scene, asked, words, stop) {
  const name = asked.pod ? words.podLabel(asked.pod) : words.nodeName(asked.node);
  const answers = answersAbout(scene, asked);
  return h("div.answers", { "aria-label": words.say("ask.title", { name }), role: "group" },
    h("div.answers-head", {}, h("h2.answers-name", { title: asked.pod || asked.node }, name), h("button.icon-button", { type: "button", "aria-label": words.say("ask.close"), onclick: stop }, "×")),
    h("dl.answers-list", {}, answers.map(({ question, id, args }) => [h("dt", {}, words.say(question)), h("dd", {}, words.rich(id, args))])),
    asked.node ? h("ul.inline-list.node-pods", {}, (scene.state.nodes.get(asked.node)?.pods || []).slice(0, 40).map((key) => h("li", {}, h("button.link", { type: "button", "data-pod": key }, words.podLabel(key))))) : null,
    h("ul.facts", {}, facts(scene, asked, words).map((fact) => h("li", {}, fact))), drawChanges(scene, asked, words));
}

/** What one can do with it from here on. @param {Scene} scene @param {{node?: string, pod?: string}} asked @param {Words} words */
function drawChanges(scene, asked, words) {
  const changes = changesFor(scene.state, asked);
  return changes.length ? h("div.change-menu", { role: "group", "aria-label": words.say("run.change") }, changes.map(({ action, target }) => h("button.button.is-small", { type: "button", "data-change": action, "data-target": target }, words.say(`change.${action}`)))) : null;
}

/** @param {Scene} scene @param {{node?: string, pod?: string}} asked @param {Words} words */
function facts(scene, asked, words) {
  const pod = asked.pod ? scene.state.pods.get(asked.pod) : null;
  if (pod) {
    return [
      words.say("fact.priority", { priority: pod.priority, name: pod.priority_class || "–" }),
      words.say("fact.requests", { requests: Object.entries(pod.requests).map(([name, value]) => `${name} ${amount(name, value)}`) }),
      pod.start_time === null || pod.start_time === undefined ? "" : words.say("fact.started", { moment: moment(scene.epoch, pod.start_time, words.lang) }),
      pod.owner ? words.say("fact.owner", { owner: pod.owner.name ? `${pod.owner.kind} ${pod.owner.name}` : String(pod.owner) }) : "",
    ].filter(Boolean);
  }
  const node = asked.node ? scene.state.nodes.get(asked.node) : null;
  return node ? [words.say("fact.pods", { count: node.pods.length }), ...node.taints.map((taint) => words.say("fact.taint", { taint: `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}` }))] : [];
}

/** @param {Numbers} numbers */
function drawNumbers(numbers) {
  return h("table.numbers", {}, h("caption", {}, numbers.title), h("tbody", {}, numbers.rows.map(([name, value, tone]) => h(`tr${tone ? `.is-${tone}` : ""}`, {}, h("th", { scope: "row" }, name), h("td", {}, value)))));
}

/** The rule behind this step, in words. @param {Scene} scene @param {Words} words */
function ruleText(scene, words) {
  const { event, dry } = scene;
  if (scene.index === 0) return words.say("why.given");
  if (scene.act && words.has(`why.${scene.act.id}`)) return words.say(`why.${scene.act.id}`);
  if (event.kind === "queue.moved" && event.data.to === "gated") return words.say(event.data.plugins.includes("DefaultPreemption") ? "why.held.preemption" : "why.held.gates");
  const special = dry && scene.place.sub ? `why.check.${dry.stage}` : event.kind === "preemption.rule_applied" ? `why.rule.${event.data.rule}` : `why.${event.message.id}`;
  if (words.has(special)) return words.say(special);
  return words.has(`why.${event.kind}`) ? words.say(`why.${event.kind}`) : "";
}

/** @param {Scene} scene */
function kubeMessage(scene) {
  const { event, cycle } = scene;
  if (event.kind === "cycle.filtered") return event.data.fit_error;
  if (event.kind === "cycle.failed") return event.data.message;
  if (event.kind === "preemption.eligibility") return event.data.eligible ? "" : event.data.message;
  if (scene.dry?.data.status) return (scene.dry.data.status.reasons || []).join(", ");
  return cycle?.filtered && !cycle.finished && event.phase ? cycle.filtered.fit_error : "";
}

/** @param {Scene} scene @param {Words} words @returns {Numbers|null} */
function numbersOf(scene, words) {
  if (scene.index === 0) return givenNumbers(scene, words);
  if (scene.dry) return dryNumbers(scene, words);
  return NUMBERS[scene.event.kind]?.(scene, scene.event.data, words) || null;
}

/** @param {Scene} scene @param {Words} words @returns {Numbers} */
function givenNumbers(scene, words) {
  const pods = [...scene.state.pods.values()];
  return { title: words.say("numbers.cluster"), rows: [
    [words.say("numbers.nodes"), number(scene.state.nodes.size)], [words.say("numbers.running"), number(pods.filter((pod) => pod.node).length)],
    [words.say("numbers.waiting"), number(pods.filter((pod) => !pod.node).length), "total"], [words.say("numbers.budgets"), number(scene.state.budgets.size)]] };
}

/** The resource that the node is short of, or CPU. @param {Scene} scene @param {string} name @param {Object<string, number>} requests */
function tightest(scene, name, requests) {
  const node = scene.state.nodes.get(name);
  let best = "cpu", least = Infinity;
  for (const [resource, asked] of Object.entries(requests)) {
    const all = node.allocatable[resource] || 0;
    if (!asked || resource === "pods") continue;
    const left = (all - (node.requested[resource] || 0) - asked) / (all || 1);
    if (left < least) { least = left; best = resource; }
  }
  return best;
}

/** @param {Scene} scene @param {Words} words @returns {Numbers|null} */
function dryNumbers(scene, words) {
  const node = scene.state.nodes.get(scene.dry.node);
  const requests = scene.cycle.started?.requests || scene.state.pods.get(scene.cycle.pod)?.requests || {};
  if (!node) return null;
  const resource = tightest(scene, scene.dry.node, requests);
  const kept = requestedOn(scene, scene.dry.node)[resource] || 0;
  const asked = requests[resource] || 0;
  const show = (/** @type {number} */ value) => amount(resource, value);
  /** @type {[string, string, string?][]} */
  const rows = [[words.say("numbers.allocatable"), show(node.allocatable[resource] || 0)], [words.say("numbers.kept"), show(kept)], [words.say("numbers.asks", { pod: scene.cycle.pod }), show(asked)]];
  const step = scene.dry.step ? scene.state.pods.get(scene.dry.step.pod)?.requests[resource] || 0 : 0;
  const left = (node.allocatable[resource] || 0) - kept - asked;
  if (scene.dry.step && !scene.dry.step.reprieved) {
    rows.push([words.say("numbers.left"), show(left)], [words.say("numbers.asks", { pod: scene.dry.step.pod }), show(step)], [words.say("numbers.short"), show(step - left), "total"]);
  } else rows.push([words.say(left < 0 ? "numbers.short" : "numbers.left"), show(Math.abs(left)), "total"]);
  return { title: words.say("numbers.on", { resource: words.has(`resource.${resource}`) ? words.say(`resource.${resource}`) : resource, node: scene.dry.node }), rows };
}

/** @type {Object<string, (scene: Scene, data: any, words: Words) => Numbers>} */
const NUMBERS = {
  "cycle.started": (scene, data, words) => ({ title: words.say("numbers.asked"), rows: Object.entries(data.requests).filter(([, value]) => value).map(([name, value]) => [words.has(`resource.${name}`) ? words.say(`resource.${name}`) : name, amount(name, /** @type {number} */ (value))]) }),
  "cycle.filtered": (scene, data, words) => ({ title: words.say("numbers.reasons"), rows: [...reasonGroups(data).slice(0, 6).map((group) => /** @type {[string, string]} */ ([group.reason || group.plugin, number(group.nodes.length)])), [words.say("badge.feasible"), number(data.feasible.length), "total"]] }),
  "cycle.scored": (scene, data, words) => ({ title: words.say("numbers.scores"), rows: Object.entries(data.totals).sort((a, b) => b[1] - a[1]).slice(0, 6).map(([name, total], index) => [words.nodeName(name), number(total), index ? undefined : "total"]) }),
  "queue.moved": (scene, data, words) => ({ title: words.say("numbers.queue"), rows: [
    [words.say("numbers.event"), data.event || "–"], [words.say("numbers.plugin"), data.plugin || "–"], [words.say("numbers.attempts"), number(data.attempts || 0)],
    ...(data.until === null || data.until === undefined ? [] : [/** @type {[string, string]} */ ([words.say("numbers.until"), `${seconds(data.until)} s`])])] }),
  "preemption.candidates_started": (scene, data, words) => ({ title: words.say("numbers.search"), rows: [
    [words.say("numbers.nodes"), number(data.total)], [words.say("numbers.never"), number(Object.keys(data.unresolvable).length)],
    [words.say("numbers.potential"), number(data.potential.length), "total"], [words.say("numbers.wanted"), number(data.wanted)], [words.say("numbers.offset"), number(data.offset)]] }),
  "preemption.candidates_finished": (scene, data, words) => ({ title: words.say("numbers.found"), rows: Object.entries(data.candidates).slice(0, 8).map(([name, each]) => [words.nodeName(name), words.say("badge.victims", { count: each.victims.length })]) }),
  "preemption.rule_applied": (scene, data, words) => ({ title: words.say(`rule.${data.rule}`), rows: Object.entries(data.values).slice(0, 8).map(([name, value]) => [words.nodeName(name), ruleValue(data.rule, value, scene, words), data.survivors.includes(name) ? "total" : "out"]) }),
  "preemption.picked": (scene, data, words) => ({ title: words.say("numbers.rules"), rows: scene.cycle.rules.map((rule) => [`${rule.number} ${words.say(`rule.${rule.rule}`)}`, rule.survivors.length === 1 ? words.nodeName(rule.survivors[0]) : words.say("numbers.tie", { count: rule.survivors.length }), rule.survivors.length === 1 ? "total" : undefined]) }),
  "preemption.victim_deleted": (scene, data, words) => ({ title: words.say("numbers.victim"), rows: [[words.say("numbers.priority"), number(scene.state.pods.get(data.victim)?.priority ?? 0)], [words.say("numbers.grace"), `${data.grace} s`]] }),
};
export { candidatesOf };
