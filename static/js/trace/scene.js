/**
 * Everything that a drawing needs to know about one place in the trace: the state, the cycle so far, who plays which role.
 * The one rule: pure, made from the store alone; drawings never look into events themselves to decide what is going on.
 * @module
 */
import { secondAct } from "./second_act.js";
import { groupOf } from "./steps.js";

/** @typedef {import("./reducer.js").TraceEvent} TraceEvent */
/** @typedef {import("./reducer.js").State} State */
/** @typedef {import("./store.js").TraceStore} TraceStore */
/** @typedef {"preemptor"|"bench"|"reprieved"|"victim"|"nominated"|"terminating"|""} Role */

/**
 * @typedef {object} Cycle what one scheduling cycle has found up to now
 * @property {string} id
 * @property {string} pod
 * @property {any} started
 * @property {any} filtered
 * @property {any} scored
 * @property {any} selected
 * @property {any} failed
 * @property {any} refreshed
 * @property {any} eligibility
 * @property {any} candidates
 * @property {Map<string, any>} checked node -> data of its dry run
 * @property {any} finished
 * @property {any[]} extenders
 * @property {any[]} rules
 * @property {any} picked
 * @property {string[]} deleted
 * @property {string[]} cleared
 * @property {any} nominated
 */

/**
 * @typedef {object} DryRun the node in focus, as far as its dry run has come
 * @property {string} node
 * @property {any} data
 * @property {"bench"|"fit"|"reprieve"|"verdict"} stage
 * @property {number} asked how many pods on the bench have been asked
 * @property {any|null} step the one just asked
 * @property {Map<string, Role>} roles
 * @property {string[]} away pods that are off the node at this moment
 * @property {boolean} placed the preemptor stands on the copy of the node
 */

const SLOTS = {
  "cycle.started": "started", "cycle.filtered": "filtered", "cycle.scored": "scored", "cycle.selected": "selected", "cycle.failed": "failed",
  "preemption.refreshed": "refreshed", "preemption.eligibility": "eligibility", "preemption.candidates_started": "candidates",
  "preemption.candidates_finished": "finished", "preemption.picked": "picked", "preemption.nominated": "nominated",
};

/** @type {WeakMap<string[], Set<string>>} */
const sets = new WeakMap();

/** A list of an event as a set, made once. @param {string[]} list @returns {Set<string>} */
export function setOf(list) {
  let found = sets.get(list);
  if (!found) { found = new Set(list); sets.set(list, found); }
  return found;
}

/** @param {TraceStore} store @param {string} id @param {number} seq @returns {Cycle|null} */
export function cycleAt(store, id, seq) {
  const seqs = store.cycles.get(id);
  if (!seqs) return null;
  /** @type {any} */
  const cycle = { id, pod: "", checked: new Map(), extenders: [], rules: [], deleted: [], cleared: [] };
  for (const each of seqs) {
    if (each > seq) break;
    const { kind, data } = store.event(each);
    if (SLOTS[kind]) cycle[SLOTS[kind]] = data;
    else if (kind === "preemption.node_checked") cycle.checked.set(data.node, data);
    else if (kind === "preemption.extender_called") cycle.extenders.push(data);
    else if (kind === "preemption.rule_applied") cycle.rules.push(data);
    else if (kind === "preemption.victim_deleted") cycle.deleted.push(data.victim);
    else if (kind === "preemption.nomination_cleared") cycle.cleared.push(data.cleared);
    cycle.pod ||= data.pod || "";
  }
  return cycle;
}

/** @param {any} data of a node_checked @param {import("./steps.js").Sub|null} sub @returns {DryRun} */
export function dryRun(data, sub) {
  const bench = (data.potential_victims || []).map((each) => each.pod);
  const stage = sub ? sub.name : "verdict";
  const asked = stage === "reprieve" ? sub.index + 1 : stage === "verdict" ? data.steps.length : 0;
  /** @type {Map<string, Role>} */
  const roles = new Map(bench.map((pod) => [pod, "bench"]));
  for (const step of data.steps.slice(0, asked)) roles.set(step.pod, step.reprieved ? "reprieved" : "victim");
  const away = bench.filter((pod) => roles.get(pod) !== "reprieved");
  const fits = data.fits_without_victims;
  return { node: data.node, data, stage, asked, step: asked && stage === "reprieve" ? data.steps[asked - 1] : null, roles, away, placed: stage !== "bench" && fits };
}

/** Which rule struck a node, 0 when none has. @param {Cycle} cycle @param {string} node */
export function struckBy(cycle, node) {
  for (const rule of cycle.rules) if (node in rule.values && !setOf(rule.survivors).has(node)) return rule.number;
  return 0;
}

/** The candidates that the best pick chooses among: after the extenders. @param {Cycle} cycle @returns {Object<string, any>|null} */
export function candidatesOf(cycle) {
  for (let index = cycle.extenders.length - 1; index >= 0; index -= 1) {
    const each = cycle.extenders[index];
    if (!each.ignored && !each.error) return each.after;
  }
  return cycle.finished ? cycle.finished.candidates : null;
}

/** @typedef {"given"|"objects"|"queue"|"filter"|"score"|"bind"|"failure"|"leaving"|"end"|"refresh"|"eligibility"|"candidates"|"extenders"|"best-pick"|"eviction"} Chapter */

/**
 * @typedef {object} Scene
 * @property {number} index
 * @property {import("./steps.js").Place} place
 * @property {TraceEvent} event
 * @property {State} state
 * @property {Chapter} chapter
 * @property {Cycle|null} cycle
 * @property {DryRun|null} dry
 * @property {string} pod the pod this is about
 * @property {string} node the node this is about
 * @property {string} epoch
 * @property {{id: string, args: Object<string, any>}|null} act what this is in the second act of a preemption
 * @property {Since} since what has changed since the last step, when somebody looked
 */

/** @typedef {{lines: {id: string, args: Object<string, any>}[], pods: Set<string>, nodes: Set<string>, bars: Set<string>}} Since */

/** @returns {Since} */
export function unchanged() { return { lines: [], pods: new Set(), nodes: new Set(), bars: new Set() }; }

/** @param {TraceStore} store @param {number} index @param {State} [state] when it is known already @returns {Scene|null} */
export function sceneAt(store, index, state) {
  const place = store.steps.places[index];
  if (!place) return null;
  const event = store.event(place.seq);
  const cycle = place.cycle ? cycleAt(store, place.cycle, place.seq) : null;
  if (place.sub) cycle?.checked.delete(event.data.node); // its verdict has not been spoken yet
  /** @type {Scene} */
  const scene = {
    index, place, event, cycle,
    state: state || store.stateAt(place.seq),
    chapter: /** @type {Chapter} */ (index === 0 ? "given" : place.phase === "eviction" ? "eviction" : groupOf(event)),
    dry: event.kind === "preemption.node_checked" ? dryRun(event.data, place.sub) : null,
    pod: subjectPod(event, cycle),
    node: event.data.node || event.data.host || "",
    epoch: store.events[0]?.data.epoch || "",
    act: null, since: unchanged(),
  };
  scene.act = index ? secondAct(scene, store) : null;
  return scene;
}

/** @param {TraceEvent} event @param {Cycle|null} cycle */
function subjectPod(event, cycle) {
  if (cycle?.pod) return cycle.pod;
  if (event.data.pod) return event.data.pod;
  return event.data.kind === "Pod" ? `${event.data.namespace}/${event.data.name}` : "";
}

/** The role of a pod at a place, in words that the drawing turns into shape, text and colour. @param {Scene} scene @param {string} key @returns {Role} */
export function roleOf(scene, key) {
  const { cycle, dry, state } = scene;
  if (dry?.roles.has(key)) return dry.roles.get(key);
  if (cycle && key === cycle.pod) return "preemptor";
  const pod = state.pods.get(key);
  if (pod?.terminating) return "terminating";
  if (cycle?.deleted.includes(key)) return "victim";
  if (cycle && !dry && cycle.candidates && pod?.node) return roleAmongCandidates(cycle, pod.node, key);
  return "";
}

/** @param {Cycle} cycle @param {string} node @param {string} key */
function reprievedIn(cycle, node, key) {
  return cycle.checked.get(node)?.steps.some((step) => step.pod === key && step.reprieved);
}

/** @param {Cycle} cycle @param {string} node @param {string} key @returns {Role} */
function roleAmongCandidates(cycle, node, key) {
  if (cycle.picked && cycle.deleted.length + cycle.cleared.length + (cycle.nominated ? 1 : 0) > 0) return cycle.picked.node === node && cycle.picked.victims.includes(key) ? "victim" : "";
  if (cycle.rules.length && reprievedIn(cycle, node, key)) return "reprieved";
  const candidate = (candidatesOf(cycle) || {})[node];
  const victims = candidate ? candidate.victims : cycle.finished ? [] : cycle.checked.get(node)?.victims || [];
  return victims.includes(key) ? "victim" : "";
}

/** Requested amounts on a node as drawn: on the copy while its dry run is on. @param {Scene} scene @param {string} name @returns {Object<string, number>} */
export function requestedOn(scene, name) {
  const node = scene.state.nodes.get(name);
  const used = { ...node.requested };
  if (scene.dry?.node !== name) return used;
  for (const key of scene.dry.away) {
    const pod = scene.state.pods.get(key);
    for (const [resource, amount] of Object.entries(pod?.requests || {})) used[resource] = (used[resource] || 0) - amount;
  }
  return used;
}

/** What the pod asks for that a node does not have: resource -> amount too much. @param {Scene} scene @param {string} name @param {Object<string, number>} requests */
export function tooMuch(scene, name, requests) {
  const node = scene.state.nodes.get(name);
  const used = requestedOn(scene, name);
  /** @type {Object<string, number>} */
  const over = {};
  for (const [resource, amount] of Object.entries(requests || {})) {
    const excess = (used[resource] || 0) + amount - (node.allocatable[resource] || 0);
    if (excess > 0 && amount > 0) over[resource] = excess;
  }
  return over;
}
