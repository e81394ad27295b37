/** Files of other tools: what comes in, what is left out and why, and names that say nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { anonymised } from "../../static/js/editor/anonymise.js";
import { documentsOf, gather, missingNodes } from "../../static/js/editor/import.js";

const file = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const read = (...texts) => texts.map((text, index) => ({ name: `file-${index}`, documents: documentsOf(text) }));
const dump = file("tests/data/kubectl-get.yaml");
const podList = file("tests/data/podlist-without-nodes.json");

test("a dump of kubectl comes in whole, without what decides nothing", () => {
  const found = gather(read(dump), { system: true });
  assert.deepEqual([found.counts.Node, found.counts.Pod], [5, 27]);
  assert.ok(found.left.some(({ why }) => why === "noise"));
});

test("system pods stay out on request, and are counted", () => {
  const found = gather(read(dump), { system: false });
  const [left] = found.left.filter(({ why }) => why === "system");
  assert.equal(found.counts.Pod + left.count >= 27, true);
  assert.ok(found.objects.every(({ kind, metadata }) => kind !== "Pod" || metadata.namespace !== "kube-system"));
});

test("several files are one cluster, and what comes twice is taken once", () => {
  const found = gather(read(dump, podList, dump), { system: true });
  assert.equal(found.counts.Node, 5);
  assert.ok(found.left.find(({ why }) => why === "double").count >= 32);
  assert.ok(missingNodes(found.objects).length > 0);
});

test("a snapshot of kube-scheduler-simulator comes in with its configuration", () => {
  const snapshot = { pods: [{ metadata: { name: "p" }, spec: { containers: [{ name: "c" }] } }], nodes: [{ metadata: { name: "n" } }], pvs: [], pvcs: [], storageClasses: [], priorityClasses: [{ metadata: { name: "high" }, value: 10 }], namespaces: [], schedulerConfig: { profiles: [{ schedulerName: "default-scheduler" }] } };
  const found = gather(read(JSON.stringify(snapshot)), { system: true });
  assert.deepEqual(found.counts, { PriorityClass: 1, Node: 1, Pod: 1 });
  assert.equal(found.config.kind, "KubeSchedulerConfiguration");
  assert.equal(found.objects.find(({ kind }) => kind === "PriorityClass").apiVersion, "scheduling.k8s.io/v1");
});

test("a snapshot of kwok, a list of one kind, and kinds that decide nothing", () => {
  const kwok = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: t}\n";
  const list = "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: x}\n  spec: {containers: []}\n";
  const found = gather(read(kwok, list), { system: true });
  assert.deepEqual(found.counts, { Node: 1, Pod: 1 });
  assert.deepEqual(found.left.filter(({ why }) => why === "kind"), [{ why: "kind", kind: "Secret", count: 2 }]);
});

test("a file that cannot be read is named", () => {
  const found = gather([{ name: "bad.yaml", documents: null, reason: "no" }, ...read(dump)], { system: true });
  assert.equal(found.left[0].file, "bad.yaml");
  assert.equal(found.counts.Node, 5);
});

test("a generator keeps what it varies, under made-up names", () => {
  const [{ generate }] = anonymised([{ generate: { kind: "Node", count: 3, name: "acme-{i}", template: { metadata: { labels: { team: "acme" } } }, vary: { "metadata.labels[topology.kubernetes.io/zone]": ["acme-a", "acme-b"], "metadata.labels.team": ["acme", "x"], "status.allocatable.cpu": ["2", "4"], "metadata.annotations.owner": ["acme"] } } }]);
  assert.deepEqual(generate.vary, { "metadata.labels[topology.kubernetes.io/zone]": ["zone-1", "zone-2"], "metadata.labels[label-1]": ["v-1", "v-2"], "status.allocatable.cpu": ["2", "4"] });
  assert.ok(!JSON.stringify(generate).includes("acme"));
});

test("made-up names keep every relation and nothing of what was written", () => {
  const { objects } = gather(read(dump), { system: true });
  const made = anonymised(objects);
  const text = JSON.stringify(made);
  const secrets = new Set(objects.flatMap(({ kind, metadata, spec }) => [metadata.name, metadata.namespace, ...Object.entries(metadata.labels || {}).flatMap(([key, value]) => (/kubernetes\.io/.test(key) ? [] : [key, value])), ...(spec?.containers || []).map(({ image }) => image)]));
  for (const secret of secrets) if (secret && !["default", "kube-system", "true", "false", "name", "linux", "amd64", "kind", "app"].includes(secret) && secret.length > 3 && !secret.startsWith("system-")) assert.ok(!text.includes(`"${secret}"`), secret);
  assert.deepEqual(made.map(({ kind }) => kind), objects.map(({ kind }) => kind));
  assert.deepEqual(missingNodes(made).length, missingNodes(objects).length);
  const pods = (list) => list.filter(({ kind }) => kind === "Pod");
  const shape = (list) => { const nodes = list.filter(({ kind }) => kind === "Node").map(({ metadata }) => metadata.name); return pods(list).map(({ spec }) => nodes.indexOf(spec.nodeName)); };
  assert.deepEqual(shape(made), shape(objects));
  const classes = (list) => { const all = list.filter(({ kind }) => kind === "PriorityClass").map(({ metadata }) => metadata.name); return pods(list).map(({ spec }) => all.indexOf(spec.priorityClassName)); };
  assert.deepEqual(classes(made), classes(objects));
  const covered = (list) => list.filter(({ kind }) => kind === "PodDisruptionBudget").map(({ metadata, spec }) => pods(list).filter((pod) => pod.metadata.namespace === metadata.namespace && Object.entries(spec.selector.matchLabels).every(([key, value]) => pod.metadata.labels?.[key] === value)).length);
  assert.deepEqual(covered(made), covered(objects));
});
