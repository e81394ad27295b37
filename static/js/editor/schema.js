/**
 * The fields that are modelled, for completion and for help where the pointer rests.
 * The one rule: what is not in this tree is not modelled; its help stands in the wording as `help.<field>`.
 * @module
 */
import { h } from "../dom.js";

/** @typedef {import("../words.js").Words} Words */

const META = { name: 0, namespace: 0, labels: 0, annotations: 0, ownerReferences: { apiVersion: 0, kind: 0, name: 0, uid: 0, controller: 0 }, creationTimestamp: 0, deletionTimestamp: 0, uid: 0 };
const EXPRESSION = { key: 0, operator: ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"], values: 0 };
const SELECTOR = { matchLabels: 0, matchExpressions: EXPRESSION };
const POD_TERM = { topologyKey: 0, labelSelector: SELECTOR, namespaces: 0, namespaceSelector: SELECTOR, matchLabelKeys: 0, mismatchLabelKeys: 0 };
const POD_AFFINITY = { requiredDuringSchedulingIgnoredDuringExecution: POD_TERM, preferredDuringSchedulingIgnoredDuringExecution: { weight: 0, podAffinityTerm: POD_TERM } };
const NODE_TERM = { matchExpressions: EXPRESSION, matchFields: EXPRESSION };
const AMOUNTS = { cpu: 0, memory: 0, "ephemeral-storage": 0, "nvidia.com/gpu": 0, "hugepages-2Mi": 0 };
const CONTAINER = { name: 0, image: 0, resources: { requests: AMOUNTS, limits: AMOUNTS }, ports: { containerPort: 0, hostPort: 0, hostIP: 0, protocol: ["TCP", "UDP", "SCTP"] }, restartPolicy: ["Always"] };
const POLICY = ["PreemptLowerPriority", "Never"];
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const POD = {
  apiVersion: ["v1"], kind: ["Pod"], metadata: META,
  spec: {
    nodeName: 0, schedulerName: 0, priority: 0, priorityClassName: 0, preemptionPolicy: POLICY, nodeSelector: 0, overhead: AMOUNTS, hostNetwork: ["true", "false"], terminationGracePeriodSeconds: 0,
    containers: CONTAINER, initContainers: CONTAINER, resources: { requests: AMOUNTS, limits: AMOUNTS }, schedulingGates: { name: 0 },
    tolerations: { key: 0, operator: ["Equal", "Exists"], value: 0, effect: EFFECTS, tolerationSeconds: 0 },
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: NODE_TERM }, preferredDuringSchedulingIgnoredDuringExecution: { weight: 0, preference: NODE_TERM } }, podAffinity: POD_AFFINITY, podAntiAffinity: POD_AFFINITY },
    topologySpreadConstraints: { maxSkew: 0, topologyKey: 0, whenUnsatisfiable: ["DoNotSchedule", "ScheduleAnyway"], labelSelector: SELECTOR, minDomains: 0, nodeAffinityPolicy: ["Honor", "Ignore"], nodeTaintsPolicy: ["Honor", "Ignore"], matchLabelKeys: 0 },
    volumes: { name: 0, persistentVolumeClaim: { claimName: 0, readOnly: ["true", "false"] }, emptyDir: 0, ephemeral: 0, csi: 0 },
  },
  status: { phase: ["Pending", "Running", "Succeeded", "Failed"], startTime: 0, nominatedNodeName: 0, conditions: { type: 0, status: ["True", "False"], reason: 0, message: 0 } },
};
const NODE = { apiVersion: ["v1"], kind: ["Node"], metadata: META, spec: { unschedulable: ["true", "false"], taints: { key: 0, value: 0, effect: EFFECTS } }, status: { allocatable: { ...AMOUNTS, pods: 0 }, capacity: { ...AMOUNTS, pods: 0 }, images: { names: 0, sizeBytes: 0 } } };
const CONFIG = { apiVersion: ["kubescheduler.config.k8s.io/v1"], kind: ["KubeSchedulerConfiguration"], percentageOfNodesToScore: 0, podInitialBackoffSeconds: 0, podMaxBackoffSeconds: 0, profiles: { schedulerName: 0, plugins: { multiPoint: { enabled: { name: 0, weight: 0 }, disabled: { name: 0 } }, score: { enabled: { name: 0, weight: 0 }, disabled: { name: 0 } } }, pluginConfig: { name: 0, args: { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0, scoringStrategy: { type: ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"], resources: { name: 0, weight: 0 } } } } }, extenders: 0 };
const KINDS = /** @type {Object<string, any>} */ ({
  Pod: POD, Node: NODE,
  PodDisruptionBudget: { apiVersion: ["policy/v1"], kind: ["PodDisruptionBudget"], metadata: META, spec: { minAvailable: 0, maxUnavailable: 0, selector: SELECTOR }, status: { disruptionsAllowed: 0 } },
  PriorityClass: { apiVersion: ["scheduling.k8s.io/v1"], kind: ["PriorityClass"], metadata: META, value: 0, globalDefault: ["true", "false"], preemptionPolicy: POLICY },
  Namespace: { apiVersion: ["v1"], kind: ["Namespace"], metadata: META },
  PersistentVolumeClaim: { apiVersion: ["v1"], kind: ["PersistentVolumeClaim"], metadata: META, spec: { accessModes: 0, storageClassName: 0, volumeName: 0, resources: { requests: { storage: 0 } } } },
  PersistentVolume: { apiVersion: ["v1"], kind: ["PersistentVolume"], metadata: META, spec: { capacity: { storage: 0 }, accessModes: 0, storageClassName: 0, persistentVolumeReclaimPolicy: ["Retain", "Delete"], claimRef: { namespace: 0, name: 0 }, nodeAffinity: { required: { nodeSelectorTerms: NODE_TERM } }, csi: { driver: 0, volumeHandle: 0 } } },
  StorageClass: { apiVersion: ["storage.k8s.io/v1"], kind: ["StorageClass"], metadata: META, provisioner: 0, volumeBindingMode: ["Immediate", "WaitForFirstConsumer"], reclaimPolicy: ["Retain", "Delete"], allowedTopologies: { matchLabelExpressions: { key: 0, values: 0 } } },
  CSINode: { apiVersion: ["storage.k8s.io/v1"], kind: ["CSINode"], metadata: META, spec: { drivers: { name: 0, nodeID: 0, allocatable: { count: 0 } } } },
  KubeSchedulerConfiguration: CONFIG,
});
const ANY = { apiVersion: ["v1", "policy/v1", "scheduling.k8s.io/v1", "playground/v1"], kind: [...Object.keys(KINDS), "Scenario", "List"], metadata: META, spec: 0, status: 0, generate: { kind: ["Node", "Pod"], count: 0, name: 0, template: 0, vary: 0 } };
const SCENARIO = { apiVersion: ["playground/v1"], kind: ["Scenario"], metadata: { title: 0, summary: 0, lang: ["en", "zh-hans"], tags: 0 }, objects: 0, config: CONFIG, featureGates: { SchedulerAsyncPreemption: ["true", "false"], SchedulerPopFromBackoffQ: ["true", "false"] }, extenders: { name: 0, weight: 0, nodeCacheCapable: ["true", "false"], ignorable: ["true", "false"], filter: { failed: 0, failedAndUnresolvable: 0, error: 0 }, prioritize: 0, preempt: { drop: 0, empty: 0, status: 0 }, bind: { error: 0 }, managedResources: 0 }, timeline: { at: 0, create: 0, update: 0, delete: { kind: 0, namespace: 0, name: 0 } }, seed: 0, until: 0 };

/** A line of YAML: where its key stands, dashes in front of it, whether something opens below. @param {string} line */
function keyLine(line) {
  const found = /^( *)((?:- +)*)(["']?)([\w./-]+)\3:(?: +(.*))?$/.exec(line);
  if (!found) return null;
  const rest = (found[5] || "").trim();
  return { dash: found[2] ? found[1].length : -1, column: found[1].length + found[2].length, key: found[4], opens: !rest || rest.startsWith("#") || rest.startsWith("&") };
}

/** The keys above a line, outermost first, by indentation; `kind` is that of the object around it. @param {string[]} lines @param {number} index @param {number} column of the key in question @param {number} [dash] column of a dash before it, -1 without one */
export function wayTo(lines, index, column, dash = -1) {
  /** @type {string[]} */ const way = [];
  let here = column, item = dash; // what is above stands further left; a list may stand as far left as its key
  for (let at = index - 1; at >= 0 && !/^---/.test(lines[at]); at -= 1) {
    const found = keyLine(lines[at]);
    if (!found) continue;
    if (found.column === here && found.dash >= 0 && item < 0) item = found.dash;
    const above = found.opens && (found.column < (item >= 0 ? item : here) || (item >= 0 && found.column === item && found.dash < 0));
    if (!above) continue;
    way.unshift(found.key);
    here = found.column;
    item = found.dash;
  }
  return { way, kind: kindAround(lines, index, column, way) };
}

/** @param {string[]} lines @param {number} index @param {number} column @param {string[]} way */
function kindAround(lines, index, column, way) {
  const isEdge = (/** @type {number} */ at) => /^---/.test(lines[at]);
  let first = index, last = index;
  while (first > 0 && !isEdge(first)) first -= 1;
  while (last + 1 < lines.length && !isEdge(last + 1) && last < index + 400) last += 1;
  const root = Math.max(way.lastIndexOf("objects"), way.lastIndexOf("items"));
  let best = "", depth = -1;
  let start = root >= 0 ? index : first;
  while (root >= 0 && start > first && !isItemStart(lines[start], column)) start -= 1;
  for (let at = start; at <= last; at += 1) {
    if (at > start && root >= 0 && isItemStart(lines[at], column) && at > index) break;
    const found = /^( *)((?:- +)*)kind: *["']?(\w+)/.exec(lines[at]);
    if (!found) continue;
    const place = found[1].length + found[2].length;
    if (place <= column && (depth < 0 || place < depth)) { best = found[3]; depth = place; }
  }
  return best;
}

/** Whether an object of a list may begin on a line. @param {string} line @param {number} column */
function isItemStart(line, column) {
  const found = /^( *)- +(apiVersion|kind|metadata|spec|generate):/.exec(line || "");
  return Boolean(found) && /** @type {RegExpExecArray} */ (found)[1].length < column + 1;
}

/** What may stand below a way. @param {string[]} way @param {string} kind @returns {any} */
export function below(way, kind) {
  const start = kind === "Scenario" || way[0] === "config" || way[0] === "timeline" || way[0] === "extenders" ? SCENARIO : KINDS[kind] || ANY;
  let here = /** @type {any} */ (start), keys = way;
  if (start !== SCENARIO) { const root = Math.max(way.lastIndexOf("objects"), way.lastIndexOf("items"), way.lastIndexOf("template"), way.lastIndexOf("create"), way.lastIndexOf("update")); keys = way.slice(root + 1); }
  else if (way.includes("objects")) return ANY;
  for (const key of keys) { if (!here || Array.isArray(here) || typeof here !== "object" || !(key in here)) return null; here = here[key]; }
  return here;
}

/** @param {Words} words @param {string[]} way @param {string} key */
function help(words, way, key) {
  for (const id of [`help.${[...way.slice(-1), key].join(".")}`, `help.${key}`]) if (words.has(id)) return words.say(id);
  return "";
}

/** The lines that say where a line stands: its document; of a long list only what is above it, and the item that the line is in. @param {any} doc of the text box @param {{from: number, number: number, to: number}} line @param {import("./manifests.js").Draft} draft as it was read last @returns {{lines: string[], index: number}} */
function around(doc, line, { pieces }) {
  const piece = [...pieces].reverse().find(({ from }) => from <= line.from);
  const list = piece?.list && piece.list.from <= line.from ? piece.list : null;
  const part = [...list?.parts || []].reverse().find(({ from }) => from <= line.from);
  const above = list && piece ? doc.sliceString(piece.from, list.from) : "";
  const from = part?.from ?? piece?.from ?? 0;
  const lines = `${above}${doc.sliceString(Math.min(from, line.from), Math.min(doc.length, line.to + 20_000))}`.split("\n");
  const before = `${above}${doc.sliceString(Math.min(from, line.from), line.from)}`.split("\n").length - 1;
  return { lines, index: before };
}

/** @param {Words} words @param {() => import("./manifests.js").Draft} draft */
export function complete(words, draft) {
  return (/** @type {any} */ context) => {
    const line = context.state.doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const value = /^( *)((?:- )*)([\w./-]+): +(["']?)([\w./-]*)$/.exec(before);
    const key = /^( *)((?:- )*)([\w./-]*)$/.exec(before);
    if (!value && !(key && (key[3] || context.explicit))) return null;
    const found = /** @type {RegExpExecArray} */ (value || key);
    const indent = found[1].length + found[2].length;
    const { lines, index } = around(context.state.doc, line, draft());
    const { way, kind } = wayTo(lines, index, indent, found[2] ? found[1].length : -1);
    const here = below(way, kind);
    if (value) return options(context.pos - value[5].length, values(here, value[3], draft()).map((label) => ({ label })));
    if (!here || typeof here !== "object" || Array.isArray(here)) return null;
    return options(context.pos - found[3].length, Object.entries(here).map(([label, inside]) => ({ label, apply: Array.isArray(inside) || inside === 0 ? `${label}: ` : `${label}:`, info: help(words, way, label) || undefined })));
  };
}

/** @param {number} from @param {any[]} list */
function options(from, list) { return list.length ? { from, options: list, validFor: /^[\w./-]*$/ } : null; }

/** @param {any} here @param {string} key @param {import("./manifests.js").Draft} draft @returns {string[]} */
function values(here, key, draft) {
  const names = (/** @type {string} */ kind) => draft.entries.filter((entry) => entry.kind === kind).map((entry) => entry.name);
  if (Array.isArray(here?.[key])) return here[key];
  if (key === "nodeName" || key === "nominatedNodeName") return names("Node");
  if (key === "priorityClassName") return [...names("PriorityClass"), "system-cluster-critical", "system-node-critical"];
  if (key === "namespace") return ["default", ...names("Namespace")];
  if (key === "claimName") return names("PersistentVolumeClaim");
  if (key === "storageClassName") return names("StorageClass");
  if (key === "volumeName") return names("PersistentVolume");
  return key === "topologyKey" ? ["kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region"] : [];
}

/** @param {Words} words @param {() => import("./manifests.js").Draft} draft */
export function helpAt(words, draft) {
  return (/** @type {any} */ view, /** @type {number} */ pos) => {
    const line = view.state.doc.lineAt(pos);
    const found = /^( *)((?:- )*)([\w./-]+):/.exec(line.text);
    if (!found) return null;
    const start = found[1].length + found[2].length;
    if (pos - line.from < start || pos - line.from > start + found[3].length) return null;
    const { lines, index } = around(view.state.doc, line, draft());
    const { way } = wayTo(lines, index, start, found[2] ? found[1].length : -1);
    const text = help(words, way, found[3]);
    if (!text) return null;
    return { pos: line.from + start, end: line.from + start + found[3].length, above: true, create: () => ({ dom: h("div.cm-help", {}, h("strong", {}, found[3]), h("p", {}, text)) }) };
  };
}
