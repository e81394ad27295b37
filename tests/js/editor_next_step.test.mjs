/** What to do next: each step is said until it is done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft } from "../../static/js/editor/manifests.js";
import { buildModel } from "../../static/js/editor/model.js";
import { nextStep, progress } from "../../static/js/editor/next_step.js";

const NODE = "kind: Node\nmetadata: {name: n}\n---\n";
const pod = (name, spec) => `kind: Pod\nmetadata: {name: ${name}}\nspec: {${spec}}\n---\n`;
const RUNS = pod("low", "nodeName: n");
const full = { fits: { "default/high": { n: { fits: false } } } };
const CASES = [
  ["an empty draft asks for a node", "", null, "nodes"],
  ["nodes ask for a pod", NODE, null, "pods"],
  ["pods ask to be placed", NODE + pod("low", ""), null, "place"],
  ["a placed pod asks for one that waits", NODE + RUNS, null, "waiting"],
  ["a waiting pod asks for priority", NODE + RUNS + pod("high", ""), null, "priority"],
  ["priority asks for a request that fits nowhere", NODE + RUNS + pod("high", "priority: 5"), { fits: { "default/high": { n: { fits: true } } } }, "full"],
  ["what fits nowhere and matters more is ready to run", NODE + RUNS + pod("high", "priority: 5"), full, "run"],
  ["a large cluster needs no help", Array.from({ length: 20 }, (_, number) => pod(`p${number}`, "")).join(""), null, ""],
];
for (const [claim, text, facts, step] of CASES) test(claim, () => assert.equal(nextStep(buildModel(new Draft(text), facts), facts), step));

test("progress counts what is done", () => {
  assert.deepEqual([progress("nodes").done, progress("full").done, progress("run").done, progress("run").all], [0, 5, 6, 6]);
});
