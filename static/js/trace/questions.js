/**
 * Why not here? Why this victim? Why was it spared? Answered from the trace of the cycle on show.
 * The one rule: pure, and an answer is an id with arguments, so it reads in both languages.
 * @module
 */
import { candidatesOf, struckBy } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{question: string, id: string, args: Object<string, any>}} Answer */

/** @param {Scene} scene @param {{node?: string, pod?: string}} asked @returns {Answer[]} */
export function answersAbout(scene, asked) {
  if (asked.node) return aboutNode(scene, asked.node);
  return asked.pod ? aboutPod(scene, asked.pod) : [];
}

/** @param {any} status */
function reasons(status) { return (status?.reasons || []).join(", ") || status?.plugin || status?.code || ""; }

/** @param {Scene} scene @param {string} node @returns {Answer[]} */
function aboutNode(scene, node) {
  const { cycle } = scene;
  if (!cycle) return [{ question: "ask.now", id: "answer.no_cycle", args: {} }];
  return [...filterAnswer(cycle, node), ...scoreAnswer(cycle, node), ...candidateAnswer(cycle, node), ...pickAnswer(cycle, node)];
}

/** @param {any} cycle @param {string} node @returns {Answer[]} */
function filterAnswer(cycle, node) {
  const filtered = cycle.filtered;
  if (!filtered) return [{ question: "ask.why_not_here", id: "answer.not_filtered_yet", args: { pod: cycle.pod } }];
  const status = filtered.statuses[node];
  if (status) return [{ question: "ask.why_not_here", id: "answer.rejected", args: { plugin: status.plugin || status.code, reason: reasons(status), pod: cycle.pod } }];
  if (filtered.feasible.includes(node)) return cycle.selected?.host === node ? [{ question: "ask.why_here", id: "answer.selected", args: { pod: cycle.pod } }] : [{ question: "ask.why_not_here", id: "answer.feasible", args: { pod: cycle.pod } }];
  return [{ question: "ask.why_not_here", id: "answer.not_asked", args: { count: filtered.evaluated, total: filtered.total } }];
}

/** @param {any} cycle @param {string} node @returns {Answer[]} */
function scoreAnswer(cycle, node) {
  const total = cycle.scored?.totals[node];
  if (total === undefined) return [];
  const best = Math.max(...Object.values(cycle.scored.totals));
  return [{ question: "ask.score", id: total === best ? "answer.best_score" : "answer.lower_score", args: { total, best } }];
}

/** @param {any} cycle @param {string} node @returns {Answer[]} */
function candidateAnswer(cycle, node) {
  if (!cycle.candidates) return [];
  const question = "ask.why_no_candidate";
  if (node in cycle.candidates.unresolvable) return [{ question, id: "answer.unresolvable", args: { reason: [].concat(cycle.candidates.unresolvable[node]).join(", ") } }];
  const checked = cycle.checked.get(node);
  if (!checked) return [{ question, id: cycle.finished ? "answer.never_checked" : "answer.not_checked_yet", args: {} }];
  if (checked.status) return [{ question, id: "answer.no_candidate", args: { reason: reasons(checked.status) } }];
  return [{ question: "ask.at_what_cost", id: "answer.candidate", args: { count: checked.victims.length, violations: checked.pdb_violations, pods: checked.victims.map((/** @type {string} */ pod) => pod.slice(pod.indexOf("/") + 1)) } }];
}

/** @param {any} cycle @param {string} node @returns {Answer[]} */
function pickAnswer(cycle, node) {
  const rule = struckBy(cycle, node);
  if (rule) {
    const data = cycle.rules[rule - 1] || cycle.rules.find((/** @type {any} */ each) => each.number === rule);
    return [{ question: "ask.why_not_picked", id: "answer.struck", args: { number: rule, rule: data.rule } }];
  }
  if (cycle.picked?.node === node) return [{ question: "ask.why_picked", id: cycle.picked.decided_by === "only" ? "answer.only" : "answer.picked", args: { rule: cycle.picked.decided_by } }];
  const vetoed = cycle.extenders.find((/** @type {any} */ each) => node in each.before && !(node in each.after));
  return vetoed ? [{ question: "ask.why_not_picked", id: "answer.vetoed", args: { extender: vetoed.extender } }] : [];
}

/** @param {Scene} scene @param {string} key @returns {Answer[]} */
function aboutPod(scene, key) {
  const pod = scene.state.pods.get(key);
  if (!pod) return [{ question: "ask.now", id: "answer.gone", args: { pod: key } }];
  const { cycle } = scene;
  if (cycle && key === cycle.pod) return [{ question: "ask.now", id: "answer.preemptor", args: { pod: key } }];
  if (!pod.node) return [{ question: "ask.why_waiting", id: pod.queue && pod.queue !== "active" ? "answer.waits_for" : "answer.waits_turn", args: { pod: key, plugins: pod.plugins?.length ? pod.plugins : ["–"] } }];
  return cycle?.candidates ? victimAnswer(scene, cycle, pod, key) : [{ question: "ask.now", id: pod.terminating ? "answer.terminating" : "answer.runs", args: { pod: key, node: pod.node } }];
}

/** @param {Scene} scene @param {any} cycle @param {any} pod @param {string} key @returns {Answer[]} */
function victimAnswer(scene, cycle, pod, key) {
  const preemptor = scene.state.pods.get(cycle.pod);
  const checked = cycle.checked.get(pod.node);
  const spared = "ask.why_spared";
  if (preemptor && pod.priority >= preemptor.priority) return [{ question: spared, id: "answer.priority", args: { priority: pod.priority, other: preemptor.priority } }];
  if (!checked) return [{ question: spared, id: "answer.node_not_checked", args: { node: pod.node } }];
  const step = checked.steps.find((/** @type {any} */ each) => each.pod === key);
  if (step?.reprieved) return [{ question: spared, id: "answer.reprieved", args: { pod: cycle.pod } }];
  if (!checked.victims.includes(key)) return [{ question: spared, id: checked.status ? "answer.no_help" : "answer.not_needed", args: { node: pod.node, reason: reasons(checked.status) } }];
  const reason = step?.reason || reasons(step?.status) || "";
  const victim = { question: "ask.why_victim", id: "answer.victim", args: { node: pod.node, reason, pod: cycle.pod } };
  const lost = cycle.picked && cycle.picked.node !== pod.node;
  return lost ? [victim, { question: spared, id: "answer.other_node", args: { node: cycle.picked.node } }] : [victim];
}
export { candidatesOf };
