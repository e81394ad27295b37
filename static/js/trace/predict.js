/**
 * Questions about what comes next, made from the trace: eligible? which nodes are candidates? who goes back first? which node wins, and by which rule?
 * The one rule: pure; the right answers are what the trace says, the wrong ones are its runners-up, and no order gives them away.
 * @module
 */
import { candidatesOf, cycleAt } from "./scene.js";

/** @typedef {import("./store.js").TraceStore} TraceStore */
/** @typedef {{id: string, args: Object<string, any>}} Said */
/** @typedef {{key: string, right: boolean, label: Said}} Option */
/**
 * @typedef {object} Question
 * @property {string} path of the decision: what is asked once
 * @property {"filter"|"select"|"eligibility"|"candidates"|"reprieve"|"pick"} kind
 * @property {number} ask the place at which the player stops
 * @property {number} reveal the place at which the answer is on show
 * @property {boolean} many more than one answer may be right, or none
 * @property {Said} text
 * @property {Option[]} options
 */

const MOST_NODES = 5;
const MOST_OPTIONS = 4;

/** An order that looks drawn, and is the same every time. @param {string} text */
function hashOf(text) {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619) >>> 0;
  return hash;
}

/** @template {{key: string}} T @param {T[]} options @param {string} seed @returns {T[]} */
function mixed(options, seed) { return [...options].sort((a, b) => hashOf(seed + a.key) - hashOf(seed + b.key)); }

/** @param {string} node @param {boolean} right @returns {Option} */
function nodeOption(node, right) { return { key: node, right, label: { id: "predict.node", args: { node } } }; }

/** Some of both kinds, the rarer kind first taken care of. @param {string[]} right @param {string[]} wrong @param {string} seed @returns {Option[]} */
function someNodes(right, wrong, seed) {
  const yes = mixed(right.map((node) => nodeOption(node, true)), seed), no = mixed(wrong.map((node) => nodeOption(node, false)), seed);
  const take = Math.min(yes.length, Math.max(MOST_NODES - no.length, Math.ceil(MOST_NODES / 2)));
  return mixed([...yes.slice(0, take), ...no.slice(0, MOST_NODES - take)], `${seed}/order`);
}

/** All questions of one cycle, in the order in which they come up. @param {TraceStore} store @param {string} id @returns {Question[]} */
export function questionsOf(store, id) {
  const seqs = store.cycles.get(id) || [];
  /** @type {Question[]} */
  const questions = [];
  for (const seq of seqs) {
    const event = store.event(seq);
    if (!MAKERS[event.kind] || (event.kind === "preemption.node_checked" && questions.some((each) => each.kind === "reprieve"))) continue;
    const made = MAKERS[event.kind](store, event, cycleAt(store, id, seq));
    if (made && made.ask >= 0 && made.options.length > 1) questions.push(made);
  }
  return withoutOverlap(questions);
}

/** A reveal plays past whatever lies inside it, so of a dry run and the whole search only one asks, now this, now that. @param {Question[]} questions */
function withoutOverlap(questions) {
  const whole = questions.find((each) => each.kind === "candidates"), single = questions.find((each) => each.kind === "reprieve");
  const left = whole && single ? (whole.options.every((option) => option.right) || hashOf(whole.path) % 2 ? whole : single) : null;
  return questions.filter((each) => each !== left).sort((a, b) => a.ask - b.ask);
}

/** The first question between two places that nobody was asked yet. @param {TraceStore} store @param {number} from @param {number} to @param {Set<string>} asked paths @returns {Question|null} */
export function questionBetween(store, from, to, asked) {
  const { places, decisions } = store.steps;
  const cycles = [places[from]?.cycle, ...decisions.filter((index) => index >= from && index <= to + 1).map((index) => places[index].cycle), places[to]?.cycle];
  for (const id of new Set(cycles.filter(Boolean))) {
    const found = questionsOf(store, /** @type {string} */ (id)).find((question) => question.ask >= from && question.ask < to && !asked.has(question.path));
    if (found) return found;
  }
  return null;
}

/** @param {TraceStore} store @param {number} seq the first event that gives the answer away */
function justBefore(store, seq) { return store.steps.firstOf(seq) - 1; }

/** @typedef {(store: TraceStore, event: import("./reducer.js").TraceEvent, cycle: any) => Question|null} Maker */

/** @type {Maker} */
const filter = (store, { seq, path, data }) => {
  const refused = Object.keys(data.statuses);
  if (data.feasible.length + refused.length < 2 || data.nominated_first) return null;
  return { path, kind: "filter", ask: justBefore(store, seq), reveal: store.steps.bySeq[seq], many: true, text: { id: "predict.filter", args: { pod: data.pod } }, options: someNodes(data.feasible, refused, path) };
};

/** @type {Maker} */
const select = (store, { seq, path, data }, cycle) => {
  const totals = cycle.scored?.totals || {};
  const others = Object.keys(totals).filter((node) => node !== data.host).sort((a, b) => totals[b] - totals[a]).slice(0, MOST_OPTIONS - 1);
  const scored = (store.cycles.get(cycle.id) || []).find((each) => store.event(each).kind === "cycle.scored");
  if (!others.length || !scored || data.ties?.length > 1) return null;
  const options = mixed([nodeOption(data.host, true), ...others.map((node) => nodeOption(node, false))], path);
  return { path, kind: "select", ask: justBefore(store, scored), reveal: store.steps.bySeq[seq], many: false, text: { id: "predict.select", args: { pod: data.pod } }, options };
};

/** @type {Maker} */
const eligibility = (store, { seq, path, data }) => {
  const shut = data.gates.find((/** @type {any} */ gate) => !gate.passed);
  const options = ["yes", "preemption-policy", "nominated-node", "terminating-victims"].map((key) => ({
    key, right: data.eligible ? key === "yes" : key === shut?.name, label: { id: `predict.eligible.${key}`, args: {} },
  }));
  if (!options.some((option) => option.right)) return null;
  return { path, kind: "eligibility", ask: justBefore(store, seq), reveal: store.steps.bySeq[seq], many: false, text: { id: "predict.eligibility", args: { pod: data.pod } }, options };
};

/** @type {Maker} */
const candidates = (store, { seq, path, data }, cycle) => {
  const seqs = store.cycles.get(cycle.id) || [];
  const first = seqs.find((each) => store.event(each).kind === "preemption.node_checked");
  if (!first || cycle.checked.size < 2) return null;
  const right = Object.keys(data.candidates);
  const wrong = [...cycle.checked.keys()].filter((node) => !(node in data.candidates));
  return { path, kind: "candidates", ask: justBefore(store, first), reveal: store.steps.bySeq[seq], many: true, text: { id: "predict.candidates", args: { pod: data.pod } }, options: someNodes(right, [...wrong, ...Object.keys(cycle.candidates?.unresolvable || {})], path) };
};

/** @type {Maker} */
const reprieve = (store, { seq, path, data }) => {
  const place = store.steps.firstOf(seq);
  const at = data.steps.findIndex((/** @type {any} */ step) => step.reprieved);
  if (data.steps.length < 2 || !data.fits_without_victims) return null;
  const spared = at < 0 ? "" : data.steps[at].pod;
  const others = data.steps.map((/** @type {any} */ step) => step.pod).filter((/** @type {string} */ pod) => pod !== spared).slice(0, MOST_OPTIONS - 2 + (spared ? 0 : 1));
  const option = (/** @type {string} */ pod) => ({ key: pod, right: pod === spared, label: { id: "predict.pod", args: { pod } } });
  const pods = mixed([...(spared ? [spared] : []), ...others].map(option), path);
  return {
    path, kind: "reprieve", ask: place + 1, reveal: at < 0 ? store.steps.bySeq[seq] : place + 2 + at, many: false,
    text: { id: "predict.reprieve", args: { node: data.node, pod: data.pod } },
    options: [...pods, { key: "", right: !spared, label: { id: "predict.nobody", args: {} } }],
  };
};

/** @type {Maker} */
const pick = (store, { seq, path, data }, cycle) => {
  const names = Object.keys(candidatesOf(cycle) || {});
  const first = (store.cycles.get(cycle.id) || []).find((each) => store.event(each).kind === "preemption.rule_applied");
  if (names.length < 2 || !first) return null;
  const decided = cycle.rules.findIndex((/** @type {any} */ rule) => rule.rule === data.decided_by);
  const rules = cycle.rules.map((/** @type {any} */ rule) => rule.rule);
  const before = cycle.rules[decided - 1]?.survivors || names;
  const [near, far] = [before.find((/** @type {string} */ node) => node !== data.node) || names.find((node) => node !== data.node), [...names].reverse().find((node) => node !== data.node)];
  const other = rules.filter((/** @type {string} */ rule) => rule !== data.decided_by).pop() || (data.decided_by === "highest-priority" ? "victim-count" : "highest-priority");
  const pairs = [[data.node, data.decided_by], [near, data.decided_by], [data.node, other], [far, other]];
  const seen = new Set();
  const options = pairs.filter(([node, rule]) => { const key = `${node} ${rule}`; return node && !seen.has(key) && seen.add(key); })
    .map(([node, rule]) => ({ key: `${node} ${rule}`, right: node === data.node && rule === data.decided_by, label: { id: "predict.wins", args: { node, number: RULES.indexOf(rule) + 1, rule } } }));
  return { path, kind: "pick", ask: justBefore(store, first), reveal: store.steps.bySeq[seq], many: false, text: { id: "predict.pick", args: { pod: data.pod } }, options: mixed(options, path) };
};
const RULES = ["pdb-violations", "highest-priority", "priority-sum", "victim-count", "latest-start", "first"];

/** @type {Object<string, Maker>} */
const MAKERS = {
  "cycle.filtered": filter, "cycle.selected": select, "preemption.eligibility": eligibility, "preemption.node_checked": reprieve,
  "preemption.candidates_finished": candidates, "preemption.picked": pick,
};

/** Whether what was chosen is what the trace says. @param {Question} question @param {Set<string>} chosen keys */
export function isRight(question, chosen) { return question.options.every((option) => option.right === chosen.has(option.key)); }
