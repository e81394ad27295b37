/** What the overview of a large cluster marks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { markedNodes, outliersOf } from "../../static/js/stage/minimap.js";

const state = (levels) => ({ nodes: new Map(levels.map((cpu, index) => [`n${index}`, { name: `n${index}`, allocatable: { cpu: 100 }, requested: { cpu } }])) });

test("the one empty node among a hundred full ones is not lost", () => {
  assert.deepEqual(outliersOf(state([...Array(100).fill(90), 5])), ["n100"]);
});

test("when many differ, none of them is an outlier", () => {
  assert.deepEqual(outliersOf(state(Array.from({ length: 100 }, (_, index) => index))), []);
});

test("potential, candidates and the chosen node are told apart", () => {
  const cycle = { candidates: { potential: ["n1", "n2", "n3"] }, checked: new Map([["n1", { status: null }], ["n2", { status: {} }]]), extenders: [], picked: { node: "n1" } };
  const marked = markedNodes({ cycle, state: state([1]) });
  assert.deepEqual([...marked.potential], ["n1", "n2", "n3"]);
  assert.deepEqual(marked.candidate, ["n1"]);
  assert.deepEqual(marked.chosen, ["n1"]);
});
