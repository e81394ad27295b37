/**
 * The trace in the browser: every event so far, the places to stand, and the state at any of them without the network.
 * The one rule: events arrive in order of seq, without a gap or a repeat; whatever else arrives is left out.
 * @module
 */
import { Expander } from "./expand.js";
import { apply, cloneState, emptyState } from "./reducer.js";
import { Steps } from "./steps.js";

/** @typedef {import("./reducer.js").TraceEvent} TraceEvent */
/** @typedef {import("./reducer.js").State} State */

const FRAME_EVERY = 256;

export class TraceStore {
  constructor() {
    /** @type {TraceEvent[]} */ this.events = [];
    this.steps = new Steps();
    this.expander = new Expander();
    /** @type {State[]} states after event 0, 256, 512… */ this.frames = [emptyState()];
    /** @type {State} */ this.head = emptyState();
    /** @type {State} */ this.cursor = emptyState();
    /** @type {Map<string, number[]>} seqs of a cycle's events */ this.cycles = new Map();
  }

  get lastSeq() { return this.events.length; }

  /** @param {TraceEvent[]} batch @returns {number} how many of them were new */
  append(batch) {
    let count = 0;
    for (const event of batch) {
      if (event.seq !== this.lastSeq + 1) continue;
      this.expander.take(event);
      this.events.push(event);
      this.steps.push(event);
      apply(this.head, event);
      if (event.seq % FRAME_EVERY === 0) this.frames.push(cloneState(this.head));
      const cycle = this.steps.places[this.steps.bySeq[event.seq]].cycle;
      if (cycle && event.path.startsWith("c")) this.#remember(cycle, event.seq);
      count += 1;
    }
    return count;
  }

  /** @param {string} cycle @param {number} seq */
  #remember(cycle, seq) {
    const seqs = this.cycles.get(cycle);
    if (seqs) seqs.push(seq);
    else this.cycles.set(cycle, [seq]);
  }

  /** @param {number} seq @returns {TraceEvent|undefined} */
  event(seq) { return this.events[seq - 1]; }

  /** The state after an event. Do not change it: it is valid until the next call. @param {number} seq @returns {State} */
  stateAt(seq) {
    if (seq === this.head.seq) return this.head;
    if (this.cursor.seq > seq || seq - this.cursor.seq > FRAME_EVERY) this.cursor = cloneState(this.frames[Math.floor(seq / FRAME_EVERY)]);
    while (this.cursor.seq < seq) apply(this.cursor, this.events[this.cursor.seq]);
    return this.cursor;
  }
}
