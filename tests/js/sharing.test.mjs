/** Small scenarios in the address alone. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MOST_CHARACTERS, fromFragment, toFragment } from "../../static/js/sharing/in_address.js";

const scenario = readFileSync(new URL("../../playground/gallery/26-pdb-beats-priority.yaml", import.meta.url), "utf8");

test("a scenario comes back from its fragment as it was, Chinese and all", async () => {
  const fragment = await toFragment(scenario);
  assert.match(fragment, /^#1\.[\w-]+$/);
  assert.ok(fragment.length < scenario.length);
  assert.equal(await fromFragment(fragment), scenario);
  assert.equal(await fromFragment(fragment.slice(1)), scenario);
});

test("the empty text has a fragment too", async () => {
  assert.equal(await fromFragment(await toFragment("")), "");
});

test("what would be longer than 8,000 characters gets no fragment", async () => {
  let noise = "", seed = 1;
  while (noise.length < 20000) { seed = (seed * 48271) % 2147483647; noise += seed.toString(36); }
  assert.ok((await toFragment(noise)) === null);
  assert.ok((await toFragment("a".repeat(1_000_000))).length < MOST_CHARACTERS);
});

test("what is not ours, cut off, changed or of another version is no scenario and no error", async () => {
  const fragment = await toFragment(scenario);
  for (const wrong of ["", "#", "#manifests", "#2.abc", "#1.", "#1.!!!", "#1.AAAA", fragment.slice(0, 200), fragment.replace("#1.", "#9."), `#1.${"A".repeat(9000)}`]) {
    assert.equal(await fromFragment(wrong), null, wrong.slice(0, 30));
  }
});

test("a bomb is no scenario", async () => {
  const fragment = await toFragment("a".repeat(5_000_000));
  assert.ok(fragment);
  assert.equal(await fromFragment(fragment), null);
});
