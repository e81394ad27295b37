/** The text of a draft as a document: changes touch what they change and nothing else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft, difference } from "../../static/js/editor/manifests.js";

const STREAM = `# top
apiVersion: v1
kind: Node # the kind
metadata: {name: n1}
# below
---
# before the pod
apiVersion: v1
kind: Pod

metadata:
  name: p # its name
  labels:
    a: b
spec:
  containers:
  - name: c
    # asks
    resources: {requests: {cpu: "1"}}
# after
`;
const SCENARIO = `apiVersion: playground/v1
kind: Scenario
metadata: {title: A title}
objects:
  # first
  - apiVersion: v1
    kind: Node
    metadata: {name: n1}
  # second
  - {apiVersion: v1, kind: Node, metadata: {name: n2}} # here
seed: 0
`;
const node = (name) => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
const names = (text) => new Draft(text).entries.map((entry) => entry.name);
const pod = (draft) => draft.entries.find((entry) => entry.kind === "Pod");

test("objects are found in documents, lists and scenarios, with their lines", () => {
  const draft = new Draft(STREAM);
  assert.deepEqual(draft.entries.map(({ key, line }) => [key, line]), [["Node//n1", 2], ["Pod/default/p", 8]]);
  assert.deepEqual(names(SCENARIO), ["n1", "n2"]);
  assert.deepEqual(names("apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: x}\n"), ["x"]);
  assert.equal(new Draft("apiVersion: v1\nkind: NodeList\nitems:\n- metadata: {name: x}\n").entries[0].kind, "Node");
  assert.deepEqual(names(JSON.stringify({ kind: "List", items: [node("a"), node("b")] })), ["a", "b"]);
  assert.deepEqual(names(""), []);
});

test("a value that is there changes its letters and nothing else", () => {
  const draft = new Draft(STREAM);
  const text = draft.set([{ entry: pod(draft), set: [[["spec", "containers", 0, "resources", "requests", "cpu"], "2"]] }]);
  assert.equal(text, STREAM.replace('cpu: "1"', 'cpu: "2"'));
});

test("a new field keeps comments, blank lines and order, and leaves other objects alone", () => {
  const draft = new Draft(STREAM);
  const text = draft.set([{ entry: pod(draft), set: [[["spec", "priority"], 10]] }]);
  assert.equal(text, STREAM.replace("# after\n", "  priority: 10\n# after\n"));
});

test("what is missing on the way comes as plain maps and lists", () => {
  const draft = new Draft(STREAM);
  const text = draft.set([{ entry: pod(draft), set: [[["status", "phase"], "Running"], [["spec", "tolerations", 0, "key"], "k"]] }]);
  assert.deepEqual(pod(new Draft(text)).manifest.status, { phase: "Running" });
  assert.deepEqual(pod(new Draft(text)).manifest.spec.tolerations, [{ key: "k" }]);
  assert.doesNotMatch(text, /!!/);
});

test("a field that is taken away takes its empty parents along", () => {
  const draft = new Draft(STREAM);
  const text = draft.set([{ entry: pod(draft), set: [[["metadata", "labels", "a"], undefined]] }]);
  assert.equal(text, STREAM.replace("  labels:\n    a: b\n", ""));
});

test("texts that YAML takes for something else are quoted", () => {
  const draft = new Draft(STREAM);
  for (const value of ["yes", "1", "0x1f", "12:30", "2026-03-02T07:00:00Z", "null", "~", "a: b", "# x"]) {
    const text = draft.set([{ entry: pod(new Draft(STREAM)), set: [[["metadata", "labels", "b"], value]] }]);
    assert.equal(pod(new Draft(text)).manifest.metadata.labels.b, value);
    if (!["a: b", "# x"].includes(value)) assert.match(text, /b: ["']/, value);
  }
});

test("y and n alone are texts, yes and no are not", () => {
  const [entry] = new Draft("kind: Node\nmetadata: {name: n, labels: {a: y, b: Y, c: N, d: yes, e: off}}\n").entries;
  assert.deepEqual([entry.name, ...Object.values(entry.manifest.metadata.labels)], ["n", "y", "Y", "N", true, false]);
});

test("objects are added as documents, and into lists at their indentation", () => {
  assert.equal(new Draft("").add([node("x")]), "apiVersion: v1\nkind: Node\nmetadata:\n  name: x\n");
  const stream = new Draft(STREAM).add([node("x"), node("y")]);
  assert.ok(stream.startsWith(STREAM.trimEnd()));
  assert.deepEqual(names(stream), ["n1", "p", "x", "y"]);
  const scenario = new Draft(SCENARIO).add([node("x")]);
  assert.deepEqual(names(scenario), ["n1", "n2", "x"]);
  assert.ok(scenario.includes("  - apiVersion: v1\n    kind: Node\n    metadata:\n      name: x\nseed: 0\n"), scenario);
  const after = new Draft(SCENARIO);
  assert.deepEqual(names(after.add([node("x")], after.entries[0])), ["n1", "x", "n2"]);
});

test("an empty list of a scenario takes the first object", () => {
  for (const empty of ["objects: []", "objects:", "objects: [] # none yet"]) {
    const text = new Draft(`apiVersion: playground/v1\nkind: Scenario\n${empty}\nseed: 1\n`).add([node("x")]);
    assert.deepEqual(names(text), ["x"], text);
    assert.equal(new Draft(text).scenario.seed, 1, text);
  }
  assert.deepEqual(names(new Draft("apiVersion: playground/v1\nkind: Scenario\n").add([node("x")])), ["x"]);
});

test("objects are taken away with the comment above them", () => {
  const draft = new Draft(SCENARIO);
  assert.equal(draft.remove([draft.entries[0]]), SCENARIO.replace(/ {2}# first\n(.*\n){3}/, ""));
  const both = new Draft(SCENARIO);
  const none = new Draft(both.remove(both.entries));
  assert.deepEqual(none.entries, []);
  assert.equal(none.error, null);
  assert.equal(none.scenario.seed, 0);
  const stream = new Draft(STREAM);
  assert.deepEqual(names(stream.remove([stream.entries[0]])), ["p"]);
  assert.deepEqual(names(stream.remove([stream.entries[1]])), ["n1"]);
  assert.equal(stream.remove(stream.entries), "");
});

test("plain documents become a scenario, comments included", () => {
  const text = new Draft(STREAM).setScenario(["metadata", "title"], "Mine");
  const draft = new Draft(text);
  assert.equal(draft.error, null, text);
  assert.deepEqual(draft.entries.map(({ name }) => name), ["n1", "p"]);
  assert.equal(draft.scenario.metadata.title, "Mine");
  for (const comment of ["# top", "# the kind", "# below", "# before the pod", "# its name", "# asks", "# after"]) assert.ok(text.includes(comment), comment);
});

test("a configuration beside documents becomes the scenario's", () => {
  const text = new Draft(`${STREAM}---\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\npercentageOfNodesToScore: 50\n`).asScenario();
  assert.equal(new Draft(text).scenario.config.percentageOfNodesToScore, 50);
  assert.equal(new Draft(text).entries.length, 2);
});

test("keys of the scenario are set, changed and taken away without touching the objects", () => {
  const seeded = new Draft(SCENARIO).setScenario(["seed"], 7);
  assert.equal(seeded, SCENARIO.replace("seed: 0", "seed: 7"));
  const gated = new Draft(seeded).setScenario(["featureGates", "SomeGate"], true);
  assert.equal(gated, seeded.replace("objects:", "featureGates:\n  SomeGate: true\nobjects:"));
  assert.equal(new Draft(gated).setScenario(["featureGates", "SomeGate"], undefined), seeded);
  const timed = new Draft(seeded).setScenario(["timeline"], [{ at: 1, delete: { kind: "Pod", name: "p" } }]);
  assert.deepEqual(new Draft(timed).scenario.timeline, [{ at: 1, delete: { kind: "Pod", name: "p" } }]);
  assert.deepEqual(new Draft(new Draft(timed).setScenario(["timeline", 0, "at"], 5)).scenario.timeline[0].at, 5);
  assert.equal(new Draft(SCENARIO).setScenario(["metadata", "title"], "B"), SCENARIO.replace("A title", "B"));
});

test("JSON stays JSON", () => {
  const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: [node("a")] });
  const draft = new Draft(text);
  const more = new Draft(draft.add([node("b")]));
  assert.deepEqual(more.entries.map(({ name }) => name), ["a", "b"]);
  assert.ok(more.isJson);
  assert.equal(new Draft(more.set([{ entry: more.entries[0], set: [[["spec", "unschedulable"], true]] }])).entries[0].manifest.spec.unschedulable, true);
  assert.deepEqual(names(more.remove([more.entries[0]])), ["b"]);
  assert.equal(new Draft(more.setScenario(["seed"], 3)).scenario.seed, 3);
});

test("broken text has an error with its line, and no crash", () => {
  assert.equal(new Draft("a: [\nb: c\n").error?.line !== undefined, true);
  assert.ok(new Draft("kind: Pod\n  bad: indent\n").error);
  for (const text of ["hello", "- - -", "42", "null", "&a [*a]", "kind: 3\nmetadata: x\n", "items: 1\nkind: List\n"]) new Draft(text);
});

test("a difference is as small as it can be", () => {
  assert.deepEqual(difference("abc", "abXc"), { from: 2, to: 2, insert: "X" });
  assert.equal(difference("a", "a"), null);
});
