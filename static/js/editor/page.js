/**
 * The editor: one text, seen as a cluster, as forms and as YAML. Wires the parts together.
 * The one rule: whatever is clicked becomes a change of the text, and everything on the page is drawn from the text.
 * @module
 */
import { one } from "../dom.js";
import { takeFromAddress, wireUnsaved } from "../sharing/unsaved.js";
import { Words } from "../words.js";
import { Actions } from "./actions.js";
import { Checker } from "./check.js";
import { ClusterView } from "./cluster.js";
import { Code } from "./code.js";
import { Drafts } from "./drafts.js";
import { FormView } from "./form.js";
import { Draft } from "./manifests.js";
import { buildModel } from "./model.js";
import { ProblemList } from "./problems.js";
import { Reader } from "./reader.js";
import { complete, helpAt } from "./schema.js";
import { wireTransfer } from "./transfer.js";

const json = (/** @type {string} */ id) => JSON.parse(one(`#${id}`).textContent || "{}");
const DRAW_DELAY = 60;
const LARGE = 1024 * 1024; // letters
const NARROW = matchMedia("(max-width: 900px)"); // the form stands below the cluster

class Workbench {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.form = /** @type {HTMLFormElement} */ (one("[data-part=plain] form"));
    this.area = /** @type {HTMLTextAreaElement} */ (one("textarea", this.form));
    this.words = new Words(document.documentElement.dataset.lang || "en", json("wording"), {});
    this.said = one("[data-part=said]", root);
    this.drafts = new Drafts(root, this.words, { parent: root.dataset.parent || "", given: this.area.value, text: () => this.code.text, about: () => (this.draft.text === this.code.text ? { nodes: this.model?.nodes.length || 0, pods: this.model?.pods.length || 0 } : null) });
    this.checker = new Checker((text) => this.sent(text));
    this.reader = new Reader();
    /** @type {Promise<void>|null} while a worker reads the text */ this.reading = null;
    this.draft = new Draft("");
    this.lastGood = this.draft;
    this.code = new Code(one("[data-part=code]", root), {
      text: "", label: this.words.say("editor.manifests"), placeholder: this.words.say("editor.placeholder"), hint: "", words: this.#phrases(),
      help: helpAt(this.words, () => this.draft), complete: complete(this.words, () => this.draft),
    });
    this.cluster = new ClusterView(one("[data-part=cluster]", root), this.words);
    this.fields = new FormView(one("[data-part=form]", root), this.words);
    this.problems = new ProblemList(one("[data-part=problems]", root), this.words, (line) => { this.showSide("yaml"); this.code.goTo(line); });
    this.actions = new Actions(this);
    /** @type {string} key of the open entry */ this.selected = "";
    this.timer = 0;
    this.#wire();
    wireTransfer(this);
  }

  async start() {
    this.form.hidden = true;
    one("[data-part=plain]").hidden = true;
    const text = await this.drafts.start();
    this.root.hidden = false;
    await Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => { setTimeout(resolve, 50); })]); // a text box that was not laid out yet would draw every line
    if (text) this.code.open(text);
    this.read();
    await this.reading;
    this.checker.now(this.code.text);
    const pod = new URLSearchParams(location.search).get("pod");
    if (pod) this.select(`Pod/${pod}`, { focus: true });
    if (this.root.dataset.problems !== "0") this.#refuseWhenBroken();
  }

  #phrases() {
    const names = ["Find", "Replace", "next", "previous", "all", "match case", "regexp", "by word", "replace", "replace all", "close", "Go to line", "go", "No diagnostics", "Diagnostics"];
    return Object.fromEntries(names.filter((name) => this.words.has(`code.${name}`)).map((name) => [name, this.words.say(`code.${name}`)]));
  }

  #wire() {
    this.code.addEventListener("text", () => this.#textChanged());
    this.code.addEventListener("place", () => this.#followCursor());
    this.checker.addEventListener("answer", () => this.#answered());
    const on = (/** @type {string} */ name, /** @type {(detail: any) => void} */ act) => this.cluster.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));
    on("select", ({ key, byKey, from }) => this.select(key, { focus: byKey, from }));
    on("remove", ({ key }) => this.whenRead(() => this.actions.remove(key)));
    on("copy", ({ key }) => this.whenRead(() => this.actions.copy(key)));
    on("bind", ({ key, node }) => this.whenRead(() => this.actions.bind(key, node)));
    on("move", ({ key, from }) => { this.select(key, { focus: false, from }); this.fields.focusField("node"); });
    on("lift", ({ key }) => { if (key) this.select(key, { quietly: true }); });
    this.fields.addEventListener("set", (event) => this.whenRead(() => this.actions.set(/** @type {CustomEvent} */ (event).detail)));
    this.fields.addEventListener("do", (event) => this.whenRead(() => this.actions.run(/** @type {CustomEvent} */ (event).detail)));
    this.root.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-do]"));
      if (button) this.whenRead(() => this.actions.run({ what: button.dataset.do || "", button }));
      const menu = /** @type {HTMLDetailsElement|null} */ (button?.closest(".ed-menu") || null);
      if (menu) { menu.open = false; if (document.activeElement === button || document.activeElement === document.body) menu.querySelector("summary")?.focus(); }
    });
    document.addEventListener("pointerdown", (event) => { for (const menu of this.root.querySelectorAll(".ed-menu[open]")) if (!menu.contains(/** @type {Node} */ (event.target))) menu.removeAttribute("open"); });
    one("[data-part=filter]", this.root).addEventListener("input", (event) => { this.cluster.filter = /** @type {HTMLInputElement} */ (event.target).value; this.draw(); });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    const typing = target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
    if ((event.ctrlKey || event.metaKey) && !event.altKey && (!typing || /** @type {HTMLElement} */ (target).closest("[data-part=form]"))) {
      if (event.key.toLowerCase() === "z") { event.preventDefault(); this.actions.run({ what: event.shiftKey ? "redo" : "undo" }); }
      if (event.key.toLowerCase() === "y") { event.preventDefault(); this.actions.run({ what: "redo" }); }
    }
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { event.preventDefault(); this.run(); }
    if (event.key === "Escape" && target instanceof HTMLElement && target.closest(".ed-menu[open]")) { const menu = /** @type {HTMLDetailsElement} */ (target.closest(".ed-menu")); menu.open = false; menu.querySelector("summary")?.focus(); return; }
    if (event.key === "Escape" && target instanceof HTMLElement && target.closest("[data-part=form]")) this.close();
  }

  #textChanged() {
    const size = this.code.view.state.doc.length;
    this.drafts.changed(size);
    this.checker.soon(() => this.code.text, size);
    this.#buttons();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.read(), size > 200_000 ? 10 * DRAW_DELAY : DRAW_DELAY);
  }

  #buttons() {
    for (const [name, can] of /** @type {[string, boolean][]} */ ([["undo", this.code.canUndo], ["redo", this.code.canRedo]])) one(`[data-do=${name}]`, this.root).setAttribute("aria-disabled", String(!can));
  }

  /** Reads the text again and draws it; a large one is read beside the page first. */
  read() {
    clearTimeout(this.timer);
    const { text } = this.code;
    const draft = this.reader.now(text);
    if (draft) return this.#show(draft);
    this.root.classList.add("is-reading");
    const reading = this.reading = this.reader.soon(text).then((found) => {
      if (this.reading !== reading) return this.reading || undefined;
      this.reading = null;
      if (!found || found.text !== this.code.text) { this.read(); return this.reading || undefined; }
      this.#show(found);
      return undefined;
    });
  }

  /** @param {Draft} draft */
  #show(draft) {
    this.reading = null;
    this.root.classList.remove("is-reading");
    this.draft = draft;
    if (!draft.error) this.lastGood = draft;
    this.#buttons();
    this.draw();
    this.drafts.know(draft.text);
  }

  /** What changes the text waits until it is read. @param {() => any} act */
  whenRead(act) { return this.reading ? this.reading.then(() => this.whenRead(act)) : act(); }

  /** What the server is asked about: the text itself, or its objects as JSON where the text is so large that only JSON is quick to read. @param {string} text @returns {Promise<import("./check.js").Sent>} */
  async sent(text) {
    if (text.length < LARGE) return { body: text, draft: null };
    await this.whenRead(() => {});
    const draft = this.current();
    if (draft.text !== text || draft.error || draft.isJson) return { body: text, draft: null };
    return { body: JSON.stringify({ apiVersion: "playground/v1", kind: "Scenario", ...draft.scenario, objects: draft.entries.map(({ manifest }) => manifest) }), draft };
  }

  /** The text as it is now, read. */
  current() {
    if (this.draft.text !== this.code.text) this.read();
    return this.draft;
  }

  /** What the engine said last of a text without problems. */
  get facts() { return this.checker.facts; }

  draw() {
    const broken = Boolean(this.draft.error);
    const draft = broken ? this.lastGood : this.draft;
    this.model = buildModel(draft, this.facts);
    this.words.learnNodes(this.model.nodes.map(({ name }) => name));
    this.cluster.root.classList.toggle("is-stale", broken);
    this.cluster.selected = this.selected;
    this.cluster.draw(this.model, this.facts, [], draft);
    this.fields.draw(this.#opened(draft), { draft, model: this.model, facts: this.facts, broken });
    this.problems.draw(this.draft.error, this.checker.text === this.code.text ? this.checker.answer : null, this.code.text);
  }

  /** @param {Draft} draft */
  #opened(draft) {
    if (this.selected.startsWith("setting/")) return { setting: this.selected.slice("setting/".length) };
    const entry = draft.entries.find(({ key }) => key === this.selected);
    return entry ? { entry } : null;
  }

  #answered() {
    const answer = this.checker.answer;
    if (this.checker.text === this.code.text && answer) {
      this.code.mark([...answer.problems.map((each) => ({ ...each, severity: /** @type {"error"} */ ("error") })), ...answer.warnings.map((each) => ({ ...each, severity: /** @type {"warning"} */ ("warning") }))]
        .map(({ line, message, path, severity }) => ({ line, severity, message: path ? `${path}: ${message}` : message })));
    }
    this.draw();
  }

  // -- what is open ---------------------------------------------------------------------------------------------------
  /** @param {string} key @param {{focus?: boolean, from?: HTMLElement|null, quietly?: boolean}} [how] */
  select(key, { focus = false, from = null, quietly = false } = {}) {
    this.selected = key;
    if (from) this.cameFrom = from.dataset;
    const draft = this.current();
    const entry = draft.entries.find((each) => each.key === key);
    if (entry) this.code.show(entry.from, entry.to, !quietly && !NARROW.matches); // to scroll the text would scroll a phone to it
    else this.code.hide();
    this.draw();
    if (quietly) return;
    this.showSide("form");
    if (focus) this.fields.focusFirst();
    else if (NARROW.matches) one(".ed-side", this.root).scrollIntoView({ block: "start" });
  }

  close() {
    const { selected } = this;
    this.selected = "";
    this.code.hide();
    this.showSide("yaml");
    this.draw();
    /** @type {HTMLElement|null} */ (this.cluster.root.querySelector(`[data-entry="${CSS.escape(selected)}"]`))?.focus();
  }

  /** @param {"yaml"|"form"} name */
  showSide(name) {
    this.root.dataset.side = name;
    for (const tab of this.root.querySelectorAll("[role=tab]")) {
      const chosen = /** @type {HTMLElement} */ (tab).dataset.side === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.setAttribute("tabindex", chosen ? "0" : "-1");
    }
  }

  /** The object that the cursor is in is the one that is marked in the cluster. */
  #followCursor() {
    if (!this.code.hasFocus || this.draft.text !== this.code.text) return;
    const at = this.code.view.state.selection.main.head;
    const entry = this.draft.entries.find(({ from, to }) => from <= at && at <= to);
    if (!entry || entry.key === this.selected) return;
    this.selected = entry.key;
    this.code.show(entry.from, entry.to, false);
    this.draw();
  }

  // -- changes --------------------------------------------------------------------------------------------------------
  /** @param {string} text @param {{joins?: boolean, select?: string}} [how] */
  apply(text, { joins = false, select } = {}) {
    this.code.replace(text, joins);
    if (select !== undefined) this.selected = select;
    this.read();
    if (select) {
      const entry = this.draft.entries.find(({ key }) => key === select);
      if (entry) this.code.show(entry.from, entry.to, !NARROW.matches);
    }
  }

  /** Tells who cannot see it what was done. @param {string} id @param {Object<string, any>} [args] */
  say(id, args) { this.said.textContent = this.words.say(id, args); }

  // -- run ------------------------------------------------------------------------------------------------------------
  async run(what = "run") {
    if (await this.#refuseWhenBroken()) return;
    this.drafts.save(this.code.text);
    this.area.value = (await this.sent(this.code.text)).body;
    this.root.classList.add("is-busy");
    this.form.requestSubmit(/** @type {HTMLButtonElement} */ (one(`button[value=${what}]`, this.form)));
  }

  async #refuseWhenBroken() {
    const text = this.code.text;
    if (!text.trim()) { this.problems.refuse([{ path: "", line: null, message: this.words.say("problems.empty") }], text); return true; }
    const answer = await this.checker.now(text);
    if (!answer?.problems.length) return false;
    this.problems.refuse(answer.problems, text);
    return true;
  }
}

const root = document.querySelector("[data-behaviour=workbench]");
if (root) {
  await takeFromAddress();
  const workbench = new Workbench(/** @type {HTMLElement} */ (root));
  workbench.start().then(() => wireUnsaved(workbench));
  globalThis.addEventListener("pageshow", () => workbench.root.classList.remove("is-busy"));
}
