/** Where cards, pods and brackets stand: pure geometry, so that a step reads nothing back from the page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { flow, together } from "../../static/js/stage/flow.js";
import { placeCards, planOf } from "../../static/js/stage/grid.js";
import { Measure } from "../../static/js/stage/measure.js";
import { bandsOf } from "../../static/js/stage/model.js";

const measure = new Measure((text) => text.length * 50);
const HOW = { width: 300, gap: 5, drop: 9, line: 18, wide: (bracket) => bracket.text.length * 6 };
const pod = (key, width = 100) => ({ block: { key }, width, height: 38 });
const budget = (key, ...pods) => ({ key, text: `PDB ${key}`, pods, broken: false, live: false });

/** @param {{x: number, y: number, width: number, height: number}[]} boxes */
function overlaps(boxes) {
  return boxes.some((a, index) => boxes.slice(index + 1).some((b) => a.x < b.x + b.width - 0.1 && b.x < a.x + a.width - 0.1 && a.y < b.y + b.height - 0.1 && b.y < a.y + a.height - 0.1));
}

test("pods fill rows and none lies on another", () => {
  const { placed } = flow([pod("a"), pod("b"), pod("c"), pod("d", 290)], [], HOW);
  assert.deepEqual(placed.map(({ x, y }) => [x, y]), [[0, 0], [105, 0], [0, 43], [0, 86]]);
  assert.equal(overlaps(placed), false);
});

test("the pods of a budget stand together, and one bracket spans them", () => {
  const cart = budget("cart", "a", "c");
  assert.deepEqual(together([pod("a"), pod("b"), pod("c")], [cart]).map((item) => item.block.key), ["a", "c", "b"]);
  const { spans } = flow([pod("a", 90), pod("b", 90), pod("c", 90)], [cart], HOW);
  assert.equal(spans.length, 1);
  assert.deepEqual([spans[0].x, spans[0].width, spans[0].y, spans[0].label], [0, 185, 38, true]);
});

test("brackets beside each other share a line, those that overlap go below each other", () => {
  const beside = flow([pod("a"), pod("b")], [budget("one", "a"), budget("two", "b")], HOW).spans;
  assert.deepEqual(beside.map((span) => span.level), [0, 0]);
  assert.equal(beside[0].labelY, beside[1].labelY);
  const stacked = flow([pod("a"), pod("b")], [budget("one", "a", "b"), budget("two", "b")], HOW).spans;
  assert.deepEqual(stacked.map((span) => span.level), [0, 1]);
});

test("a budget over several rows says what it allows once, below the last", () => {
  const { spans } = flow([pod("a", 280), pod("b", 280)], [budget("wide", "a", "b")], HOW);
  assert.deepEqual(spans.map((span) => span.label), [false, true]);
});

for (const count of [1, 2, 5, 9, 60]) {
  for (const width of [340, 800, 1400]) {
    test(`${count} cards in ${width} px never overlap, and the one in focus stands first and large`, () => {
      for (const star of [true, false]) {
        const plan = planOf(width, count, { least: 240, gap: 16, star });
        const { places, height } = placeCards(Array.from({ length: count }, (_, index) => 120 + ((index * 37) % 90)), plan);
        assert.equal(places.length, count);
        assert.equal(overlaps(places), false);
        assert.ok(places.every((place) => place.x >= 0 && place.x + place.width <= width + 0.5 && place.y + place.height <= height + 0.5));
        if (star && plan.columns > 1) assert.ok(places[0].width > 1.5 * plan.column);
      }
    });
  }
}

test("a text is drawn narrower before it is cut, and cut only with a sign of it", () => {
  assert.deepEqual(measure.fit("abcdefghij", 10, 400, 60), { text: "abcdefghij", narrowed: null });
  assert.deepEqual(measure.fit("abcdefghij", 10, 400, 45), { text: "abcdefghij", narrowed: 45 });
  assert.deepEqual(measure.fit("abcdefghij", 10, 400, 25), { text: "abcd…", narrowed: null });
});

test("long texts break between words and, in Chinese, between signs; the last line is cut", () => {
  assert.deepEqual(measure.wrap("one two three four", 10, 400, 50, 3), ["one two", "three four"]);
  assert.deepEqual(measure.wrap("没有足够的空间", 10, 400, 20, 2), ["没有足够", "的空间"]);
  assert.equal(measure.wrap("one two three four five six seven", 10, 400, 50, 2).length, 2);
});

test("two clusters side by side keep priority bands of their own", () => {
  const cluster = (...priorities) => ({ pods: new Map(priorities.map((priority, index) => [`pod-${index}`, { priority }])) });
  const one = cluster(0, 10, 1000), other = cluster(5, 50, 500);
  for (let round = 0; round < 2; round += 1) {
    assert.deepEqual([0, 10, 1000].map(bandsOf(one)), [0, 2, 3]);
    assert.deepEqual([5, 50, 500].map(bandsOf(other)), [0, 2, 3]);
  }
});
