/**
 * In and out: files into the draft, the draft into files, drafts of before. The one rule: files are read in this browser, and
 * nothing of them is sent before somebody has seen what is in them.
 * @module
 */
import { h, one } from "../dom.js";
import { number } from "../format.js";
import { ago, megabytes, when } from "./drafts.js";

/** @param {any} bench */
export function wireTransfer(bench) {
  const dialog = /** @type {HTMLDialogElement} */ (one("[data-part=dialog]", bench.root));
  const transfer = new Transfer(bench, dialog);
  bench.drafts.onOpen = (/** @type {string} */ text) => transfer.open(text);
  bench.drafts.onRestore = (/** @type {string} */ text) => bench.apply(text, { select: "" });
  bench.code.addEventListener("longPaste", (/** @type {CustomEvent} */ event) => transfer.take([{ name: bench.words.say("move.pasted"), text: event.detail }]));
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
    /** @type {Importer|null} */ this.importer = null;
    dialog.addEventListener("close", () => { dialog.replaceChildren(); this.importer?.end(); this.importer = null; });
  }

  /** @param {string} text */
  open(text) {
    const { bench } = this;
    bench.code.open(text);
    bench.selected = "";
    bench.showSide("yaml");
    bench.read();
    bench.whenRead(() => bench.checker.now(text));
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
    const { words } = this;
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "file", multiple: true, accept: ".yaml,.yml,.json,.gz,text/*,application/json,application/gzip", "aria-label": words.say("move.choose") }));
    input.addEventListener("change", () => this.take([...(input.files || [])]));
    const pasted = /** @type {HTMLTextAreaElement} */ (h("textarea.is-mono", { rows: "3", spellcheck: "false", placeholder: words.say("move.paste.hint") }));
    const read = () => { if (pasted.value.trim()) this.take([{ name: words.say("move.pasted"), text: pasted.value }]); };
    pasted.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") || "";
      if (pasted.value || !text.trim()) return;
      event.preventDefault(); // a box takes seconds to show a large text, and nobody reads it there
      this.take([{ name: words.say("move.pasted"), text }]);
    });
    this.#show(words.say("move.import"), h("p", {}, words.say("move.lead")), input, h("label.ed-field", {}, h("span.ed-label", {}, words.say("move.paste")), pasted),
      h("div.ed-verb-row", {}, this.#button(words.say("move.read"), read), this.#cancel()));
  }

  /** @param {(File|{name: string, text: string})[]} files */
  async take(files) {
    if (!files.length) return;
    this.#show(this.words.say("move.title"), h("p", { role: "status" }, this.words.say("move.reading")), h("div.ed-verb-row", {}, this.#cancel()));
    this.importer?.end();
    const importer = this.importer = new Importer();
    await importer.ask({ what: "read", files });
    if (this.importer === importer && this.dialog.open) await this.#offer(importer, files.length);
  }

  /** What came in, and how to take it. @param {Importer} importer @param {number} files */
  async #offer(importer, files) {
    const { words, bench } = this;
    const isEmpty = !bench.code.text.trim();
    const wishes = { system: true, anonymise: false, missing: false, into: isEmpty ? "this" : "new" };
    const summary = h("div.ed-dialog-body", { role: "status" });
    const look = async () => {
      const there = wishes.into === "this" ? bench.current().entries.map((/** @type {any} */ entry) => entry.key) : [];
      const found = await importer.ask({ what: "look", system: wishes.system, anonymise: wishes.anonymise, there });
      summary.replaceChildren(...this.#summary(found));
      missing.hidden = !found.missing.count;
      none.hidden = found.total > 0 || found.config;
      /** @type {HTMLButtonElement} */ (takeIn).disabled = !none.hidden;
    };
    const option = (/** @type {"system"|"anonymise"|"missing"} */ name) => h("label.ed-option", {}, h("input", { type: "checkbox", checked: wishes[name], onchange: (/** @type {Event} */ event) => { wishes[name] = /** @type {HTMLInputElement} */ (event.target).checked; look(); } }), h("span", {}, words.say(`move.${name}`)));
    const into = (/** @type {string} */ name) => h("label.ed-option", {}, h("input", { type: "radio", name: "into", value: name, checked: wishes.into === name, onchange: () => { wishes.into = name; look(); } }), h("span", {}, words.say(`move.into.${name}`)));
    const missing = option("missing"), none = h("p", { hidden: true }, words.say("move.none.lead"));
    const takeIn = this.#button(words.say("move.take"), () => this.#takeIn(importer, wishes), ".is-primary");
    await look();
    this.#show(words.say("move.title"), h("p.quiet", {}, words.say("move.files", { count: files })), summary, none, option("system"), option("anonymise"), missing,
      isEmpty ? null : h("fieldset.ed-choice", {}, h("legend.ed-label", {}, words.say("move.into")), into("new"), into("this")),
      h("div.ed-verb-row", {}, takeIn, this.#cancel()));
    one("h2", this.dialog).focus();
  }

  /** @param {import("./import.js").Summary} found */
  #summary(found) {
    const { words } = this;
    const kinds = Object.entries(found.counts).map(([kind, count]) => `${number(count)} ${words.has(`kind.${kind}`) ? words.say(`kind.${kind}`) : kind}`);
    if (found.config) kinds.push(words.say("move.config"));
    const { count, first } = found.missing;
    return [
      h("h3", {}, words.say("move.took")), h("p", {}, kinds.join(" · ") || words.say("move.none")),
      ...(count ? [h("p", {}, words.say("edit.missing", { count }), " ", first.join(", "), count > first.length ? " …" : "")] : []),
      ...(found.left.length ? [h("h3", {}, words.say("move.left")), h("ul", {}, found.left.map((each) => h("li", {}, words.say(`move.why.${each.why}`, each))))] : []),
    ];
  }

  /** @param {Importer} importer @param {{system: boolean, anonymise: boolean, missing: boolean, into: string}} wishes */
  async #takeIn(importer, wishes) {
    const { bench } = this;
    const isNew = wishes.into === "new";
    this.#show(this.words.say("move.title"), h("p", { role: "status" }, this.words.say("move.writing")));
    const text = await importer.ask({ what: "take", ...wishes, text: isNew ? "" : bench.code.text });
    importer.end();
    if (isNew) { await bench.drafts.fresh(); this.open(text); bench.drafts.changed(text.length); } else bench.apply(text);
    bench.whenRead(async () => {
      this.dialog.close();
      bench.say("move.took");
      if (wishes.missing && await bench.checker.now(bench.code.text)) bench.actions.makeMissing();
    });
  }

  // -- out ------------------------------------------------------------------------------------------------------------
  showExports() {
    const { words, bench } = this;
    const draft = bench.current();
    const name = (bench.drafts.title || "scenario").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "scenario";
    const way = (/** @type {string} */ what, /** @type {() => any} */ act) => h("li", {}, this.#button(words.say(`move.export.${what}`), act), h("span.quiet", {}, words.say(`move.export.${what}.note`)));
    this.#show(words.say("move.export"),
      h("ul.ed-exports", {},
        way("scenario", () => save(draft.asScenario(), `${name}.yaml`, "application/yaml")),
        way("kubectl", () => this.#kubectl(`${name}-objects.yaml`)),
        way("json", () => save(JSON.stringify({ apiVersion: "v1", kind: "List", items: draft.entries.map((/** @type {any} */ entry) => entry.manifest) }, null, 2), `${name}.json`, "application/json"))),
      h("p.quiet", {}, words.say("move.export.run")), h("div.ed-verb-row", {}, this.#cancel()));
  }

  /** @param {string} name */
  async #kubectl(name) {
    const { bench } = this;
    const response = await fetch("/new/objects.yaml", { method: "POST", body: (await bench.sent(bench.code.text)).body, headers: { "Content-Type": "application/yaml", "X-CSRFToken": /** @type {HTMLInputElement} */ (one("[name=csrfmiddlewaretoken]", bench.form)).value } });
    if (response.ok) { save(await response.text(), name, "application/yaml"); return; }
    this.dialog.close();
    bench.run("save");
  }

  // -- drafts ---------------------------------------------------------------------------------------------------------
  async showHistory() {
    const { words, bench: { drafts } } = this;
    await drafts.flush();
    const all = await drafts.all();
    const own = all.find(({ id }) => id === drafts.id);
    const others = all.filter((each) => each !== own);
    this.#show(words.say("move.history.title"), h("p.quiet", {}, words.say("move.history.lead")),
      own?.states.length ? h("h3", {}, words.say("move.history.this")) : null, own?.states.length ? this.#states(own) : null,
      others.length ? h("h3", {}, words.say("move.history.others")) : null, others.length ? h("ul.ed-draft-list", {}, others.map((kept) => this.#kept(kept))) : null,
      own?.states.length || others.length ? null : h("p", {}, words.say("move.history.none")), h("div.ed-verb-row", {}, this.#cancel()));
  }

  /** Earlier states of a draft, the newest first. @param {import("./kept.js").Meta} kept */
  #states(kept) {
    return h("ul.ed-draft-list.is-states", {}, [...kept.states].reverse().map(({ at, size, about }) => h("li", {}, h("span", {}, when(at, this.words.lang)), h("span.quiet", {}, this.#about(size, about)), this.#open("move.history.restore", kept.id, at))));
  }

  /** @param {import("./kept.js").Meta} kept */
  #kept(kept) {
    const { words, bench: { drafts } } = this;
    const forget = (/** @type {Event} */ event) => { drafts.forget(kept.id); /** @type {HTMLElement} */ (event.target).closest("li")?.remove(); };
    return h("li", {}, h("strong", {}, kept.title || words.say("scenario.untitled")), h("span.quiet", {}, `${ago(kept.changed, words.lang)} · ${this.#about(kept.size, kept.about)}`),
      this.#open("move.history.open", kept.id), h("button.button.is-small", { type: "button", onclick: forget }, words.say("move.history.forget")),
      kept.states.length ? h("details.ed-older", {}, h("summary", {}, words.say("move.history.states", { count: kept.states.length })), this.#states(kept)) : null);
  }

  /** @param {string} label @param {string} id @param {number} [at] */
  #open(label, id, at) { return h("button.button.is-small", { type: "button", onclick: () => { this.dialog.close(); this.bench.drafts.open(id, at); } }, this.words.say(label)); }

  /** @param {number} size @param {import("./kept.js").About} about */
  #about(size, about) {
    const { words } = this;
    return [about ? `${words.say("move.history.nodes", { count: about.nodes })}, ${words.say("move.history.pods", { count: about.pods })}` : "", size > 100_000 ? `${megabytes(size)} MB` : ""].filter(Boolean).join(" · ") || words.say("move.history.letters", { count: size });
  }
}

/** A worker that has read files and is asked about them. */
class Importer {
  constructor() {
    this.worker = new Worker(new URL("./import_worker.js", import.meta.url), { type: "module" });
    /** @type {((answer: any) => void)[]} */ this.waiting = [];
    this.worker.onmessage = ({ data }) => this.waiting.shift()?.(data);
  }

  /** @param {any} question @returns {Promise<any>} answers come in order */
  ask(question) {
    return new Promise((resolve) => { this.waiting.push(resolve); this.worker.postMessage(question); });
  }

  end() { this.worker.terminate(); }
}

/** @param {string} text @param {string} name @param {string} type */
function save(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
