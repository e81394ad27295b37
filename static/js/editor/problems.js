/**
 * What is wrong with the draft, and what is only remarked, each a way to its line.
 * The one rule: a count that changes is said quietly; a refusal is said aloud.
 * @module
 */
import { h } from "../dom.js";

/** @typedef {import("./check.js").Problem} Problem */
const MOST = 100;

export class ProblemList {
  /** @param {HTMLElement} root @param {import("../words.js").Words} words @param {(line: number) => void} goTo */
  constructor(root, words, goTo) {
    this.root = root;
    this.words = words;
    /** @type {string|null} the text that was refused */ this.refused = null;
    root.addEventListener("click", (event) => {
      const link = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-line]"));
      if (link) { event.preventDefault(); goTo(Number(link.dataset.line)); }
    });
  }

  /** @param {{message: string, line: number}|null} error @param {import("./check.js").Checked|null} answer @param {string} text */
  draw(error, answer, text) {
    if (this.refused !== null && this.refused !== text) this.#forget();
    if (this.refused !== null) return;
    const problems = answer?.problems.length ? answer.problems : error && !answer ? [{ path: "", line: error.line, message: error.message }] : [];
    const warnings = answer?.warnings || [];
    const missing = answer?.missing_nodes || [];
    const sign = JSON.stringify([problems, warnings, missing, answer?.counts, this.words.lang]);
    if (this.sign === sign) return;
    this.sign = sign;
    const open = this.root.querySelector("details")?.open ?? false;
    this.root.replaceChildren(
      missing.length ? this.#missing(missing) : "",
      problems.length ? h("section.problems", {}, h("h2", {}, this.words.say("problems.title", { count: problems.length })), this.#list(problems)) : "",
      warnings.length ? h("details.remarks", { open }, h("summary", {}, this.words.say("scenario.warnings", { count: warnings.length })), this.#list(warnings)) : "",
      problems.length || !text.trim() || !answer ? "" : h("p.ed-fine", {}, this.#counts(answer.counts)));
  }

  /** @param {Object<string, number>} counts */
  #counts(counts) {
    return Object.entries(counts).sort(([a], [b]) => rank(a) - rank(b)).map(([kind, count]) => `${count} ${this.words.has(`kind.${kind}`) ? this.words.say(`kind.${kind}`) : kind}`).join(" · ");
  }

  /** @param {string[]} names */
  #missing(names) {
    return h("section.ed-missing", {}, h("p", {}, h("strong", {}, this.words.say("edit.missing", { count: names.length })), " ", names.slice(0, 3).join(", "), names.length > 3 ? " …" : ""),
      h("button.button.is-small", { type: "button", "data-do": "make-missing" }, this.words.say("edit.missing.make")));
  }

  /** @param {Problem[]} problems @param {string} text that they are of */
  refuse(problems, text) {
    this.refused = text;
    this.sign = "";
    const box = h("section.problems", { role: "alert" }, h("h2", {}, this.words.say("problems.title", { count: problems.length })), h("p", {}, this.words.say("problems.lead")), this.#list(problems));
    this.root.replaceChildren(box);
    box.scrollIntoView({ block: "nearest" });
  }

  #forget() { this.refused = null; this.sign = ""; }

  /** @param {Problem[]} problems */
  #list(problems) {
    return h("ol", { tabindex: problems.length > 4 ? "0" : null, "aria-label": this.words.say("edit.problems") },
      problems.slice(0, MOST).map(({ line, path, message }) => h("li", {}, line ? h("a.problem-line", { href: "#code", "data-line": line }, this.words.say("problems.line", { line })) : null, " ", path ? h("code", {}, path) : null, " ", h("span", {}, message))),
      problems.length > MOST ? h("li", {}, this.words.say("problems.more", { count: problems.length - MOST })) : null);
  }
}

/** @param {string} kind */
function rank(kind) {
  const at = ["Node", "Pod", "PodDisruptionBudget", "PriorityClass"].indexOf(kind);
  return at < 0 ? 9 : at;
}
