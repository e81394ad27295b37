/** What changed since the last step: told from the log, in every grain, the same for who comes from before, from after, or by a link. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sceneAt } from "../../static/js/trace/scene.js";
import { sinceLast } from "../../static/js/trace/since.js";
import { Words } from "../../static/js/words.js";
import { LANGUAGES, logs, sentences, storeOf, wording } from "./load.mjs";

const GRAINS = ["check", "node", "phase"];

for (const { name, events } of logs) {
  test(`${name}: every place in every grain says what changed without a hole, and names only what there is`, () => {
    const store = storeOf(events);
    for (const lang of LANGUAGES) {
      const words = new Words(lang, wording[lang], sentences[lang]);
      for (let index = 0; index < store.steps.length; index += lang === "en" ? 1 : 7) {
        for (const grain of GRAINS) {
          const since = sinceLast(store, sceneAt(store, index), grain);
          for (const { id, args } of since.lines) {
            assert.ok(words.has(id), id);
            assert.doesNotMatch(words.say(id, args), /\{\w+\}|undefined|NaN/, `${id} at ${store.steps.places[index].path}`);
          }
        }
      }
    }
  });
}

test("a node's whole dry run: one node checked, who is spared, who would go", { skip: !logs.length }, () => {
  const store = storeOf((logs.find(({ events }) => events.some((event) => event.kind === "preemption.node_checked" && event.data.victims.length)) || logs[0]).events);
  const index = store.steps.places.findIndex((place) => !place.sub && store.event(place.seq).kind === "preemption.node_checked" && store.event(place.seq).data.victims.length);
  if (index < 0) return;
  const { node, victims } = store.event(store.steps.places[index].seq).data;
  const since = sinceLast(store, sceneAt(store, index), "node");
  assert.deepEqual(since.lines[0], { id: "since.checked", args: { count: 1 } });
  assert.deepEqual(since.lines.find((line) => line.id === "since.victims")?.args, { count: victims.length });
  assert.ok(since.nodes.has(node));
});

test("a phase at once tells more than its last event", { skip: !logs.length }, () => {
  const found = logs.map(({ events }) => storeOf(events)).find((store) => [...store.cycles.values()].some((seqs) => seqs.filter((seq) => store.event(seq).kind === "preemption.node_checked").length > 1));
  if (!found) return;
  const checked = found.events.filter((event) => event.kind === "preemption.node_checked");
  const last = found.steps.bySeq[checked[1].seq];
  const band = found.steps.bands[found.steps.places[last].band];
  const after = Math.min(found.steps.length - 1, band.last + 1);
  const since = sinceLast(found, sceneAt(found, after), "phase");
  assert.ok((since.lines.find((line) => line.id === "since.checked")?.args.count || 0) > 1);
});
