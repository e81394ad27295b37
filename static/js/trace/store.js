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

const FRAME_EVERY = 256; // events between two key frames at least; of a large cluster more, or its key frames would fill the memory
const ENTRIES_AN_EVENT = 8; // copying so many entries of a key frame takes about as long as applying an event

export class TraceStore {
  constructor() {
    /** @type {TraceEvent[]} */ this.events = [];
    this.steps = new Steps();
    this.expander = new Expander();
    /** @type {State[]} key frames: states after event 0 and some later ones, in order */ this.frames = [emptyState()];
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
      const given = this.steps.inSetup;
      this.steps.push(event);
      if (given && !this.steps.inSetup) this.frames.push(cloneState(this.head));
      apply(this.head, event);
      this.#keepFrame();
      const cycle = this.steps.places[this.steps.bySeq[event.seq]].cycle;
      if (cycle && event.path.startsWith("c")) this.#remember(cycle, event.seq);
      count += 1;
    }
    return count;
  }

  /** Nobody stands inside the setup: it has one at its end. */
  #keepFrame() {
    const { head } = this;
    if (this.steps.inSetup) return;
    const least = Math.max(FRAME_EVERY, (head.nodes.size + head.pods.size) / ENTRIES_AN_EVENT);
    if (head.seq - this.frames[this.frames.length - 1].seq >= least) this.frames.push(cloneState(head));
  }

  /** The last key frame at or before an event. @param {number} seq */
  #frameBefore(seq) {
    let low = 0, high = this.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frames[middle].seq <= seq) low = middle;
      else high = middle - 1;
    }
    return this.frames[low];
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
    const frame = this.#frameBefore(seq);
    if (this.cursor.seq > seq || this.cursor.seq < frame.seq) this.cursor = cloneState(frame);
    while (this.cursor.seq < seq) apply(this.cursor, this.events[this.cursor.seq]);
    return this.cursor;
  }
}
