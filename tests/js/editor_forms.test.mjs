/** Forms: what is typed becomes values, and what the scheduler makes of them is said. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { enoughCandidates, enoughNodes, valuesOf } from "../../static/js/editor/form_special.js";
import { withArgument, withProfile } from "../../static/js/editor/values.js";

test("values between commas keep the type of those before", () => {
  assert.deepEqual(valuesOf("a, b ,c", ["x"]), ["a", "b", "c"]);
  assert.deepEqual(valuesOf("1, 2", ["1"]), ["1", "2"]);
  assert.deepEqual(valuesOf("1, 2", [5]), [1, 2]);
  assert.deepEqual(valuesOf("true, null", [false]), [true, null]);
  assert.deepEqual(valuesOf('{"a": 1, "b": 2}, [1, 2]', ["x"]), [{ a: 1, b: 2 }, [1, 2]]);
  assert.equal(valuesOf(" , ", ["x"]), undefined);
});

test("the effect of the configuration is reckoned as kube-scheduler does", () => {
  assert.deepEqual([50, 100, 1000, 5000, 6250].map((nodes) => enoughNodes(nodes, 0)), [50, 100, 420, 500, 312]);
  assert.deepEqual([enoughNodes(1000, 5), enoughNodes(1000, 20), enoughNodes(1000, 100)], [100, 200, 1000]);
  assert.deepEqual([20, 500, 5000].map((nodes) => enoughCandidates(nodes, null)), [20, 100, 500]);
  assert.equal(enoughCandidates(5000, withArgument(null, "DefaultPreemption", "minCandidateNodesAbsolute", 1000)), 1000);
});

test("a configuration that says nothing any more is gone", () => {
  const off = withProfile(undefined, ["plugins", "multiPoint", "disabled"], [{ name: "ImageLocality" }]);
  assert.equal(off.profiles[0].schedulerName, "default-scheduler");
  assert.equal(withProfile(off, ["plugins", "multiPoint", "disabled"], undefined), undefined);
  const rows = withArgument(off, "NodeResourcesFit", "scoringStrategy.resources", [{ name: "cpu", weight: 2 }]);
  assert.deepEqual(withArgument(rows, "NodeResourcesFit", "scoringStrategy.resources", undefined), off);
});
