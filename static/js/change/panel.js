/**
 * The panel in which the cluster is changed at this step, and the run goes on from there.
 * The one rule: nothing is sent before it stands in the list, and this run stays as it is.
 * @module
 */
import { h, one } from "../dom.js";
import { seconds } from "../format.js";
import { icon } from "../icons.js";
import { Messages } from "../messages.js";
import { cloneState } from "../trace/reducer.js";
import { drawFields, startingValues } from "./form.js";
import { Cluster, manifestsAt } from "./objects.js";
import { ACTIONS, operationsOf, placeProblems } from "./operations.js";
import { continueRun } from "./send.js";

/** @typedef {import("./operations.js").Change} Change */
/** @typedef {import("./operations.js").Problem} Problem */
/** @typedef {{page: HTMLElement, store: import("../trace/store.js").TraceStore, player: import("../player.js").Player, words: import("../words.js").Words}} Run */

const TICK = 0.001; // operations come this much after the moment they follow: services.continue_run
const POD_FIELDS = Object.freeze(["pod", "copy", "gated"]);
const NODE_FIELDS = Object.freeze(["node", "like", "cordoned", "tainted"]);
const COMPLETE = new Set(["pod-delete", "cordon", "uncordon", "drain", "node-remove"]);

export class ChangePanel {
  /** @param {HTMLDialogElement} root @param {Run} run */
  constructor(root, run) {
    Object.assign(this, { root, run });
    /** @type {Change[]} */ this.list = [];
    /** @type {Problem[]} */ this.problems = [];
    /** @type {Change} */ this.draft = { action: "pod-delete", values: {} };
    this.later = "0";
    /** The form is open; else the list stands alone. */ this.writes = true;
    /** @type {Problem[]} */ this.editing = [];
    this.busy = false;
    run.player.addEventListener("place", () => this.#placed());
    run.words.addEventListener("change", () => this.#translate());
    root.addEventListener("keydown", (event) => { if (event.key === "Escape") { event.stopPropagation(); this.close(); } });
    this.ready = this.#translate();
  }

  async #translate() {
    const { words, page } = this.run;
    const catalogue = await (await fetch(`${page.dataset.static || "/static/"}wording/change/${words.lang}.json`)).json();
    this.words = new Messages(catalogue, (name, value) => words.argument(name, value));
    if (this.root.open) this.draw();
  }

  /** @param {string} [action] @param {Object<string, string>} [given] what is known already @param {HTMLElement|null} [from] where the focus goes back to */
  async open(action, given = {}, from = null) {
    await this.ready;
    this.from = from || this.from;
    this.run.player.pause();
    this.#look();
    if (!this.root.open) this.root.show();
    this.#begin(action || this.draft.action, given);
    if (!action) this.writes = !this.list.length;
    if (!action) this.draw();
    if (action && COMPLETE.has(action)) this.#add();
    else if (action) this.#focus(ACTIONS[action].fields.find((field) => !(field in given)) || "action");
    else one(".change-title", this.root).focus();
  }

  close() {
    this.root.close();
    const back = /** @type {HTMLElement|null} */ (this.from?.isConnected ? this.from : document.querySelector("[data-do=change]"));
    back?.focus();
  }

  /** What is clicked in the cluster goes into the form that is open. @param {{node?: string, pod?: string}} subject */
  choose(subject) {
    if (!this.root.open || !this.writes || !(subject.pod || subject.node)) return;
    const field = ACTIONS[this.draft.action].fields.find((each) => (subject.pod ? POD_FIELDS : NODE_FIELDS).includes(each));
    if (!field) return;
    this.draft.values = startingValues(this.draft.action, this.#after(), { [field]: subject.pod || subject.node || "" }, this.words);
    this.draw();
  }

  get place() { return this.run.store.steps.places[this.run.player.at]; }

  #placed() {
    if (!this.root.open) return;
    this.#look();
    this.draw();
  }

  /** What there is at this step. */
  #look() {
    const { store } = this.run;
    this.manifests = manifestsAt(store, this.place.seq);
    this.state = cloneState(store.stateAt(this.place.seq));
  }

  /** The cluster as it is when everything in the list has happened. */
  #after() {
    const cluster = new Cluster(this.manifests, this.state);
    operationsOf(cluster, this.list);
    return cluster;
  }

  /** @param {string} action @param {Object<string, string>} [given] */
  #begin(action, given = {}) {
    this.draft = { action, values: startingValues(action, this.#after(), given, this.words) };
    this.editing = [];
    this.writes = true;
    this.draw();
  }

  /** Into the list, when it can be done. */
  #add() {
    const { problems } = operationsOf(this.#after(), [this.draft]);
    if (problems.length) { this.#blame(problems); return; }
    this.list = [...this.list, this.draft];
    this.problems = [];
    this.writes = false;
    this.draw();
    this.#focus("send");
  }

  /** Problems at the fields of the form. @param {Problem[]} problems */
  #blame(problems) {
    this.editing = problems;
    this.writes = true;
    this.draw();
    const field = problems.find((each) => each.field)?.field;
    this.#focus(field || "action");
  }

  /** @param {string} name */
  #focus(name) {
    /** @type {HTMLElement|null} */ (this.root.querySelector(`#change-${CSS.escape(name)}`))?.focus();
  }

  /** Out of the list and back into the form. @param {number} index @param {Problem[]} problems */
  #edit(index, problems = []) {
    this.draft = this.list[index];
    this.list = this.list.filter((_, other) => other !== index);
    this.problems = [];
    this.#blame(problems);
  }

  async #send() {
    if (!this.list.length || this.busy) return;
    const made = operationsOf(new Cluster(this.manifests, this.state), this.list);
    if (made.problems.length) { this.#edit(made.problems[0].change, made.problems.filter((each) => each.change === made.problems[0].change)); return; }
    const at = this.moment + Number(this.later || 0);
    const operations = made.operations.map((operation) => (Number(this.later) > 0 ? { at, ...operation } : operation));
    this.#busy(true);
    const { run, problems } = await continueRun(this.run.page.dataset.run || "", operations, this.place.seq);
    if (run) { location.assign(this.#addressOf(run.url)); return; }
    this.#busy(false);
    this.#refused(placeProblems(problems, made.owners, this.list));
  }

  /** @param {boolean} busy */
  #busy(busy) {
    this.busy = busy;
    one(".change-status", this.root).textContent = busy ? this.words.say("send.busy") : "";
  }

  /** @param {Problem[]} problems */
  #refused(problems) {
    const first = problems.find((each) => each.change >= 0);
    this.problems = problems.filter((each) => each.change < 0);
    if (first) { this.#edit(first.change, problems.filter((each) => each.change === first.change)); return; }
    this.draw();
    one(".change-alert", this.root).focus();
  }

  /** The same step of the new run, in the same view; it plays on from there. @param {string} url */
  #addressOf(url) {
    const address = new URL(location.href);
    address.pathname = url;
    address.searchParams.set("step", this.place.path);
    address.search = address.search.replaceAll("%2F", "/");
    address.hash = "continue";
    return address.href;
  }

  get moment() { return Math.round(((this.state?.t || 0) + TICK) * 1000) / 1000; }

  // -- drawing -------------------------------------------------------------------------------------------------------
  draw() {
    const held = this.root.contains(document.activeElement) ? document.activeElement?.id : "";
    const say = (/** @type {string} */ id, /** @type {Object<string, any>} */ args = {}) => this.words.say(id, args);
    const made = operationsOf(new Cluster(this.manifests, this.state), this.list);
    this.root.replaceChildren(.../** @type {Node[]} */ ([
      h("div.change-head", {}, h("h2.change-title", { id: "change-title", tabindex: "-1" }, say("title")), h("button.icon-button", { type: "button", "aria-label": say("close"), onclick: () => this.close() }, icon("cross"))),
      h("p.change-when", {}, icon("clock"), h("span", {}, say(this.run.player.at ? "when" : "when.start", { at: seconds(this.moment + Number(this.later || 0)), now: seconds(this.state.t) }))),
      this.list.length ? this.#drawList(say, made) : null,
      this.writes ? this.#drawForm(say) : h("button.button.change-more", { type: "button", id: "change-more", onclick: () => { this.#begin(this.draft.action); this.#focus("action"); } }, icon("plus"), say("more")),
      this.#drawEnd(say),
    ].filter(Boolean)));
    if (held) this.#focus(held.replace(/^change-/, ""));
  }

  /** @param {(id: string, args?: Object<string, any>) => string} say */
  #drawForm(say) {
    const groups = [...new Set(Object.values(ACTIONS).map((each) => each.group))];
    const select = /** @type {HTMLSelectElement} */ (h("select", { id: "change-action" }, groups.map((group) => h("optgroup", { label: say(`group.${group}`) },
      Object.keys(ACTIONS).filter((action) => ACTIONS[action].group === group).map((action) => h("option", { value: action, selected: action === this.draft.action }, say(`action.${action}`)))))));
    select.addEventListener("change", () => { this.#begin(select.value); this.#focus("action"); });
    const fields = h("div.change-fields");
    const redraw = () => { const held = document.activeElement?.id || ""; drawFields(fields, this.draft, this.#after(), this.words, this.editing, redraw); document.getElementById(held)?.focus(); };
    redraw();
    return h("form.change-form", { novalidate: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.#add(); } },
      h("div.change-field", {}, h("label", { for: "change-action" }, say("field.action")), select), fields,
      this.draft.action === "pod-priority"
        ? h("button.button", { type: "button", id: "change-instead", onclick: () => { this.#begin("pod-add"); this.#focus("copy"); } }, say("priority.instead"))
        : h("button.button", { type: "submit", id: "change-add" }, icon("plus"), say("add")));
  }

  /** @param {(id: string, args?: Object<string, any>) => string} say @param {ReturnType<typeof operationsOf>} made */
  #drawList(say, made) {
    const line = (/** @type {Change} */ change, /** @type {number} */ index) => {
      const text = say(made.sentences[index].id, made.sentences[index].args);
      const problem = made.problems.find((each) => each.change === index);
      return h("li.change-line", {}, h("span.change-text", {}, text), problem ? h("p.change-problem", {}, problem.message || say(problem.id || "", problem.args)) : null,
        h("span.change-tools", {}, h("button.link", { type: "button", "aria-label": say("edit.of", { text }), onclick: () => this.#edit(index) }, say("edit")),
          h("button.link", { type: "button", "aria-label": say("remove.of", { text }), onclick: () => { this.list = this.list.filter((_, other) => other !== index); this.writes ||= !this.list.length; this.draw(); this.#focus(this.writes ? "action" : "more"); } }, say("remove"))));
    };
    return h("section.change-list", { "aria-label": say("list.title") }, h("h3.label", {}, say("list.title")),
      h("ol", {}, this.list.map(line)));
  }

  /** @param {(id: string, args?: Object<string, any>) => string} say */
  #drawEnd(say) {
    const later = /** @type {HTMLInputElement} */ (h("input", { id: "change-later", type: "number", min: 0, max: 100000, step: 1, value: this.later, inputmode: "numeric" }));
    later.addEventListener("change", () => { this.later = String(Math.max(0, Math.min(100000, Number(later.value) || 0))); this.draw(); });
    return h("div.change-end", {},
      h("div.change-later", {}, h("label", { for: "change-later" }, say("field.later")), later, h("span", {}, say("seconds"))),
      this.problems.length ? h("div.change-alert", { role: "alert", tabindex: "-1" }, this.problems.map((each) => h("p.change-problem", {}, each.message || say("send.failed")))) : null,
      h("button.button.is-primary", { type: "button", id: "change-send", "aria-disabled": this.list.length ? null : "true", onclick: () => this.#send() }, icon("play"), say("send", { count: this.list.length })),
      h("p.change-note", {}, say("send.note")), h("p.change-status", { role: "status" }));
  }
}
