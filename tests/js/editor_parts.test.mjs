/** Texts in parts: read part by part they hold what they hold when read as a whole, and every object stands where it is said to. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { piecesOfLine } from "../../static/js/editor/light_yaml.js";
import { Draft, Read, partsOf } from "../../static/js/editor/manifests.js";
import { READ, piecesOf } from "../../static/js/editor/parts.js";
import { placeIn } from "../../static/js/editor/check.js";
import { parseAllDocuments } from "../../static/vendor/yaml/yaml.js";

const root = new URL("../../", import.meta.url);
const gallery = new URL("playground/gallery/", root);
const files = [...readdirSync(gallery).filter((name) => name.endsWith(".yaml")).map((name) => new URL(name, gallery)), new URL("tests/data/kubectl-get.yaml", root), new URL("tests/data/podlist-without-nodes.json", root)];
const texts = files.map((file) => [file.pathname.split("/").pop(), readFileSync(file, "utf8")]);
const objectsOf = (value, inherited = {}) => {
  if (Array.isArray(value)) return value.flatMap((each) => objectsOf(each, inherited));
  if (value?.kind === "Scenario") return objectsOf(value.objects || []);
  const kind = value?.kind ?? inherited.kind;
  if (String(kind).endsWith("List") && value.items) return objectsOf(value.items, kind === "List" ? {} : { kind: kind.slice(0, -4), apiVersion: value.apiVersion });
  return value && typeof value === "object" ? [{ ...inherited, ...value }] : [];
};
const asWhole = (text) => objectsOf(parseAllDocuments(text, READ).map((document) => document.toJS()));

test("a text read in parts holds what it holds when it is read as a whole", () => {
  for (const [name, text] of texts) assert.deepEqual(new Draft(text).entries.map(({ manifest }) => manifest), asWhole(text), name);
});

test("an object stands where it is said to stand, on the line that is said", () => {
  for (const [name, text] of texts) {
    const draft = new Draft(text);
    for (const entry of draft.entries) {
      const [alone] = objectsOf(draft.isJson ? JSON.parse(text.slice(entry.from, entry.to)) : parseAllDocuments(`${" ".repeat(entry.from - text.lastIndexOf("\n", entry.from - 1) - 1)}${text.slice(entry.from, entry.to)}`, READ)[0].toJS());
      for (const key of Object.keys(alone)) assert.deepEqual(alone[key], entry.manifest[key], `${name} ${entry.key}`);
      assert.equal(entry.line, text.slice(0, entry.from).split("\n").length, `${name} ${entry.key}`);
    }
  }
});

test("the items of a long list are parts, and only what changed is read again", () => {
  const item = (number) => `  - apiVersion: v1\n    kind: Node\n    metadata:\n      name: n${number}\n`;
  const text = `apiVersion: playground/v1\nkind: Scenario\nobjects:\n${Array.from({ length: 50 }, (_, number) => item(number)).join("")}seed: 3\n`;
  const read = new Read();
  const draft = new Draft(text, read);
  assert.equal(draft.pieces[0].list.parts.length, 50);
  const changed = draft.set([{ entry: draft.entries[20], set: [[["spec", "unschedulable"], true]] }]);
  assert.equal(partsOf(piecesOf(changed)).filter((part) => !read.has(part)).length, 1);
  const after = new Draft(changed, read);
  assert.equal(after.entries[20].manifest.spec.unschedulable, true);
  assert.equal(after.entries[30].manifest, draft.entries[30].manifest);
  assert.equal(after.setScenario(["seed"], 4), changed.replace("seed: 3", "seed: 4"));
  assert.deepEqual(new Draft(after.remove(after.entries)).entries, []);
  assert.equal(new Draft(after.remove(after.entries)).scenario.seed, 3);
});

const ODD = [
  ["a reference into another item", "kind: List\nitems:\n- &a {kind: Node, metadata: {name: a}}\n- *a\n", 2],
  ["a flow list", "kind: List\nitems: [{kind: Node, metadata: {name: a}},\n  {kind: Node, metadata: {name: b}}]\n", 2],
  ["text that looks like items", "kind: List\nitems:\n- kind: Node\n  metadata:\n    name: a\n    annotations:\n      x: |\n        - kind: Pod\n        ---\n         items:\n", 1],
  ["a key after the items", "kind: NodeList\nitems:\n  # one\n  - metadata: {name: a}\n\n  # two\n  - metadata: {name: b}\n# end\nmetadata: {}\n", 2],
  ["a directive", "%YAML 1.1\n---\nkind: Node\nmetadata: {name: a}\n...\n---\nkind: Node\nmetadata: {name: b}\n", 2],
  ["comments before the first document", "# hello\n---\nkind: Node\nmetadata: {name: a}\n---\n# nothing\n---\nkind: Node\nmetadata: {name: b}\n", 2],
  ["a list of lists", "kind: List\nitems:\n- kind: NodeList\n  items:\n  - metadata: {name: a}\n  - metadata: {name: b}\n- kind: Pod\n  metadata: {name: c}\n", 3],
];
for (const [claim, text, count] of ODD) {
  test(`${claim} is read as the whole is`, () => {
    const draft = new Draft(text);
    assert.equal(draft.error, null);
    assert.equal(draft.entries.length, count);
    assert.deepEqual(draft.entries.map(({ manifest }) => manifest), asWhole(text));
    const set = new Draft(draft.set(draft.entries.map((entry) => ({ entry, set: [[["metadata", "labels", "x"], "y"]] }))));
    assert.deepEqual(set.entries.map(({ manifest }) => manifest.metadata.labels), Array(count).fill({ x: "y" }));
  });
}

test("a problem in what was sent as JSON is shown at its line in the text", () => {
  const text = "# top\nkind: Node\nmetadata: {name: a}\n---\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: c\n    resources:\n      requests:\n        cpu: 1core\n";
  const draft = new Draft(text);
  assert.deepEqual(placeIn(draft, { path: "objects[1].spec.containers[0].resources.requests.cpu", line: 1, message: "" }), { path: "documents[1].spec.containers[0].resources.requests.cpu", line: 13 });
  assert.equal(placeIn(draft, { path: "objects[1].spec.nodeName", line: 1, message: "" }).line, 8 + 1);
  assert.equal(placeIn(draft, { path: "objects[0]", line: 1, message: "" }).line, 2);
});

test("a line of a large text is coloured by itself", () => {
  const kinds = (line) => piecesOfLine(line).map(({ from, to, kind }) => `${line.slice(from, to).trim()}:${kind}`);
  assert.deepEqual(kinds("  - name: web # why"), ["-:quiet", "name:key", "# why:quiet"]);
  assert.deepEqual(kinds('a: {b: "c: d"}'), ["a:key", "{:quiet", "b:key", '"c: d":text', "}:quiet"]);
  assert.deepEqual(kinds("---"), ["---:mark"]);
  assert.deepEqual(kinds("image: a#b"), ["image:key"]);
});
