/** Where the cursor is, by indentation alone: what may stand there, and what helps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LANGUAGES, json } from "./load.mjs";
import { below, complete, wayTo } from "../../static/js/editor/schema.js";
import { Draft } from "../../static/js/editor/manifests.js";

const PLAIN = `apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  containers:
  - name: c
    resources:
      requests:
        |
`;
const NESTED = `apiVersion: playground/v1
kind: Scenario
objects:
  - apiVersion: v1
    kind: Node
    metadata:
      name: n1
    spec:
      taints:
        - key: a
          |
  - apiVersion: v1
    kind: Pod
    metadata: {name: p}
`;

/** @param {string} text with | where the cursor is */
function at(text) {
  const lines = text.split("\n");
  const index = lines.findIndex((line) => line.includes("|"));
  const column = lines[index].indexOf("|");
  const dash = /^( *)- /.exec(lines[index]);
  lines[index] = lines[index].replace("|", "");
  return wayTo(lines, index, column, dash ? dash[1].length : -1);
}

/** @param {string} text with | @returns {string[]} what completion offers */
function offered(text) {
  const pos = text.indexOf("|");
  const doc = text.replace("|", "");
  const words = { has: () => false, say: (id) => id };
  const lineAt = (place) => { const from = doc.lastIndexOf("\n", place - 1) + 1; const end = doc.indexOf("\n", place); return { from, to: end < 0 ? doc.length : end, text: doc.slice(from, end < 0 ? undefined : end), number: doc.slice(0, from).split("\n").length }; };
  const result = complete(/** @type {any} */ (words), () => new Draft(doc))({ pos, explicit: true, state: { doc: { lineAt, length: doc.length, sliceString: (from, to) => doc.slice(from, to) } } });
  return (result?.options || []).map(({ label }) => label);
}

test("the way to a field goes through lists, indented or not", () => {
  assert.deepEqual(at(PLAIN), { way: ["spec", "containers", "resources", "requests"], kind: "Pod" });
  assert.deepEqual(at(NESTED), { way: ["objects", "spec", "taints"], kind: "Node" });
  assert.deepEqual(at(PLAIN.replace("        |", "  |")).way, ["spec"]);
  assert.deepEqual(at("kind: Pod\n---\nkind: Node\nspec:\n  |\n"), { way: ["spec"], kind: "Node" });
});

test("completion offers the fields that are modelled at that place", () => {
  assert.ok(offered(PLAIN).includes("memory"));
  assert.deepEqual(offered(NESTED), ["key", "value", "effect"]);
  assert.ok(offered(PLAIN.replace("        |", "  to|")).includes("tolerations"));
  assert.deepEqual(offered("kind: Pod\nspec:\n  preemptionPolicy: |\n"), ["PreemptLowerPriority", "Never"]);
  assert.deepEqual(offered("apiVersion: v1\nkind: Node\nmetadata: {name: n7}\n---\nkind: Pod\nspec:\n  nodeName: |\n"), ["n7"]);
  assert.deepEqual(offered("kind: Pod\nnonsense:\n  |\n"), []);
});

test("the tree knows the fields of a scenario", () => {
  assert.ok("minCandidateNodesAbsolute" in below(["config", "profiles", "pluginConfig", "args"], "Scenario"));
  assert.ok("at" in below(["timeline"], "Scenario"));
});

test("both languages have the same words", () => {
  const [en, zh] = LANGUAGES.map((lang) => json(`static/wording/editor/${lang}.json`));
  assert.deepEqual(Object.keys(en), Object.keys(zh));
  const names = (entry) => [...new Set(JSON.stringify(entry).match(/\{\w+\}/g) || [])].sort();
  for (const key of Object.keys(en)) assert.deepEqual(names(zh[key]).filter((name) => name !== "{count}"), names(en[key]).filter((name) => name !== "{count}"), key);
});
