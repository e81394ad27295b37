/**
 * Asks the server what it makes of the text: problems at their lines, and what the engine knows of every object.
 * The one rule: only the answer for the newest text counts.
 * @module
 */

import { keysOf } from "./model.js";

/** @typedef {{path: string, line: number|null, message: string}} Problem */
/** @typedef {{body: string, draft: import("./manifests.js").Draft|null}} Sent `draft` says where the objects of a body stand that is not the text itself */
/** @typedef {{problems: Problem[], warnings: Problem[], counts: Object<string, number>, missing_nodes: string[], made_up: any[], facts: any}} Checked */

const DELAY = 300;
const LARGE = 256 * 1024;

export class Checker extends EventTarget {
  /** @param {(text: string) => Promise<Sent>} sent what is sent of a text */
  constructor(sent) {
    super();
    this.sent = sent;
    /** @type {Checked|null} */ this.answer = null;
    /** @type {any} of the last text without problems */ this.facts = null;
    this.text = "";
    this.timer = 0;
    /** @type {AbortController|null} */ this.asking = null;
  }

  /** Soon, when nothing is typed any more. @param {() => string} text @param {number} size */
  soon(text, size) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(text()), size > LARGE ? 4 * DELAY : DELAY);
  }

  /** The answer for a text; null when there is none to be had. @param {string} text @returns {Promise<Checked|null>} */
  async now(text) {
    clearTimeout(this.timer);
    if (this.answer && this.text === text) return this.answer;
    this.asking?.abort();
    const asking = this.asking = new AbortController();
    try {
      const { body, draft } = await this.sent(text);
      if (this.asking !== asking) return null;
      const answer = await ask(body, asking.signal);
      if (this.asking !== asking) return null;
      if (draft) for (const each of [...answer.problems, ...answer.warnings]) Object.assign(each, placeIn(draft, each));
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

/** Where a path into the objects that were sent stands in the text. @param {import("./manifests.js").Draft} draft @param {Problem} problem @returns {Partial<Problem>} */
export function placeIn(draft, { path }) {
  const found = /^objects\[(\d+)\]\.?(.*)$/.exec(path);
  const entry = found ? draft.entries[Number(found[1])] : null;
  if (!found || !entry) return { line: null };
  return { path: [writtenPath(entry.path), found[2]].filter(Boolean).join("."), line: draft.lineOf(entry, keysOf(found[2])) };
}

/** "documents[2]", "objects[3]", as problems name them. @param {(string|number)[]} path */
function writtenPath([document, ...way]) {
  return way.length ? way.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`)).join("").replace(/^\./, "") : `documents[${document}]`;
}

/** @param {string} text @param {AbortSignal} signal @returns {Promise<Checked>} */
async function ask(text, signal) {
  if (!text.trim()) return { problems: [], warnings: [], counts: {}, missing_nodes: [], made_up: [], facts: { nodes: {}, pods: {}, budgets: {}, fits: {} } };
  const response = await fetch("/api/v1/check", { method: "POST", body: text, signal, headers: { "Content-Type": "application/yaml" } });
  const answer = await response.json();
  if (response.ok) return answer;
  return { problems: answer.problems?.length ? answer.problems : [{ path: "", line: null, message: answer.title }], warnings: [], counts: {}, missing_nodes: [], made_up: [], facts: null };
}
