/**
 * Texts to drafts without a stop that is felt: what changed is read at once when it is small, and in a worker when it is not.
 * The one rule: the draft of a text is the same whichever way it was read.
 * @module
 */
import { Draft, Read, partsOf } from "./manifests.js";
import { piecesOf } from "./parts.js";

/** @typedef {import("./parts.js").Part} Part */

const AT_ONCE = 40_000; // letters that are read in less than 50 ms

/** The pieces of a text that may be too long to be read at once; JSON is read in one go. @param {string} text */
const piecesToRead = (text) => (text.length < AT_ONCE || /^\s*[[{]/.test(text) ? null : piecesOf(text));

export class Reader {
  #read = new Read();
  #id = 0;
  /** @type {Worker|null} */ #worker = null;
  /** @type {{id: number, parts: Part[], done: () => void}|null} */ #asked = null;

  /** The draft of a text; null when reading it takes a worker. @param {string} text @returns {Draft|null} */
  now(text) {
    const pieces = piecesToRead(text);
    return pieces && this.#unread(pieces).letters > AT_ONCE ? null : new Draft(text, this.#read, pieces);
  }

  /** @param {string} text @returns {Promise<Draft|null>} null when another text was asked for meanwhile */
  async soon(text) {
    const pieces = piecesToRead(text);
    this.#id += 1;
    const id = this.#id;
    if (pieces) await this.#ask(id, this.#unread(pieces).parts);
    return this.#id === id ? new Draft(text, this.#read, pieces) : null;
  }

  /** What is not known yet. @param {import("./parts.js").Piece[]} pieces */
  #unread(pieces) {
    const parts = partsOf(pieces).filter((part) => !this.#read.has(part));
    return { parts, letters: parts.reduce((letters, part) => letters + part.text.length, 0) };
  }

  /** @param {number} id @param {Part[]} parts @returns {Promise<void>} */
  #ask(id, parts) {
    this.#asked?.done();
    return new Promise((done) => {
      this.#asked = { id, parts, done };
      this.#theWorker().postMessage({ id, parts: parts.map(({ text, isItem }) => ({ text, isItem })) });
    });
  }

  #theWorker() {
    if (this.#worker) return this.#worker;
    const worker = this.#worker = new Worker(new URL("./reader_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, from, contents, done } }) => {
      const asked = this.#asked;
      if (asked?.id !== id) return;
      contents.forEach((/** @type {any} */ content, /** @type {number} */ index) => this.#read.learn(asked.parts[from + index], content));
      if (done) { this.#asked = null; asked.done(); }
    };
    worker.onerror = () => { this.#asked?.done(); this.#asked = null; }; // the page reads it itself then
    return worker;
  }
}
