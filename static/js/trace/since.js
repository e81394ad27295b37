/**
 * What has changed since the last step, whatever its grain: lines to read, and which pods, nodes and bars to outline.
 * The one rule: told from the events between the two places, so that it is the same for who steps forward, back, or comes by a link.
 * @module
 */
import { requestedOn, sceneAt, unchanged } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Since} Since */
/** @typedef {import("./store.js").TraceStore} TraceStore */
/** @typedef {import("./reducer.js").TraceEvent} TraceEvent */
/** @typedef {import("./steps.js").Grain} Grain */

const MOST_EVENTS = 4000;
const MOST_OUTLINED = 8; // more would outline nothing
const MOST_LANES = 3;

/** @param {TraceStore} store @param {Scene} scene @param {Grain} grain of the last step @returns {Since} */
export function sinceLast(store, scene, grain) {
  const since = unchanged();
  if (scene.index === 0) return since;
  const { places } = store.steps;
  const from = store.steps.move(scene.index, scene.place.sub ? "check" : grain, -1);
  const last = places[from];
  if (last.seq === scene.place.seq) return sinceDry(sceneAt(store, from, scene.state), scene, since);
  const first = last.sub ? last.seq : last.seq + 1, end = scene.place.sub ? scene.place.seq - 1 : scene.place.seq;
  if (end - first > MOST_EVENTS) return since;
  tell(store.events.slice(first - 1, end), scene, since);
  if (scene.place.sub) begun(scene, since);
  if (since.nodes.size > MOST_OUTLINED) since.nodes.clear();
  if (since.pods.size > MOST_OUTLINED) since.pods.clear();
  return since;
}

/** The pods of a node are on the bench now. @param {Scene} scene @param {Since} since */
function begun(scene, since) {
  since.lines.push({ id: "since.bench", args: { count: scene.dry.roles.size } });
  since.nodes.add(scene.dry.node);
  since.bars.add(scene.dry.node);
  sinceFree(null, scene, since);
}

/** Two places inside one dry run. @param {Scene} before @param {Scene} scene @param {Since} since */
function sinceDry(before, scene, since) {
  const turned = (/** @type {string} */ role) => [...scene.dry.roles].filter(([pod, now]) => now === role && before.dry.roles.get(pod) !== role).map(([pod]) => pod);
  const reprieved = turned("reprieved"), victims = turned("victim");
  if (scene.dry.placed && !before.dry.placed) { since.lines.push({ id: "since.placed", args: { pod: scene.cycle.pod } }); since.pods.add(scene.cycle.pod); }
  if (reprieved.length) since.lines.push({ id: "since.reprieved", args: { count: reprieved.length } });
  if (victims.length) since.lines.push({ id: "since.victims", args: { count: victims.length } });
  for (const pod of [...reprieved, ...victims]) since.pods.add(pod);
  sinceFree(before, scene, since);
  return since;
}

/** CPU that is free on the node of a dry run, before and now. @param {Scene|null} before null: before the dry run @param {Scene} scene @param {Since} since */
function sinceFree(before, scene, since) {
  const name = scene.dry.node, node = scene.state.nodes.get(name);
  if (!node) return;
  const own = scene.state.pods.get(scene.cycle.pod)?.requests || scene.cycle.started?.requests || {};
  const free = (/** @type {Scene} */ at) => (node.allocatable.cpu || 0) - (requestedOn(at, name).cpu || 0) - (at.dry?.placed && at.dry.node === name ? own.cpu || 0 : 0);
  const [was, is] = [free(before || { ...scene, dry: null }), free(scene)];
  if (was === is) return;
  since.lines.push({ id: "since.free", args: { from_cpu: was, to_cpu: is } });
  since.bars.add(name);
}

/** @param {TraceEvent[]} events @param {Scene} scene @param {Since} since */
function tell(events, scene, since) {
  /** @type {Map<string, TraceEvent[]>} */
  const byKind = new Map();
  for (const event of events) {
    const kind = event.kind.startsWith("object.") ? "object" : event.kind;
    const list = byKind.get(kind);
    if (list) list.push(event);
    else byKind.set(kind, [event]);
    mark(event.data, event.kind, since);
  }
  for (const [kind, lines] of Object.entries(LINES)) {
    const found = byKind.get(kind);
    if (found) since.lines.push(...lines(found.map((event) => event.data), scene));
  }
}

/** What an event changed, to be outlined. @param {any} data @param {string} kind @param {Since} since */
function mark(data, kind, since) {
  if (kind.startsWith("cycle.") || kind === "preemption.eligibility" || kind === "preemption.refreshed") return;
  for (const pod of [data.victim, data.cleared, kind.startsWith("pod.") || kind.startsWith("queue.") || kind === "preemption.nominated" ? data.pod : null]) if (pod) since.pods.add(pod);
  if (kind === "object.created" || kind === "object.updated") { if (data.kind === "Pod") since.pods.add(`${data.namespace}/${data.name}`); if (data.kind === "Node") since.nodes.add(data.name); }
  if (data.node) since.nodes.add(data.node);
  if (data.node && /^pod\.(assumed|gone)$/.test(kind)) since.bars.add(data.node);
  if (kind === "preemption.rule_applied") for (const name of Object.keys(data.values)) if (!data.survivors.includes(name)) since.nodes.add(name);
  if (kind === "preemption.extender_called") for (const name of Object.keys(data.before)) if (!(name in data.after)) since.nodes.add(name);
}

/** @typedef {{id: string, args: Object<string, any>}} Line */

/** @param {any[]} found */
function checked(found) {
  const candidates = found.filter((data) => !data.status), only = found.length === 1 ? found[0] : null;
  const spared = only ? only.steps.filter((/** @type {any} */ step) => step.reprieved).length : 0;
  /** @type {(Line|null)[]} */
  const lines = [
    { id: "since.checked", args: { count: found.length } },
    candidates.length ? { id: "since.found", args: { count: candidates.length } } : null,
    spared ? { id: "since.reprieved", args: { count: spared } } : null,
    only?.victims.length ? { id: "since.victims", args: { count: only.victims.length } } : null,
  ];
  return lines.filter((line) => line !== null);
}

/** @param {any[]} found */
function ruled(found) {
  const from = Object.keys(found[0].values).length, to = found[found.length - 1].survivors.length;
  return [...(from > to ? [{ id: "since.struck", args: { count: from - to } }] : []), { id: "since.survivors", args: { from, to } }];
}

/** @param {any[]} found */
function moved(found) {
  /** @type {Map<string, any>} */
  const pods = new Map();
  for (const data of found) pods.set(data.pod, { pod: data.pod, from: pods.get(data.pod)?.from || data.from || "outside", to: data.to });
  const lines = [...pods.values()].filter((each) => each.from !== each.to).map((args) => ({ id: "since.lane", args }));
  return lines.length > MOST_LANES ? [{ id: "since.lanes", args: { count: lines.length } }] : lines;
}

/** One line for one, a count for more. @param {string} one @param {string} many */
function oneOrMany(one, many) {
  return (/** @type {any[]} */ found) => (found.length === 1 ? [{ id: one, args: found[0] }] : [{ id: many, args: { count: found.length } }]);
}

/** In the order in which they are told. @type {Object<string, (found: any[], scene: Scene) => Line[]>} */
const LINES = {
  object: (found) => [{ id: "since.objects", args: { count: found.length } }],
  "cycle.filtered": (found) => { const data = found[found.length - 1]; return [{ id: "since.feasible", args: { from: data.total, to: data.feasible.length } }]; },
  "cycle.scored": (found) => [{ id: "since.scored", args: { count: Object.keys(found[found.length - 1].totals).length } }],
  "preemption.eligibility": (found) => { const { gates } = found[found.length - 1]; return [{ id: "since.gates", args: { open: gates.filter((/** @type {any} */ gate) => gate.passed).length, total: gates.length } }]; },
  "preemption.candidates_started": (found) => { const data = found[found.length - 1]; return [{ id: "since.potential", args: { from: data.total, to: data.potential.length } }]; },
  "preemption.node_checked": checked,
  "preemption.extender_called": (found) => [{ id: "since.survivors", args: { from: Object.keys(found[0].before).length, to: Object.keys(found[found.length - 1].after).length } }],
  "preemption.rule_applied": ruled,
  "preemption.victim_deleted": (found) => [{ id: "since.deleted", args: { count: found.length } }],
  "preemption.nomination_cleared": (found) => [{ id: "since.cleared", args: { count: found.length } }],
  "preemption.nominated": oneOrMany("since.nominated", "since.nominations"),
  "pod.assumed": oneOrMany("since.placed_on", "since.assumed"),
  "pod.bound": oneOrMany("since.bound", "since.bounds"),
  "pod.gone": oneOrMany("since.gone", "since.gones"),
  "queue.moved": moved,
};
