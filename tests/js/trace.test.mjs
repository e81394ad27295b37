/** The trace in the browser: reducer, places to stand, key frames. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, emptyState, stateDocument } from "../../static/js/trace/reducer.js";
import { sceneAt, roleOf, requestedOn } from "../../static/js/trace/scene.js";
import { answersAbout } from "../../static/js/trace/questions.js";
import { logs, storeOf } from "./load.mjs";

let seq = 0;
const event = (kind, path, data, extra = {}) => ({ seq: (seq += 1), t: 0, kind, path, cause: null, phase: null, message: { id: kind, args: {} }, data, ...extra });
const node = (name, cpu = 4000) => event("object.created", `setup/Node//${name}`, { kind: "Node", namespace: "", name, view: { name, labels: {}, allocatable: { cpu, memory: 2 ** 33, pods: 110 }, taints: [], unschedulable: false, zone: "" } });
const pod = (key, cpu, priority, where = null) => event("object.created", `setup/Pod/${key}`, { kind: "Pod", namespace: "shop", name: key.split("/")[1], view: { key, namespace: "shop", name: key.split("/")[1], labels: {}, priority, requests: { cpu }, node: where, nominated: null, phase: where ? "Running" : "Pending", start_time: where ? 0 : null, terminating: false, gates: [], grace: 30 } });

/** A run with one preemption on one node: low-1 is reprieved, low-2 is the victim. */
function story() {
  seq = 0;
  const checked = { pod: "shop/vip", node: "n1", fits_without_victims: true, status: null, victims: ["shop/low-2"], pdb_violations: 0, budgets: [],
    potential_victims: [{ pod: "shop/low-1", priority: 20, start_time: 0, pdb_violating: false }, { pod: "shop/low-2", priority: 10, start_time: 0, pdb_violating: false }],
    steps: [{ pod: "shop/low-1", pdb_violating: false, reprieved: true, reason: "", status: null }, { pod: "shop/low-2", pdb_violating: false, reprieved: false, reason: "Insufficient cpu", status: null }] };
  return [
    event("run.started", "start", { counts: { nodes: 1, pods: 3, pending: 1 } }), node("n1"), pod("shop/low-1", 1000, 20, "n1"), pod("shop/low-2", 3000, 10, "n1"), pod("shop/vip", 2000, 100),
    event("queue.moved", "queue/shop/vip/1", { pod: "shop/vip", from: null, to: "active", event: "PodAdd", plugin: "", until: null, attempts: 0, plugins: [] }),
    event("cycle.started", "c1", { pod: "shop/vip", cycle: 1, attempt: 1, priority: 100, requests: { cpu: 2000 } }),
    event("cycle.filtered", "c1/filter", { pod: "shop/vip", statuses: { n1: { code: "Unschedulable", plugin: "NodeResourcesFit", reasons: ["Insufficient cpu"] } }, feasible: [], evaluated: 1, total: 1 }),
    event("preemption.candidates_started", "c1/candidates", { pod: "shop/vip", potential: ["n1"], unresolvable: {}, offset: 0, wanted: 1, total: 1 }, { phase: "candidates" }),
    event("preemption.node_checked", "c1/candidates/n1", checked, { phase: "candidates" }),
    event("preemption.candidates_finished", "c1/candidates/end", { pod: "shop/vip", candidates: { n1: { victims: ["shop/low-2"], pdbViolations: 0 } }, statuses: {}, checked: 1, potential_count: 1, stopped_early: false }, { phase: "candidates" }),
    event("preemption.picked", "c1/pick", { pod: "shop/vip", node: "n1", victims: ["shop/low-2"], decided_by: "only" }, { phase: "best-pick" }),
    event("preemption.victim_deleted", "c1/evict/shop/low-2", { pod: "shop/vip", victim: "shop/low-2", node: "n1", grace: 30 }, { phase: "eviction" }),
    event("pod.terminating", "pod/shop/low-2/terminating", { pod: "shop/low-2", node: "n1", grace: 30, until: 30 }),
    event("preemption.nominated", "c1/nominated", { pod: "shop/vip", node: "n1", victims: ["shop/low-2"] }, { phase: "eviction" }),
    event("pod.gone", "pod/shop/low-2/gone", { pod: "shop/low-2", node: "n1" }, { t: 30 }),
    event("pod.assumed", "c2/assume", { pod: "shop/vip", node: "n1" }, { t: 30 }),
  ];
}

test("requests go to the node with the pod and leave with it", () => {
  const state = emptyState();
  for (const each of story()) apply(state, each);
  assert.deepEqual(stateDocument(state).nodes.n1.pods, ["shop/low-1", "shop/vip"]);
  assert.deepEqual(state.nodes.get("n1").requested, { cpu: 3000 });
  assert.equal(state.nominations.size, 0);
  assert.equal(state.pods.has("shop/low-2"), false);
});

test("entries are replaced, never changed, so that a key frame stays right", () => {
  const store = storeOf(story());
  const before = store.stateAt(6).nodes.get("n1");
  store.stateAt(17);
  assert.deepEqual(before.pods, ["shop/low-1", "shop/low-2"]);
});

test("what is given at the start is one place, and its paths lead there", () => {
  const { steps } = storeOf(story());
  assert.equal(steps.places[0].path, "start");
  assert.equal(steps.find("setup/Pod/shop/vip"), 0);
  assert.equal(steps.places[1].path, "queue/shop/vip/1");
});

test("a node's dry run has a place for the bench, the fit and each pod asked", () => {
  const { steps } = storeOf(story());
  const paths = steps.places.map((place) => place.path).filter((path) => path.startsWith("c1/candidates/n1"));
  assert.deepEqual(paths, ["c1/candidates/n1/bench", "c1/candidates/n1/fit", "c1/candidates/n1/reprieve/shop/low-1", "c1/candidates/n1/reprieve/shop/low-2", "c1/candidates/n1"]);
});

test("a step by node passes the single checks, a step by check stops at each", () => {
  const { steps } = storeOf(story());
  const started = steps.find("c1/candidates");
  assert.equal(steps.places[steps.move(started, "node", 1)].path, "c1/candidates/n1");
  assert.equal(steps.places[steps.move(started, "check", 1)].path, "c1/candidates/n1/bench");
  assert.equal(steps.move(0, "node", -1), 0);
  assert.equal(steps.move(steps.length - 1, "phase", 1), steps.length - 1);
});

test("a link to something that a run lacks leads to the nearest decision above it", () => {
  const { steps } = storeOf(story());
  assert.equal(steps.find("c1/candidates/n1/reprieve/shop/other"), steps.find("c1/candidates/n1"));
  assert.equal(steps.find("c9/pick"), -1);
});

test("a victim that shuts down belongs to the eviction that caused it", () => {
  const { steps } = storeOf(story());
  assert.equal(steps.places[steps.find("pod/shop/low-2/terminating")].cycle, "c1");
  assert.equal(steps.places[steps.find("pod/shop/low-2/gone")].cycle, null);
});

test("on the bench everybody of lower priority is off the copy, then they come back one by one", () => {
  const store = storeOf(story());
  const at = (path) => sceneAt(store, store.steps.find(path));
  const bench = at("c1/candidates/n1/bench");
  assert.deepEqual(bench.dry.away, ["shop/low-1", "shop/low-2"]);
  assert.equal(requestedOn(bench, "n1").cpu, 0);
  assert.equal(bench.dry.placed, false);
  const spared = at("c1/candidates/n1/reprieve/shop/low-1");
  assert.equal(roleOf(spared, "shop/low-1"), "reprieved");
  assert.equal(roleOf(spared, "shop/low-2"), "bench");
  assert.equal(requestedOn(spared, "n1").cpu, 1000);
  assert.equal(roleOf(at("c1/candidates/n1"), "shop/low-2"), "victim");
});

test("the answers to why come from the trace", () => {
  const store = storeOf(story());
  const scene = sceneAt(store, store.steps.find("c1/pick"));
  assert.deepEqual(answersAbout(scene, { pod: "shop/low-1" }).map((each) => each.id), ["answer.reprieved"]);
  assert.deepEqual(answersAbout(scene, { pod: "shop/low-2" }).map((each) => each.id), ["answer.victim"]);
  assert.deepEqual(answersAbout(scene, { node: "n1" }).map((each) => each.id), ["answer.rejected", "answer.candidate", "answer.only"]);
});

test("events that come again, or too early, are left out", () => {
  const store = storeOf([]);
  const events = story();
  assert.equal(store.append(events.slice(0, 4)), 4);
  assert.equal(store.append(events.slice(2, 6)), 2);
  assert.equal(store.append(events.slice(9)), 0);
  assert.equal(store.lastSeq, 6);
});

for (const { name, events } of logs) {
  test(`${name}: jumping anywhere gives the state that walking gives`, () => {
    const store = storeOf(events);
    const walk = emptyState();
    for (const each of events) {
      apply(walk, each);
      if (each.seq % 7 === 0) assert.deepEqual(stateDocument(store.stateAt(each.seq)), stateDocument(walk));
    }
    store.stateAt(1);
    assert.deepEqual(stateDocument(store.stateAt(events.length)), stateDocument(walk));
  });

  test(`${name}: every place can be shown`, () => {
    const store = storeOf(events);
    store.steps.places.forEach((place, index) => assert.ok(sceneAt(store, index)));
  });
}

test("every state is right from whichever key frame it is reached, and a large cluster has few of them", () => {
  seq = 0;
  const events = [event("run.started", "start", {}), ...Array.from({ length: 4000 }, (_, index) => node(`n${index}`)), pod("shop/a", 1, 1)];
  for (let index = 0; index < 3000; index += 1) events.push(event("queue.moved", `queue/shop/a/${index}`, { pod: "shop/a", to: index % 2 ? "active" : "backoff", until: index, attempts: index, plugins: [] }));
  const store = storeOf(events);
  assert.ok(store.frames.length <= 8, String(store.frames.length));
  for (const place of [3000, 0, 1, 2999, 513, 512, 511, 1500, 1499]) {
    const { seq: at } = store.steps.places[place];
    const state = store.stateAt(at);
    assert.equal(state.seq, at);
    assert.equal(state.pods.get("shop/a").attempts, Math.max(0, place - 1));
  }
});
