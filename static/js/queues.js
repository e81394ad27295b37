/**
 * The queues as lanes. The one rule: a pod is in exactly one place, and says why it is there.
 * @module
 */
import { h, keepFocus, keyed } from "./dom.js";
import { number, seconds } from "./format.js";
import { icon } from "./icons.js";
import { LANES } from "./trace/reducer.js";

/** @typedef {import("./trace/scene.js").Scene} Scene */
/** @typedef {import("./words.js").Words} Words */

const SHOWN = 12;

/** @param {Element} root @param {Scene} scene @param {Words} words */
export function drawQueues(root, scene, words) {
  const lanes = [{ id: "now", title: words.say("lane.now"), pods: [...nowPods(scene)], count: null }, ...LANES.map((id) => ({ id, title: words.say(`lane.${id}`), pods: inOrder(scene, id), count: scene.state.queues[id].length }))];
  keepFocus(root, () => keyed(root, lanes, (lane) => lane.id, (lane) => JSON.stringify([lane.title, lane.count, lane.pods.slice(0, SHOWN + 1).map((key) => entryModel(scene, key, lane.id, words))]), (lane) => drawLane(lane, scene, words)));
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

/** @param {Scene} scene @param {string} key @param {string} lane @param {Words} words */
function entryModel(scene, key, lane, words) {
  const pod = scene.state.pods.get(key);
  const wait = pod.until !== null && pod.until !== undefined && lane === "backoff" ? Math.max(0, pod.until - scene.state.t) : null;
  const moved = scene.event.kind === "queue.moved" && scene.event.data.pod === key;
  const nominated = scene.state.nominations.get(key);
  const facts = [words.say("pod.priority", { priority: pod.priority })];
  if (lane === "now") facts.push(words.say("pod.attempt", { attempt: pod.attempts || 1 }));
  if (wait !== null) facts.push(words.say("lane.again", { seconds: seconds(wait) }));
  if (lane === "unschedulable" && pod.plugins?.length) facts.push(words.say("lane.rejected", { plugins: pod.plugins }));
  if (lane === "gated" && pod.gates?.length) facts.push(words.say("lane.gates", { gates: pod.gates }));
  if (nominated) facts.push(words.say("lane.nominated", { node: nominated }));
  const hint = moved && scene.event.data.plugin ? words.say("lane.hint", { event: scene.event.data.event, plugin: scene.event.data.plugin }) : moved && scene.event.data.event ? scene.event.data.event : "";
  return { key, label: words.podLabel(key), facts, wait, moved, hint, nominated: Boolean(nominated), reason: pod.reason || "" };
}

/** @param {{id: string, title: string, pods: string[], count: number|null}} lane @param {Scene} scene @param {Words} words */
function drawLane(lane, scene, words) {
  const rest = lane.pods.length - SHOWN;
  return h(`section.lane.lane-${lane.id}`, {},
    h("h2.lane-title", {}, lane.title, lane.count === null ? null : h("span.lane-count", {}, number(lane.count))),
    lane.pods.length ? h("ul.lane-pods", {}, lane.pods.slice(0, SHOWN).map((key) => drawEntry(entryModel(scene, key, lane.id, words), lane.id))) : h("p.lane-empty", {}, words.say(lane.id === "now" ? "lane.nobody" : "lane.empty")),
    rest > 0 ? h("p.quiet", {}, words.say("list.more", { count: rest })) : null);
}

/** @param {ReturnType<typeof entryModel>} entry @param {string} lane */
function drawEntry(entry, lane) {
  return h(`li.entry${entry.moved ? ".is-moved" : ""}${lane === "now" ? ".is-now" : ""}`, { "data-flip": `queue:${entry.key}` },
    h("button.entry-name", { type: "button", "data-pod": entry.key, title: entry.key }, lane === "now" ? icon("play") : null, entry.label),
    entry.facts.map((fact) => h("span.entry-fact", {}, fact)),
    entry.wait !== null ? h("span.entry-wait", { "aria-hidden": "true" }, icon("clock")) : null,
    entry.hint ? h("span.entry-hint", {}, icon("arrow"), entry.hint) : null);
}
