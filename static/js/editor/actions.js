/**
 * What the buttons do, each as a change of the text. The one rule: one click is one step of undo.
 * @module
 */
import { difference } from "./manifests.js";
import { namer } from "./model.js";
import { copyOf, newBudget, newClaim, newCsiNode, newGenerator, newNamespace, newNode, newPod, newPriorityClass, newStorageClass, newVolume } from "./templates.js";

/** @typedef {import("./manifests.js").Entry} Entry */

const NEW = /** @type {Object<string, [string, string, (name: string) => any]>} */ ({
  "add-node": ["Node", "node", newNode], "add-pod": ["Pod", "pod", newPod], "add-budget": ["PodDisruptionBudget", "budget", newBudget],
  "add-class": ["PriorityClass", "class", newPriorityClass], "add-namespace": ["Namespace", "team", newNamespace],
  "add-claim": ["PersistentVolumeClaim", "claim", newClaim], "add-volume": ["PersistentVolume", "volume", newVolume], "add-storage": ["StorageClass", "storage", newStorageClass], "add-csi-node": ["CSINode", "node", newCsiNode],
});
const AS_OBJECTS = 20; // more copies than this are a generator

export class Actions {
  /** @param {any} bench the workbench */
  constructor(bench) { this.bench = bench; }

  /** @param {{what: string, button?: HTMLElement, key?: string, count?: number, as?: string}} order */
  run(order) {
    const { bench } = this;
    const { what } = order;
    if (NEW[what]) return this.add(what);
    const key = order.key || bench.selected;
    const acts = /** @type {Object<string, () => any>} */ ({
      undo: () => this.#history("undo"), redo: () => this.#history("redo"), run: () => bench.run("run"), save: () => bench.run("save"),
      "copy-entry": () => this.copy(key), "remove-entry": () => this.remove(key), "close-form": () => bench.close(), "more-like-this": () => this.more(key, order.count || 1, order.as || ""),
      "add-generator": () => this.addGenerator(), "roll-out": () => this.rollOut(key), "make-missing": () => this.makeMissing(), "side-yaml": () => bench.showSide("yaml"), "side-form": () => bench.showSide("form"),
    });
    acts[what]?.();
  }

  /** @param {"undo"|"redo"} way */
  #history(way) {
    const { bench } = this;
    const before = bench.code.text;
    bench.code[way]();
    bench.read();
    if (difference(before, bench.code.text)) bench.say(`edit.said.${way}`);
  }

  /** @param {string} key @returns {Entry|undefined} */
  #entry(key) { return this.bench.current().entries.find((/** @type {Entry} */ entry) => entry.key === key); }

  /** @param {string} kind @returns {string[]} */
  #names(kind) { return this.bench.model.nodes && kind === "Node" ? this.bench.model.nodes.map((/** @type {any} */ node) => node.name) : this.bench.current().entries.filter((/** @type {Entry} */ entry) => entry.kind === kind).map((/** @type {Entry} */ entry) => entry.name); }

  #isBroken() {
    if (!this.bench.current().error) return false;
    this.bench.problems.refuse([{ path: "", line: this.bench.draft.error.line, message: this.bench.words.say("edit.broken") }], this.bench.code.text);
    return true;
  }

  /** @param {string} what */
  add(what) {
    if (this.#isBroken()) return;
    const [kind, stem, make] = NEW[what];
    const name = namer(this.#names(kind), stem)();
    const manifest = make(name);
    this.bench.apply(this.bench.draft.add([manifest]), { select: keyOf(manifest) });
    this.bench.showSide("form");
    this.bench.say("edit.said.added", { kind, name });
  }

  addGenerator() {
    if (this.#isBroken()) return;
    const manifest = newGenerator("Node", "worker", 20, newNode("worker"));
    this.bench.apply(this.#inScenario().add([manifest]), { select: "Generator//worker-{i}" });
    this.bench.showSide("form");
  }

  /** Generators stand in a Scenario. */
  #inScenario() {
    const { draft } = this.bench;
    return draft.isScenario ? draft : new draft.constructor(draft.asScenario());
  }

  /** @param {string} key */
  copy(key) { this.more(key, 1, "objects"); }

  /** @param {string} key @param {number} count @param {string} as "objects", "generator" or "" for what suits the number */
  more(key, count, as) {
    const entry = this.#entry(key);
    if (!entry || this.#isBroken() || count < 1) return;
    const { bench } = this;
    if (entry.kind === "Generator") return bench.apply(bench.draft.set([{ entry, set: [[["generate", "count"], (Number(entry.manifest.generate.count) || 0) + count]] }]), { select: key });
    if (["Node", "Pod"].includes(entry.kind) && (as === "generator" || (!as && count > AS_OBJECTS))) return this.#generate(entry, count);
    const next = namer(this.#names(entry.kind), entry.name);
    const copies = Array.from({ length: Math.min(count, 1000) }, () => copyOf(entry.manifest, next()));
    const after = lastAlike(bench.draft.entries, entry);
    bench.apply(bench.draft.add(copies, after), { select: count === 1 ? keyOf(copies[0]) : key });
    bench.say("edit.said.copied", { count, name: entry.name });
  }

  /** @param {Entry} entry @param {number} count */
  #generate(entry, count) {
    const draft = this.#inScenario();
    const base = entry.name.replace(/-?\d+$/, "") || entry.name;
    const stem = this.#names(entry.kind).some((name) => name.startsWith(`${base}-`)) ? `${base}-x` : base;
    const manifest = newGenerator(entry.kind, stem, count, copyOf(entry.manifest, entry.name));
    this.bench.apply(draft.add([manifest]), { select: `Generator//${stem}-{i}` });
    this.bench.say("edit.said.generated", { count, name: entry.name });
  }

  /** A generator becomes the objects that it stands for. @param {string} key */
  rollOut(key) {
    const entry = this.#entry(key);
    if (!entry || entry.kind !== "Generator") return;
    const { bench } = this;
    const made = [...bench.model.nodes, ...bench.model.pods].filter((/** @type {any} */ each) => each.entry === entry).map((/** @type {any} */ each) => each.manifest || each);
    import("./model.js").then(({ madeAt }) => {
      const { kind, count = 0, name = "{i}", template = {}, vary = {} } = entry.manifest.generate;
      const objects = Array.from({ length: Math.min(Number(count) || made.length, 5000) }, (_, index) => madeAt(kind, name, template, vary, index));
      const added = new bench.draft.constructor(bench.draft.add(objects, entry));
      bench.apply(added.remove([added.entries.find((/** @type {Entry} */ each) => each.key === key)]), { select: objects.length ? keyOf(objects[0]) : "" });
    });
  }

  /** @param {string} key */
  remove(key) {
    const entry = this.#entry(key);
    if (!entry || this.#isBroken()) return;
    const { bench } = this;
    const { entries } = bench.draft;
    const place = entries.indexOf(entry);
    const neighbour = [...entries.slice(place + 1), ...entries.slice(0, place).reverse()].find((each) => each.kind === entry.kind);
    bench.apply(bench.draft.remove([entry]), { select: "" });
    bench.code.hide();
    bench.showSide("yaml");
    bench.say("edit.said.removed", { kind: entry.kind, name: entry.name });
    const next = neighbour && bench.cluster.root.querySelector(`[data-entry="${CSS.escape(neighbour.key)}"]`);
    /** @type {HTMLElement} */ (next || bench.root.querySelector("[data-do=add-pod]")).focus();
  }

  /** @param {string} key of a pod @param {string} node to bind it to; "" to let it wait */
  bind(key, node) {
    const entry = this.#entry(key);
    if (!entry || entry.kind !== "Pod" || this.#isBroken()) return;
    if (String(entry.manifest.spec?.nodeName || "") === node) return;
    const { bench } = this;
    bench.apply(bench.draft.set([{ entry, set: placed(entry.manifest, node) }]), { select: key });
    bench.say(node ? "edit.said.bound" : "edit.said.unbound", { pod: entry.name, node });
    /** @type {HTMLElement|null} */ (bench.cluster.root.querySelector(`[data-entry="${CSS.escape(key)}"]`))?.focus();
  }

  /** Fields of the open entry, or of the scenario. @param {{key?: string, setting?: string, set: [any[], any][], joins?: boolean, node?: string}} order */
  set({ key, setting, set, joins, node }) {
    const { bench } = this;
    if (this.#isBroken()) return;
    if (setting) {
      let { draft } = bench;
      for (const [path, value] of set) draft = new draft.constructor(draft.setScenario(path, value));
      return bench.apply(draft.text, { joins });
    }
    const entry = this.#entry(key || bench.selected);
    if (!entry) return;
    const all = node === undefined ? set : [...set, ...placed(entry.manifest, node)];
    const renamed = [...all].reverse().find(([path]) => path.join(".") === "metadata.name" || path.join(".") === "generate.name");
    const moved = all.find(([path]) => path.join(".") === "metadata.namespace");
    const namespace = moved ? String(moved[1] || "default") : entry.namespace;
    const select = `${entry.kind}/${entry.namespace === "" ? "" : namespace}/${renamed ? renamed[1] ?? "" : entry.name}`;
    const edits = [{ entry, set: all }];
    if (entry.kind === "Node" && renamed) edits.push(...this.#boundTo(entry.name).map((pod) => ({ entry: pod, set: /** @type {[any[], any][]} */ ([[["spec", "nodeName"], renamed[1]]]) })));
    bench.apply(bench.draft.set(edits), { joins, select });
  }

  /** Pods follow a node that gets another name. @param {string} node */
  #boundTo(node) { return this.bench.draft.entries.filter((/** @type {Entry} */ entry) => entry.kind === "Pod" && entry.manifest.spec?.nodeName === node); }

  makeMissing() {
    const made = this.bench.checker.answer?.made_up || [];
    if (!made.length || this.#isBroken()) return;
    this.bench.apply(this.bench.draft.add(made));
    this.bench.say("edit.said.made", { count: made.length });
  }
}

/** What binding to a node, or taking off, sets. @param {any} manifest @param {string} node @returns {[any[], any][]} */
function placed(manifest, node) {
  if (!node) return [[["spec", "nodeName"], undefined], [["status"], undefined]];
  return [[["spec", "nodeName"], node], ...(manifest.status?.phase === "Running" ? [] : [/** @type {[any[], any]} */ ([["status", "phase"], "Running"])])];
}

/** @param {any} manifest */
function keyOf(manifest) {
  const clustered = ["Node", "PriorityClass", "Namespace", "PersistentVolume", "StorageClass", "CSINode"].includes(manifest.kind);
  return `${manifest.kind}/${clustered ? "" : manifest.metadata.namespace || "default"}/${manifest.metadata.name}`;
}

/** The last of the entries that stand right behind one another and are named alike. @param {Entry[]} entries @param {Entry} entry */
function lastAlike(entries, entry) {
  const stem = (/** @type {Entry} */ each) => `${each.kind}/${each.name.replace(/-?\d+$/, "")}`;
  let place = entries.indexOf(entry);
  while (entries[place + 1] && stem(entries[place + 1]) === stem(entry) && entries[place + 1].path.length === entry.path.length) place += 1;
  return entries[place];
}
