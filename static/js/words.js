/**
 * The two catalogues of a page (its own words, the sentences of events) and the names as this trace writes them.
 * The one rule: the language can change at any moment, so nobody keeps a sentence.
 * @module
 */
import { Messages } from "./messages.js";
import { cores, number, podName, shortNodes, withoutHash } from "./format.js";

const PODS = new Set(["pod", "victim", "cleared", "waiting"]);
const NODES = new Set(["node", "best", "claimed"]);

export class Words extends EventTarget {
  /** @param {string} lang @param {import("./messages.js").Catalogue} wording @param {import("./messages.js").Catalogue} sentences */
  constructor(lang, wording, sentences) {
    super();
    this.nodeName = (/** @type {string} */ name) => name;
    this.#speak(lang, wording, sentences);
  }

  /** @param {string} lang @param {import("./messages.js").Catalogue} wording @param {import("./messages.js").Catalogue} sentences */
  #speak(lang, wording, sentences) {
    this.lang = lang;
    this.all = new Messages({ ...sentences, ...wording }, (name, value) => this.argument(name, value));
  }

  /** @param {string} name @param {any} value */
  argument(name, value) {
    if (PODS.has(name)) return podName(String(value));
    if (NODES.has(name)) return this.nodeName(String(value));
    if (name.endsWith("_cpu")) return cores(value);
    if (Array.isArray(value)) return value.join(", ");
    return typeof value === "number" && Number.isInteger(value) ? number(value) : String(value);
  }

  /** @param {Iterable<string>} names of all nodes */
  learnNodes(names) { this.nodeName = shortNodes(names); }

  /** @param {string} key */
  podLabel(key) { return withoutHash(podName(key)); }

  /** @param {string} id @param {Object<string, any>} [args] */
  say(id, args) { return this.all.say(id, args); }

  /** @param {string} id */
  has(id) { return this.all.has(id); }

  /** The sentence with its names set apart. @param {string} id @param {Object<string, any>} [args] @returns {(string|HTMLElement)[]} */
  rich(id, args) {
    return this.all.pieces(id, args).map(({ text, name }) => {
      if (!name || (!PODS.has(name) && !NODES.has(name))) return text;
      const strong = document.createElement("b");
      strong.textContent = PODS.has(name) ? withoutHash(text) : text;
      return strong;
    });
  }

  /** Fetches the other language and speaks it from now on. @param {string} lang @param {string} base "/static/" */
  async change(lang, base) {
    const [wording, sentences] = await Promise.all(["wording", "messages"].map(async (folder) => (await fetch(`${base}${folder}/${lang}.json`)).json()));
    this.#speak(lang, wording, sentences);
    this.dispatchEvent(new Event("change"));
  }
}
