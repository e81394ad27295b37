/**
 * Predict: the player stops before each decision and asks; the reveal plays the real steps.
 * The one rule: no points and no clock; whoever does not want to answer goes on.
 * @module
 */
import { h, one } from "./dom.js";
import { icon } from "./icons.js";
import { wantsMotion } from "./stage/flip.js";
import { isRight, questionBetween } from "./trace/predict.js";

/** @typedef {import("./trace/predict.js").Question} Question */

const BEAT = 420; // ms between two steps of a reveal
const MOST_BEATS = 12; // of a longer reveal the last steps are played

export class Predict {
  /** @param {HTMLElement} page @param {{player: import("./player.js").Player, store: import("./trace/store.js").TraceStore, words: import("./words.js").Words}} run */
  constructor(page, run) {
    Object.assign(this, { page, ...run });
    this.root = one("[data-part=predict]", page);
    this.button = one("[data-do=predict]", page);
    this.on = false;
    /** @type {Question|null} */ this.question = null;
    /** @type {Set<string>|null} */ this.chosen = null;
    /** @type {Set<string>} paths */ this.asked = new Set();
    this.resumes = false;
    this.verdict = "";
    this.timer = 0;
    this.button.addEventListener("click", () => this.toggle());
    this.root.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); this.#close(); } });
    this.player.addEventListener("place", () => { if (this.question && (this.player.at < this.question.ask || this.player.at > this.question.reveal)) this.#close(); });
    this.words.addEventListener("change", () => this.#draw());
  }

  toggle() {
    this.on = !this.on;
    this.button.setAttribute("aria-pressed", String(this.on));
    this.player.gate = this.on ? (from, to) => this.#gate(from, to) : null;
    if (!this.on) { this.#close(); return; }
    this.asked.clear();
    this.root.hidden = false;
    this.root.replaceChildren(h("p.predict-note", { role: "status" }, this.words.say("predict.on")));
    this.#gate(this.player.at, this.player.at + 1);
  }

  /** Where a move from one place to another may go: no further than the next question. @param {number} from @param {number} to */
  #gate(from, to) {
    if (this.question && !this.chosen) { this.#answer(new Set(), true); return this.player.at; }
    const question = questionBetween(this.store, from, to, this.asked);
    if (!question) { this.#close(); return to; }
    this.resumes = this.player.playing;
    if (this.player.playing) this.player.pause();
    this.asked.add(question.path);
    this.question = question;
    this.chosen = null;
    queueMicrotask(() => { this.#draw(); one(".predict-text", this.root).focus({ preventScroll: true }); });
    return question.ask;
  }

  /** @param {Set<string>} chosen keys of options @param {boolean} [shown] nobody answered: only show it */
  #answer(chosen, shown = false) {
    if (!this.question || this.chosen) return;
    this.chosen = chosen;
    this.verdict = shown ? "predict.shown" : isRight(this.question, chosen) ? "predict.right" : "predict.wrong";
    this.#draw();
    one("[data-do=go-on]", this.root).focus({ preventScroll: true });
    this.#reveal();
  }

  /** Plays the real steps up to the one that answers. */
  #reveal() {
    const { question, player } = this;
    if (!question) return;
    const start = Math.max(player.at, question.reveal - MOST_BEATS);
    if (!wantsMotion()) { player.go(question.reveal); return; }
    const beat = () => {
      if (this.question !== question || player.at >= question.reveal) return;
      player.go(Math.max(player.at, start) + 1);
      this.timer = window.setTimeout(beat, BEAT);
    };
    beat();
  }

  /** On to the next question, or on playing. */
  #goOn() {
    const { question, player } = this;
    this.#close();
    if (question && player.at < question.reveal) player.go(question.reveal);
    one("[data-do=forward]", this.page).focus({ preventScroll: true });
    if (this.resumes) player.play();
    else player.move("decision", 1);
  }

  #close() {
    clearTimeout(this.timer);
    const held = this.root.contains(document.activeElement);
    this.question = null;
    this.root.hidden = true;
    this.root.replaceChildren();
    if (held) one("[data-do=forward]", this.page).focus({ preventScroll: true });
  }

  #draw() {
    const { question, words, chosen } = this;
    if (!question) return;
    this.root.hidden = false;
    const form = /** @type {HTMLFormElement} */ (h("form.predict-form", {},
      h("fieldset.predict-options", { disabled: Boolean(chosen) }, h("legend.predict-text", { tabindex: "-1", id: "predict-text" }, words.rich(question.text.id, question.text.args), question.many ? h("span.quiet", {}, ` ${words.say("predict.many")}`) : null),
        question.options.map((option, index) => this.#drawOption(option, index))),
      h("p.predict-result", { role: "status" }, chosen ? [icon(this.verdict === "predict.right" ? "check" : "arrow"), h("strong", {}, words.say(this.verdict)), " ", this.#truth()] : null),
      h("p.predict-buttons", {}, chosen ? h("button.button.is-primary", { type: "button", "data-do": "go-on", onclick: () => this.#goOn() }, words.say("predict.go_on"))
        : [h("button.button.is-primary", { type: "submit" }, words.say("predict.answer")), h("button.button", { type: "button", onclick: () => this.#answer(new Set(), true) }, words.say("predict.show"))])));
    form.addEventListener("submit", (event) => { event.preventDefault(); this.#submit(form); });
    this.root.replaceChildren(form);
  }

  /** @param {HTMLFormElement} form */
  #submit(form) {
    const question = /** @type {Question} */ (this.question);
    const picked = [...form.querySelectorAll("input:checked")].map((input) => question.options[Number(/** @type {HTMLInputElement} */ (input).value)].key);
    if (!picked.length && !question.many) { /** @type {HTMLElement|null} */ (form.querySelector("input"))?.focus(); return; }
    this.#answer(new Set(picked));
  }

  /** @param {import("./trace/predict.js").Option} option @param {number} index */
  #drawOption(option, index) {
    const { words, chosen } = this;
    const question = /** @type {Question} */ (this.question);
    const verdict = !chosen ? "" : option.right ? ".is-right" : chosen.has(option.key) ? ".is-wrong" : "";
    return h(`label.predict-option${verdict}`, {},
      h("input", { type: question.many ? "checkbox" : "radio", name: "predict", value: index, checked: Boolean(chosen?.has(option.key)) }),
      h("span", {}, words.rich(option.label.id, option.label.args)),
      verdict === ".is-right" ? h("span.predict-mark", {}, icon("check"), h("span.sr", {}, words.say("predict.is_right"))) : verdict ? h("span.predict-mark", {}, icon("cross"), h("span.sr", {}, words.say("predict.is_wrong"))) : null);
  }

  /** What the trace says, in the words of the options. */
  #truth() {
    const question = /** @type {Question} */ (this.question);
    const right = question.options.filter((option) => option.right).map((option) => this.words.say(option.label.id, option.label.args));
    return right.length ? right.join(this.words.lang === "en" ? ", " : "、") : this.words.say("predict.none");
  }
}
