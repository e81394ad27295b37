/**
 * From what a person wants to what the API is sent: create, update and delete.
 * The one rule: pure; a change that cannot be made is a problem at a field, never an exception.
 * @module
 */
import { freeName } from "./objects.js";

/** @typedef {import("./objects.js").Cluster} Cluster */
/** @typedef {import("./objects.js").Manifest} Manifest */
/** @typedef {Object<string, string>} Values what stands in the fields of the form */
/** @typedef {{action: string, values: Values}} Change */
/** @typedef {{field: string, id: string, args?: Object<string, any>}} FieldProblem */
/** @typedef {{operations?: Object<string, any>[], args?: Object<string, any>, id?: string, problem?: FieldProblem}} Made */
/** @typedef {{group: string, fields: string[], make: (cluster: Cluster, values: Values) => Made}} Action */

const MOST_AT_ONCE = 200;
const DAEMON = "DaemonSet";
const CORDON_TAINT = "node.kubernetes.io/unschedulable";

/** @type {(field: string, id: string, args?: Object<string, any>) => Made} */
const refuse = (field, id, args) => ({ problem: { field, id, args } });
/** @type {(cluster: Cluster, object: Manifest) => Object<string, any>} */
const update = (cluster, object) => { cluster.put(object); return { update: object }; };

/** @param {Cluster} cluster @param {string} kind @param {string} name */
function removal(cluster, kind, name) {
  cluster.remove(kind, name);
  const [namespace, own] = name.includes("/") ? name.split("/") : ["", name];
  return { delete: namespace ? { kind, namespace, name: own } : { kind, name } };
}

/** The object that a field names, or the problem that there is none. @param {string} kind @param {string} field @param {(cluster: Cluster, name: string, values: Values) => Made} change @returns {Action["make"]} */
function on(kind, field, change) {
  return (cluster, values) => {
    const name = (values[field] || "").trim();
    if (!name) return refuse(field, "problem.choose");
    return cluster.find(kind, name) ? change(cluster, name, values) : refuse(field, "problem.gone", { name });
  };
}

// -- pods ------------------------------------------------------------------------------------------------------------
/** @param {Cluster} cluster @param {Values} values @returns {Made} */
function addPods(cluster, values) {
  const namespace = values.namespace.trim() || "default";
  const count = Number(values.count || 1);
  const isTaken = (/** @type {string} */ name) => Boolean(cluster.find("Pod", `${namespace}/${name}`));
  if (!values.name.trim()) return refuse("name", "problem.name");
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_AT_ONCE)) return refuse("count", "problem.count", { most: MOST_AT_ONCE });
  if (isTaken(values.name.trim())) return refuse("name", "problem.taken", { name: `${namespace}/${values.name.trim()}` });
  const template = values.copy && cluster.find("Pod", values.copy) ? bare(cluster.copy("Pod", values.copy)) : emptyPod();
  const operations = [];
  for (let made = 0, name = values.name.trim(); made < count; made += 1) {
    const pod = named(structuredClone(template), name, namespace);
    ask(pod, values);
    cluster.put(pod);
    operations.push({ create: pod });
    name = freeName(name, isTaken);
  }
  return { operations, args: { pod: `${namespace}/${values.name.trim()}`, count, cpu: values.cpu.trim() || "0", memory: values.memory.trim() || "0", priority: values.priority.trim() || "–" } };
}

/** @returns {Manifest} */
function emptyPod() {
  return { apiVersion: "v1", kind: "Pod", metadata: {}, spec: { containers: [{ name: "main", image: "registry.example/main:1", resources: {} }] } };
}

const OF_THE_OLD_POD = ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "generateName", "ownerReferences", "finalizers"];

/** A pod as somebody would write it: without the node, the status and the owner of the one it is copied from. @param {Manifest} pod */
function bare(pod) {
  for (const key of OF_THE_OLD_POD) delete pod.metadata[key];
  delete pod.status;
  delete pod.spec.nodeName;
  return pod;
}

/** @param {Manifest} object @param {string} name @param {string} [namespace] */
function named(object, name, namespace) {
  object.metadata = { ...object.metadata, name };
  if (namespace) object.metadata.namespace = namespace;
  return object;
}

/** What the form says of a pod: its requests in all, its priority, its policy. @param {Manifest} pod @param {Values} values */
function ask(pod, values) {
  for (const resource of ["cpu", "memory"]) {
    if (values[resource].trim() !== (values[`given-${resource}`] || "")) askFor(pod, resource, values[resource].trim());
  }
  const priority = values.priority.trim();
  if (priority !== (values["given-priority"] || "")) {
    delete pod.spec.priority;
    delete pod.spec.priorityClassName;
    if (/^[+-]?\d+$/.test(priority)) pod.spec.priority = Number(priority);
    else if (priority) pod.spec.priorityClassName = priority;
  }
  if (values.policy && values.policy !== (values["given-policy"] || "PreemptLowerPriority")) pod.spec.preemptionPolicy = values.policy;
}

/** The first container asks for all of it, the others for nothing: the pod then asks for what the form says. @param {Manifest} pod @param {string} resource @param {string} amount */
function askFor(pod, resource, amount) {
  pod.spec.containers.forEach((/** @type {Manifest} */ container, /** @type {number} */ index) => {
    const resources = { ...container.resources, requests: { ...container.resources?.requests } };
    if (resources.limits) { resources.limits = { ...resources.limits }; delete resources.limits[resource]; }
    delete resources.requests[resource];
    if (index === 0 && amount) resources.requests[resource] = amount;
    container.resources = resources;
  });
}

/** @type {(cluster: Cluster, name: string) => Made} */
const deletePod = (cluster, name) => ({ operations: [removal(cluster, "Pod", name)], args: { pod: name, grace: cluster.state.pods.get(name)?.grace ?? 30 } });

/** @type {(cluster: Cluster, name: string, values: Values) => Made} */
function liftGate(cluster, name, values) {
  const pod = cluster.copy("Pod", name);
  const gates = (pod.spec.schedulingGates || []).map((/** @type {{name: string}} */ gate) => gate.name);
  if (!gates.length) return refuse("gated", "problem.no_gate", { name });
  const lifted = values.gate ? gates.filter((/** @type {string} */ gate) => gate === values.gate) : gates;
  if (!lifted.length) return refuse("gate", "problem.gone", { name: values.gate });
  pod.spec.schedulingGates = pod.spec.schedulingGates.filter((/** @type {{name: string}} */ gate) => !lifted.includes(gate.name));
  if (!pod.spec.schedulingGates.length) delete pod.spec.schedulingGates;
  return { operations: [update(cluster, pod)], args: { pod: name, gates: lifted } };
}

// -- nodes -----------------------------------------------------------------------------------------------------------
/** @type {(cluster: Cluster, name: string, values: Values) => Made} */
function addNodes(cluster, source, values) {
  const count = Number(values.count || 1);
  const isTaken = (/** @type {string} */ name) => Boolean(cluster.find("Node", name));
  if (!values.name.trim()) return refuse("name", "problem.name");
  if (!(Number.isInteger(count) && count >= 1 && count <= MOST_AT_ONCE)) return refuse("count", "problem.count", { most: MOST_AT_ONCE });
  if (isTaken(values.name.trim())) return refuse("name", "problem.taken", { name: values.name.trim() });
  const operations = [];
  for (let made = 0, name = values.name.trim(); made < count; made += 1) {
    const node = freshNode(cluster.copy("Node", source), source, name);
    cluster.put(node);
    operations.push({ create: node });
    name = freeName(name, isTaken);
  }
  return { operations, args: { node: values.name.trim(), like: source, count } };
}

/** @param {Manifest} node @param {string} source @param {string} name */
function freshNode(node, source, name) {
  for (const key of OF_THE_OLD_POD) delete node.metadata[key];
  node.spec = { ...node.spec };
  for (const key of ["unschedulable", "providerID", "podCIDR", "podCIDRs"]) delete node.spec[key];
  withoutTaint(node, (taint) => taint.key === CORDON_TAINT);
  if (node.metadata.labels?.["kubernetes.io/hostname"] === source) node.metadata.labels["kubernetes.io/hostname"] = name;
  return named(node, name);
}

/** @param {Manifest} node @param {(taint: Manifest) => boolean} matches */
function withoutTaint(node, matches) {
  if (!node.spec?.taints) return;
  node.spec.taints = node.spec.taints.filter((/** @type {Manifest} */ taint) => !matches(taint));
  if (!node.spec.taints.length) delete node.spec.taints;
}

/** @type {(cluster: Cluster, name: string) => Object<string, any>} */
function cordoned(cluster, name) {
  const node = cluster.copy("Node", name);
  node.spec = { ...node.spec, unschedulable: true };
  return update(cluster, node);
}

/** @type {(cluster: Cluster, name: string) => Made} */
const cordon = (cluster, name) => (cluster.find("Node", name)?.spec?.unschedulable
  ? refuse("node", "problem.cordoned", { name })
  : { operations: [cordoned(cluster, name)], args: { node: name } });

/** @type {(cluster: Cluster, name: string) => Made} */
function uncordon(cluster, name) {
  const node = cluster.copy("Node", name);
  if (!node.spec?.unschedulable) return refuse("cordoned", "problem.not_cordoned", { name });
  delete node.spec.unschedulable;
  withoutTaint(node, (taint) => taint.key === CORDON_TAINT);
  return { operations: [update(cluster, node)], args: { node: name } };
}

/** As kubectl drain asks for it: cordon, then every pod that no DaemonSet owns, as far as the budgets allow. @type {(cluster: Cluster, name: string, values: Values) => Made} */
function drain(cluster, name, values) {
  const allowed = new Map([...cluster.state.budgets.values()].map((budget) => [budget, budget.allowed]));
  const leave = [], stay = [];
  for (const key of cluster.podsOn(name)) {
    if (ownedByDaemon(cluster, key)) continue;
    const covering = values.budgets === "ignore" ? [] : [...allowed.keys()].filter((budget) => budget.pods.includes(key));
    if (covering.some((budget) => (allowed.get(budget) ?? 0) < 1)) { stay.push(key); continue; }
    for (const budget of covering) allowed.set(budget, allowed.get(budget) - 1);
    leave.push(key);
  }
  const first = cluster.find("Node", name)?.spec?.unschedulable ? [] : [cordoned(cluster, name)];
  if (!first.length && !leave.length) return refuse("node", stay.length ? "problem.budgets" : "problem.drained", { name });
  return { operations: [...first, ...leave.map((key) => removal(cluster, "Pod", key))], id: !stay.length ? "op.drain" : leave.length ? "op.drain.stay" : "op.drain.none", args: { node: name, count: leave.length, stay: stay.length } };
}

/** @param {Cluster} cluster @param {string} key */
function ownedByDaemon(cluster, key) {
  return (cluster.find("Pod", key)?.metadata?.ownerReferences || []).some((/** @type {Manifest} */ owner) => owner.kind === DAEMON);
}

/** @type {(cluster: Cluster, name: string) => Made} */
const removeNode = (cluster, name) => ({ operations: [removal(cluster, "Node", name)], args: { node: name, count: cluster.state.nodes.get(name)?.pods.length || 0 } });

/** @param {Manifest} taint */
export function taintText(taint) { return `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`; }

/** @type {(cluster: Cluster, name: string, values: Values) => Made} */
function taint(cluster, name, values) {
  if (!values.key.trim()) return refuse("key", "problem.key");
  const added = { key: values.key.trim(), ...(values.value.trim() ? { value: values.value.trim() } : {}), effect: values.effect || "NoSchedule" };
  const node = cluster.copy("Node", name);
  withoutTaint(node, (each) => each.key === added.key && each.effect === added.effect);
  node.spec = { ...node.spec, taints: [...(node.spec?.taints || []), added] };
  return { operations: [update(cluster, node)], args: { node: name, taint: taintText(added) } };
}

/** @type {(cluster: Cluster, name: string, values: Values) => Made} */
function untaint(cluster, name, values) {
  const node = cluster.copy("Node", name);
  const found = (node.spec?.taints || []).find((/** @type {Manifest} */ each) => taintText(each) === values.taint);
  if (!found) return refuse("taint", values.taint ? "problem.gone" : "problem.no_taint", { name: values.taint || name });
  withoutTaint(node, (each) => taintText(each) === values.taint);
  return { operations: [update(cluster, node)], args: { node: name, taint: values.taint } };
}

// -- budgets ---------------------------------------------------------------------------------------------------------
/** @type {(cluster: Cluster, name: string, values: Values) => Made} */
function budget(cluster, name, values) {
  const amount = values.amount.trim();
  if (!amount) return refuse("amount", "problem.amount");
  const found = cluster.copy("PodDisruptionBudget", name);
  delete found.spec.minAvailable;
  delete found.spec.maxUnavailable;
  found.spec[values.bound || "minAvailable"] = /^-?\d+$/.test(amount) ? Number(amount) : amount;
  return { operations: [update(cluster, found)], args: { pdb: name, bound: values.bound || "minAvailable", amount } };
}

/** Upstream refuses it, so there is nothing to send. @type {Action["make"]} */
const priority = () => refuse("fixed", "problem.priority");

/** Everything that can be done, in the order it is offered. @type {Readonly<Object<string, Action>>} */
export const ACTIONS = Object.freeze({
  "pod-delete": { group: "pods", fields: ["pod"], make: on("Pod", "pod", deletePod) },
  "pod-add": { group: "pods", fields: ["copy", "name", "namespace", "cpu", "memory", "priority", "policy", "count"], make: addPods },
  "gate-lift": { group: "pods", fields: ["gated", "gate"], make: on("Pod", "gated", liftGate) },
  "pod-priority": { group: "pods", fields: ["fixed"], make: priority },
  "node-add": { group: "nodes", fields: ["like", "name", "count"], make: on("Node", "like", addNodes) },
  cordon: { group: "nodes", fields: ["node"], make: on("Node", "node", cordon) },
  uncordon: { group: "nodes", fields: ["cordoned"], make: on("Node", "cordoned", uncordon) },
  drain: { group: "nodes", fields: ["node", "budgets"], make: on("Node", "node", drain) },
  taint: { group: "nodes", fields: ["node", "key", "value", "effect"], make: on("Node", "node", taint) },
  untaint: { group: "nodes", fields: ["tainted", "taint"], make: on("Node", "tainted", untaint) },
  "node-remove": { group: "nodes", fields: ["node"], make: on("Node", "node", removeNode) },
  budget: { group: "budgets", fields: ["pdb", "bound", "amount"], make: on("PodDisruptionBudget", "pdb", budget) },
});

/** @typedef {{change: number, field: string, id?: string, args?: Object<string, any>, message?: string}} Problem */

/**
 * All operations of a list of changes, which of them belongs to which change, a sentence for each change, and what is wrong.
 * @param {Cluster} cluster that the caller gives away @param {Change[]} changes
 * @returns {{operations: Object<string, any>[], owners: number[], sentences: {id: string, args: Object<string, any>}[], problems: Problem[]}}
 */
export function operationsOf(cluster, changes) {
  /** @type {ReturnType<typeof operationsOf>} */
  const all = { operations: [], owners: [], sentences: [], problems: [] };
  changes.forEach(({ action, values }, index) => {
    const made = ACTIONS[action].make(cluster, values);
    all.sentences.push({ id: made.id || `op.${action}`, args: made.args || {} });
    if (made.problem) all.problems.push({ change: index, ...made.problem });
    for (const operation of made.operations || []) { all.operations.push(operation); all.owners.push(index); }
  });
  return all;
}

/** Which field of the form a path of the API is about. */
const FIELDS = Object.freeze(/** @type {[RegExp, string][]} */ ([
  [/requests[.[]"?cpu/, "cpu"], [/requests[.[]"?memory/, "memory"], [/metadata\.namespace/, "namespace"], [/metadata\.name\b/, "name"],
  [/priorityClassName|spec\.priority\b/, "priority"], [/preemptionPolicy/, "policy"], [/taints\[\d+\]\.effect/, "effect"], [/taints\[\d+\]\.value/, "value"],
  [/taints/, "key"], [/minAvailable|maxUnavailable/, "amount"], [/schedulingGates/, "gate"], [/\.at\b/, "later"],
]));

/** The API's problems at the change and the field they are about; change -1 is the whole. @param {{path: string, message: string}[]} problems @param {number[]} owners @param {Change[]} changes @returns {Problem[]} */
export function placeProblems(problems, owners, changes) {
  return problems.map(({ path, message }) => {
    const number = /^operations\[(\d+)\]/.exec(path);
    const change = number ? owners[Number(number[1])] ?? -1 : -1;
    const named = FIELDS.find(([pattern]) => pattern.test(path))?.[1] || "";
    const fields = change >= 0 ? ACTIONS[changes[change].action].fields : [];
    return { change, field: fields.includes(named) ? named : fields[0] || "", message };
  });
}
