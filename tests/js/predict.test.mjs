/** Questions about what comes next. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Messages } from "../../static/js/messages.js";
import { Player } from "../../static/js/player.js";
import { isRight, questionBetween, questionsOf } from "../../static/js/trace/predict.js";
import { LANGUAGES, logs, sentences, storeOf, wording } from "./load.mjs";

const stores = logs.map(({ name, events }) => ({ name, store: storeOf(events) }));
const all = stores.flatMap(({ name, store }) => [...store.cycles.keys()].flatMap((id) => questionsOf(store, id).map((question) => ({ name, store, id, question }))));

test("the logs give questions of every kind", { skip: !logs.length }, () => {
  assert.deepEqual([...new Set(all.map(({ question }) => question.kind))].sort(), ["candidates", "eligibility", "filter", "pick", "reprieve", "select"]);
});

test("a question that asks for one answer has exactly one right one, and every option stands once", () => {
  for (const { name, question } of all) {
    const right = question.options.filter((option) => option.right);
    if (!question.many) assert.equal(right.length, 1, `${name} ${question.path}`);
    assert.equal(new Set(question.options.map((option) => option.key)).size, question.options.length);
    assert.ok(isRight(question, new Set(right.map((option) => option.key))));
    assert.ok(question.options.length >= 2 && question.options.length <= 5, `${name} ${question.path}`);
  }
});

test("the player stops before the answer is on show, and no reveal passes another question", () => {
  for (const { name, store, id, question } of all) {
    assert.ok(question.ask < question.reveal, `${name} ${question.path}`);
    assert.ok(store.steps.places[question.reveal]);
    const inside = questionsOf(store, id).filter((other) => other.ask > question.ask && other.ask < question.reveal);
    assert.deepEqual(inside, [], `${name} ${question.path}`);
  }
});

test("a pick asks for node and rule together, and what the trace says is right", () => {
  for (const { store, question } of all.filter((each) => each.question.kind === "pick")) {
    const { data } = store.event(store.steps.places[question.reveal].seq);
    assert.equal(question.options.find((option) => option.right).key, `${data.node} ${data.decided_by}`);
  }
});

test("walking through a run asks each question once, in order", { skip: !logs.length }, () => {
  const { store } = stores.find(({ store: each }) => each.cycles.size > 2);
  const asked = new Set(), seen = [];
  const player = new Player(store.steps);
  player.gate = (from, to) => {
    const question = questionBetween(store, from, to, asked);
    if (!question) return to;
    asked.add(question.path);
    seen.push(question);
    return question.ask;
  };
  for (let moves = 0; player.at < player.last && moves < 5000; moves += 1) player.move("node", 1);
  assert.ok(seen.length > 0);
  assert.deepEqual(seen.map((each) => each.ask), seen.map((each) => each.ask).sort((a, b) => a - b));
});

test("every question has its words in both languages", () => {
  for (const lang of LANGUAGES) {
    const messages = new Messages({ ...sentences[lang], ...wording[lang] });
    for (const { question } of all) {
      for (const { id, args } of [question.text, ...question.options.map((option) => option.label)]) {
        assert.ok(messages.has(id), id);
        assert.doesNotMatch(messages.say(id, args), /\{\w+\}/, id);
      }
    }
  }
});
