/**
 * Where a person can stand in a trace: one place for each event, and one for each single check inside a node's dry run.
 * The one rule: places are only ever appended, so a link, a number or a key frame stays right while events stream in.
 * @module
 */

/** @typedef {import("./reducer.js").TraceEvent} TraceEvent */
/** @typedef {{name: "bench"|"fit"|"reprieve", index: number}} Sub */
/** @typedef {{seq: number, path: string, sub: Sub|null, cycle: string|null, band: number, phase: string, decision: boolean}} Place */
/** @typedef {{first: number, last: number, cycle: string|null, group: string}} Band */
/** @typedef {"check"|"node"|"phase"|"decision"} Grain */

const DECISIONS = new Set([
  "cycle.filtered", "cycle.selected", "preemption.eligibility", "preemption.candidates_finished", "preemption.picked", "preemption.nominated",
]);
const GROUPS = {
  "cycle.started": "filter", "cycle.filtered": "filter", "cycle.scored": "score", "cycle.selected": "score",
  "pod.assumed": "bind", "pod.bound": "bind", "pod.bind_failed": "bind", "cycle.failed": "failure",
  "pod.terminating": "leaving", "pod.gone": "leaving", "run.finished": "end", "run.limit_reached": "end",
};

/** @param {TraceEvent} event @returns {string} the band that an event belongs to */
export function groupOf(event) {
  if (event.phase) return event.phase;
  if (GROUPS[event.kind]) return GROUPS[event.kind];
  return event.kind.startsWith("object.") ? "objects" : "queue";
}

/** @param {string} path @returns {string|null} "c3" of "c3/candidates/n1" */
export function cycleOf(path) {
  const found = /^c\d+(?=\/|$)/.exec(path);
  return found ? found[0] : null;
}

/** @param {TraceEvent} event @returns {{path: string, sub: Sub|null}[]} */
function placesIn(event) {
  const whole = { path: event.path, sub: null };
  if (event.kind !== "preemption.node_checked" || !event.data.potential_victims?.length) return [whole];
  const places = [
    { path: `${event.path}/bench`, sub: { name: "bench", index: -1 } },
    { path: `${event.path}/fit`, sub: { name: "fit", index: -1 } },
  ];
  event.data.steps.forEach((step, index) => places.push({ path: `${event.path}/reprieve/${step.pod}`, sub: { name: "reprieve", index } }));
  return [...places, whole];
}

export class Steps {
  constructor() {
    /** @type {Place[]} */ this.places = [];
    /** @type {Band[]} */ this.bands = [];
    /** @type {Map<string, number>} */ this.byPath = new Map();
    /** @type {number[]} place of the whole event, by seq */ this.bySeq = [];
    /** @type {number[]} places that are decisions */ this.decisions = [];
    this.inSetup = true;
  }

  get length() { return this.places.length; }

  /** Adds the places of one event. The objects given at the start are one place together. @param {TraceEvent} event */
  push(event) {
    const given = event.kind === "run.started" || (this.inSetup && event.path.startsWith("setup/"));
    if (!given) this.inSetup = false;
    if (given && this.places.length) {
      this.places[0] = { ...this.places[0], seq: event.seq };
      this.byPath.set(event.path, 0);
      this.bySeq[event.seq] = 0;
      return;
    }
    const cycle = cycleOf(event.path) || this.#cycleAround(event);
    const band = this.#bandFor(cycle, given ? "given" : this.#groupFor(event));
    for (const { path, sub } of placesIn(event)) {
      const index = this.places.length;
      this.places.push({ seq: event.seq, path, sub, cycle, band, phase: this.bands[band].group === "eviction" ? "eviction" : event.phase || "", decision: !sub && DECISIONS.has(event.kind) });
      this.byPath.set(path, index);
      this.bands[band].last = index;
      if (this.places[index].decision) this.decisions.push(index);
    }
    this.bySeq[event.seq] = this.places.length - 1;
  }

  /** What a cycle leads to at once (a victim shuts down, the pod is queued again) still belongs to it. @param {TraceEvent} event @returns {string|null} */
  #cycleAround(event) {
    const last = this.places[this.places.length - 1];
    if (!last?.cycle) return null;
    if (event.kind === "pod.terminating") return last.phase === "eviction" ? last.cycle : null;
    const cause = event.cause ? this.places[this.bySeq[event.cause]] : null;
    return cause && cause.cycle === last.cycle ? last.cycle : null;
  }

  /** @param {TraceEvent} event */
  #groupFor(event) {
    const last = this.places[this.places.length - 1];
    return event.kind === "pod.terminating" && last?.phase === "eviction" ? "eviction" : groupOf(event);
  }

  /** @param {string|null} cycle @param {string} group */
  #bandFor(cycle, group) {
    const last = this.bands[this.bands.length - 1];
    if (last && last.group === group && last.cycle === cycle) return this.bands.length - 1;
    this.bands.push({ first: this.places.length, last: this.places.length, cycle, group });
    return this.bands.length - 1;
  }

  /** The first place of an event. @param {number} seq */
  firstOf(seq) {
    let index = this.bySeq[seq];
    while (index > 0 && this.places[index - 1].seq === seq) index -= 1;
    return index;
  }

  /** The place one step away, or the end of the trace in that direction. @param {number} at @param {Grain} grain @param {1|-1} way */
  move(at, grain, way) {
    if (grain === "phase") return this.#movePhase(at, way);
    let index = at + way;
    while (index > 0 && index < this.length - 1 && !this.#stops(index, grain)) index += way;
    return Math.max(0, Math.min(this.length - 1, index));
  }

  /** @param {number} index @param {Grain} grain */
  #stops(index, grain) {
    const place = this.places[index];
    if (grain === "decision") return place.decision;
    return grain === "check" || !place.sub;
  }

  /** @param {number} at @param {1|-1} way */
  #movePhase(at, way) {
    const here = this.places[at];
    if (!here) return 0;
    const band = this.bands[here.band];
    if (way > 0) return this.bands[here.band + 1]?.first ?? this.length - 1;
    if (at > band.first) return band.first;
    return this.bands[here.band - 1]?.first ?? 0;
  }

  /** The place a link names: exactly, or the nearest whole event above it; -1 when this run has no such decision. @param {string} path */
  find(path) {
    for (let rest = path; rest; rest = rest.slice(0, Math.max(0, rest.lastIndexOf("/")))) {
      const index = this.byPath.get(rest);
      if (index !== undefined) return index;
    }
    return -1;
  }
}
