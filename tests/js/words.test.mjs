/** Sentences and amounts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Messages } from "../../static/js/messages.js";
import { bytes, cores, moment, number, shortNodes, withoutHash } from "../../static/js/format.js";
import { LANGUAGES, logs, sentences, wording } from "./load.mjs";

const holes = (entry) => new Set((typeof entry === "string" ? entry : entry.other).match(/\{\w+\}/g) || []);

test("both languages have the same words, with the same holes", () => {
  for (const catalogue of [wording, sentences]) {
    assert.deepEqual(Object.keys(catalogue["zh-hans"]).sort(), Object.keys(catalogue.en).sort());
    for (const id of Object.keys(catalogue.en)) {
      for (const hole of holes(catalogue["zh-hans"][id])) assert.ok(holes(catalogue.en[id]).has(hole) || hole === "{count}", `${id} ${hole}`);
    }
  }
});

test("no word of the page hides a sentence of an event", () => {
  assert.deepEqual(Object.keys(wording.en).filter((id) => id in sentences.en), []);
});

test("one and many are told apart by count", () => {
  const messages = new Messages({ found: { one: "One node.", other: "{count} nodes." } });
  assert.equal(messages.say("found", { count: 1 }), "One node.");
  assert.equal(messages.say("found", { count: 3 }), "3 nodes.");
});

test("a variant without a sentence of its own falls back to its kind", () => {
  const messages = new Messages({ "cycle.filtered": "filtered" });
  assert.equal(messages.say("cycle.filtered.strange"), "filtered");
});

test("a node that is called like a rule keeps its name", () => {
  const messages = new Messages({ won: "{node} by {rule}", "term.first": "order" });
  assert.equal(messages.say("won", { node: "first", rule: "first" }), "first by order");
});

test("amounts read as people write them", () => {
  assert.equal(cores(1930), "1.93");
  assert.equal(bytes(7465984 * 1024), "7.1 GiB");
  assert.equal(number(2000001000), "2\u202f000\u202f001\u202f000");
  assert.equal(number(-5), "−5");
  assert.equal(moment("2026-11-19T10:00:00Z", 0, "en"), "19 Nov, 10:00");
});

test("names lose what all of them share, and the hash of a ReplicaSet", () => {
  assert.equal(shortNodes(["a.eu.internal", "b.eu.internal"])("b.eu.internal"), "b");
  assert.equal(shortNodes(["a.eu.internal", "c"])("a.eu.internal"), "a.eu.internal");
  assert.equal(withoutHash("nightly-84b5c7d9f-u9hzl"), "nightly-…u9hzl");
  assert.equal(withoutHash("web-0"), "web-0");
});

for (const { name, events } of logs) {
  test(`${name}: every event has a sentence in both languages, with no hole left open`, () => {
    for (const lang of LANGUAGES) {
      const messages = new Messages(sentences[lang]);
      for (const { message } of events) {
        const text = messages.say(message.id, message.args);
        assert.notEqual(text, message.id);
        assert.doesNotMatch(text, /\{\w+\}/, message.id);
      }
    }
  });
}
