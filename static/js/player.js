/**
 * The player: a place in the trace, and the ways to move it. The one rule: it knows no drawing; it raises "place" and others draw.
 * @module
 */

/** @typedef {import("./trace/steps.js").Grain} Grain */

const SPEEDS = Object.freeze([0.25, 0.5, 1, 2, 4, 8]);
export const BEAT = 1100; // ms between two steps at speed 1

/** What a key asks for; null when it is none of ours. @param {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean}} event @returns {[string, ...any[]]|null} */
export function commandOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case "ArrowRight": return ["move", event.shiftKey ? "check" : "node", 1];
    case "ArrowLeft": return ["move", event.shiftKey ? "check" : "node", -1];
    case "PageDown": return ["move", "phase", 1];
    case "PageUp": return ["move", "phase", -1];
    case "]": return ["move", "decision", 1];
    case "[": return ["move", "decision", -1];
    case "Home": return ["go", 0];
    case "End": return ["go", Infinity];
    case " ": case ".": return ["toggle"];
    case "l": case "L": return ["live"];
    case "e": case "E": return ["edit"];
    case "c": case "C": return ["compare"];
    case "n": case "N": return ["change"];
    case "y": case "Y": return ["manifest"];
    case "p": case "P": return ["predict"];
    case "?": return ["help"];
    default: return null;
  }
}

/** Raises "place" (where we stand changed), "play" (playing or speed changed), "length" (the trace grew). */
export class Player extends EventTarget {
  /** @param {import("./trace/steps.js").Steps} steps */
  constructor(steps) {
    super();
    this.steps = steps;
    this.at = 0;
    this.before = 0;
    this.playing = false;
    this.speed = 1;
    this.follows = false;
    /** @type {Grain} */ this.grain = "node";
    /** @type {Grain} of the last step: what has changed is told since the step before it */ this.grainMoved = "node";
    this.timer = 0;
    this.streaming = false;
    /** whether it plays, and stands at the end of what has come */ this.waits = false;
    /** @type {((from: number, to: number) => number)|null} how far a step forward may go: Predict stops before decisions */ this.gate = null;
  }

  get last() { return Math.max(0, this.steps.length - 1); }
  get behind() { return this.last - this.at; }

  /** @param {number} index @param {{keepFollowing?: boolean}} [how] */
  go(index, how = {}) {
    const next = Math.max(0, Math.min(this.last, Math.round(index)));
    if (!how.keepFollowing) this.follows = false;
    if (next === this.at && this.started) return;
    this.started = true;
    this.before = this.at;
    this.at = next;
    this.dispatchEvent(new Event("place"));
  }

  /** @param {Grain} grain @param {1|-1} way */
  move(grain, way) {
    if (!this.steps.length) return;
    this.grainMoved = grain;
    const next = this.steps.move(this.at, grain, way);
    this.go(way > 0 && this.gate ? this.gate(this.at, next) : next);
  }

  /** The trace grew. */
  grew() {
    if (this.waits && this.at < this.last) { this.waits = false; this.#beat(); }
    if (this.follows) this.go(this.last, { keepFollowing: true });
    this.dispatchEvent(new Event("length"));
  }

  /** Back to the newest event, and stay there. */
  live() {
    this.pause();
    this.go(this.last);
    this.follows = true;
    this.dispatchEvent(new Event("play"));
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  play() {
    if (this.at >= this.last && !this.streaming) this.go(0);
    this.playing = true;
    this.dispatchEvent(new Event("play"));
    this.#beat();
  }

  pause() {
    this.playing = false;
    this.waits = false;
    clearTimeout(this.timer);
    this.dispatchEvent(new Event("play"));
  }

  /** At the end of what has come, with more to come, it waits instead of stopping: grew() goes on. */
  #beat() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.playing) return;
      if (this.at < this.last) this.move(this.grain, 1);
      if (!this.playing) return;
      if (this.at < this.last) this.#beat();
      else if (this.streaming) this.waits = true;
      else this.pause();
    }, BEAT / this.speed);
  }

  /** Whether more events are to come. @param {boolean} streaming */
  streams(streaming) {
    this.streaming = streaming;
    if (!streaming && this.waits && this.at >= this.last) this.pause();
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.dispatchEvent(new Event("play"));
    if (this.playing) this.#beat();
  }
}
