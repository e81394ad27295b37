/**
 * Forms that are more than fields: what a generator varies, the verbs of an extender, the timeline, plugins, gates, objects within objects.
 * The one rule: as in form.js, nothing is kept here; each draws what the text holds and sets what was asked for.
 * @module
 */
import { h } from "../dom.js";
import { number } from "../format.js";
import { icon } from "../icons.js";
import { FIELDS, VARIED, argumentOf, referenceTo, verbOf } from "./fields.js";
import { newBudget, newClaim, newNode, newPod, newPriorityClass } from "./templates.js";
import { asList, at, withArgument, withProfile } from "./values.js";

/** @typedef {import("./form.js").FormView} FormView */
/** @typedef {import("./form.js").Field} Field */
/** @typedef {import("./form.js").Scope} Scope */

/** @type {Object<string, (view: FormView, field: Field, scope: Scope) => Node>} */
export const SPECIAL = { vary, verb, object, timeline, plugins, gates, effect, configRows };

/** A box of things under one name. @param {FormView} view @param {Field} field @param {...any} body */
function box(view, field, ...body) {
  return h("fieldset.ed-list.is-wide", {}, h("legend.ed-label", {}, view.label(field)), view.hint(field) ? h("p.ed-hint", {}, view.hint(field)) : null, ...body);
}

// -- generators -------------------------------------------------------------------------------------------------------
/** What varies from one object of a generator to the next: a path, and the values that are taken in turn. @param {FormView} view @param {Field} field @param {Scope} scope */
function vary(view, field, scope) {
  const { words } = view;
  const path = [...scope.prefix, ...(field.path || [])];
  const map = /** @type {Object<string, any[]>} */ (at(scope.value, field.path || []) || {});
  const { kind = "Node", name = "{i}", count = 0 } = scope.value.generate || {};
  const known = VARIED[kind] || [];
  const nameOf = (/** @type {string} */ way) => (words.has(`vary.${way}`) ? words.say(`vary.${way}`) : way);
  const set = (/** @type {[string, any][]} */ pairs) => view.set(path, pairs.length ? Object.fromEntries(pairs) : undefined);
  const entries = Object.entries(map);
  const rename = (/** @type {number} */ index, /** @type {string} */ to) => { if (to && !(to in map)) set(entries.map(([way, values], place) => [place === index ? to : way, values])); };
  const add = (/** @type {string} */ way) => { const [, values = ["a", "b"]] = known.find(([each]) => each === way) || []; view.next = `vary ${way}`; set([...entries, [way, values]]); };
  const list = h("datalist", { id: `v${(view.serial += 1)}` }, known.map(([way]) => h("option", { value: way }, nameOf(way))));
  return box(view, field, list,
    entries.map(([way, values], index) => h("div.ed-subcard", { role: "group", "aria-label": nameOf(way) },
      h("div.ed-subhead", {}, h("strong", {}, nameOf(way)), view.removeButton([...path, way], nameOf(way))),
      h("div.ed-fields", {},
        h("label.ed-field.is-wide", {}, h("span.ed-label", {}, words.say("field.vary_values")), h("input.is-mono", { value: asList(values).map(shown).join(", "), autocomplete: "off", spellcheck: "false", "data-focus": `vary ${way}`, onchange: stopped((/** @type {HTMLInputElement} */ input) => view.set([...path, way], valuesOf(input.value, asList(values)))) })),
        h("label.ed-field.is-wide", {}, h("span.ed-label", {}, words.say("field.vary_path")), h("input.is-mono", { value: way, list: list.id, autocomplete: "off", spellcheck: "false", "data-focus": `vary path ${index}`, onchange: stopped((/** @type {HTMLInputElement} */ input) => rename(index, input.value.trim())) }))),
      asList(values).length ? h("p.ed-hint", {}, preview(String(name), asList(values), Number(count) || 0)) : null)),
    h("div.ed-verb-row", {}, known.filter(([way]) => !(way in map)).map(([way]) => h("button.button.is-small", { type: "button", "data-focus": `add vary ${way}`, onclick: () => add(way) }, icon("plus"), nameOf(way))),
      h("button.button.is-small", { type: "button", "data-focus": "add vary", onclick: () => add(free(map)) }, icon("plus"), words.say("edit.add.vary"))));
}

/** @param {Object<string, any>} map */
function free(map) {
  let turn = 1;
  while (`metadata.labels.key-${turn}` in map) turn += 1;
  return `metadata.labels.key-${turn}`;
}

/** @param {any} value */
const shown = (value) => (value === null ? "null" : typeof value === "object" ? JSON.stringify(value) : String(value));

/** Values between commas, as numbers, claims or texts as those before; maps and lists as JSON. @param {string} text @param {any[]} old @returns {any[]|undefined} */
export function valuesOf(text, old) {
  const parts = text.split(/,(?![^{[]*[}\]])/).map((each) => each.trim()).filter(Boolean);
  const plain = old.filter((each) => each !== null && each !== undefined);
  const type = plain.length && plain.every((each) => typeof each === typeof plain[0]) ? typeof plain[0] : "string";
  const one = (/** @type {string} */ part) => {
    if (part === "null") return null;
    if (/^[{[]/.test(part)) { try { return JSON.parse(part); } catch { return part; } }
    if (type === "number" && Number.isFinite(Number(part))) return Number(part);
    return type === "boolean" && /^(true|false)$/.test(part) ? part === "true" : part;
  };
  return parts.length ? parts.map(one) : undefined;
}

/** "worker-0: a · worker-1: b · worker-2: a …" @param {string} name @param {any[]} values @param {number} count */
function preview(name, values, count) {
  const most = Math.min(count, 4);
  return `${Array.from({ length: most }, (_, index) => `${name.replaceAll("{i}", String(index))}: ${shown(values[index % values.length])}`).join(" · ")}${count > most ? " …" : ""}`;
}

/** A handler of a change that is not the form's own to take. @param {(input: any) => void} act */
const stopped = (act) => (/** @type {Event} */ event) => { event.stopPropagation(); act(event.target); };

// -- objects within objects -------------------------------------------------------------------------------------------
/** The form of a whole object that stands under a path. @param {FormView} view @param {Field} field @param {Scope} scope */
function object(view, field, scope) {
  const way = field.path || [];
  const value = at(scope.value, way) || {};
  const kind = field.kindOf ? field.kindOf(scope.value) : value.kind;
  const below = { ...scope, value, prefix: [...scope.prefix, ...way], level: scope.level + 1 };
  const isUnnamed = Boolean(field.kindOf);
  const sections = (FIELDS[kind] || FIELDS.Other).map((section) => ({ ...section, fields: section.fields.filter((each) => !isUnnamed || each.label !== "name").map((each) => ({ ...each, isName: false })) }));
  return h("div.is-wide.ed-object", {}, sections.map((section) => view.section(section, below)));
}

/** A verb of an extender: it has it or not, and what it answers. @param {FormView} view @param {Field} field @param {Scope} scope */
function verb(view, field, scope) {
  const [name] = field.path || [];
  const has = at(scope.value, [name]) !== undefined;
  const path = [...scope.prefix, name];
  const toggle = stopped((/** @type {HTMLInputElement} */ input) => view.set(path, input.checked ? {} : undefined));
  return h("fieldset.ed-verb.is-wide", {},
    h("legend.sr", {}, view.label(field)),
    h("label.ed-check", {}, h("input", { type: "checkbox", checked: has, "data-focus": `verb ${JSON.stringify(path)}`, onchange: toggle }), h("strong", {}, view.label(field))), h("p.ed-hint", {}, view.hint(field)),
    has ? h("div.ed-fields", {}, field.fields.map((/** @type {Field} */ each) => view.field(each, scope))) : null);
}

// -- the timeline -----------------------------------------------------------------------------------------------------
const COMING = /** @type {Object<string, (name: string) => any>} */ ({ Pod: newPod, Node: newNode, PodDisruptionBudget: newBudget, PriorityClass: newPriorityClass, PersistentVolumeClaim: newClaim });

/** Operations in the order in which they happen. @param {FormView} view @param {Field} field @param {Scope} scope */
function timeline(view, field, scope) {
  const { words } = view;
  const list = asList(at(scope.value, field.path || []));
  const order = list.map((_, index) => index).sort((a, b) => (Number(list[a]?.at) || 0) - (Number(list[b]?.at) || 0));
  const add = (/** @type {(context: any) => any} */ make) => { const made = make(view.context); if (!made.delete) view.unfolded.add(`timeline ${list.length}`); view.next = JSON.stringify(["timeline", list.length, "at"]); view.set(["timeline", list.length], made); };
  return box(view, field,
    list.length ? h("ol.ed-timeline", {}, order.map((index) => operation(view, list[index] || {}, index, scope))) : h("p.quiet", {}, words.say("edit.timeline.empty")),
    h("div.ed-verb-row", {}, field.makes.map(([label, make]) => h("button.button.is-small", { type: "button", "data-focus": label, onclick: () => add(make) }, icon("plus"), words.say(label)))));
}

/** @param {FormView} view @param {any} operation @param {number} index @param {Scope} scope */
function operation(view, operation, index, scope) {
  const { words } = view;
  const what = verbOf(operation);
  const path = ["timeline", index];
  const object = operation[what] || {};
  const name = object.metadata?.name ?? object.name ?? "";
  const label = words.say("edit.op", { number: index + 1 });
  const unfolded = view.unfolded.has(`timeline ${index}`);
  const fold = () => { if (unfolded) view.unfolded.delete(`timeline ${index}`); else view.unfolded.add(`timeline ${index}`); view.again(`fold ${index}`); };
  return h("li.ed-op", { "aria-label": label },
    h("div.ed-op-head", {},
      h("label.ed-op-at", {}, h("span.sr", {}, words.say("field.at")), h("input.ed-number", { type: "number", min: "0", step: "any", value: String(operation.at ?? ""), "data-path": JSON.stringify([...path, "at"]), "data-type": "number", "data-late": "" }), h("span.quiet", { "aria-hidden": "true" }, "s")),
      h("strong.ed-op-what", {}, words.say(`edit.op.${what || "none"}`, { kind: kindName(view, object.kind), name: String(name) })),
      what === "delete" || !what ? null : h("button.button.is-small", { type: "button", "aria-expanded": String(unfolded), "data-focus": `fold ${index}`, onclick: fold }, words.say(unfolded ? "edit.op.fold" : "edit.op.unfold")),
      view.removeButton(path, label)),
    what === "create" && unfolded ? choiceOf(view, words.say("field.kind"), Object.keys(COMING), object.kind, (kind) => view.set([...path, "create"], COMING[kind](`late-${kind.toLowerCase()}-${index + 1}`)), `kind ${index}`) : null,
    what === "update" || what === "delete" ? reference(view, what, object, path, index) : null,
    unfolded && what !== "delete" && what ? SPECIAL.object(view, { type: "object", path: [...path, what] }, scope) : null);
}

/** Which object changes or goes. @param {FormView} view @param {string} what @param {any} object @param {any[]} path @param {number} index */
function reference(view, what, object, path, index) {
  const { entries, scenario } = view.context.draft;
  const late = asList(scenario.timeline).map((each) => each?.create).filter((each) => each?.kind && each?.metadata?.name);
  const known = [...entries.filter((/** @type {any} */ entry) => entry.kind !== "Generator").slice(0, 500).map((/** @type {any} */ entry) => entry.manifest), ...view.context.model.nodes.filter((/** @type {any} */ node) => node.made).slice(0, 100).map((/** @type {any} */ node) => ({ kind: "Node", metadata: { name: node.name } })), ...late];
  const nameOf = (/** @type {any} */ { kind, namespace, name, metadata }) => [kind, metadata?.namespace || namespace, metadata?.name ?? name].filter(Boolean).join("/");
  const found = new Map(known.map((each) => [nameOf(each), each]));
  const take = (/** @type {string} */ key) => { const chosen = found.get(key); if (chosen) view.set([...path, what], what === "delete" ? referenceTo(chosen) : structuredClone(chosen)); };
  return choiceOf(view, view.words.say("field.which"), [...found.keys()], nameOf(object), take, `which ${index}`);
}

/** A choice that sets more than one value. @param {FormView} view @param {string} label @param {string[]} options @param {string} chosen @param {(option: string) => void} take @param {string} focus */
function choiceOf(view, label, options, chosen, take, focus) {
  const all = options.includes(chosen) || !chosen ? options : [chosen, ...options];
  return h("label.ed-field.is-wide", {}, h("span.ed-label", {}, label), h("select", { "data-focus": focus, onchange: stopped((/** @type {HTMLSelectElement} */ select) => take(select.value)) }, all.map((option) => h("option", { value: option, selected: option === chosen }, kindName(view, option)))));
}

/** @param {FormView} view @param {any} kind */
const kindName = ({ words }, kind) => (words.has(`kind.${kind}`) ? words.say(`kind.${kind}`) : String(kind ?? "?"));

// -- the scheduler ----------------------------------------------------------------------------------------------------
/** What the configuration comes to, for the cluster that is there. @param {FormView} view @param {Field} _field @param {Scope} scope */
function effect(view, _field, scope) {
  const { words, context } = view;
  const { config } = scope.value;
  const nodes = context.draft.entries.reduce((/** @type {number} */ sum, /** @type {any} */ { kind, manifest }) => sum + (kind === "Node" ? 1 : kind === "Generator" && manifest.generate.kind === "Node" ? Number(manifest.generate.count) || 0 : 0), 0);
  const off = asList(asList(config?.profiles)[0]?.plugins?.multiPoint?.disabled).map((/** @type {any} */ each) => each?.name);
  const score = enoughNodes(nodes, Number(config?.percentageOfNodesToScore) || 0), wanted = enoughCandidates(nodes, config);
  const lines = [
    words.say(score < nodes ? "edit.effect.score" : "edit.effect.score.all", { nodes: number(nodes), count: number(score) }),
    off.includes("DefaultPreemption") || off.includes("*") ? words.say("edit.effect.none") : words.say(wanted < nodes ? "edit.effect.candidates" : "edit.effect.candidates.all", { nodes: number(nodes), count: number(wanted) }),
    ...(off.length ? [words.say("edit.effect.off", { names: off.join(", ") })] : []),
    ...(asList(config?.profiles).length > 1 ? [words.say("edit.effect.profiles", { count: config.profiles.length })] : []),
  ];
  return h("ul.ed-facts.is-wide", {}, lines.map((line) => h("li", {}, line)));
}

/** After how many feasible nodes the search for one ends: numFeasibleNodesToFind of upstream. @param {number} nodes @param {number} percentage */
export function enoughNodes(nodes, percentage) {
  if (nodes < 100 || percentage >= 100) return nodes;
  return Math.max(100, Math.floor((nodes * (percentage || Math.max(5, 50 - Math.floor(nodes / 125)))) / 100));
}

/** After how many candidates the dry run ends, when every node is a potential one. @param {number} nodes @param {any} config */
export function enoughCandidates(nodes, config) {
  const percentage = argumentOf(config, "DefaultPreemption", "minCandidateNodesPercentage") ?? 10, absolute = argumentOf(config, "DefaultPreemption", "minCandidateNodesAbsolute") ?? 100;
  return Math.min(nodes, Math.max(Math.floor((nodes * Number(percentage)) / 100), Number(absolute)));
}

/** Rows that are an argument of a plugin. @param {FormView} view @param {Field} field @param {Scope} scope */
function configRows(view, field, scope) {
  const rows = asList(argumentOf(scope.value.config, field.plugin, field.key));
  const set = (/** @type {any[]} */ list) => view.set(["config"], withArgument(scope.value.config, field.plugin, field.key, list.length ? list : undefined));
  const cell = (/** @type {any} */ column, /** @type {any} */ row, /** @type {number} */ index) => {
    const [key] = column.path;
    const take = stopped((/** @type {HTMLInputElement} */ input) => set(rows.map((each, place) => (place === index ? { ...each, [key]: column.type === "number" ? Number(input.value) : input.value } : each))));
    const more = { "aria-label": `${view.label(column)} ${index + 1}`, "data-focus": `${field.label} ${index} ${key}`, onchange: take };
    const options = column.options?.map((/** @type {string} */ option) => h("option", { value: option, selected: option === row?.[key] }, option));
    return h("span.ed-cell", {}, options ? h("select", more, options) : h("input", { ...more, type: column.type === "number" ? "number" : "text", value: String(row?.[key] ?? ""), min: column.min ?? null, max: column.max ?? null, placeholder: view.label(column) }));
  };
  return box(view, field,
    rows.map((row, index) => h("div.ed-row", {}, field.columns.map((/** @type {any} */ column) => cell(column, row, index)),
      h("button.icon-button.is-small", { type: "button", "aria-label": view.words.say("edit.remove.row", { name: `${view.label(field)} ${index + 1}` }), onclick: () => set(rows.filter((_, place) => place !== index)) }, icon("cross")))),
    h("button.button.is-small", { type: "button", "data-focus": `add ${field.label}`, onclick: () => set([...rows, field.make()]) }, icon("plus"), view.words.say(field.add)));
}

/** Plugins of the profile: on or off, and their weights. @param {FormView} view @param {Field} field @param {Scope} scope */
function plugins(view, field, scope) {
  const { words } = view;
  const profile = asList(scope.value.config?.profiles)[0] || {};
  const off = asList(profile.plugins?.multiPoint?.disabled).map((/** @type {any} */ each) => each?.name);
  const weights = new Map(asList(profile.plugins?.score?.enabled).map((/** @type {any} */ each) => [each?.name, each?.weight]));
  const toggle = (/** @type {string} */ name, /** @type {boolean} */ on) => {
    const disabled = on ? off.filter((each) => each !== name) : [...off, name];
    view.set(["config"], withProfile(scope.value.config, ["plugins", "multiPoint", "disabled"], disabled.length ? disabled.map((each) => ({ name: each })) : undefined));
  };
  const weigh = (/** @type {string} */ name, /** @type {number|undefined} */ weight) => {
    const enabled = [...weights].filter(([each]) => each !== name).map(([each, value]) => ({ name: each, weight: value }));
    if (weight) enabled.push({ name, weight });
    view.set(["config"], withProfile(scope.value.config, ["plugins", "score", "enabled"], enabled.length ? enabled : undefined));
  };
  return h("fieldset.ed-list.is-wide", {}, h("legend.ed-label", {}, view.label(field)),
    field.plugins.map(([name, weight]) => h("div.ed-plugin", {},
      h("label.ed-check", {}, h("input", { type: "checkbox", checked: !off.includes(name) && !off.includes("*"), "data-focus": `on ${name}`, onchange: (/** @type {Event} */ event) => { event.stopPropagation(); toggle(name, /** @type {HTMLInputElement} */ (event.target).checked); } }), h("span.is-mono", {}, name)),
      weight ? h("label.ed-weight", {}, h("span.quiet", {}, words.say("field.weight")), h("input.ed-number", { type: "number", min: "1", max: "100", value: String(weights.get(name) ?? weight), "aria-label": words.say("edit.weight.of", { plugin: name }), "data-focus": `weight ${name}`, onchange: (/** @type {Event} */ event) => { event.stopPropagation(); weigh(name, Number(/** @type {HTMLInputElement} */ (event.target).value) || undefined); } })) : null,
      words.has(`plugin.${name}`) ? h("p.ed-hint", {}, words.say(`plugin.${name}`)) : null)));
}

/** Feature gates that decide something here, with what each does. @param {FormView} view @param {Field} field @param {Scope} scope */
function gates(view, field, scope) {
  const { words } = view;
  const gates = scope.value.featureGates || {};
  const known = new Map(/** @type {[string, boolean][]} */ (field.gates));
  const names = [...new Set([...known.keys(), ...Object.keys(gates)])];
  return box(view, field, names.map((name) => h("div.ed-gate", {},
    h("label.ed-field.is-line", {}, h("span.is-mono", {}, name), h("select", { "data-path": JSON.stringify(["featureGates", name]), "data-type": "boolean" },
      h("option", { value: "", selected: gates[name] === undefined }, known.has(name) ? words.say(known.get(name) ? "option.gate.on" : "option.gate.off") : words.say("option.default")),
      ["true", "false"].map((option) => h("option", { value: option, selected: String(gates[name]) === option }, words.say(`option.${option}`))))),
    words.has(`gate.${name}`) ? h("p.ed-hint", {}, words.say(`gate.${name}`)) : null)));
}
