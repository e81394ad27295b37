/** A change on the page: from what a person wants to what the API is sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changesFor } from "../../static/js/change/menu.js";
import { quantity, startingValues } from "../../static/js/change/form.js";
import { Cluster, freeName, manifestsAt } from "../../static/js/change/objects.js";
import { ACTIONS, operationsOf, placeProblems } from "../../static/js/change/operations.js";
import { continueRun } from "../../static/js/change/send.js";
import { LANGUAGES, json, storeOf } from "./load.mjs";

const pod = (name, spec = {}, metadata = {}) => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "shop", ...metadata }, spec: { containers: [{ name: "main", resources: { requests: { cpu: "1", memory: "1Gi" } } }], ...spec } });
const node = (name, spec, labels) => ({ apiVersion: "v1", kind: "Node", metadata: { name, labels }, ...(spec ? { spec } : {}), status: { allocatable: { cpu: "4" } } });
const words = { say: (id) => id, has: () => true };

/** @param {any[]} objects @param {{on?: Object<string, string[]>, budgets?: any[]}} [more] */
function cluster(objects, { on = {}, budgets = [] } = {}) {
  const nodes = new Map(objects.filter((each) => each.kind === "Node").map((each) => [each.metadata.name, { name: each.metadata.name, pods: on[each.metadata.name] || [], taints: each.spec?.taints || [], unschedulable: Boolean(each.spec?.unschedulable) }]));
  const made = new Cluster(new Map(), { nodes, pods: new Map(), budgets: new Map(budgets.map((each) => [each.key, each])) });
  for (const each of objects) made.put(each);
  return made;
}
const change = (action, on, values = {}) => ({ action, values: startingValues(action, on, values, words) });
const sent = (objects, action, values, more) => { const on = cluster(objects, more); const asked = change(action, on, values); return operationsOf(on, [asked]); };

test("deleting a pod sends its reference alone", () => {
  assert.deepEqual(sent([pod("web-1")], "pod-delete", { pod: "shop/web-1" }).operations, [{ delete: { kind: "Pod", namespace: "shop", name: "web-1" } }]);
});

test("a pod like another one has neither its node nor its status nor its owner", () => {
  const old = { ...pod("web-1", { nodeName: "n1", priority: 5 }, { uid: "u", ownerReferences: [{ kind: "ReplicaSet" }], labels: { app: "web" } }), status: { phase: "Running" } };
  const { operations } = sent([old], "pod-add", { copy: "shop/web-1" });
  assert.deepEqual(operations, [{ create: pod("web-2", { priority: 5 }, { labels: { app: "web" } }) }]);
});

test("another priority replaces the class, and other requests replace those of all containers", () => {
  const on = cluster([pod("web-1", { priorityClassName: "low", containers: [{ name: "a", resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2" } } }, { name: "b", resources: { requests: { cpu: "1" } } }] })]);
  const asked = change("pod-add", on, { copy: "shop/web-1" });
  Object.assign(asked.values, { priority: "900", cpu: "3" });
  const { spec } = operationsOf(on, [asked]).operations[0].create;
  assert.equal(spec.priority, 900);
  assert.equal(spec.priorityClassName, undefined);
  assert.deepEqual(spec.containers.map((each) => each.resources.requests), [{ memory: "1Gi", cpu: "3" }, {}]);
  assert.deepEqual(spec.containers[0].resources.limits, {});
});

test("three pods at once have three names that nobody has", () => {
  const { operations } = sent([pod("web-1"), pod("web-3")], "pod-add", { copy: "shop/web-1" }, {});
  assert.equal(operations[0].create.metadata.name, "web-2");
  const on = cluster([pod("web-1"), pod("web-3")]);
  const asked = change("pod-add", on, { copy: "shop/web-1" });
  asked.values.count = "3";
  assert.deepEqual(operationsOf(on, [asked]).operations.map((each) => each.create.metadata.name), ["web-2", "web-4", "web-5"]);
});

test("a name that exists is a problem at the name", () => {
  const on = cluster([pod("web-1")]);
  const asked = change("pod-add", on, { copy: "shop/web-1" });
  asked.values.name = "web-1";
  assert.deepEqual(operationsOf(on, [asked]).problems.map((each) => [each.field, each.id]), [["name", "problem.taken"]]);
});

test("cordon and taint of one node are two whole updates, each with what came before", () => {
  const on = cluster([node("n1")]);
  const { operations } = operationsOf(on, [change("cordon", on, { node: "n1" }), { action: "taint", values: { node: "n1", key: "gpu", value: "yes", effect: "NoExecute" } }]);
  assert.equal(operations[0].update.spec.unschedulable, true);
  assert.deepEqual(operations[1].update.spec, { unschedulable: true, taints: [{ key: "gpu", value: "yes", effect: "NoExecute" }] });
  assert.deepEqual(operations[1].update.status, { allocatable: { cpu: "4" } });
});

test("uncordon takes the taint of the cordon with it", () => {
  const { operations } = sent([node("n1", { unschedulable: true, taints: [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }] })], "uncordon", { cordoned: "n1" });
  assert.deepEqual(operations[0].update.spec, {});
});

test("a drain leaves daemons, and those whom no budget lets go", () => {
  const budget = { key: "shop/web", allowed: 1, pods: ["shop/web-1", "shop/web-2"] };
  const objects = [node("n1"), pod("web-1"), pod("web-2"), pod("log", {}, { ownerReferences: [{ kind: "DaemonSet" }] })];
  const more = { on: { n1: ["shop/web-1", "shop/web-2", "shop/log"] }, budgets: [budget] };
  const kept = sent(objects, "drain", { node: "n1" }, more);
  assert.deepEqual(kept.operations.slice(1), [{ delete: { kind: "Pod", namespace: "shop", name: "web-1" } }]);
  assert.deepEqual(kept.sentences, [{ id: "op.drain.stay", args: { node: "n1", count: 1, stay: 1 } }]);
  assert.equal(sent(objects, "drain", { node: "n1", budgets: "ignore" }, more).operations.length, 3);
});

test("a node like another one has its own host name and is not cordoned", () => {
  const { operations } = sent([node("n1", { unschedulable: true, podCIDR: "10.0.0.0/24" }, { "kubernetes.io/hostname": "n1", zone: "a" })], "node-add", { like: "n1" });
  assert.equal(operations[0].create.metadata.name, "n1-2");
  assert.deepEqual(operations[0].create.metadata.labels, { "kubernetes.io/hostname": "n1-2", zone: "a" });
  assert.deepEqual(operations[0].create.spec, {});
});

test("one gate is lifted, the other stays", () => {
  const { operations } = sent([pod("job", { schedulingGates: [{ name: "a" }, { name: "b" }] })], "gate-lift", { gated: "shop/job", gate: "a" });
  assert.deepEqual(operations[0].update.spec.schedulingGates, [{ name: "b" }]);
});

test("a bound of a budget replaces the other one, as a number or as a share", () => {
  const pdb = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "web", namespace: "shop" }, spec: { minAvailable: 2, selector: {} } };
  assert.deepEqual(sent([pdb], "budget", { pdb: "shop/web", bound: "maxUnavailable", amount: "0" }).operations[0].update.spec, { maxUnavailable: 0, selector: {} });
  assert.equal(sent([pdb], "budget", { pdb: "shop/web", amount: "50%" }).operations[0].update.spec.minAvailable, "50%");
});

test("a priority cannot be changed, and nothing is sent", () => {
  const { operations, problems } = sent([pod("web-1")], "pod-priority", {});
  assert.deepEqual(operations, []);
  assert.equal(problems[0].id, "problem.priority");
});

test("what a change removed is gone for the next one, and the trace knows nothing of it", () => {
  const on = cluster([pod("web-1")]);
  const twice = [change("pod-delete", on, { pod: "shop/web-1" }), { action: "pod-delete", values: { pod: "shop/web-1" } }];
  const manifests = new Map(on.manifests);
  const { problems } = operationsOf(new Cluster(manifests, on.state), twice);
  assert.deepEqual(problems.map((each) => [each.change, each.id]), [[1, "problem.gone"]]);
  assert.ok(manifests.has("Pod shop/web-1"));
});

test("the API's problems stand at the field of the change they belong to", () => {
  const changes = [{ action: "drain", values: {} }, { action: "pod-add", values: {} }];
  const problems = placeProblems([{ path: "operations[3].create.spec.containers[0].resources.requests.cpu", message: "bad" }, { path: "", message: "ended" }], [0, 0, 0, 1], changes);
  assert.deepEqual(problems, [{ change: 1, field: "cpu", message: "bad" }, { change: -1, field: "", message: "ended" }]);
});

test("manifests are those of the place one looks at", () => {
  const object = (seq, kind, name, more = {}) => ({ seq, t: seq, kind, path: `t${seq}`, cause: null, phase: null, message: { id: kind, args: {} }, data: { kind: "Node", name, view: { name, taints: [], allocatable: {} }, ...more } });
  const store = storeOf([object(1, "object.created", "n1", { object: node("n1") }), object(2, "object.updated", "n1", { object: node("n1", { unschedulable: true }) }), object(3, "object.deleted", "n1")]);
  assert.equal(manifestsAt(store, 1).get("Node n1").spec, undefined);
  assert.equal(manifestsAt(store, 2).get("Node n1").spec.unschedulable, true);
  assert.equal(manifestsAt(store, 3).size, 0);
});

test("amounts and names are as a manifest would have them", () => {
  assert.deepEqual([quantity("cpu", 1500), quantity("cpu", 2000), quantity("memory", 3 * 2 ** 30), quantity("memory", 1000), quantity("cpu", 0)], ["1500m", "2", "3Gi", "1000", ""]);
  assert.equal(freeName("web-1", (name) => name === "web-2"), "web-3");
  assert.equal(freeName("web", () => false), "web-2");
});

test("only what makes sense for it is offered for a node or a pod", () => {
  const state = { nodes: new Map([["n1", { taints: [], unschedulable: true }]]), pods: new Map([["a/b", { gates: ["x"], node: null, terminating: true }]]) };
  assert.deepEqual(changesFor(state, { node: "n1" }).map((each) => each.action), ["uncordon", "drain", "taint", "node-add", "node-remove"]);
  assert.deepEqual(changesFor(state, { pod: "a/b" }).map((each) => each.action), ["pod-add", "gate-lift"]);
  assert.deepEqual(changesFor(state, { pod: "a/c" }), []);
});

test("a server that cannot be reached is a problem in words, not an exception", async () => {
  assert.deepEqual(await continueRun("r", [], 1, async () => { throw new TypeError("away"); }), { run: null, problems: [{ path: "", message: "" }] });
  const answer = { ok: false, status: 429, json: async () => ({ title: "Slow down", problems: [] }) };
  assert.deepEqual((await continueRun("r", [], 1, async () => answer)).problems, [{ path: "", message: "Slow down" }]);
});

test("every change, field and group has words in both languages, with the same holes", () => {
  const catalogues = LANGUAGES.map((lang) => json(`static/wording/change/${lang}.json`));
  const page = json("static/wording/en.json");
  assert.deepEqual(Object.keys(catalogues[1]).sort(), Object.keys(catalogues[0]).sort());
  const holes = (entry) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g) || [])].sort();
  for (const id of Object.keys(catalogues[0])) for (const hole of holes(catalogues[1][id])) assert.ok(holes(catalogues[0][id]).includes(hole) || hole === "{count}", `${id} ${hole}`);
  for (const [action, { group, fields }] of Object.entries(ACTIONS)) {
    for (const id of [`action.${action}`, `op.${action}`, `group.${group}`, ...fields.filter((field) => field !== "fixed").map((field) => `field.${field}`)]) assert.ok(id in catalogues[0], id);
  }
  for (const offered of ["pod-delete", "pod-add", "gate-lift", "cordon", "uncordon", "drain", "taint", "untaint", "node-add", "node-remove"]) assert.ok(`change.${offered}` in page, offered);
});
