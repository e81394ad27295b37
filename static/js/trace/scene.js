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
 */

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
    act: null,
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

/** What changed between two neighbouring places: for "since the last step". @param {TraceStore} store @param {Scene} scene @returns {{id: string, args: Object<string, any>}[]} */
export function sinceLast(store, scene) {
  if (!scene || scene.index === 0) return [];
  // The state is only looked at where both places are of the same event, so the one before need not be made.
  const before = sceneAt(store, scene.index - 1, scene.state);
  if (scene.dry && before.dry?.node === scene.dry.node) return sinceDry(before, scene);
  return SINCE[scene.event.kind]?.(scene, before) || [];
}

/** @param {Scene} before @param {Scene} scene */
function sinceDry(before, scene) {
  const lines = [];
  const reprieved = [...scene.dry.roles].filter(([pod, role]) => role === "reprieved" && before.dry.roles.get(pod) !== "reprieved").length;
  const victims = [...scene.dry.roles].filter(([pod, role]) => role === "victim" && before.dry.roles.get(pod) !== "victim").length;
  if (scene.dry.placed && !before.dry.placed) lines.push({ id: "since.placed", args: { pod: scene.cycle.pod } });
  if (reprieved) lines.push({ id: "since.reprieved", args: { count: reprieved } });
  if (victims) lines.push({ id: "since.victims", args: { count: victims } });
  return [...lines, ...sinceFree(before, scene, scene.dry.node)];
}

/** @param {Scene} before @param {Scene} scene @param {string} name */
function sinceFree(before, scene, name) {
  const node = scene.state.nodes.get(name);
  const own = scene.cycle ? scene.state.pods.get(scene.cycle.pod)?.requests || scene.cycle.started?.requests || {} : {};
  const free = (/** @type {Scene} */ at) => (node.allocatable.cpu || 0) - (requestedOn(at, name).cpu || 0) - (at.dry?.placed && at.dry.node === name ? own.cpu || 0 : 0);
  return free(before) === free(scene) ? [] : [{ id: "since.free", args: { from_cpu: free(before), to_cpu: free(scene) } }];
}

/** @type {Object<string, (scene: Scene, before: Scene) => {id: string, args: Object<string, any>}[]>} */
const SINCE = {
  "preemption.node_checked": (scene, before) => (scene.dry.stage === "bench"
    ? [{ id: "since.bench", args: { count: scene.dry.roles.size } }, ...sinceFree({ ...before, dry: null, state: scene.state }, scene, scene.dry.node)]
    : []),
  "preemption.rule_applied": (scene) => [
    { id: "since.struck", args: { count: Object.keys(scene.event.data.values).length - scene.event.data.survivors.length } },
    { id: "since.survivors", args: { from: Object.keys(scene.event.data.values).length, to: scene.event.data.survivors.length } },
  ],
  "queue.moved": (scene) => [{ id: "since.lane", args: { pod: scene.event.data.pod, from: scene.event.data.from || "outside", to: scene.event.data.to } }],
  "pod.gone": (scene, before) => [{ id: "since.gone", args: { pod: scene.event.data.pod, node: scene.event.data.node } }],
  "cycle.filtered": (scene) => [{ id: "since.feasible", args: { from: scene.event.data.total, to: scene.event.data.feasible.length } }],
  "preemption.extender_called": (scene) => [{ id: "since.survivors", args: { from: Object.keys(scene.event.data.before).length, to: Object.keys(scene.event.data.after).length } }],
  "preemption.nominated": (scene) => [{ id: "since.nominated", args: { pod: scene.event.data.pod, node: scene.event.data.node } }],
  "pod.assumed": (scene) => [{ id: "since.placed_on", args: { pod: scene.event.data.pod, node: scene.event.data.node } }],
};
