/**
 * One node at a time, where there is no room for more. The one rule: it is there only while there is more than one to choose from.
 * @module
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";

export class Pager {
  /** @param {Element} cards @param {import("../words.js").Words} words @param {(name: string) => void} pick */
  constructor(cards, words, pick) {
    this.words = words;
    /** @type {string[]} */ this.names = [];
    this.at = 0;
    const step = (/** @type {number} */ way) => () => pick(this.names[(this.at + way + this.names.length) % this.names.length]);
    this.back = h("button.icon-button", { type: "button", onclick: step(-1) }, icon("back"));
    this.forward = h("button.icon-button", { type: "button", onclick: step(1) }, icon("forward"));
    this.text = h("span.pager-text");
    this.root = h("div.pager", { hidden: true, role: "group" }, this.back, this.text, this.forward);
    cards.before(this.root);
  }

  /** @param {string[]} names none: no pager @param {string} shown */
  draw(names, shown) {
    const hidden = names.length < 2;
    if (this.root.hidden !== hidden) this.root.hidden = hidden;
    this.names = names;
    this.at = Math.max(0, names.indexOf(shown));
    if (hidden) return;
    const { words } = this;
    this.root.setAttribute("aria-label", words.say("region.cluster"));
    this.back.setAttribute("aria-label", words.say("pager.back"));
    this.forward.setAttribute("aria-label", words.say("pager.forward"));
    this.text.textContent = words.say("pager.at", { name: words.nodeName(shown), at: this.at + 1, count: names.length });
  }
}
