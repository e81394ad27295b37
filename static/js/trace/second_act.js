/**
 * The second act of a preemption: the nominated pod comes back, lands where it was nominated or elsewhere, and victims leave, at times in vain.
 * The one rule: pure, told from the log alone; where there is no second act, the event tells itself.
 * @module
 */

/** @typedef {import("./store.js").TraceStore} TraceStore */
/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{id: string, args: Object<string, any>}} Sentence */

/** @type {WeakMap<TraceStore, {seq: number, preemptors: Map<string, string>}>} */
const known = new WeakMap();

/** For whom a pod was evicted, as far as the log goes. @param {TraceStore} store @returns {Map<string, string>} victim -> preemptor */
function preemptorsIn(store) {
  let found = known.get(store);
  if (!found) { found = { seq: 0, preemptors: new Map() }; known.set(store, found); }
  for (; found.seq < store.lastSeq; found.seq += 1) {
    const { kind, data } = store.events[found.seq];
    if (kind === "preemption.victim_deleted") found.preemptors.set(data.victim, data.pod);
  }
  return found.preemptors;
}

/** @param {Scene} scene @returns {Sentence|null} */
function started({ event: { data } }) {
  return data.nominated ? { id: "act.returns", args: { pod: data.pod, claimed: data.nominated, attempt: data.attempt } } : null;
}

/** @param {Scene} scene @returns {Sentence|null} */
function filtered({ event: { data }, cycle }) {
  const claimed = cycle?.started?.nominated;
  if (!claimed) return null;
  if (!data.feasible.length) return { id: "act.no_room", args: { pod: data.pod, claimed, total: data.total } };
  if (data.nominated_first === claimed && data.feasible.includes(claimed)) return { id: "act.claim_holds", args: { pod: data.pod, claimed } };
  return data.feasible.includes(claimed) ? null : { id: "act.claim_fails", args: { pod: data.pod, claimed, count: data.feasible.length } };
}

/** @param {Scene} scene @returns {Sentence|null} */
function selected({ event: { data }, cycle, state }) {
  const claimed = cycle?.started?.nominated;
  if (claimed) return { id: claimed === data.host ? "act.lands" : "act.elsewhere", args: { pod: data.pod, node: data.host, claimed } };
  const own = state.pods.get(data.pod)?.priority ?? 0;
  const waiting = [...state.nominations].find(([pod, node]) => node === data.host && pod !== data.pod && (state.pods.get(pod)?.priority ?? 0) < own);
  return waiting ? { id: "act.stolen", args: { pod: data.pod, node: data.host, waiting: waiting[0] } } : null;
}

/** @param {Scene} scene @param {TraceStore} store @returns {Sentence|null} */
function gone({ event: { data }, state }, store) {
  const waiting = preemptorsIn(store).get(data.pod);
  const preemptor = waiting ? state.pods.get(waiting) : undefined;
  if (!waiting || !preemptor) return null;
  if (preemptor.node && preemptor.node !== data.node) return { id: "act.in_vain", args: { pod: data.pod, node: data.node, waiting, claimed: preemptor.node } };
  return state.nominations.get(waiting) === data.node ? { id: "act.room", args: { pod: data.pod, node: data.node, waiting } } : null;
}

/** @type {Object<string, (scene: Scene, store: TraceStore) => Sentence|null>} */
const ACTS = { "cycle.started": started, "cycle.filtered": filtered, "cycle.selected": selected, "pod.gone": gone };

/** What this event is in the second act, in place of its own sentence. @param {Scene} scene @param {TraceStore} store @returns {Sentence|null} */
export function secondAct(scene, store) { return ACTS[scene.event.kind]?.(scene, store) || null; }
