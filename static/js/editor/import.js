/**
 * Files of other tools to objects: what is in them, what is left out and why, names made up on request.
 * The one rule: pure, and everything that is left out is counted.
 * @module
 */
import { parseAllDocuments } from "../../vendor/yaml/yaml.js";
import { anonymised } from "./anonymise.js";
import { Draft } from "./manifests.js";
import { READ } from "./parts.js";

/** @typedef {{name: string, documents: any[]|null, reason?: string}} ReadFile */
/** @typedef {{counts: Object<string, number>, total: number, config: boolean, missing: {count: number, first: string[]}, left: Imported["left"]}} Summary */
/** @typedef {{objects: any[], config: any, scenario: any, left: {why: string, kind?: string, count: number, file?: string, reason?: string}[], counts: Object<string, number>, files: number}} Imported */

const KEPT = new Set(["Node", "Pod", "Namespace", "PodDisruptionBudget", "PriorityClass", "PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode", "CSIDriver", "CSIStorageCapacity", "VolumeAttachment", "ReplicaSet", "StatefulSet", "Deployment", "DaemonSet", "Job", "ReplicationController", "Service", "LimitRange", "ResourceQuota"]);
const CLUSTER_WIDE = new Set(["Node", "Namespace", "PersistentVolume", "PriorityClass", "StorageClass", "CSINode", "CSIDriver", "VolumeAttachment"]);
/** Keys of a kube-scheduler-simulator snapshot, and the kind and version of what is under them. */
const SNAPSHOT = /** @type {Object<string, [string, string]>} */ ({
  namespaces: ["Namespace", "v1"], priorityClasses: ["PriorityClass", "scheduling.k8s.io/v1"], nodes: ["Node", "v1"], pods: ["Pod", "v1"], storageClasses: ["StorageClass", "storage.k8s.io/v1"], pvs: ["PersistentVolume", "v1"], pvcs: ["PersistentVolumeClaim", "v1"],
});

/** The documents of a text. @param {string} text @returns {any[]} */
export function documentsOf(text) {
  if (/^\s*[[{]/.test(text)) { try { return [JSON.parse(text)]; } catch { /* YAML may begin so as well */ } }
  const found = parseAllDocuments(text, /** @type {any} */ (READ));
  const documents = Array.isArray(found) ? found : [];
  const broken = documents.find((document) => document.errors.length);
  if (broken) throw new Error(broken.errors[0].message.split("\n")[0]);
  return documents.map((document) => document.toJS({ maxAliasCount: 1000 })).filter((document) => document !== null && document !== undefined);
}

/** @param {{name: string, documents: any[]|null, reason?: string}[]} files @param {{system: boolean, there?: Set<string>}} wishes `there`: kind/namespace/name of what is there already @returns {Imported} */
export function gather(files, { system, there = new Set() }) {
  const tally = new Tally();
  /** @type {any[]} */ const objects = [];
  const seen = new Set(there);
  let config = null, scenario = null, noisy = 0;
  for (const { name, documents, reason } of files) {
    if (!documents) { tally.add("unread", { file: name, reason }); continue; }
    for (const document of documents) {
      if (document?.kind === "Scenario") scenario = { ...scenario, ...document, objects: undefined };
      for (const found of objectsOf(document)) {
        if (found.kind === "KubeSchedulerConfiguration") { config = found; continue; }
        if (found.generate) { objects.push(found); continue; }
        if (!KEPT.has(found.kind)) { tally.add("kind", { kind: String(found.kind || "?").slice(0, 60) }); continue; }
        if (!system && isSystem(found)) { tally.add("system"); continue; }
        const key = keyOf(found);
        if (seen.has(key)) { tally.add("double"); continue; }
        seen.add(key);
        const { object, changed } = withoutNoise(found);
        if (changed) noisy += 1;
        objects.push(object);
      }
    }
  }
  if (noisy) tally.add("noise", {}, noisy);
  if (scenario?.config) { config ||= scenario.config; delete scenario.config; }
  /** @type {Object<string, number>} */ const counts = {};
  for (const { kind = "Generator" } of objects) counts[kind] = (counts[kind] || 0) + 1;
  return { objects, config, scenario, left: tally.list(), counts, files: files.length };
}

class Tally {
  /** @type {Map<string, any>} */ #found = new Map();

  /** @param {string} why @param {any} [more] @param {number} [count] */
  add(why, more = {}, count = 1) {
    const key = `${why}/${more.kind || more.file || ""}`;
    const old = this.#found.get(key) || { why, ...more, count: 0 };
    old.count += count;
    this.#found.set(key, old);
  }

  list() { return [...this.#found.values()]; }
}

/** @param {any} document @param {any} [inherited] @returns {any[]} */
export function objectsOf(document, inherited = {}) {
  if (Array.isArray(document)) return document.flatMap((each) => objectsOf(each, inherited));
  if (!document || typeof document !== "object") return [];
  const kind = document.kind || inherited.kind;
  if (kind === "Scenario") return [...objectsOf(document.objects || [])];
  if (typeof kind === "string" && kind.endsWith("List") && Array.isArray(document.items)) {
    const below = kind === "List" ? {} : { kind: kind.slice(0, -4), apiVersion: document.apiVersion };
    return document.items.flatMap((each) => objectsOf(each, below));
  }
  if (!kind && !document.generate && Object.keys(SNAPSHOT).some((key) => Array.isArray(document[key]))) return fromSnapshot(document);
  return [{ ...inherited, ...document }];
}

/** @param {any} document of kube-scheduler-simulator */
function fromSnapshot(document) {
  const objects = Object.entries(SNAPSHOT).flatMap(([key, [kind, apiVersion]]) => (document[key] || []).map((/** @type {any} */ each) => ({ apiVersion, kind, ...each })));
  const config = document.schedulerConfig;
  return config ? [...objects, { ...config, kind: "KubeSchedulerConfiguration", apiVersion: config.apiVersion || "kubescheduler.config.k8s.io/v1" }] : objects;
}

/** @param {any} object */
export function keyOf(object) {
  return `${object.kind}/${CLUSTER_WIDE.has(object.kind) ? "" : object.metadata?.namespace || "default"}/${object.metadata?.name ?? ""}`;
}

/** @param {any} object */
function isSystem({ kind, metadata }) {
  if (kind !== "Pod" && kind !== "DaemonSet") return kind !== "Node" && !CLUSTER_WIDE.has(kind) && metadata?.namespace === "kube-system";
  return metadata?.namespace === "kube-system" || kind === "DaemonSet" || (metadata?.ownerReferences || []).some((/** @type {any} */ owner) => owner?.kind === "DaemonSet");
}

const DROPPED_META = ["managedFields", "resourceVersion", "generation", "selfLink", "finalizers", "generateName"];
const DROPPED_CONTAINER = ["env", "envFrom", "command", "args", "volumeMounts", "volumeDevices", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "securityContext", "imagePullPolicy", "terminationMessagePath", "terminationMessagePolicy", "stdin", "tty", "workingDir"];
const KEPT_STATUS = /** @type {Object<string, string[]>} */ ({ Pod: ["phase", "startTime", "nominatedNodeName", "conditions", "qosClass"], Node: ["allocatable", "capacity", "images", "conditions"] });

/** Without what decides nothing. @param {any} given @returns {{object: any, changed: boolean}} */
export function withoutNoise(given) {
  const object = { ...given, metadata: { ...given.metadata } };
  let changed = false;
  const drop = (/** @type {any} */ owner, /** @type {string} */ key) => { if (owner && key in owner) { delete owner[key]; changed = true; } };
  for (const key of DROPPED_META) drop(object.metadata, key);
  if (object.metadata.annotations) {
    object.metadata.annotations = { ...object.metadata.annotations };
    drop(object.metadata.annotations, "kubectl.kubernetes.io/last-applied-configuration");
    if (!Object.keys(object.metadata.annotations).length) delete object.metadata.annotations;
  }
  if (object.kind === "Pod" && object.spec) {
    object.spec = { ...object.spec };
    for (const key of ["containers", "initContainers"]) if (Array.isArray(object.spec[key])) object.spec[key] = object.spec[key].map((/** @type {any} */ each) => { const copy = { ...each }; for (const field of DROPPED_CONTAINER) drop(copy, field); return copy; });
    drop(object.spec, "imagePullSecrets");
  }
  const kept = KEPT_STATUS[object.kind];
  if (kept && object.status) {
    object.status = { ...object.status };
    for (const key of Object.keys(object.status)) if (!kept.includes(key)) drop(object.status, key);
    if (object.kind === "Node") drop(object.status, "conditions");
    if (!Object.keys(object.status).length) delete object.status;
  }
  if (["ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job"].includes(object.kind)) drop(object, "status");
  return { object, changed };
}

/** @param {Imported} found @param {boolean} [anonymise] @returns {Summary} */
export function summaryOf({ counts, config, scenario, left, objects }, anonymise = false) {
  const missing = missingNodes(objects);
  const nameless = anonymise && ABOUT.some((key) => scenario?.[key] && JSON.stringify(scenario[key]).length > 2) ? [{ why: "nameless", count: 1 }] : [];
  return { counts, total: objects.length, config: Boolean(config || (scenario && !nameless.length)), left: [...left, ...nameless], missing: { count: missing.length, first: missing.slice(0, 5) } };
}

const ABOUT = ["metadata", "config", "featureGates", "extenders", "timeline", "seed", "until"]; // what a Scenario has beside its objects

/** The text of a draft with what came in. @param {ReadFile[]} files @param {{system: boolean, anonymise: boolean, text: string}} wishes `text`: what is there already @returns {string} */
export function intoText(files, { system, anonymise, text }) {
  let draft = new Draft(text);
  const found = gather(files, { system, there: new Set(draft.entries.map(({ key }) => key)) });
  const objects = anonymise ? anonymised(found.objects) : found.objects;
  const scenario = /** @type {Object<string, any>} */ ({ ...(anonymise ? {} : found.scenario), config: found.config });
  const needed = ABOUT.filter((key) => scenario[key] !== undefined && scenario[key] !== null);
  if (objects.some(({ generate }) => generate) || needed.length) draft = new Draft(draft.asScenario());
  for (const key of needed) draft = new Draft(draft.setScenario([key], scenario[key]));
  return draft.add(objects);
}

/** Nodes that pods are bound to but that are not there. @param {any[]} objects @returns {string[]} */
export function missingNodes(objects) {
  const names = new Set(objects.filter(({ kind }) => kind === "Node").map(({ metadata }) => metadata.name));
  return [...new Set(objects.filter(({ kind, spec }) => kind === "Pod" && spec?.nodeName && !names.has(spec.nodeName)).map(({ spec }) => spec.nodeName))].sort();
}
