/** The second act: what is told when a nominated pod comes back, lands, and victims leave; and the timers of the queue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between, timerText } from "../../static/js/clock.js";
import { sentenceOf } from "../../static/js/narrate.js";
import { waitsSince } from "../../static/js/queues.js";
import { sceneAt } from "../../static/js/trace/scene.js";
import { LANGUAGES, logs, sentences, storeOf, wording } from "./load.mjs";

const node = (name) => ["object.created", `setup/Node/${name}`, { kind: "Node", name, view: { name, allocatable: { cpu: 4000 }, taints: [] } }];
const pod = (key, priority, on = null) => ["object.created", `setup/Pod/${key}`, { kind: "Pod", namespace: key.split("/")[0], name: key.split("/")[1], view: { key, priority, requests: { cpu: 2000 }, node: on, nominated: null, gates: [] } }];
const GIVEN = [["run.started", "start", { counts: {} }], node("n1"), node("n2"), pod("a/victim", 1, "n1"), pod("a/high", 9), pod("a/higher", 99)];
const EVICTED = [["preemption.nominated", "c1/nominated", { pod: "a/high", node: "n1", victims: ["a/victim"] }], ["preemption.victim_deleted", "c1/evict/a/victim", { pod: "a/high", victim: "a/victim", node: "n1", grace: 5 }]];

/** What is told at the last of these events. @param {any[][]} rows */
function told(...rows) {
  const store = storeOf([...GIVEN, ...rows].map(([kind, path, data], index) => ({ seq: index + 1, t: index, kind, path, cause: null, phase: null, message: { id: kind, args: {} }, data })));
  const { id, args } = sentenceOf(sceneAt(store, store.steps.length - 1));
  return { id, ...args };
}
const second = (nominated) => ["cycle.started", "c2", { pod: "a/high", attempt: 2, nominated, requests: {}, priority: 9 }];
const filtered = (feasible, first = null) => ["cycle.filtered", "c2/filter", { pod: "a/high", feasible, total: 2, statuses: {}, nominated_first: first }];
const selected = (pod, host) => ["cycle.selected", "c2/select", { pod, host }];

test("a nominated pod comes back, and that is said", () => {
  assert.equal(told(...EVICTED, second("n1")).id, "act.returns");
  assert.equal(told(second(null)).id, "cycle.started");
});

test("a pod that lands elsewhere than nominated is told with both nodes", () => {
  assert.deepEqual(told(...EVICTED, second("n1"), filtered(["n2"]), selected("a/high", "n2")), { id: "act.elsewhere", pod: "a/high", node: "n2", claimed: "n1" });
  assert.equal(told(...EVICTED, second("n1"), filtered(["n1"], "n1"), selected("a/high", "n1")).id, "act.lands");
});

test("the claim holds, fails, or no node has room at all", () => {
  assert.equal(told(...EVICTED, second("n1"), filtered(["n1"], "n1")).id, "act.claim_holds");
  assert.equal(told(...EVICTED, second("n1"), filtered(["n2"])).id, "act.claim_fails");
  assert.equal(told(...EVICTED, second("n1"), filtered([])).id, "act.no_room");
});

test("room that another pod was nominated to goes to a higher one", () => {
  assert.deepEqual(told(...EVICTED, ["cycle.started", "c2", { pod: "a/higher", nominated: null, requests: {} }], selected("a/higher", "n1")), { id: "act.stolen", pod: "a/higher", node: "n1", waiting: "a/high" });
});

test("a victim leaves for a pod that waits, or in vain when it runs elsewhere by now", () => {
  const gone = ["pod.gone", "pod/a/victim/gone", { pod: "a/victim", node: "n1" }];
  assert.equal(told(...EVICTED, gone).id, "act.room");
  assert.deepEqual(told(...EVICTED, ["pod.assumed", "c2/assume", { pod: "a/high", node: "n2" }], gone), { id: "act.in_vain", pod: "a/victim", node: "n1", waiting: "a/high", claimed: "n2" });
  assert.equal(told(["pod.gone", "pod/a/victim/gone", { pod: "a/victim", node: "n1" }]).id, "pod.gone");
});

test("every second act in the golden logs has its sentence and its reason in both languages", () => {
  for (const { events } of logs) {
    const store = storeOf(events);
    for (let index = 0; index < store.steps.length; index += 1) {
      const act = sceneAt(store, index).act;
      if (act) for (const lang of LANGUAGES) assert.ok(act.id in sentences[lang] && `why.${act.id}` in wording[lang], act.id);
    }
  }
});

test("timers count down to a moment or up from it, and time runs on between two steps", () => {
  assert.equal(timerText({ until: "5" }, 2.52), "2.5");
  assert.equal(timerText({ until: "5" }, 9), "0");
  assert.equal(timerText({ since: "1" }, 4), "3");
  assert.equal(between(10, 20, 0.25), 12.5);
  assert.equal(between(10, 20, 3), 20);
});

test("a pod waits since its last move up to the step one looks at", () => {
  const store = storeOf([0, 4, 9].map((t, index) => ({ seq: index + 1, t, kind: "queue.moved", path: `queue/a/b/${index}`, cause: null, phase: null, message: { id: "queue.moved", args: {} }, data: { pod: "a/b", to: "active", from: null } })));
  assert.equal(waitsSince(store, "a/b", 2), 4);
  assert.equal(waitsSince(store, "a/b", 3), 9);
  assert.equal(waitsSince(store, "a/c", 3), null);
});
