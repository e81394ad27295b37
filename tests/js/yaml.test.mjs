/** Manifests as YAML, and the lines that decide a step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../../static/vendor/yaml/yaml.js";
import { sceneAt } from "../../static/js/trace/scene.js";
import { budgetsOf, decidingPaths, isMarked, manifestAt, ownSubject, yamlLines } from "../../static/js/trace/yaml.js";
import { logs, storeOf } from "./load.mjs";

const text = (value) => yamlLines(value).map((line) => line.text).join("\n");
const stores = logs.slice(0, 12).map(({ name, events }) => ({ name, store: storeOf(events) }));

test("values read back as what they were", () => {
  const object = { a: "1", b: 1, c: "true", d: "1Gi", e: "x: y", f: [], g: {}, h: [{ i: "a:b", j: [1, "2"] }, "- no"], k: "", l: null, m: "2026-11-19T10:00:00Z", n: "a #b", "with/slash": "*" };
  assert.deepEqual(parse(text(object)), object);
});

test("every manifest of the logs reads back, line by line", () => {
  for (const { store } of stores) {
    for (const { data } of store.events.filter((event) => event.data.object)) assert.deepEqual(parse(text(data.object)), data.object);
  }
});

test("a line below a path is marked, a line beside it is not", () => {
  const paths = ["spec.containers.*.resources.requests"];
  assert.ok(isMarked("spec.containers.0.resources.requests.cpu", paths));
  assert.ok(isMarked("spec.containers.3.resources.requests", paths));
  assert.ok(!isMarked("spec.containers.0.resources.limits.cpu", paths));
  assert.ok(!isMarked("spec.containers", paths));
});

test("at every step the manifest in focus is there, and a bound pod says where it is", () => {
  for (const { name, store } of stores) {
    for (let index = 0; index < store.steps.length; index += 7) {
      const scene = sceneAt(store, index);
      const subject = ownSubject(scene);
      if (!subject) continue;
      for (const each of [subject, ...budgetsOf(scene, subject)]) assert.ok(Array.isArray(decidingPaths(scene, each)), name);
      const pod = subject.kind === "Pod" && scene.state.pods.get(subject.name);
      if (pod?.node) assert.equal(manifestAt(store, scene, subject).spec.nodeName, pod.node);
    }
  }
});

test("a refusal for lack of room marks requests on the pod and allocatable on the node", () => {
  const scene = { chapter: "filter", cycle: { pod: "a/b", filtered: { statuses: { n1: { plugin: "NodeResourcesFit" } } } } };
  assert.ok(decidingPaths(scene, { kind: "Node", name: "n1" }).includes("status.allocatable"));
  assert.ok(decidingPaths(scene, { kind: "Pod", name: "a/b" }).includes("spec.containers.*.resources.requests"));
});
