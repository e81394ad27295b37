/**
 * In and out: files into the draft, the draft into files, drafts of before. The one rule: files are read in this browser, and
 * nothing of them is sent before somebody has seen what is in them.
 * @module
 */
import { h, one } from "../dom.js";
import { anonymised } from "./anonymise.js";
import { ago } from "./drafts.js";
import { gather, missingNodes } from "./import.js";
import { Draft } from "./manifests.js";

/** @typedef {{name: string, documents: any[]|null, reason?: string}} ReadFile */

/** @param {any} bench */
export function wireTransfer(bench) {
  const dialog = /** @type {HTMLDialogElement} */ (one("[data-part=dialog]", bench.root));
  const transfer = new Transfer(bench, dialog);
  bench.drafts.onOpen = (/** @type {string} */ text) => transfer.open(text);
  bench.root.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const what = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-do]"))?.dataset.do;
    if (what === "history") transfer.showHistory();
    if (what === "import") transfer.choose();
    if (what === "export") transfer.showExports();
  });
  const hasFiles = (/** @type {DragEvent} */ event) => [...(event.dataTransfer?.types || [])].includes("Files");
  document.addEventListener("dragover", (event) => { if (hasFiles(event)) { event.preventDefault(); bench.root.dataset.dropText = bench.words.say("move.drop"); bench.root.classList.add("is-drop"); } });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) bench.root.classList.remove("is-drop"); });
  document.addEventListener("drop", (event) => {
    bench.root.classList.remove("is-drop");
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    transfer.take([...(event.dataTransfer?.files || [])]);
  }, true);
}

class Transfer {
  /** @param {any} bench @param {HTMLDialogElement} dialog */
  constructor(bench, dialog) {
    this.bench = bench;
    this.words = bench.words;
    this.dialog = dialog;
    dialog.setAttribute("aria-labelledby", "dialog-title");
    dialog.addEventListener("close", () => dialog.replaceChildren());
  }

  /** @param {string} text */
  open(text) {
    const { bench } = this;
    bench.code.open(text);
    bench.selected = "";
    bench.showSide("yaml");
    bench.read();
    bench.checker.now(text);
  }

  /** @param {string} title @param {any[]} body */
  #show(title, ...body) {
    this.dialog.replaceChildren(h("div.ed-dialog-body", {}, h("h2", { id: "dialog-title", tabindex: "-1" }, title), ...body));
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** @param {string} label @param {() => void} act @param {string} [more] */
  #button(label, act, more = "") { return h(`button.button${more}`, { type: "button", onclick: act }, label); }

  #cancel() { return this.#button(this.words.say("move.cancel"), () => this.dialog.close()); }

  // -- in -------------------------------------------------------------------------------------------------------------
  choose() {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "file", multiple: true, accept: ".yaml,.yml,.json,text/*,application/json", "aria-label": this.words.say("move.choose") }));
    input.addEventListener("change", () => this.take([...(input.files || [])]));
    this.#show(this.words.say("move.import"), h("p", {}, this.words.say("move.lead")), input, h("div.ed-verb-row", {}, this.#cancel()));
  }

  /** @param {File[]} files */
  async take(files) {
    if (!files.length) return;
    this.#show(this.words.say("move.title"), h("p", { role: "status" }, this.words.say("move.reading")));
    const read = await readAll(await Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() }))));
    this.#offer(read);
  }

  /** What came in, and how to take it. @param {ReadFile[]} files */
  #offer(files) {
    const { words, bench } = this;
    const isEmpty = !bench.code.text.trim();
    const wishes = { system: true, anonymise: false, into: isEmpty ? "this" : "new" };
    const summary = h("div.ed-dialog-body", { role: "status" });
    const look = () => {
      const there = wishes.into === "this" ? new Set(bench.current().entries.map((/** @type {any} */ entry) => entry.key)) : new Set();
      const found = gather(files, { system: wishes.system, there: /** @type {Set<string>} */ (there) });
      summary.replaceChildren(...this.#summary(found));
      return found;
    };
    const option = (/** @type {"system"|"anonymise"} */ name) => h("label.ed-option", {}, h("input", { type: "checkbox", checked: wishes[name], onchange: (/** @type {Event} */ event) => { wishes[name] = /** @type {HTMLInputElement} */ (event.target).checked; look(); } }), h("span", {}, words.say(`move.${name}`)));
    const into = (/** @type {string} */ name) => h("label.ed-option", {}, h("input", { type: "radio", name: "into", value: name, checked: wishes.into === name, onchange: () => { wishes.into = name; look(); } }), h("span", {}, words.say(`move.into.${name}`)));
    look();
    this.#show(words.say("move.title"), h("p.quiet", {}, words.say("move.files", { count: files.length })), summary, option("system"), option("anonymise"),
      isEmpty ? null : h("fieldset", {}, h("legend.ed-label", {}, words.say("move.into")), into("new"), into("this")),
      h("div.ed-verb-row", {}, this.#button(words.say("move.take"), () => { const found = look(); this.dialog.close(); this.#takeIn(found, wishes); }, ".is-primary"), this.#cancel()));
  }

  /** @param {import("./import.js").Imported} found */
  #summary(found) {
    const { words } = this;
    const kinds = Object.entries(found.counts).map(([kind, count]) => `${count} ${words.has(`kind.${kind}`) ? words.say(`kind.${kind}`) : kind}`);
    if (found.config) kinds.push(words.say("move.config"));
    const missing = missingNodes(found.objects);
    return [
      h("h3", {}, words.say("move.took")), h("p", {}, kinds.join(" · ") || words.say("move.none")),
      ...(missing.length ? [h("p", {}, words.say("edit.missing", { count: missing.length }), " ", missing.slice(0, 5).join(", "), missing.length > 5 ? " …" : "")] : []),
      ...(found.left.length ? [h("h3", {}, words.say("move.left")), h("ul", {}, found.left.map((each) => h("li", {}, words.say(`move.why.${each.why}`, each))))] : []),
    ];
  }

  /** @param {import("./import.js").Imported} found @param {{anonymise: boolean, into: string}} wishes */
  #takeIn(found, wishes) {
    const { bench } = this;
    const objects = wishes.anonymise ? anonymised(found.objects) : found.objects;
    let draft = wishes.into === "this" ? bench.current() : new Draft("");
    const scenario = /** @type {Object<string, any>} */ ({ ...(wishes.anonymise ? {} : found.scenario), config: found.config });
    const needed = ["metadata", "config", "featureGates", "extenders", "timeline", "seed", "until"].filter((key) => scenario[key] !== undefined && scenario[key] !== null);
    if (objects.some(({ generate }) => generate) || needed.length) draft = new Draft(draft.asScenario());
    draft = new Draft(draft.add(objects));
    for (const key of needed) draft = new Draft(draft.setScenario([key], scenario[key]));
    if (wishes.into === "this") bench.apply(draft.text);
    else { bench.drafts.fresh(); this.open(draft.text); bench.drafts.changed(draft.text); }
    bench.say("move.took");
  }

  // -- out ------------------------------------------------------------------------------------------------------------
  showExports() {
    const { words, bench } = this;
    const draft = bench.current();
    const name = (bench.drafts.title || "scenario").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "scenario";
    this.#show(words.say("move.export"),
      h("div.ed-verb-row", {},
        this.#button(words.say("move.export.scenario"), () => save(draft.asScenario(), `${name}.yaml`, "application/yaml")),
        this.#button(words.say("move.export.kubectl"), () => this.#kubectl(`${name}-objects.yaml`)),
        this.#button(words.say("move.export.json"), () => save(JSON.stringify({ apiVersion: "v1", kind: "List", items: draft.entries.map((/** @type {any} */ entry) => entry.manifest) }, null, 2), `${name}.json`, "application/json"))),
      h("p.quiet", {}, words.say("move.export.kubectl.note")), h("div", { "data-part": "refused" }),
      h("div.ed-verb-row", {}, this.#cancel()));
  }

  /** @param {string} name */
  async #kubectl(name) {
    const { bench } = this;
    const response = await fetch("/new/objects.yaml", { method: "POST", body: bench.code.text, headers: { "Content-Type": "application/yaml", "X-CSRFToken": /** @type {HTMLInputElement} */ (one("[name=csrfmiddlewaretoken]", bench.form)).value } });
    if (response.ok) { save(await response.text(), name, "application/yaml"); return; }
    this.dialog.close();
    bench.run("save");
  }

  // -- drafts ---------------------------------------------------------------------------------------------------------
  showHistory() {
    const { words, bench: { drafts } } = this;
    drafts.flush();
    const open = (/** @type {string} */ id, /** @type {string} */ text) => { this.dialog.close(); drafts.open(id, text); };
    const row = (/** @type {any} */ kept) => {
      const states = h("select", { "aria-label": words.say("move.history.states", { count: kept.states.length }) }, h("option", { value: "" }, ago(kept.changed, words.lang)), [...kept.states].reverse().map((state, index) => h("option", { value: String(kept.states.length - 1 - index) }, ago(state.at, words.lang))));
      const chosen = () => { const at = /** @type {HTMLSelectElement} */ (states).value; return at ? kept.states[Number(at)].text : kept.text; };
      return h("li", {}, h("strong", {}, kept.title || words.say("scenario.untitled")), states, h("button.button.is-small", { type: "button", onclick: () => open(kept.id, chosen()) }, words.say("move.history.open")),
        kept.id === drafts.id ? null : h("button.button.is-small", { type: "button", onclick: (/** @type {Event} */ event) => { drafts.forget(kept.id); /** @type {HTMLElement} */ (event.target).closest("li")?.remove(); } }, words.say("move.history.forget")));
    };
    const all = drafts.all();
    this.#show(words.say("move.history.title"), h("p.quiet", {}, words.say("move.history.lead")), all.length ? h("ul.ed-draft-list", {}, all.map(row)) : h("p", {}, words.say("move.history.none")), h("div.ed-verb-row", {}, this.#cancel()));
  }
}

/** @param {{name: string, text: string}[]} texts @returns {Promise<ReadFile[]>} */
function readAll(texts) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./import_worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => { resolve(data); worker.terminate(); };
    worker.onerror = (error) => { reject(error); worker.terminate(); };
    worker.postMessage(texts);
  });
}

/** @param {string} text @param {string} name @param {string} type */
function save(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
