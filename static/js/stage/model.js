/**
 * What a node card shows, as plain values. The one rule: pure, and the same value means the same drawing, so nothing is drawn twice.
 * @module
 */
import { amount, dominantShare } from "../format.js";
import { candidatesOf, requestedOn, roleOf, setOf, struckBy, tooMuch } from "../trace/scene.js";

/** @typedef {import("../trace/scene.js").Scene} Scene */
/** @typedef {import("../words.js").Words} Words */
/** @typedef {{resource: string, used: number, asked: number, all: number, over: number, changed: boolean}} Bar */
/** @typedef {{key: string, label: string, priority: number, band: number, share: number, role: string, text: string, note: string, ring: number|null, until: number|null, left: string[], grace: number, violating: boolean, asking: boolean, changed: boolean}} Block */
/** @typedef {{text: string, tone: string, icon: string}} Badge */

const SYSTEM = 1_000_000_000;
const LABELLED = 0.085;

/** Priority bands 0 (lowest) to 4 (system), by rank among the priorities there are. @param {import("../trace/reducer.js").State} state @returns {(priority: number) => number} */
export function priorityBands(state) {
  const distinct = [...new Set([...state.pods.values()].map((pod) => pod.priority))].filter((priority) => priority < SYSTEM).sort((a, b) => a - b);
  return (priority) => (priority >= SYSTEM ? 4 : distinct.length < 2 ? 1 : Math.round((distinct.indexOf(priority) / (distinct.length - 1)) * 3));
}

/** @type {{state: import("../trace/reducer.js").State|null, pods: number, bands: (priority: number) => number}} */
let known = { state: null, pods: -1, bands: () => 0 };

/** The bands of a trace, made again only when pods came or went, or it is another trace. @param {import("../trace/reducer.js").State} state */
export function bandsOf(state) {
  if (known.state !== state || known.pods !== state.pods.size) known = { state, pods: state.pods.size, bands: priorityBands(state) };
  return known.bands;
}

/** The requests that are hatched over the bars: those of the pod whose cycle this is, until it has a node. @param {Scene} scene */
export function asking(scene) {
  const pod = scene.cycle ? scene.state.pods.get(scene.cycle.pod) : null;
  return pod && !pod.node ? pod : null;
}

/** @param {Scene} scene @param {string} name @returns {Bar[]} */
export function barsOf(scene, name) {
  const node = scene.state.nodes.get(name);
  const used = requestedOn(scene, name);
  const requests = asking(scene)?.requests || {};
  const over = tooMuch(scene, name, requests);
  const resources = ["cpu", "memory", ...Object.keys(node.allocatable).filter((each) => !PLAIN.has(each) && (used[each] || requests[each] || each.includes("/")))];
  return resources.filter((each) => node.allocatable[each] || used[each]).map((resource) => ({
    resource, used: used[resource] || 0, asked: requests[resource] || 0, all: node.allocatable[resource] || 0, over: over[resource] || 0, changed: scene.since.bars.has(name),
  }));
}
const PLAIN = new Set(["cpu", "memory", "pods", "ephemeral-storage", "hugepages-1Gi", "hugepages-2Mi"]);

/** @param {Scene} scene @param {string} key @param {string} name @param {(priority: number) => number} bands @param {Words} words @returns {Block} */
export function blockOf(scene, key, name, bands, words) {
  const pod = scene.state.pods.get(key);
  const node = scene.state.nodes.get(name);
  const role = roleOf(scene, key);
  const left = pod.terminating && pod.until !== null ? Math.max(0, pod.until - scene.state.t) : null;
  const seen = scene.dry?.data.potential_victims?.find((each) => each.pod === key);
  return {
    key, label: words.podLabel(key), priority: pod.priority, band: bands(pod.priority), role,
    share: dominantShare(pod.requests, node?.allocatable), text: dominantText(pod.requests, node?.allocatable),
    note: role ? words.say(`role.${role}`) : "", ring: left === null ? null : pod.grace ? left / pod.grace : 0, until: left === null ? null : pod.until, left: left === null ? [] : words.say("pod.left", { seconds: "|" }).split("|"), grace: pod.grace || 0,
    violating: Boolean(seen?.pdb_violating), asking: scene.dry?.step?.pod === key, changed: scene.since.pods.has(key),
  };
}

/** @param {Object<string, number>} requests @param {Object<string, number>|undefined} allocatable */
function dominantText(requests, allocatable) {
  let best = "", share = -1;
  for (const [resource, asked] of Object.entries(requests || {})) {
    const part = allocatable?.[resource] ? asked / allocatable[resource] : 0;
    if (part > share && resource !== "pods") { share = part; best = resource; }
  }
  return best ? amount(best, requests[best]) : "";
}

/** What this node is at this moment, in words. @param {Scene} scene @param {string} name @param {Words} words @returns {Badge|null} */
export function badgeOf(scene, name, words) {
  const { cycle, chapter, dry } = scene;
  if (!cycle) return null;
  if (["candidates", "extenders", "best-pick", "eviction", "failure"].includes(chapter) || cycle.candidates) return candidateBadge(scene, name, words);
  if (chapter === "filter" && cycle.filtered) return filterBadge(cycle.filtered, name, words);
  if (chapter === "score" || chapter === "bind") return scoreBadge(cycle, name, words);
  return cycle.filtered && dry === null ? filterBadge(cycle.filtered, name, words) : null;
}

/** @param {any} filtered @param {string} name @param {Words} words @returns {Badge|null} */
function filterBadge(filtered, name, words) {
  if (setOf(filtered.feasible).has(name)) return { text: words.say("badge.feasible"), tone: "good", icon: "check" };
  const status = filtered.statuses[name];
  return status ? { text: reasonText(status), tone: "quiet", icon: "cross" } : { text: words.say("badge.not_asked"), tone: "quiet", icon: "" };
}

/** @param {any} cycle @param {string} name @param {Words} words @returns {Badge|null} */
function scoreBadge(cycle, name, words) {
  if (cycle.selected?.host === name) return { text: words.say("badge.selected"), tone: "win", icon: "check" };
  const total = cycle.scored?.totals[name];
  return total === undefined ? filterBadge(cycle.filtered, name, words) : { text: words.say("badge.points", { count: total }), tone: "good", icon: "" };
}

/** @param {Scene} scene @param {string} name @param {Words} words @returns {Badge|null} */
function candidateBadge(scene, name, words) {
  const { cycle, dry } = scene;
  if (cycle.picked) {
    if (cycle.picked.node === name) return { text: words.say("badge.wins"), tone: "win", icon: "flag" };
  }
  const rule = struckBy(cycle, name);
  if (rule) return { text: words.say("badge.out", { number: rule }), tone: "quiet", icon: "cross" };
  if (dry?.node === name && dry.stage !== "verdict") return { text: words.say(`badge.${dry.stage}`), tone: "focus", icon: "" };
  const vetoed = cycle.extenders.find((each) => name in each.before && !(name in each.after));
  if (vetoed) return { text: words.say("badge.vetoed", { extender: vetoed.extender }), tone: "quiet", icon: "cross" };
  const unresolvable = cycle.candidates?.unresolvable[name];
  if (unresolvable) return { text: [].concat(unresolvable).join(", "), tone: "quiet", icon: "lock" };
  return verdictBadge(cycle, name, words);
}

/** @param {any} cycle @param {string} name @param {Words} words @returns {Badge|null} */
function verdictBadge(cycle, name, words) {
  const candidate = (candidatesOf(cycle) || {})[name];
  const checked = cycle.checked.get(name);
  if (candidate) return { text: words.say("badge.victims", { count: candidate.victims.length }), tone: "candidate", icon: "check" };
  if (checked?.status) return { text: reasonText(checked.status), tone: "quiet", icon: "cross" };
  if (checked) return { text: words.say("badge.victims", { count: checked.victims.length }), tone: "candidate", icon: "check" };
  if (cycle.finished) return { text: words.say("badge.not_asked"), tone: "quiet", icon: "" };
  return cycle.candidates && setOf(cycle.candidates.potential).has(name) ? { text: words.say("badge.potential"), tone: "quiet", icon: "" } : null;
}

/** @param {any} status */
export function reasonText(status) { return (status.reasons || []).join(", ") || status.plugin || status.code; }

/** Is this node part of what the step is about? @param {Scene} scene @param {string} name */
export function isFocus(scene, name) {
  if (scene.dry) return scene.dry.node === name;
  if (scene.chapter === "best-pick" || scene.chapter === "extenders") return scene.cycle?.picked ? scene.cycle.picked.node === name : false;
  return scene.node === name;
}

/** The one node that this step is about stands first and large. @param {Scene} scene @param {string} name */
export function isStar(scene, name) {
  if (scene.dry) return scene.dry.node === name;
  const host = scene.cycle?.picked?.node || scene.cycle?.selected?.host;
  return host ? host === name : scene.node === name;
}

/** Does this step leave the node out? @param {Scene} scene @param {string} name */
export function isDim(scene, name) {
  const { cycle, chapter } = scene;
  if (!cycle) return false;
  if (chapter === "best-pick") return struckBy(cycle, name) > 0 || !(name in (candidatesOf(cycle) || {}));
  if (chapter === "extenders") return !(name in (cycle.extenders[cycle.extenders.length - 1]?.before || {}));
  if (chapter === "eviction") return cycle.picked ? cycle.picked.node !== name : false;
  if (chapter === "candidates") return Boolean(cycle.candidates?.unresolvable[name]);
  if (chapter === "score" || chapter === "bind") return cycle.selected ? cycle.selected.host !== name : !(cycle.filtered && setOf(cycle.filtered.feasible).has(name));
  return false;
}

/** Brackets of the budgets that cover pods on this node. @param {Scene} scene @param {string} name @param {Words} words */
export function bracketsOf(scene, name, words) {
  const brackets = [];
  const onBench = scene.dry?.node === name ? new Set(scene.dry.data.potential_victims.map((each) => each.pod)) : null;
  const node = scene.state.nodes.get(name);
  for (const budget of scene.state.budgets.values()) {
    const pods = node.pods.filter((key) => budget.pods.includes(key));
    if (!pods.length) continue;
    const row = onBench ? (scene.dry.data.budgets || []).filter((each) => each.pdb === budget.key) : [];
    const last = row[row.length - 1];
    const text = last ? words.say("pdb.after", { pdb: podPart(budget.key), from: last.allowed, to: last.after }) : words.say("pdb.allowed", { pdb: podPart(budget.key), count: budget.allowed });
    brackets.push({ key: budget.key, text, pods, broken: Boolean(last && last.after < 0), live: Boolean(last) });
  }
  return brackets;
}

/** @param {string} key */
function podPart(key) { return key.slice(key.indexOf("/") + 1); }

/**
 * @param {Scene} scene @param {string} name @param {(priority: number) => number} bands @param {Words} words
 */
export function cardModel(scene, name, bands, words) {
  const node = scene.state.nodes.get(name);
  const dry = scene.dry?.node === name ? scene.dry : null;
  const blocks = node.pods.filter((key) => !dry || !dry.away.includes(key)).map((key) => blockOf(scene, key, name, bands, words));
  const guests = [...scene.state.nominations].filter(([, at]) => at === name).map(([key]) => key).filter((key) => scene.state.pods.has(key) && !(dry?.placed && key === scene.cycle?.pod));
  return {
    name, short: words.nodeName(name), zone: node.zone || "", cordoned: node.unschedulable,
    taints: node.taints.map((taint) => `${taint.key}${taint.value ? `=${taint.value}` : ""}:${taint.effect}`),
    focus: isFocus(scene, name), dim: isDim(scene, name), wins: scene.cycle?.picked?.node === name || scene.cycle?.selected?.host === name,
    star: isStar(scene, name), badge: badgeOf(scene, name, words), bars: barsOf(scene, name),
    blocks: blocks.filter((block) => block.share >= LABELLED || block.role), small: blocks.filter((block) => block.share < LABELLED && !block.role),
    bench: dry ? dry.away.map((key) => blockOf(scene, key, name, bands, words)) : [], benchShown: Boolean(dry),
    guest: dry?.placed ? blockOf(scene, scene.cycle.pod, name, bands, words) : null, slot: dry && !dry.placed && scene.state.pods.has(scene.cycle.pod) ? blockOf(scene, scene.cycle.pod, name, bands, words) : null,
    ghosts: guests.map((key) => blockOf(scene, key, name, bands, words)), brackets: bracketsOf(scene, name, words),
    changed: scene.since.nodes.has(name),
  };
}


/** What a card depends on, by identity: as long as none of it changes, the card is not even looked at. @param {Scene} scene @param {string} name @returns {any[]} */
export function dependencies(scene, name) {
  const { cycle, dry, state } = scene;
  const node = state.nodes.get(name);
  const here = dry?.node === name;
  const own = cycle ? state.pods.get(cycle.pod) : null;
  const seen = [node, scene.chapter, cycle?.id, cycle?.filtered, cycle?.scored, cycle?.selected, cycle?.candidates, cycle?.finished, cycle?.picked, cycle?.rules.length, cycle?.extenders.length,
    cycle?.deleted.length, cycle?.nominated, cycle?.checked.get(name), here, here && scene.place.path, isFocus(scene, name), isStar(scene, name), scene.since.nodes.has(name), scene.since.bars.has(name), own?.requests, own?.node, state.nominations.size];
  for (const key of node.pods) {
    const pod = state.pods.get(key);
    seen.push(pod, pod?.terminating ? state.t : 0, scene.since.pods.has(key));
  }
  for (const budget of state.budgets.values()) seen.push(budget);
  for (const [key, at] of state.nominations) if (at === name) seen.push(key);
  return seen;
}
