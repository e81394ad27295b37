/**
 * The queues as lanes. The one rule: a pod is in exactly one place, and says why it is there.
 * @module
 */
import { h, keepFocus, keyed } from "./dom.js";
import { timerText } from "./clock.js";
import { number } from "./format.js";
import { icon } from "./icons.js";
import { LANES } from "./trace/reducer.js";

/** @typedef {import("./trace/scene.js").Scene} Scene */
/** @typedef {import("./words.js").Words} Words */

const SHOWN = 12;

/** @param {Element} root @param {Scene} scene @param {Words} words @param {import("./trace/store.js").TraceStore} [store] to know since when a pod waits */
export function drawQueues(root, scene, words, store) {
  const since = store ? (/** @type {string} */ key) => waitsSince(store, key, scene.event.seq) : undefined;
  const lanes = [{ id: "now", title: words.say("lane.now"), pods: [...nowPods(scene)], count: null }, ...LANES.map((id) => ({ id, title: words.say(`lane.${id}`), pods: inOrder(scene, id), count: scene.state.queues[id].length }))];
  keepFocus(root, () => keyed(root, lanes, (lane) => lane.id, (lane) => JSON.stringify([lane.title, lane.count, lane.pods.slice(0, SHOWN + 1).map((key) => entryModel(scene, key, lane.id, words, since))]), (lane) => drawLane(lane, scene, words, since)));
}

/** @param {Scene} scene */
function nowPods(scene) {
  return scene.cycle && scene.state.pods.has(scene.cycle.pod) && !scene.state.pods.get(scene.cycle.pod).queue?.match(/^(active|backoff|unschedulable|gated)$/) ? [scene.cycle.pod] : [];
}

/** The active lane as PrioritySort pops it. @param {Scene} scene @param {string} id */
function inOrder(scene, id) {
  const pods = scene.state.queues[id].filter((key) => scene.state.pods.has(key));
  if (id !== "active") return pods;
  return [...pods].sort((a, b) => scene.state.pods.get(b).priority - scene.state.pods.get(a).priority);
}

/** @type {WeakMap<object, {seq: number, moves: Map<string, [number, number][]>}>} */
const moved = new WeakMap();

/** When a pod came into the queue that it is in: the last move up to an event. @param {import("./trace/store.js").TraceStore} store @param {string} key @param {number} seq @returns {number|null} */
export function waitsSince(store, key, seq) {
  let found = moved.get(store);
  if (!found) { found = { seq: 0, moves: new Map() }; moved.set(store, found); }
  for (; found.seq < store.lastSeq; found.seq += 1) {
    const event = store.events[found.seq];
    if (event.kind !== "queue.moved") continue;
    const list = found.moves.get(event.data.pod);
    if (list) list.push([event.seq, event.t]);
    else found.moves.set(event.data.pod, [[event.seq, event.t]]);
  }
  const moves = found.moves.get(key) || [];
  for (let index = moves.length - 1; index >= 0; index -= 1) if (moves[index][0] <= seq) return moves[index][1];
  return null;
}

/** @typedef {((key: string) => number|null)|undefined} Since */

/** @param {Scene} scene @param {string} key @param {string} lane @param {Words} words @param {Since} since */
function entryModel(scene, key, lane, words, since) {
  const pod = scene.state.pods.get(key);
  const until = pod.until !== null && pod.until !== undefined && lane === "backoff" ? pod.until : null;
  const skipped = scene.event.kind === "queue.skipped" && scene.event.data.pod === key;
  const moved = scene.event.kind === "queue.moved" && scene.event.data.pod === key, changed = moved || scene.since.pods.has(key);
  const nominated = scene.state.nominations.get(key);
  const facts = [words.say("pod.priority", { priority: pod.priority })];
  if (lane === "now") facts.push(words.say("pod.attempt", { attempt: pod.attempts || 1 }));
  if (lane === "unschedulable" && pod.plugins?.length) facts.push(words.say("lane.rejected", { plugins: pod.plugins }));
  if (lane === "gated" && pod.gates?.length) facts.push(words.say("lane.gates", { gates: pod.gates }));
  if (lane === "gated" && !pod.gates?.length && pod.plugins?.includes("DefaultPreemption")) facts.push(words.say("lane.preempting"));
  if (nominated) facts.push(words.say("lane.nominated", { node: nominated }));
  const hint = skipped ? words.say("lane.skipped", { event: scene.event.data.event, plugins: scene.event.data.plugins }) : moved && scene.event.data.plugin ? words.say("lane.hint", { event: scene.event.data.event, plugin: scene.event.data.plugin }) : moved && scene.event.data.event ? scene.event.data.event : "";
  return { key, label: words.podLabel(key), facts, until, since: since?.(key) ?? null, moved, changed, skipped, hint, nominated: Boolean(nominated), reason: pod.reason || "" };
}

/** @param {{id: string, title: string, pods: string[], count: number|null}} lane @param {Scene} scene @param {Words} words @param {Since} since */
function drawLane(lane, scene, words, since) {
  const rest = lane.pods.length - SHOWN;
  return h(`section.lane.lane-${lane.id}`, {},
    h("h2.lane-title", {}, lane.title, lane.count === null ? null : h("span.lane-count", {}, number(lane.count))),
    lane.pods.length ? h("ul.lane-pods", {}, lane.pods.slice(0, SHOWN).map((key) => drawEntry(entryModel(scene, key, lane.id, words, since), lane.id, scene.state.t, words))) : h("p.lane-empty", {}, words.say(lane.id === "now" ? "lane.nobody" : "lane.empty")),
    rest > 0 ? h("p.quiet", {}, words.say("list.more", { count: rest })) : null);
}

/** A sentence in which the seconds run. @param {Words} words @param {string} id @param {{until?: string, since?: string}} timer @param {number} now */
function timed(words, id, timer, now) {
  const text = timerText(timer, now);
  return words.all.pieces(id, { seconds: text }).map(({ text: part, name }) => (name === "seconds" ? h("span.timer", { "data-until": timer.until, "data-since": timer.since }, text) : part));
}

/** @param {ReturnType<typeof entryModel>} entry @param {string} lane @param {number} now @param {Words} words */
function drawEntry(entry, lane, now, words) {
  return h(`li.entry${entry.changed ? ".is-moved" : ""}${entry.skipped ? ".is-skipped" : ""}${lane === "now" ? ".is-now" : ""}`, { "data-flip": `queue:${entry.key}` },
    h("button.entry-name", { type: "button", "data-pod": entry.key, title: entry.key }, lane === "now" ? icon("play") : null, entry.label),
    entry.facts.map((fact) => h("span.entry-fact", {}, fact)),
    entry.until !== null ? h("span.entry-timer", {}, icon("clock"), h("span", {}, timed(words, "lane.again", { until: String(entry.until) }, now))) : null,
    entry.since !== null && (lane === "unschedulable" || lane === "gated") ? h("span.entry-timer", {}, icon("clock"), h("span", {}, timed(words, "lane.waits", { since: String(entry.since) }, now))) : null,
    entry.hint ? h("span.entry-hint", {}, icon(entry.skipped ? "cross" : "arrow"), h("span", {}, entry.hint)) : null);
}
