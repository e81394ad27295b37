/**
 * Statuses of many nodes come as ranges of node numbers: the twin of scheduler_core/trace/condense.py.
 * The one rule: spelled out only when somebody looks, and only the last few stay spelled out; thousands of cycles of thousands of nodes do not fit.
 * @module
 */

/** @typedef {import("./reducer.js").TraceEvent} TraceEvent */

const KEPT = 12;

/** The numbers in a text such as "0-19,25". @param {string} ranges @returns {number[]} */
export function numbersOf(ranges) {
  return ranges.split(",").flatMap((part) => {
    const [first, last] = part.split("-").map(Number);
    return Array.from({ length: (last ?? first) - first + 1 }, (_, index) => first + index);
  });
}

/** Knows the nodes by number, and spells out statuses on demand. */
export class Expander {
  constructor() {
    /** @type {string[]} */ this.names = [];
    /** @type {Map<any, Object<string, any>>} */ this.kept = new Map();
  }

  /** Takes note of an event: a new node gets its number, condensed statuses become readable by name. @param {TraceEvent} event */
  take(event) {
    const { data } = event;
    if (event.kind === "object.created" && data.kind === "Node") this.names.push(data.name);
    if (data.status_groups) Object.defineProperty(data, "statuses", { get: () => this.#statuses(data), enumerable: true, configurable: true });
  }

  /** @param {any} data */
  #statuses(data) {
    let found = this.kept.get(data);
    if (!found) {
      found = {};
      for (const group of data.status_groups) for (const number of numbersOf(group.nodes)) found[this.names[number]] = group.status;
      this.kept.set(data, found);
      if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    }
    return found;
  }
}
