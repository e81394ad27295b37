/**
 * What the cluster view shows of a draft: nodes with their pods, pods that wait, and everything else by kind.
 * The one rule: pure; the engine's facts win over what is reckoned here, and are there a moment later.
 * @module
 */
import { parseAmounts, requestsOf } from "./amounts.js";
import { put } from "./manifests.js";

/** @typedef {import("./manifests.js").Entry} Entry */
/** @typedef {{key: string, name: string, namespace: string, entry: Entry, made: boolean, priority: number, priorityClass: string, requests: Object<string, number>, node: string, qos: string, budgets: string[], gates: string[], manifest: any}} PodView */
/** @typedef {{name: string, entry: Entry|null, made: boolean, zone: string, taints: any[], cordoned: boolean, allocatable: Object<string, number>, requested: Object<string, number>, pods: PodView[]}} NodeView */
/** @typedef {{nodes: NodeView[], waiting: PodView[], missing: NodeView[], others: Entry[], pods: PodView[], classes: Map<string, number>}} Model */

const MOST_MADE = 300;
const ZONES = ["topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone"];
const BUILT_IN = /** @type {[string, number][]} */ ([["system-cluster-critical", 2000000000], ["system-node-critical", 2000001000]]);

/** @param {import("./manifests.js").Draft} draft @param {any} facts @returns {Model} */
export function buildModel(draft, facts) {
  const entries = draft.entries.flatMap((entry) => (entry.kind === "Generator" ? rolledOut(entry) : [{ entry, manifest: entry.manifest, kind: entry.kind, made: false }]));
  const classes = new Map([...BUILT_IN, ...draft.entries.filter(({ kind }) => kind === "PriorityClass").map(({ name, manifest }) => /** @type {[string, number]} */ ([name, Number(manifest.value) || 0]))]);
  const fallback = draft.entries.find(({ kind, manifest }) => kind === "PriorityClass" && manifest.globalDefault === true)?.name || "";
  const nodes = entries.filter(({ kind }) => kind === "Node").map(({ entry, manifest, made }) => nodeView(entry, manifest, made));
  const pods = entries.filter(({ kind }) => kind === "Pod").map(({ entry, manifest, made }) => podView(entry, manifest, made, facts, classes, fallback));
  const byName = new Map(nodes.map((node) => [node.name, node]));
  /** @type {Map<string, NodeView>} */ const missing = new Map();
  for (const pod of pods) if (pod.node) place(pod, byName.get(pod.node) || missingNode(missing, pod.node));
  return {
    nodes, pods, classes, waiting: pods.filter((pod) => !pod.node), missing: [...missing.values()],
    others: draft.entries.filter(({ kind }) => kind !== "Node" && kind !== "Pod"),
  };
}

/** @param {PodView} pod @param {NodeView} node */
function place(pod, node) {
  node.pods.push(pod);
  if (["Succeeded", "Failed"].includes(pod.manifest.status?.phase)) return;
  for (const [name, amount] of Object.entries(pod.requests)) node.requested[name] = (node.requested[name] || 0) + amount;
  node.requested.pods = (node.requested.pods || 0) + 1;
}

/** @param {Map<string, NodeView>} missing @param {string} name */
function missingNode(missing, name) {
  const node = missing.get(name) || { name, entry: null, made: false, zone: "", taints: [], cordoned: false, allocatable: {}, requested: {}, pods: [] };
  missing.set(name, node);
  return node;
}

/** @param {Entry} entry @param {any} manifest @param {boolean} made @returns {NodeView} */
function nodeView(entry, manifest, made) {
  const labels = manifest.metadata?.labels || {};
  const zone = ZONES.map((label) => labels[label]).find(Boolean);
  const { status = {}, spec = {} } = manifest;
  return {
    name: String(manifest.metadata?.name ?? ""), entry, made, zone: String(zone || ""), taints: Array.isArray(spec?.taints) ? spec.taints : [], cordoned: spec?.unschedulable === true,
    allocatable: room(status?.allocatable || status?.capacity), requested: {}, pods: [],
  };
}

/** @param {Entry} entry @param {any} manifest @param {boolean} made @param {any} facts @param {Map<string, number>} classes @param {string} fallback @returns {PodView} */
function podView(entry, manifest, made, facts, classes, fallback) {
  const name = String(manifest.metadata?.name ?? ""), namespace = String(manifest.metadata?.namespace || "default");
  const { spec = {} } = manifest;
  const fact = facts?.pods?.[`${namespace}/${name}`];
  const priorityClass = String(spec?.priorityClassName || "");
  return {
    key: `${namespace}/${name}`, name, namespace, entry, made, priorityClass, manifest,
    priority: Number(spec?.priority ?? classes.get(priorityClass || fallback) ?? 0) || 0,
    requests: fact?.requests || asked(manifest), node: String(spec?.nodeName || ""),
    qos: fact?.qos || "", budgets: fact?.budgets || [], gates: (spec?.schedulingGates || []).map?.((/** @type {any} */ gate) => String(gate?.name)) || [],
  };
}

/** What is reckoned of a value once, as long as it is the same value: drafts share what did not change between them. @template T @param {(value: any) => T} reckon @returns {(value: any) => T} */
function once(reckon) {
  /** @type {WeakMap<object, T>} */ const known = new WeakMap();
  return (value) => {
    if (!value || typeof value !== "object") return reckon(value);
    let found = known.get(value);
    if (found === undefined) known.set(value, found = reckon(value));
    return found;
  };
}
const asked = once(requestsOf), room = once(parseAmounts);

/** The objects that a generator stands for, the first of them. @param {Entry} entry */
function rolledOut(entry) {
  const { kind, count = 0, name = "{i}", template = {}, vary = {} } = entry.manifest.generate;
  const most = Math.min(MOST_MADE, Number(count) || 0);
  return Array.from({ length: most }, (_, index) => ({ entry, kind: String(kind), made: true, manifest: madeAt(kind, entry.name || name, template, vary, index) }));
}

/** Object number `index` of a generator. @param {string} kind @param {string} name @param {any} template @param {any} vary @param {number} index */
export function madeAt(kind, name, template, vary, index) {
  const made = numbered({ apiVersion: "v1", ...template, kind }, index);
  for (const [path, values] of Object.entries(vary || {})) {
    if (!Array.isArray(values) || !values.length) continue;
    try { put(made, keysOf(path), numbered(values[index % values.length], index)); } catch { /* the check names what cannot be varied */ }
  }
  made.metadata = { ...(made.metadata || {}), name: name.replaceAll("{i}", String(index)) };
  return made;
}

/** @param {any} value @param {number} index @returns {any} */
function numbered(value, index) {
  if (typeof value === "string") return value.replaceAll("{i}", String(index));
  if (Array.isArray(value)) return value.map((each) => numbered(each, index));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, numbered(each, index)]));
  return value;
}

/** "a.b[0].c[x.y/z]" as keys. @param {string} path @returns {(string|number)[]} */
export function keysOf(path) {
  return [...path.matchAll(/\[(\d+)\]|\[([^\]]*)\]|([^.[\]]+)/g)].map(([, number, quoted, plain]) => (number !== undefined ? Number(number) : quoted ?? plain));
}

/** A name that nobody has yet: base-1, base-2 … @param {Iterable<string>} taken @param {string} base @returns {() => string} */
export function namer(taken, base) {
  const all = new Set(taken);
  const stem = base.replace(/-?\d+$/, "") || base;
  let number = 0;
  return () => {
    do number += 1; while (all.has(`${stem}-${number}`));
    all.add(`${stem}-${number}`);
    return `${stem}-${number}`;
  };
}
