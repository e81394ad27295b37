/**
 * Asks the server what it makes of the text: problems at their lines, and what the engine knows of every object.
 * The one rule: only the answer for the newest text counts.
 * @module
 */

/** @typedef {{path: string, line: number|null, message: string}} Problem */
/** @typedef {{problems: Problem[], warnings: Problem[], counts: Object<string, number>, missing_nodes: string[], made_up: any[], facts: any}} Checked */

const DELAY = 300;
const LARGE = 256 * 1024;

export class Checker extends EventTarget {
  constructor() {
    super();
    /** @type {Checked|null} */ this.answer = null;
    /** @type {any} of the last text without problems */ this.facts = null;
    this.text = "";
    this.timer = 0;
    /** @type {AbortController|null} */ this.asking = null;
  }

  /** Soon, when nothing is typed any more. @param {string} text */
  soon(text) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(text), text.length > LARGE ? 4 * DELAY : DELAY);
  }

  /** The answer for a text; null when there is none to be had. @param {string} text @returns {Promise<Checked|null>} */
  async now(text) {
    clearTimeout(this.timer);
    if (this.answer && this.text === text) return this.answer;
    this.asking?.abort();
    const asking = this.asking = new AbortController();
    try {
      const answer = await ask(text, asking.signal);
      if (this.asking !== asking) return null;
      this.answer = answer;
      this.text = text;
      this.facts = answer.facts || this.facts;
      this.dispatchEvent(new Event("answer"));
      return answer;
    } catch {
      return null;
    }
  }
}

/** @param {string} text @param {AbortSignal} signal @returns {Promise<Checked>} */
async function ask(text, signal) {
  if (!text.trim()) return { problems: [], warnings: [], counts: {}, missing_nodes: [], made_up: [], facts: { nodes: {}, pods: {}, budgets: {}, fits: {} } };
  const response = await fetch("/api/v1/check", { method: "POST", body: text, signal, headers: { "Content-Type": "application/yaml" } });
  const answer = await response.json();
  if (response.ok) return answer;
  return { problems: answer.problems?.length ? answer.problems : [{ path: "", line: null, message: answer.title }], warnings: [], counts: {}, missing_nodes: [], made_up: [], facts: null };
}
