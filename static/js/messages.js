/**
 * Sentences from ids and arguments: the same catalogue speaks on the page, in the shell and in both languages.
 * The one rule: everything that comes out is text, never HTML.
 * @module
 */

/** @typedef {{[id: string]: string | {one: string, other: string}}} Catalogue */

const TERMS = new Set(["rule", "to", "from", "limit"]); // arguments whose values are words of ours, kept as term.* in the catalogue

/** The entry for a count. @param {string|{one: string, other: string}} entry @param {any} count */
export function chosen(entry, count) {
  if (typeof entry === "string") return entry;
  return count === 1 ? entry.one : entry.other;
}

export class Messages {
  /** @param {Catalogue} catalogue @param {(name: string, value: any) => string} [show] how an argument is written */
  constructor(catalogue, show) {
    this.catalogue = catalogue;
    this.show = show || ((_name, value) => String(value));
  }

  /** @param {string} id @returns {boolean} */
  has(id) { return Object.hasOwn(this.catalogue, id); }

  /** The sentence as pieces, so that a page can set names apart. @param {string} id @param {Object<string, any>} [args] @returns {{text: string, name: string|null}[]} */
  pieces(id, args = {}) {
    const entry = this.catalogue[this.has(id) ? id : id.split(".").slice(0, 2).join(".")];
    if (entry === undefined) return [{ text: id, name: null }];
    return chosen(entry, args.count)
      .split(/(\{\w+\})/)
      .filter((part) => part !== "")
      .map((part) => {
        const name = /^\{(\w+)\}$/.exec(part)?.[1];
        return name && name in args ? { text: this.#argument(name, args[name]), name } : { text: part, name: null };
      });
  }

  /** @param {string} id @param {Object<string, any>} [args] */
  say(id, args = {}) { return this.pieces(id, args).map((piece) => piece.text).join(""); }

  /** @param {string} name @param {any} value */
  #argument(name, value) {
    const term = `term.${value}`;
    return TERMS.has(name) && this.has(term) ? String(this.catalogue[term]) : this.show(name, value);
  }
}
