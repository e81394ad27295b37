/** Condensed statuses become readable by name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersOf } from "../../static/js/trace/expand.js";
import { TraceStore } from "../../static/js/trace/store.js";

const event = (seq, kind, data) => ({ seq, t: 0, kind, path: `p${seq}`, cause: null, phase: null, message: { id: kind, args: {} }, data });

test("ranges of node numbers", () => {
  assert.deepEqual(numbersOf("0-2,5,7-8"), [0, 1, 2, 5, 7, 8]);
});

test("statuses of many nodes are spelled out when somebody looks", () => {
  const store = new TraceStore();
  const view = (name) => ({ name, labels: {}, allocatable: {}, taints: [], unschedulable: false, zone: "" });
  const nodes = ["a", "b", "c"].map((name, index) => event(index + 1, "object.created", { kind: "Node", name, view: view(name) }));
  const full = { code: "Unschedulable", plugin: "NodeResourcesFit", reasons: ["Insufficient cpu"] };
  const gone = { ...full, reasons: ["node(s) were unschedulable"] };
  const groups = [{ status: full, nodes: "0,2" }, { status: gone, nodes: "1" }];
  store.append([...nodes, event(4, "cycle.filtered", { pod: "p", feasible: [], statuses: { a: full }, status_groups: groups })]);
  assert.deepEqual(store.event(4).data.statuses, { a: full, b: gone, c: full });
});
