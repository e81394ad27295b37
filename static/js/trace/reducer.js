/**
 * What the cluster looks like after an event: the twin of scheduler_core/trace/replay.py.
 * The one rule: entries (a node, a pod) are never changed, only replaced, so whoever draws sees by identity what changed.
 * @module
 */

/** @typedef {{seq: number, t: number, kind: string, path: string, cause: number|null, phase: string|null, message: {id: string, args: Object<string, any>}, data: any}} TraceEvent */
/** @typedef {Object<string, any>} NodeState */
/** @typedef {Object<string, any>} PodState */
/** @typedef {{t: number, seq: number, adrift: boolean, nodes: Map<string, NodeState>, pods: Map<string, PodState>, queues: Object<string, string[]>, nominations: Map<string, string>, budgets: Map<string, any>}} State */

export const LANES = Object.freeze(["active", "backoff", "unschedulable", "gated"]);

/** @returns {State} the state before the first event */
export function emptyState() {
  return {
    t: 0, seq: 0, adrift: false, nodes: new Map(), pods: new Map(), nominations: new Map(), budgets: new Map(),
    queues: { active: [], backoff: [], unschedulable: [], gated: [] },
  };
}

/** A copy that shares every entry: what key frames are made of. @param {State} state @returns {State} */
export function cloneState(state) {
  return {
    t: state.t, seq: state.seq, adrift: state.adrift, nodes: new Map(state.nodes), pods: new Map(state.pods),
    nominations: new Map(state.nominations), budgets: new Map(state.budgets), queues: { ...state.queues },
  };
}

/** The state as docs/events.md writes it. @param {State} state */
export function stateDocument(state) {
  return {
    t: state.t, nodes: Object.fromEntries(state.nodes), pods: Object.fromEntries(state.pods),
    queues: state.queues, nominations: Object.fromEntries(state.nominations), budgets: Object.fromEntries(state.budgets),
  };
}

/** Applies one event to a state that the caller owns. @param {State} state @param {TraceEvent} event @returns {State} the same state */
export function apply(state, event) {
  state.t = event.t;
  state.seq = event.seq;
  const step = STEPS[event.kind];
  if (step) step(state, event.data, event);
  return state;
}

/** @param {State} state @param {string} key @param {Object<string, any>} change */
function changePod(state, key, change) {
  const pod = state.pods.get(key);
  if (pod) state.pods.set(key, { ...pod, ...change });
}

/** @param {Object<string, number>} total @param {Object<string, number>} part @param {number} sign */
function added(total, part, sign) {
  const sum = { ...total };
  for (const [resource, amount] of Object.entries(part || {})) {
    sum[resource] = (sum[resource] || 0) + sign * amount;
    if (sum[resource] === 0) delete sum[resource];
  }
  return sum;
}

/** @param {State} state @param {string} key @param {string|null} name */
function putOnNode(state, key, name) {
  const node = name ? state.nodes.get(name) : undefined;
  const pod = state.pods.get(key);
  if (name && !node) state.adrift = true;
  if (!node || !pod || node.pods.includes(key)) return;
  state.nodes.set(node.name, { ...node, pods: [...node.pods, key], requested: added(node.requested, pod.requests, 1) });
}

/** @param {State} state @param {string} key @param {string|null} name */
function takeOffNode(state, key, name) {
  const node = name ? state.nodes.get(name) : undefined;
  const pod = state.pods.get(key);
  if (!node || !pod || !node.pods.includes(key)) return;
  state.nodes.set(node.name, {
    ...node, pods: node.pods.filter((other) => other !== key), requested: added(node.requested, pod.requests, -1),
  });
}

/** A pod says itself in which queue it is, so that thousands that wait are not searched. @param {State} state @param {string} key */
function leaveQueues(state, key) {
  const lane = state.pods.get(key)?.queue;
  if (lane && lane in state.queues) state.queues[lane] = state.queues[lane].filter((other) => other !== key);
}

/** @param {State} state @param {string} key */
function dropPod(state, key) {
  const pod = state.pods.get(key);
  if (!pod) return;
  takeOffNode(state, key, pod.node);
  leaveQueues(state, key);
  state.nominations.delete(key);
  state.pods.delete(key);
}

const OUTSIDE = Object.freeze({ queue: null, until: null, attempts: 0, reason: "", plugins: Object.freeze([]), doomed_by: null });

/** @param {State} state @param {any} view */
function setPod(state, view) {
  const old = state.pods.get(view.key);
  if (old) takeOffNode(state, view.key, old.node);
  const kept = old
    ? { queue: old.queue, until: old.until, attempts: old.attempts, reason: old.reason, plugins: old.plugins, doomed_by: old.doomed_by }
    : OUTSIDE;
  state.pods.set(view.key, { ...view, ...kept });
  putOnNode(state, view.key, view.node);
  if (view.nominated) state.nominations.set(view.key, view.nominated);
  else state.nominations.delete(view.key);
}

/** @param {State} state @param {any} view */
function setNode(state, view) {
  const old = state.nodes.get(view.name);
  if (old) {
    state.nodes.set(view.name, { ...view, pods: old.pods, requested: old.requested });
    return;
  }
  state.nodes.set(view.name, { ...view, pods: [], requested: {} });
  if (!state.adrift) return;
  for (const [key, pod] of state.pods) if (pod.node === view.name) putOnNode(state, key, view.name);
}

/** @param {State} state @param {any} data */
function setObject(state, data) {
  if (data.kind === "Pod") setPod(state, data.view);
  if (data.kind === "Node") setNode(state, data.view);
  if (data.kind === "PodDisruptionBudget") state.budgets.set(data.view.key, data.view);
}

/** @type {Object<string, (state: State, data: any, event: TraceEvent) => void>} */
const STEPS = {
  "object.created": setObject,
  "object.updated": setObject,
  "object.deleted": (state, data) => {
    const key = data.namespace ? `${data.namespace}/${data.name}` : data.name;
    if (data.kind === "Pod") dropPod(state, key);
    if (data.kind === "Node") { state.nodes.delete(data.name); state.adrift = true; }
    if (data.kind === "PodDisruptionBudget") state.budgets.delete(key);
  },
  "queue.moved": (state, data) => {
    leaveQueues(state, data.pod);
    if (!state.pods.has(data.pod)) return;
    state.queues[data.to] = [...state.queues[data.to], data.pod];
    changePod(state, data.pod, { queue: data.to, until: data.until, attempts: data.attempts, plugins: data.plugins });
  },
  "cycle.started": (state, data) => {
    leaveQueues(state, data.pod);
    changePod(state, data.pod, { queue: "scheduling", until: null, attempts: data.attempt });
  },
  "cycle.failed": (state, data) => changePod(state, data.pod, { reason: data.message, plugins: data.plugins }),
  "pod.assumed": (state, data) => {
    changePod(state, data.pod, { node: data.node, queue: null, until: null, nominated: null, reason: "" });
    state.nominations.delete(data.pod);
    putOnNode(state, data.pod, data.node);
  },
  "pod.bound": (state, data) => changePod(state, data.pod, { phase: "Running", start_time: data.start_time }),
  "pod.bind_failed": (state, data) => {
    takeOffNode(state, data.pod, data.node);
    changePod(state, data.pod, { node: null, reason: data.error });
  },
  "pod.terminating": (state, data) => changePod(state, data.pod, { terminating: true, until: data.until }),
  "pod.gone": (state, data) => dropPod(state, data.pod),
  "preemption.victim_deleted": (state, data) => changePod(state, data.victim, { doomed_by: data.pod }),
  "preemption.nomination_cleared": (state, data) => {
    state.nominations.delete(data.cleared);
    changePod(state, data.cleared, { nominated: null });
  },
  "preemption.nominated": (state, data) => {
    state.nominations.set(data.pod, data.node);
    changePod(state, data.pod, { nominated: data.node });
  },
};
