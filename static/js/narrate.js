/**
 * The sentence of a place: of the event, or of the single check inside it. The one rule: ids and arguments only; words.js speaks them.
 * @module
 */

/** @typedef {import("./trace/scene.js").Scene} Scene */

/** @param {Scene} scene @returns {{id: string, args: Object<string, any>}} */
export function sentenceOf(scene) {
  if (scene.index === 0) {
    return { id: "given", args: { nodes: scene.state.nodes.size, count: scene.state.nodes.size, pods: scene.state.pods.size, pending: [...scene.state.pods.values()].filter((pod) => !pod.node).length } };
  }
  if (scene.act) return scene.act;
  return scene.dry && scene.place.sub ? checkSentence(scene) : scene.event.message;
}

/** @param {Scene} scene */
function checkSentence({ dry, cycle }) {
  const base = "preemption.node_checked";
  const args = { node: dry.node, pod: cycle.pod };
  if (dry.stage === "bench") return { id: `${base}.bench`, args: { ...args, count: dry.data.potential_victims.length } };
  if (dry.stage === "fit") return dry.placed ? { id: `${base}.fit`, args } : { id: `${base}.fit.no`, args: { ...args, reason: (dry.data.status?.reasons || []).join(", ") } };
  const verdict = dry.step.reprieved ? "reprieved" : "victim";
  return { id: `${base}.${verdict}`, args: { ...args, victim: dry.step.pod, reason: dry.step.reason || (dry.step.status?.reasons || []).join(", ") } };
}

const UPSTREAM = "https://github.com/kubernetes/kubernetes/blob/v1.34.0/";
const CYCLE = "pkg/scheduler/schedule_one.go";
const EVALUATOR = "pkg/scheduler/framework/preemption/preemption.go";
const DEFAULT = "pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go";
const QUEUE = "pkg/scheduler/backend/queue/scheduling_queue.go";
const EXECUTOR = "pkg/scheduler/framework/preemption/executor.go";

/** Where kube-scheduler does what this event tells: file and function. */
export const SOURCES = Object.freeze({
  "queue.moved": [QUEUE, "moveAllToActiveOrBackoffQueue"], "queue.skipped": [QUEUE, "isPodWorthRequeuing"],
  "cycle.started": [CYCLE, "ScheduleOne"], "cycle.filtered": [CYCLE, "findNodesThatFitPod"], "cycle.scored": [CYCLE, "prioritizeNodes"],
  "cycle.selected": [CYCLE, "selectHost"], "cycle.failed": [CYCLE, "handleSchedulingFailure"], "pod.assumed": [CYCLE, "assume"], "pod.bound": [CYCLE, "bind"], "pod.bind_failed": [CYCLE, "handleBindingCycleError"],
  "preemption.refreshed": [EVALUATOR, "Preempt"], "preemption.eligibility": [DEFAULT, "PodEligibleToPreemptOthers"],
  "preemption.candidates_started": [EVALUATOR, "findCandidates"], "preemption.node_checked": [DEFAULT, "SelectVictimsOnNode"],
  "preemption.candidates_finished": [EVALUATOR, "DryRunPreemption"], "preemption.extender_called": [EVALUATOR, "callExtenders"],
  "preemption.rule_applied": [EVALUATOR, "pickOneNodeForPreemption"], "preemption.picked": [EVALUATOR, "SelectCandidate"],
  "preemption.victim_deleted": [EXECUTOR, "prepareCandidate"], "preemption.nomination_cleared": [EXECUTOR, "prepareCandidate"], "preemption.nominated": [EVALUATOR, "Preempt"],
});

/** @param {string} kind @returns {{href: string, text: string}|null} */
export function sourceOf(kind) {
  const found = SOURCES[/** @type {keyof typeof SOURCES} */ (kind)];
  if (!found) return null;
  const [path, name] = found;
  return { href: UPSTREAM + path, text: `${path.slice(path.lastIndexOf("/") + 1)}, ${name}` };
}
