/**
 * A manifest as YAML, line by line, and which of its lines decide the step on show.
 * The one rule: pure; every line knows the path of its value, so a mark is a path and never a number of a line.
 * @module
 */
import { candidatesOf } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {{text: string, path: string}} Line */

const PLAIN = /^[A-Za-z0-9_./](?:[A-Za-z0-9_./ +()-]|:(?! |$))*$/;
const SPECIAL = /^(?:true|false|null|yes|no|on|off|y|n|[-+.]?\d[\d._e+:-]*|\d{4}-\d\d-.*)$/i;

/** @param {any} value @returns {string} */
function scalar(value) {
  if (typeof value !== "string") return value === null || value === undefined ? "null" : String(value);
  return PLAIN.test(value) && !SPECIAL.test(value) && !value.endsWith(" ") ? value : JSON.stringify(value);
}

/** @param {any} value */
function isBranch(value) { return typeof value === "object" && value !== null && Object.keys(value).length > 0; }

/** @param {any} value an empty map, an empty list, or a scalar */
function leaf(value) { return Array.isArray(value) ? "[]" : typeof value === "object" && value !== null ? "{}" : scalar(value); }

/** @param {any} value @param {string} [path] @param {string} [indent] @returns {Line[]} */
export function yamlLines(value, path = "", indent = "") {
  if (Array.isArray(value)) return value.flatMap((each, index) => item(each, `${path}.${index}`, indent));
  return Object.entries(value).flatMap(([key, each]) => {
    const at = path ? `${path}.${key}` : key;
    const name = `${indent}${scalar(key)}:`;
    if (!isBranch(each)) return [{ text: `${name} ${leaf(each)}`, path: at }];
    return [{ text: name, path: at }, ...yamlLines(each, at, Array.isArray(each) ? indent : `${indent}  `)];
  });
}

/** @param {any} value @param {string} path @param {string} indent @returns {Line[]} */
function item(value, path, indent) {
  if (!isBranch(value)) return [{ text: `${indent}- ${leaf(value)}`, path }];
  const [first, ...rest] = yamlLines(value, path, `${indent}  `);
  return [{ text: `${indent}- ${first.text.slice(indent.length + 2)}`, path: first.path }, ...rest];
}

/** The object as it was last told before an event, with what the scheduler has written into it since.
 * @param {import("./store.js").TraceStore} store @param {Scene} scene @param {{kind: string, name: string}} subject @returns {any|null} */
export function manifestAt(store, scene, subject) {
  const seqs = tellings(store).get(`${subject.kind} ${subject.name}`) || [];
  const seq = seqs.filter((each) => each <= scene.place.seq).pop();
  const object = seq ? store.event(seq)?.data.object : null;
  if (!object) return null;
  const pod = subject.kind === "Pod" ? scene.state.pods.get(subject.name) : null;
  if (!pod) return object;
  const spec = pod.node && !object.spec?.nodeName ? { ...object.spec, nodeName: pod.node } : object.spec;
  const { nominatedNodeName, ...told } = object.status || {};
  const status = { ...told, ...(pod.nominated ? { nominatedNodeName: pod.nominated } : {}) };
  return { ...object, spec, ...(Object.keys(status).length ? { status } : {}) };
}

/** @type {WeakMap<object, {upTo: number, seqs: Map<string, number[]>}>} */
const known = new WeakMap();

/** Where each object was told, brought up to date with the store. @param {import("./store.js").TraceStore} store @returns {Map<string, number[]>} */
function tellings(store) {
  let found = known.get(store);
  if (!found) { found = { upTo: 0, seqs: new Map() }; known.set(store, found); }
  for (; found.upTo < store.lastSeq; found.upTo += 1) {
    const { kind, data, seq } = store.events[found.upTo];
    if ((kind !== "object.created" && kind !== "object.updated") || !data.object) continue;
    const key = `${data.kind} ${data.namespace ? `${data.namespace}/` : ""}${data.name}`;
    const seqs = found.seqs.get(key);
    if (seqs) seqs.push(seq);
    else found.seqs.set(key, [seq]);
  }
  return found.seqs;
}

const REQUESTS = ["spec.containers.*.resources.requests", "spec.initContainers.*.resources.requests", "spec.resources.requests", "spec.overhead"];
const RANK = ["spec.priority", "spec.priorityClassName"];

/** What of a pod and of a node a plugin reads. @type {Object<string, {pod: string[], node: string[]}>} */
const READS = {
  NodeResourcesFit: { pod: REQUESTS, node: ["status.allocatable"] },
  NodeResourcesBalancedAllocation: { pod: REQUESTS, node: ["status.allocatable"] },
  TaintToleration: { pod: ["spec.tolerations"], node: ["spec.taints"] },
  NodeUnschedulable: { pod: ["spec.tolerations"], node: ["spec.unschedulable"] },
  NodeName: { pod: ["spec.nodeName"], node: ["metadata.name"] },
  NodeAffinity: { pod: ["spec.nodeSelector", "spec.affinity.nodeAffinity"], node: ["metadata.labels"] },
  InterPodAffinity: { pod: ["spec.affinity.podAffinity", "spec.affinity.podAntiAffinity", "metadata.labels"], node: ["metadata.labels"] },
  PodTopologySpread: { pod: ["spec.topologySpreadConstraints", "metadata.labels"], node: ["metadata.labels"] },
  NodePorts: { pod: ["spec.containers.*.ports", "spec.hostNetwork"], node: [] },
  SchedulingGates: { pod: ["spec.schedulingGates"], node: [] },
  ImageLocality: { pod: ["spec.containers.*.image"], node: ["status.images"] },
  VolumeBinding: { pod: ["spec.volumes"], node: ["metadata.labels"] }, VolumeZone: { pod: ["spec.volumes"], node: ["metadata.labels"] },
  VolumeRestrictions: { pod: ["spec.volumes"], node: [] }, NodeVolumeLimits: { pod: ["spec.volumes"], node: ["status.allocatable"] },
  DynamicResources: { pod: ["spec.resourceClaims"], node: [] },
};

/** @type {Object<string, string[]>} */
const RULE_FIELDS = {
  "pdb-violations": ["metadata.labels"], "highest-priority": RANK, "priority-sum": RANK, "victim-count": [], "latest-start": ["status.startTime", ...RANK], first: [],
};

/** The paths whose lines decide the step, of one object; "*" stands for any index.
 * @param {Scene} scene @param {{kind: string, name: string}} subject @returns {string[]} */
export function decidingPaths(scene, subject) {
  if (subject.kind === "PodDisruptionBudget") return ["spec.minAvailable", "spec.maxUnavailable", "spec.selector", "status.disruptionsAllowed"];
  const side = subject.kind === "Node" ? "node" : "pod";
  return DECIDING[scene.chapter]?.(scene, subject.name, side) || [];
}

/** @param {string[]} plugins @param {"pod"|"node"} side */
function readBy(plugins, side) { return [...new Set(plugins.flatMap((plugin) => READS[plugin]?.[side] || []))]; }

/** The plugins that said no: on this node, or to this pod anywhere. @param {Scene} scene @param {string} name @param {"pod"|"node"} side @returns {string[]} */
function refusals(scene, name, side) {
  const statuses = scene.cycle?.filtered?.statuses || {};
  const told = side === "node" ? [statuses[name]] : Object.values(statuses);
  const plugins = [...new Set(told.filter(Boolean).map((status) => status.plugin))];
  return plugins.length ? plugins : ["NodeResourcesFit"];
}

/** @typedef {(scene: Scene, name: string, side: "pod"|"node") => string[]} Decides */
/** @type {Decides} */
const filtering = (scene, name, side) => (side === "node" || name === scene.cycle?.pod ? readBy(refusals(scene, name, side), side) : REQUESTS);
/** @type {Decides} */
const waiting = (scene, name, side) => {
  if (side === "node") return [];
  const pod = scene.state.pods.get(name);
  return [...RANK, ...readBy(pod?.queue === "gated" ? ["SchedulingGates"] : pod?.plugins || [], "pod")];
};
/** @type {Decides} */
const leaving = (scene, name, side) => (side === "node" ? [] : name === scene.cycle?.pod ? ["status.nominatedNodeName", ...RANK] : ["spec.terminationGracePeriodSeconds", "metadata.finalizers", "spec.nodeName"]);

/** @type {Object<string, Decides>} */
const DECIDING = {
  queue: waiting, filter: filtering, failure: filtering, leaving, eviction: leaving,
  score: (scene, name, side) => readBy(Object.keys(scene.cycle?.scored?.weights || {}), side),
  bind: (_scene, _name, side) => (side === "pod" ? ["spec.nodeName"] : []),
  refresh: (_scene, _name, side) => (side === "pod" ? RANK : []),
  eligibility: (_scene, _name, side) => (side === "pod" ? [...RANK, "spec.preemptionPolicy", "status.nominatedNodeName"] : []),
  candidates: (scene, name, side) => (side === "node" ? filtering(scene, name, side) : [...RANK, ...REQUESTS]),
  "best-pick": (scene, name, side) => (side === "node" ? [] : RULE_FIELDS[scene.event.data.rule || scene.event.data.decided_by] || RANK),
};

/** Whether a line stands for one of the paths, or lies below it. @param {string} path of a line @param {string[]} paths */
export function isMarked(path, paths) {
  return paths.some((wanted) => {
    const steps = wanted.split("."), own = path.split(".");
    return own.length >= steps.length && steps.every((step, index) => step === "*" || step === own[index]);
  });
}

/** Whose manifest the step itself is about: the node of the dry run, the victim that the rule looks at, the pod. @param {Scene} scene @returns {{kind: string, name: string}|null} */
export function ownSubject(scene) {
  const { dry, event } = scene;
  const kept = scene.chapter === "best-pick" ? (candidatesOf(scene.cycle) || {})[event.data.node || event.data.survivors?.[0]] : null;
  const pod = dry?.step?.pod || kept?.victims[0] || event.data.victim || event.data.cleared || scene.pod;
  if (dry && !dry.step) return { kind: "Node", name: dry.node };
  if (pod) return { kind: "Pod", name: pod };
  const node = scene.node || scene.state.nodes.keys().next().value;
  return node ? { kind: "Node", name: node } : null;
}

/** The budgets that cover a pod. @param {Scene} scene @param {{kind: string, name: string}} subject @returns {{kind: string, name: string}[]} */
export function budgetsOf(scene, subject) {
  if (subject.kind !== "Pod") return [];
  return [...scene.state.budgets.values()].filter((budget) => budget.pods.includes(subject.name)).map((budget) => ({ kind: "PodDisruptionBudget", name: budget.key }));
}
