/**
 * Forms for objects: fields.js says which fields there are, this draws them and says what was set.
 * The one rule: nothing is kept here; a field shows what the text holds, and a change goes to the text.
 * @module
 */
import { h } from "../dom.js";
import { amount, number } from "../format.js";
import { parseAmount } from "./amounts.js";
import { icon } from "../icons.js";
import { FIELDS, SETTINGS } from "./fields.js";
import { SPECIAL } from "./form_special.js";
import { asList, at, withArgument } from "./values.js";

/** @typedef {import("../words.js").Words} Words */
/** @typedef {(string|number)[]} Path */
/** @typedef {{type: string, path?: Path, label?: string, [more: string]: any}} Field */
/** @typedef {{value: any, prefix: Path, context: any, level: number}} Scope a map, the path to it, and what else is known */

const MOST_OPTIONS = 200;

export class FormView extends EventTarget {
  /** @param {HTMLElement} root @param {Words} words */
  constructor(root, words) {
    super();
    this.root = root;
    this.words = words;
    this.typing = false;
    this.pressed = false;
    this.serial = 0;
    /** @type {Set<string>} what is unfolded, by name */ this.unfolded = new Set();
    /** @type {any} */ this.opened = null;
    root.addEventListener("input", (event) => this.#input(event));
    root.addEventListener("change", (event) => this.#change(event));
    document.addEventListener("pointerdown", () => { this.pressed = true; }, true);
    document.addEventListener("pointerup", () => { this.pressed = false; }, true);
    root.addEventListener("keydown", (event) => {
      const { target } = event;
      if (event.key === "Enter" && target instanceof HTMLInputElement && target.type !== "checkbox") { event.preventDefault(); target.dispatchEvent(new Event("change", { bubbles: true })); }
    });
  }

  /** @param {{entry?: any, setting?: string}|null} opened @param {any} context */
  draw(opened, context) {
    this.opened = opened;
    this.context = context;
    const source = opened?.entry ? opened.entry.manifest : opened?.setting ? context.draft.scenario : null;
    if (this.typing) { this.#refresh(source); return; }
    const sign = this.#sign(source);
    if (this.sign === sign) { this.#refresh(source); return; }
    this.sign = sign;
    this.#keepPlace(() => this.root.replaceChildren(...(source ? this.#form(opened, source) : [this.#nothing()])));
  }

  #nothing() { return h("p.ed-form-empty.quiet", {}, this.words.say("edit.form.empty")); }

  /** What the form is drawn from. @param {any} source */
  #sign(source) {
    const { opened, context } = this;
    return JSON.stringify([opened?.entry?.key, opened?.setting, source, context.broken, this.words.lang, opened?.entry?.kind === "Pod" ? this.#nodeNames() : 0]);
  }

  /** One text for the names of all nodes, made once for each model. */
  #nodeNames() {
    const { model } = this.context;
    return model.names ||= model.nodes.map((/** @type {any} */ node) => node.name).join(" ");
  }

  /** After a letter was typed, or the engine has answered, only what follows from it is drawn: nobody's field or button is taken from under the hand. @param {any} source */
  #refresh(source) {
    const facts = this.root.querySelector("[data-part=facts]");
    if (facts && this.opened?.entry) facts.replaceWith(this.#factBox(this.opened.entry));
    this.sign = this.#sign(source);
  }

  /** The same field has the focus after drawing anew, and the form has not scrolled. @param {() => void} draw */
  #keepPlace(draw) {
    const active = /** @type {HTMLInputElement|null} */ (this.root.contains(document.activeElement) ? document.activeElement : null);
    const path = active?.dataset.path, part = active?.dataset.focus;
    const scroller = /** @type {HTMLElement} */ (this.root.closest(".ed-panel") || this.root);
    const top = scroller.scrollTop;
    const open = new Set([...this.root.querySelectorAll("details[open]")].map((each) => /** @type {HTMLElement} */ (each).dataset.section));
    const closed = new Set([...this.root.querySelectorAll("details:not([open])")].map((each) => /** @type {HTMLElement} */ (each).dataset.section));
    draw();
    for (const each of this.root.querySelectorAll("details")) { const name = each.dataset.section; if (open.has(name)) each.open = true; else if (closed.has(name)) each.open = false; }
    scroller.scrollTop = top;
    const same = path ? this.root.querySelector(`[data-path="${CSS.escape(path)}"]`) : part ? this.root.querySelector(`[data-focus="${CSS.escape(part)}"]`) : null;
    if (this.next) { const named = this.root.querySelector(`[data-focus="${CSS.escape(this.next)}"]`); const target = named || this.root.querySelector(`[data-path="${CSS.escape(this.next)}"]`) || this.root.querySelector(`[data-path^="${CSS.escape(this.next.slice(0, -1))},"]`); this.next = ""; if (target) { /** @type {HTMLElement} */ (target).focus(); return; } }
    if (same) /** @type {HTMLElement} */ (same).focus({ preventScroll: true });
  }

  /** Draws anew what has not changed: something was unfolded. @param {string} [focus] */
  again(focus) {
    this.sign = "";
    this.draw(this.opened, this.context);
    if (focus) this.focusField(focus);
  }

  focusFirst() { /** @type {HTMLElement|null} */ (this.root.querySelector("input, select, textarea"))?.focus(); }

  /** @param {string} name */
  focusField(name) { /** @type {HTMLElement|null} */ (this.root.querySelector(`[data-focus="${CSS.escape(name)}"]`))?.focus(); }

  // -- what was set ---------------------------------------------------------------------------------------------------
  /** @param {string} name @param {any} detail */
  raise(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  /** @param {Path} path @param {any} value @param {{joins?: boolean}} [how] */
  set(path, value, how = {}) { this.setAll([[path, value]], how); }

  /** @param {[Path, any][]} set @param {{joins?: boolean}} [how] */
  setAll(set, { joins = false } = {}) {
    const where = this.opened?.setting ? { setting: this.opened.setting } : { key: this.opened?.entry?.key };
    this.typing = joins;
    this.raise("set", { ...where, set, joins });
    this.typing = false;
  }

  /** @param {Event} event */
  #input(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (!input.dataset.path || input.dataset.late !== undefined || ["checkbox", "select-one"].includes(input.type)) return;
    this.#take(input, true);
  }

  /** @param {Event} event */
  #change(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.dataset.focus === "node") { this.raise("set", { key: this.opened?.entry?.key, set: [], node: input.value }); return; }
    if (!input.dataset.path) return;
    if (!this.pressed) { this.#take(input, false); return; }
    const { opened } = this; // the press that ended the typing is to reach what it was aimed at, before that is drawn anew
    document.addEventListener("pointerup", () => setTimeout(() => {
      const now = this.opened;
      this.opened = opened;
      this.#take(input, false);
      if (now !== opened) this.opened = now;
    }), { once: true });
  }

  /** @param {HTMLInputElement} input @param {boolean} joins */
  #take(input, joins) {
    const path = JSON.parse(input.dataset.path || "[]");
    const value = valueOf(input);
    if (value === null) return;
    if (input.dataset.name !== undefined && value !== undefined) {
      const taken = this.context.draft.entries.some((/** @type {any} */ entry) => entry !== this.opened.entry && entry.kind === this.opened.entry.kind && entry.namespace === this.opened.entry.namespace && entry.name === value);
      input.setCustomValidity(taken ? this.words.say("edit.name.taken") : "");
      if (taken) { input.reportValidity(); return; }
    }
    if (input.dataset.name !== undefined && value === undefined) return;
    if (input.dataset.config) { const [plugin, key] = JSON.parse(input.dataset.config); this.set(["config"], withArgument(this.source().config, plugin, key, value), { joins }); return; }
    if (input.dataset.pair !== undefined) { this.#renamePair(path, input); return; }
    if (!joins && JSON.stringify(at(this.source(), path)) === JSON.stringify(value)) return;
    this.set(path, value, { joins });
  }

  /** The key of a pair gets another name; its place stays. @param {Path} path of the map @param {HTMLInputElement} input */
  #renamePair(path, input) {
    const old = input.dataset.pair || "";
    const name = input.value.trim();
    if (name === old) return;
    const map = at(this.source(), path) || {};
    if (name && name in map) { input.setCustomValidity(this.words.say("edit.name.taken")); input.reportValidity(); return; }
    const renamed = Object.fromEntries(Object.entries(map).map(([key, value]) => [key === old ? name : key, value]).filter(([key]) => key));
    this.set(path, Object.keys(renamed).length ? renamed : undefined);
  }

  source() { return this.opened?.entry ? this.opened.entry.manifest : this.context.draft.scenario; }

  // -- drawing --------------------------------------------------------------------------------------------------------
  /** @param {any} opened @param {any} source @returns {Node[]} */
  #form(opened, source) {
    const { words } = this;
    const kind = opened.entry ? opened.entry.kind : "";
    const sections = opened.entry ? FIELDS[kind] || FIELDS.Other : SETTINGS[opened.setting];
    const scope = { value: source, prefix: /** @type {Path} */ ([]), context: this.context, level: 0 };
    const title = opened.entry ? opened.entry.name : words.say(`edit.setting.${opened.setting}`);
    return [
      h("header.ed-form-head", {},
        h("div", {}, opened.entry ? h("p.label", {}, words.has(`kind.${kind}`) ? words.say(`kind.${kind}`) : kind) : null, h("h2", {}, title)),
        h("button.icon-button", { type: "button", "data-do": "close-form", "aria-label": words.say("edit.close"), title: words.say("edit.close") }, icon("cross"))),
      opened.entry ? this.#verbs(opened.entry) : h("p.quiet.ed-about", {}, words.say(`edit.setting.${opened.setting}.about`)),
      ...(opened.entry && ["Node", "Pod", "PodDisruptionBudget", "PriorityClass", "Namespace"].includes(kind) ? [this.#factBox(opened.entry)] : []),
      ...sections.map((/** @type {any} */ section) => this.section(section, scope)),
    ];
  }

  /** @param {any} entry */
  #verbs(entry) {
    const { words } = this;
    const many = ["Node", "Pod", "Generator"].includes(entry.kind);
    const count = h("input.ed-number", { type: "number", min: "1", max: "5000", value: "5", "aria-label": words.say("edit.more.count"), "data-focus": "more-count" });
    return h("div.ed-verbs", {},
      entry.kind === "Pod" ? this.#nodeChoice(entry) : null,
      h("div.ed-verb-row", {},
        entry.kind === "Generator" ? h("button.button.is-small", { type: "button", "data-do": "roll-out" }, words.say("edit.rollout")) : h("button.button.is-small", { type: "button", "data-do": "copy-entry", "data-focus": "copy" }, words.say("edit.copy")),
        many ? h("span.ed-more-like", {}, count, h("button.button.is-small", { type: "button", "data-focus": "more", onclick: () => this.raise("do", { what: "more-like-this", key: entry.key, count: Math.max(1, Math.floor(Number(/** @type {HTMLInputElement} */ (count).value)) || 1) }) }, words.say("edit.more"))) : null,
        h("button.button.is-small.is-danger", { type: "button", "data-do": "remove-entry" }, words.say("edit.remove"))));
  }

  /** @param {any} entry */
  #nodeChoice(entry) {
    const { words } = this;
    const now = String(entry.manifest.spec?.nodeName || "");
    const names = [...new Set([...this.context.model.nodes.map((/** @type {any} */ node) => node.name), ...(now ? [now] : [])])];
    const option = (/** @type {string} */ name) => h("option", { value: name, selected: name === now }, name);
    const isLong = names.length > MOST_OPTIONS; // a long list comes when it is asked for
    const select = h("select", { "data-focus": "node" }, h("option", { value: "", selected: !now }, words.say("edit.pending")), isLong ? (now ? option(now) : null) : names.map(option));
    const complete = () => { if (select.childElementCount < names.length) select.append(...names.filter((name) => name !== now).map((name) => h("option", { value: name }, name))); };
    if (isLong) for (const event of ["pointerdown", "focus"]) select.addEventListener(event, complete, { once: true });
    return h("label.ed-field.is-wide", {}, h("span.ed-label", {}, words.say("field.node")), select);
  }

  /** @param {any} entry */
  #facts(entry) {
    const { facts } = this.context;
    const key = `${entry.namespace}/${entry.name}`;
    if (entry.kind === "Pod") return { ...facts?.pods?.[key], allowed: (facts?.pods?.[key]?.budgets || []).map((/** @type {string} */ budget) => [budget, facts.budgets[budget]?.allowed]), fits: Object.values(facts?.fits?.[key] || {}).filter((/** @type {any} */ fit) => fit.fits).length, tried: Object.keys(facts?.fits?.[key] || {}).length };
    if (entry.kind === "Node") return facts?.nodes?.[entry.name] || {};
    return facts?.budgets?.[key] || {};
  }

  /** The budget as it is reckoned: who is covered, and how many of them may go. @param {any} found */
  #budgetFacts(found) {
    const { words } = this;
    const lines = [words.say("edit.fact.covers", { count: found.pods.length, allowed: found.allowed })];
    if (found.pods.length) lines.push(words.say("edit.fact.budget.pods", { names: found.pods.slice(0, 6).map((/** @type {string} */ key) => words.podLabel(key)).join(", ") + (found.pods.length > 6 ? " …" : "") }));
    return lines;
  }

  /** @param {any} entry */
  #factBox(entry) {
    const { words } = this;
    const found = this.#facts(entry);
    /** @type {string[]} */ const lines = [];
    if (entry.kind === "Pod" && found.requests) {
      lines.push(words.say("edit.fact.asks", { requests: Object.entries(found.requests).map(([name, value]) => `${amount(name, Number(value))} ${words.has(`resource.${name}`) ? words.say(`resource.${name}`) : name}`).join(", ") || "0" }));
      lines.push(words.say("edit.fact.qos", { qos: found.qos, priority: number(found.priority) }));
      for (const [budget, allowed] of found.allowed) lines.push(words.say("edit.fact.budget", { pdb: budget, allowed }));
      if (found.tried) lines.push(words.say(found.fits ? "edit.fact.fits" : "edit.fact.fits.none", { count: found.fits, total: found.tried }));
    }
    if (entry.kind === "PodDisruptionBudget" && found.pods) lines.push(...this.#budgetFacts(found));
    if (entry.kind === "PriorityClass") lines.push(words.say("edit.fact.class", { count: this.context.model.pods.filter((/** @type {any} */ pod) => pod.priorityClass === entry.name).length }));
    if (entry.kind === "Namespace") lines.push(words.say("edit.fact.class", { count: this.context.model.pods.filter((/** @type {any} */ pod) => pod.namespace === entry.name).length }));
    if (entry.kind === "Node" && found.allocatable) {
      const free = ["cpu", "memory"].map((name) => `${amount(name, Math.max(0, (found.allocatable[name] || 0) - (found.requested[name] || 0)))} ${words.say(`resource.${name}`)}`);
      lines.push(words.say("edit.fact.free", { free: free.join(", "), count: found.pods.length }));
    }
    return h("ul.ed-facts", { "data-part": "facts", hidden: !lines.length }, lines.map((line) => h("li", {}, line)));
  }

  /** @param {any} section @param {Scope} scope */
  section(section, scope) {
    const body = section.fields.map((/** @type {Field} */ field) => this.field(field, scope));
    if (!section.title) return h("div.ed-fields", {}, body);
    const used = section.fields.some((/** @type {Field} */ field) => isSet(field, scope.value));
    return h("details.ed-section", { "data-section": `${scope.prefix.join("/")}${section.title}`, open: section.open || (used && !section.shut) },
      h("summary", {}, this.words.say(`section.${section.title}`), used && (section.shut || !section.open) ? h("span.ed-used", { "aria-hidden": "true" }) : null),
      this.words.has(`section.${section.title}.about`) ? h("p.quiet.ed-about", {}, this.words.say(`section.${section.title}.about`)) : null,
      h("div.ed-fields", {}, body));
  }

  /** @param {Field} field @param {Scope} scope @returns {Node} */
  field(field, scope) {
    if (field.when && !field.when(scope.value, scope.context)) return h("span", { hidden: true });
    const draw = SPECIAL[field.type] ? (/** @type {Field} */ f, /** @type {Scope} */ sc) => SPECIAL[field.type](this, f, sc) : /** @type {Object<string, (field: Field, scope: Scope) => Node>} */ ({
      pairs: (f, sc) => this.pairs(f, sc), rows: (f, sc) => this.rows(f, sc), cards: (f, sc) => this.cards(f, sc), group: (f, sc) => this.group(f, sc), note: (f) => h("p.quiet.is-wide", {}, this.words.say(f.label || "")), json: (f, sc) => this.json(f, sc),
    })[field.type];
    return draw ? draw(field, scope) : this.simple(field, scope);
  }

  /** @param {Field} field */
  label(field) { return this.words.say(`field.${field.label}`); }

  /** @param {Field} field */
  hint(field) { return this.words.has(`field.${field.label}.hint`) ? this.words.say(`field.${field.label}.hint`) : ""; }

  /** @param {Field} field @param {Scope} scope */
  simple(field, scope) {
    const path = [...scope.prefix, ...resolved(field.path || [], scope)];
    const value = at(scope.value, resolved(field.path || [], scope));
    const hint = field.explained ? this.#explanation(field, value) : this.hint(field);
    const id = `f${(this.serial += 1)}`;
    const control = this.control(field, path, value, { id, "aria-describedby": hint ? `${id}h` : null });
    if (field.type === "check") return h("div.ed-field.is-check", {}, h("label", { for: id }, control, h("span", {}, this.label(field))), hint ? h("p.ed-hint", { id: `${id}h` }, hint) : null);
    return h(`div.ed-field${field.wide ? ".is-wide" : ""}`, {}, h("label.ed-label", { for: id }, this.label(field)), control, hint ? h("p.ed-hint", { id: `${id}h` }, hint) : null);
  }

  /** What the chosen option means. @param {Field} field @param {any} value */
  #explanation(field, value) {
    const id = `option.${value === undefined || value === null ? field.default || `${field.label}.${field.empty || "default"}` : field.boolean ? `${field.label}.${value}` : value}.about`;
    return this.words.has(id) ? this.words.say(id) : this.hint(field);
  }

  /** @param {Field} field @param {Path} path @param {any} value @param {Object<string, any>} more */
  control(field, path, value, more) {
    const common = { ...more, "data-path": JSON.stringify(path), "data-type": field.boolean ? "boolean" : field.number ? "number" : field.type, "data-config": field.config ? JSON.stringify(field.config) : null };
    if (field.type === "check") return h("input", { ...common, type: "checkbox", checked: Boolean(value === undefined ? field.initially : value), "data-initially": field.initially ? "1" : null });
    if (field.type === "select") return this.select(field, value, common);
    const shown = field.type === "list" ? (Array.isArray(value) ? value.join(", ") : "") : value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
    const list = field.suggest ? this.suggestions(field) : null;
    const input = h("input", {
      ...common, type: field.type === "number" ? "number" : "text", value: shown, min: field.min ?? null, max: field.max ?? null, step: field.step ?? null, placeholder: field.placeholder ?? null, autocomplete: "off", spellcheck: "false",
      "data-late": field.late ? "" : null, "data-name": field.isName ? "" : null, list: list?.id, class: field.type === "quantity" || field.mono ? "is-mono" : null,
    });
    if (field.type === "quantity" && !more["aria-label"]) return this.#stepper(field, path, input);
    return list ? h("span.ed-with-list", {}, input, list) : input;
  }

  /** An amount with less and more beside it, in sizes that people use. @param {Field} field @param {Path} path @param {HTMLElement} input */
  #stepper(field, path, input) {
    const step = (/** @type {1|-1} */ way) => {
      const now = /** @type {HTMLInputElement} */ (input).value || String(field.placeholder || "");
      const next = stepped(String(field.label), now, way);
      if (next !== null) this.set(path, next);
    };
    const button = (/** @type {1|-1} */ way) => h("button.ed-step", { type: "button", "data-focus": `${way} ${JSON.stringify(path)}`, "aria-label": this.words.say(way > 0 ? "edit.more.of" : "edit.less.of", { field: this.label(field) }), onclick: () => step(way) }, way > 0 ? "+" : "−");
    return h("span.ed-stepper", {}, button(-1), input, button(1));
  }

  /** @param {Field} field */
  suggestions(field) {
    const names = typeof field.suggest === "function" ? field.suggest(this.context) : field.suggest;
    return h("datalist", { id: `l${(this.serial += 1)}` }, names.map((/** @type {string} */ name) => h("option", { value: name })));
  }

  /** @param {Field} field @param {any} value @param {Object<string, any>} common */
  select(field, value, common) {
    const { words } = this;
    const options = typeof field.options === "function" ? field.options(this.context) : field.options;
    const all = value === undefined || options.includes(String(value)) ? options : [...options, String(value)];
    const name = (/** @type {string} */ option) => (words.has(`option.${field.label}.${option}`) ? words.say(`option.${field.label}.${option}`) : words.has(`option.${option}`) ? words.say(`option.${option}`) : option);
    return h("select", common, field.required ? null : h("option", { value: "", selected: value === undefined }, field.empty ? name(field.empty) : "–"),
      all.map((/** @type {string} */ option) => h("option", { value: option, selected: String(value) === option }, name(option))));
  }

  /** A map of texts. @param {Field} field @param {Scope} scope */
  pairs(field, scope) {
    const way = resolved(field.path || [], scope);
    const path = [...scope.prefix, ...way];
    const map = at(scope.value, way) || {};
    const { words } = this;
    const add = () => {
      const list = (typeof field.names === "function" ? field.names(this.context) : field.names || []).filter((/** @type {string} */ name) => !(name in map));
      let name = list[0] || "key";
      for (let turn = 2; name in map; turn += 1) name = `key-${turn}`;
      this.next = JSON.stringify([...path, name]);
      this.set([...path, name], field.initially ?? "");
    };
    const known = field.suggest ? this.suggestions(field) : null;
    return h("fieldset.ed-list.is-wide", {}, h("legend.ed-label", {}, this.label(field)), this.hint(field) ? h("p.ed-hint", {}, this.hint(field)) : null, known,
      Object.entries(map).map(([key, value]) => h("div.ed-row", {},
        h("input.is-mono", { value: key, list: known?.id, "data-path": JSON.stringify(path), "data-pair": key, "data-late": "", "aria-label": words.say("edit.pair.key"), autocomplete: "off", spellcheck: "false" }),
        h("input.is-mono", { value: value === null || value === undefined ? "" : String(value), "data-path": JSON.stringify([...path, key]), "data-type": field.numbers ? "number" : "pair", type: field.numbers ? "number" : "text", "aria-label": words.say("edit.pair.value", { key }), autocomplete: "off", spellcheck: "false" }),
        this.removeButton([...path, key], key))),
      h("button.button.is-small", { type: "button", onclick: add, "data-focus": `add ${JSON.stringify(path)}` }, icon("plus"), words.say(field.add || "edit.add.row")));
  }

  /** @param {Path} path @param {string} name */
  removeButton(path, name) {
    return h("button.icon-button.is-small", { type: "button", "aria-label": this.words.say("edit.remove.row", { name }), title: this.words.say("edit.remove.row", { name }), onclick: () => this.set(path, undefined) }, icon("cross"));
  }

  /** A list of small maps, each on a line. @param {Field} field @param {Scope} scope */
  rows(field, scope) {
    const way = resolved(field.path || [], scope);
    const path = [...scope.prefix, ...way];
    const rows = asList(at(scope.value, way));
    const add = () => { this.next = JSON.stringify([...path, rows.length, field.columns[0].path[0]]); this.set([...path, rows.length], field.make(this.context)); };
    return h("fieldset.ed-list.is-wide", {}, h("legend.ed-label", {}, this.label(field)), this.hint(field) ? h("p.ed-hint", {}, this.hint(field)) : null,
      rows.map((row, index) => h("div.ed-row", {},
        field.columns.map((/** @type {Field} */ column) => h("span.ed-cell", {}, this.control(column, [...path, index, ...(column.path || [])], at(row, column.path || []), { "aria-label": `${this.label(column)} ${index + 1}`, placeholder: this.label(column) }))),
        this.removeButton([...path, index], `${this.label(field)} ${index + 1}`))),
      h("button.button.is-small", { type: "button", onclick: add, "data-focus": `add ${JSON.stringify(path)}` }, icon("plus"), this.words.say(field.add || "edit.add.row")));
  }

  /** A list of things with fields of their own. @param {Field} field @param {Scope} scope */
  cards(field, scope) {
    const way = resolved(field.path || [], scope);
    const path = [...scope.prefix, ...way];
    const items = asList(at(scope.value, way));
    const makes = field.makes || [[field.add || "edit.add.row", field.make]];
    return h("fieldset.ed-list.is-wide", {}, h("legend.ed-label", {}, this.label(field)), this.hint(field) ? h("p.ed-hint", {}, this.hint(field)) : null,
      items.map((item, index) => h("div.ed-subcard", { role: "group", "aria-label": `${this.label(field)} ${index + 1}` },
        h("div.ed-subhead", {}, h("strong", {}, field.titleOf ? field.titleOf(item, index) : `${index + 1}`), this.removeButton([...path, index], `${this.label(field)} ${index + 1}`)),
        h("div.ed-fields", {}, field.fields.map((/** @type {Field} */ each) => this.field(each, { ...scope, value: item || {}, prefix: [...path, index], level: scope.level + 1 }))))),
      h("div.ed-verb-row", {}, makes.map(([label, make]) => h("button.button.is-small", { type: "button", onclick: () => this.set([...path, items.length], make(this.context)), "data-focus": `${label} ${JSON.stringify(path)}` }, icon("plus"), this.words.say(label)))));
  }

  /** Fields side by side under one name. @param {Field} field @param {Scope} scope */
  group(field, scope) {
    return h("fieldset.ed-group.is-wide", {}, h("legend.ed-label", {}, this.label(field)), h("div.ed-fields", {}, field.fields.map((/** @type {Field} */ each) => this.field(each, scope))));
  }

  /** Anything else, as JSON that is checked before it is taken. @param {Field} field @param {Scope} scope */
  json(field, scope) {
    const path = [...scope.prefix, ...(field.path || [])];
    const value = at(scope.value, field.path || []);
    return h("div.ed-field.is-wide", {}, h("label.ed-label", {}, this.label(field), h("textarea.is-mono", { rows: "6", spellcheck: "false", "data-path": JSON.stringify(path), "data-type": "json", "data-late": "" }, value === undefined ? "" : JSON.stringify(value, null, 2))), this.hint(field) ? h("p.ed-hint", {}, this.hint(field)) : null);
  }
}

const SIZES = /** @type {Object<string, string[]>} */ ({
  cpu: ["0", "100m", "250m", "500m", "1", "2", "3", "4", "6", "8", "12", "16", "24", "32", "48", "64", "96", "128"],
  memory: ["0", "128Mi", "256Mi", "512Mi", "1Gi", "2Gi", "3Gi", "4Gi", "6Gi", "8Gi", "12Gi", "16Gi", "24Gi", "32Gi", "48Gi", "64Gi", "96Gi", "128Gi", "256Gi", "512Gi", "1Ti"],
  pods: ["0", "1", "2", "4", "8", "16", "29", "58", "110", "250"],
});

/** The next size that people use, up or down; null when there is none. @param {string} label @param {string} now @param {1|-1} way */
export function stepped(label, now, way) {
  const sizes = SIZES[label] || SIZES.cpu;
  const value = parseAmount(label, now);
  const found = way > 0 ? sizes.find((size) => parseAmount(label, size) > value) : [...sizes].reverse().find((size) => parseAmount(label, size) < value);
  return found ?? null;
}

/** What an input says: undefined takes the field away, null is not to be taken yet. @param {HTMLInputElement} input @returns {any} */
function valueOf(input) {
  const { type = "text", initially } = input.dataset;
  if (type === "check") return input.checked === Boolean(initially) ? undefined : input.checked;
  if (type === "boolean") return input.value === "" ? undefined : input.value === "true";
  const text = input.value.trim();
  if (type === "json") {
    if (!text) return undefined;
    try { input.setCustomValidity(""); return JSON.parse(text); } catch (error) { input.setCustomValidity(String(/** @type {any} */ (error).message)); input.reportValidity(); return null; }
  }
  if (type === "pair") return input.value;
  if (!text) return undefined;
  if (type === "number") return Number.isFinite(Number(text)) ? Number(text) : null;
  if (type === "list") return text.split(",").map((each) => each.trim()).filter(Boolean);
  if (type === "numberOrText") return /^-?\d+$/.test(text) ? Number(text) : text;
  return text;
}

/** A path, or what a function makes of the values. @param {any} path @param {Scope} scope @returns {Path} */
function resolved(path, scope) { return typeof path === "function" ? path(scope.value) : path; }

/** @param {Field} field @param {any} value */
function isSet(field, value) {
  if (field.fields && !field.path) return field.fields.some((/** @type {Field} */ each) => isSet(each, value));
  const here = at(value, typeof field.path === "function" ? field.path(value) : field.path || []);
  return here !== undefined && here !== null && field.path && field.path.length !== 0 && (typeof here !== "object" || Object.keys(here).length > 0);
}
