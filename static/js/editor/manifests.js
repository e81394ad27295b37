/**
 * The text of a draft as a document: what objects it holds and where they stand, and changes of them as new text.
 * The one rule: text in, text out; whatever is not changed stays as it was written, comments and order included.
 * @module
 */
import { Document, LineCounter, isAlias, isCollection, isMap, isScalar, isSeq, parseAllDocuments } from "../../vendor/yaml/yaml.js";

/** @typedef {(string|number)[]} Path */
/** @typedef {{path: Path, node: any, kind: string, namespace: string, name: string, key: string, manifest: any, from: number, to: number, line: number}} Entry */
/** @typedef {{from: number, to: number, insert: string}} Change */
/** @typedef {[Path, any]} Setting a path below an object, and the value there; undefined takes the field away */

const CLUSTER_WIDE = new Set(["Node", "Namespace", "PersistentVolume", "PriorityClass", "StorageClass", "CSINode", "CSIDriver", "VolumeAttachment", "Generator"]);
const CONFIGURATION = "KubeSchedulerConfiguration";
const READ = { version: "1.1", customTags: (/** @type {any[]} */ tags) => tags.filter((tag) => !/timestamp|binary/.test(tag.tag || tag)), uniqueKeys: false, logLevel: "silent" };
const MOST_ALIASES = 1000;

export class Draft {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.isJson = isJson(text);
    const lines = new LineCounter();
    const docs = parseAllDocuments(text, /** @type {any} */ ({ ...READ, lineCounter: lines }));
    /** @type {any[]} */ this.docs = Array.isArray(docs) ? docs : [];
    /** @type {{message: string, line: number}|null} why the text cannot be read */ this.error = null;
    /** @type {Entry[]} */ this.entries = [];
    /** @type {any} the Scenario around the objects, without them; {} when there is none */ this.scenario = {};
    /** @type {number} number of the document that is the Scenario, -1 without one */ this.scenarioAt = -1;
    this.lineAt = (/** @type {number} */ offset) => lines.linePos(offset).line;
    this.#read();
  }

  #read() {
    try {
      this.docs.forEach((doc, index) => this.#readDocument(doc, index));
    } catch (error) {
      this.error = { message: String(/** @type {any} */ (error).message || error), line: 1 };
    }
  }

  /** @param {any} doc @param {number} index */
  #readDocument(doc, index) {
    const [problem] = doc.errors;
    if (problem) {
      this.error ||= { message: problem.message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, ""), line: this.lineAt(problem.pos[0]) };
      return;
    }
    const { contents } = doc;
    if (isSeq(contents)) return this.#readItems(doc, contents, [index], {});
    if (!isMap(contents)) return;
    const kind = String(contents.get("kind") ?? "");
    if (kind === "Scenario" && String(contents.get("apiVersion") ?? "playground/v1").startsWith("playground/")) {
      this.scenarioAt = index;
      const { objects, ...rest } = doc.toJS({ maxAliasCount: MOST_ALIASES });
      this.scenario = rest;
      const list = contents.get("objects", true);
      if (isSeq(list)) this.#readItems(doc, list, [index, "objects"], {});
      return;
    }
    if (kind === CONFIGURATION) { this.scenario = { ...this.scenario, config: doc.toJS({ maxAliasCount: MOST_ALIASES }) }; return; }
    this.#readObject(doc, contents, [index], {});
  }

  /** @param {any} doc @param {any} list @param {Path} path @param {any} inherited */
  #readItems(doc, list, path, inherited) {
    list.items.forEach((/** @type {any} */ item, /** @type {number} */ index) => this.#readObject(doc, item, [...path, index], inherited));
  }

  /** @param {any} doc @param {any} node @param {Path} path @param {any} inherited */
  #readObject(doc, node, path, inherited) {
    const target = isAlias(node) ? node.resolve(doc) : node;
    if (!isMap(target)) return;
    const kind = String(target.get("kind") ?? inherited.kind ?? "");
    const items = target.get("items", true);
    if (kind.endsWith("List") && (isSeq(items) || kind === "List")) {
      if (isSeq(items)) this.#readItems(doc, items, [...path, "items"], kind === "List" ? {} : { kind: kind.slice(0, -4), apiVersion: target.get("apiVersion") });
      return;
    }
    const manifest = { ...inherited, ...(target.toJS(doc, { maxAliasCount: MOST_ALIASES }) || {}) };
    this.entries.push(entryOf(manifest, node, path, this.lineAt(node.range[0])));
  }

  get isScenario() { return this.scenarioAt >= 0; }

  /** How lists under a key are written here: indented or not. */
  get #style() {
    const padded = /\{ \S/.test(this.text);
    const under = /^( *)(?:- )*[\w./-]+: *\n( *)- /m.exec(this.text);
    return { lineWidth: 0, indentSeq: under ? under[2].length > under[1].length : false, flowCollectionPadding: padded, verifyAliasOrder: false };
  }

  // -- changes ------------------------------------------------------------------------------------------------------
  /** Fields of objects set or taken away. @param {{entry: Entry, set: Setting[]}[]} edits @returns {string} */
  set(edits) {
    if (this.isJson) return this.#json((root) => edits.forEach(({ entry, set }) => set.forEach(([path, value]) => put(root, [...entry.path.slice(1), ...path], value))));
    return splice(this.text, edits.map(({ entry, set }) => this.#change(entry, set)));
  }

  /** Objects added: behind another one, or at the end. @param {any[]} manifests @param {Entry|null} [after] @returns {string} */
  add(manifests, after = null) {
    if (!manifests.length) return this.text;
    if (this.isJson) return this.#json((root) => addTo(root, manifests, after ? after.path.slice(1) : null));
    const list = this.#list(after);
    if (!list) return this.#addDocuments(manifests, after);
    const { node, path } = list;
    if (!isSeq(node) || node.flow || !node.items.length) return this.#rewriteList(node, path, manifests);
    const place = after && after.path.length === path.length + 1 ? Number(after.path[path.length]) : node.items.length - 1;
    const [from] = node.range;
    const indent = column(this.text, from);
    const end = lineEnd(this.text, node.items[place].range[1]);
    const insert = manifests.map((manifest) => `${listItem(this.#write(manifest), indent)}\n`).join("");
    return splice(this.text, [{ from: end, to: end, insert: this.text[end - 1] === "\n" ? insert : `\n${insert}` }]);
  }

  /** Objects taken away. @param {Entry[]} entries @returns {string} */
  remove(entries) {
    if (this.isJson) return this.#json((root) => [...entries].reverse().forEach((entry) => put(root, entry.path.slice(1), undefined)));
    const whole = new Set(entries.filter(({ path }) => path.length === 1).map(({ path }) => path[0]));
    /** @type {Map<string, Entry[]>} */
    const byList = new Map();
    for (const entry of entries) if (entry.path.length > 1) byList.set(entry.path.slice(0, -1).join("/"), [...(byList.get(entry.path.slice(0, -1).join("/")) || []), entry]);
    const changes = [...byList.values()].flatMap((gone) => this.#withoutItems(gone));
    const pieces = this.#pieces();
    pieces.forEach(({ from, to }, index) => { if (whole.has(index)) changes.push({ from, to, insert: "" }); });
    const text = splice(this.text, changes);
    return whole.has(0) ? text.replace(/^---[ \t]*\n/, "") : text;
  }

  /** A key of the Scenario around the objects set or taken away; plain documents become a Scenario first. @param {Path} path @param {any} value @returns {string} */
  setScenario(path, value) {
    if (this.isJson) return this.#json((root) => put(asScenarioObject(root), path, value), asScenarioObject);
    if (!this.isScenario) return value === undefined ? this.text : new Draft(this.asScenario()).setScenario(path, value);
    const map = this.docs[this.scenarioAt].contents;
    const at = map.items.findIndex((/** @type {any} */ pair) => String(pair.key) === path[0]);
    if (at < 0) return value === undefined ? this.text : this.#insertKey(map, String(path[0]), nested(path.slice(1), value));
    const pair = map.items[at];
    const next = map.items[at + 1];
    const from = pair.key.range[0];
    const to = pair.value?.range ? pair.value.range[1] : pair.key.range[1] + 1;
    if (path.length === 1 && value === undefined) return splice(this.text, [{ from, to: next ? lineStart(this.text, next.key.range[0]) : lineEnd(this.text, to), insert: "" }]);
    const changed = path.length === 1 ? this.#node(value) : this.#changed(pair.value, [[path.slice(1), value]]);
    if (isCollection(changed) && !changed.items.length && path.length > 1) return this.setScenario([path[0]], undefined);
    const body = this.#stringify(changed);
    const ending = this.text.slice(from, to).endsWith("\n") ? "\n" : "";
    const indent = " ".repeat(column(this.text, from));
    return splice(this.text, [{ from, to, insert: keyed(String(pair.key), body, changed, indent) + ending }]);
  }

  /** The same objects in a Scenario; text that is one already as it is. @returns {string} */
  asScenario() {
    if (this.isScenario) return this.text;
    if (this.isJson) return this.#json(() => {}, asScenarioObject);
    const objects = [], config = [];
    for (const [index, { from, to }] of this.#pieces().entries()) {
      const body = this.text.slice(from, to).replace(/^(?:%[^\n]*\n)*---[ \t]*\n?/, "").replace(/\n\.\.\.\s*$/, "\n").trimEnd();
      if (!body.trim()) continue;
      const contents = this.docs[index]?.contents;
      if (isMap(contents) && contents.get("kind") === CONFIGURATION) config.push(`config:\n${indented(body, "  ")}\n`);
      else objects.push(isSeq(contents) && !contents.flow ? body : asItem(body));
    }
    return `apiVersion: playground/v1\nkind: Scenario\n${config.join("")}objects:${objects.length ? `\n${objects.join("\n")}` : " []"}\n`;
  }

  // -- pieces -------------------------------------------------------------------------------------------------------
  /** @param {Entry} entry @param {Setting[]} set @returns {Change} */
  #change(entry, set) {
    const simple = set.length === 1 ? this.#scalarChange(entry, set[0]) : null;
    if (simple) return simple;
    const { node } = entry;
    const [from, to] = node.range;
    const ending = this.text.slice(from, to).endsWith("\n") ? "\n" : "";
    const body = this.#stringify(this.#changed(node, set));
    return { from, to, insert: indented(body, " ".repeat(column(this.text, from)), 1) + ending };
  }

  /** A value that stands in one place already: only its letters change. @param {Entry} entry @param {Setting} setting @returns {Change|null} */
  #scalarChange(entry, [path, value]) {
    if (value === undefined || value === null || typeof value === "object" || !isMap(entry.node)) return null;
    const old = entry.node.getIn(path, true);
    if (!isScalar(old) || !old.range || old.range[0] === old.range[1] || String(old.type).startsWith("BLOCK") || old.anchor) return null;
    const fresh = /** @type {any} */ (this.#node(value));
    if (typeof value === "string" && String(old.type).startsWith("QUOTE")) fresh.type = old.type;
    const insert = this.#stringify(fresh);
    return insert.includes("\n") ? null : { from: old.range[0], to: old.range[1], insert };
  }

  /** The node with fields changed; the old one when it can hold them. @param {any} node @param {Setting[]} set */
  #changed(node, set) {
    const doc = new Document(null, /** @type {any} */ ({ version: "1.1" }));
    doc.contents = isAlias(node) || !node ? doc.createNode({}) : node;
    for (const [path, value] of set) {
      loosen(doc, path);
      if (value === undefined) take(doc, path);
      else setDeep(doc, path, value);
    }
    return doc.contents;
  }

  /** @param {any} value */
  #node(value) { return new Document(value, /** @type {any} */ ({ version: "1.1" })).contents; }

  /** @param {any} node @returns {string} */
  #stringify(node) {
    const doc = new Document(null, /** @type {any} */ ({ version: "1.1" }));
    doc.contents = node;
    if (node && typeof node === "object") Object.assign(node, { commentBefore: undefined, comment: undefined, spaceBefore: false });
    return doc.toString(/** @type {any} */ (this.#style)).replace(/\n$/, "");
  }

  /** @param {any} value @returns {string} */
  #write(value) { return this.#stringify(this.#node(value)); }

  /** @param {(root: any) => void} change @param {(root: any) => any} [wrap] */
  #json(change, wrap = (root) => root) {
    const root = wrap(JSON.parse(this.text));
    change(root);
    return `${JSON.stringify(root, null, 2)}\n`;
  }

  /** Where documents begin and end in the text, in order. @returns {{from: number, to: number}[]} */
  #pieces() {
    return this.docs.map((doc, index) => ({ from: index ? doc.range[0] : 0, to: this.docs[index + 1]?.range[0] ?? this.text.length }));
  }

  /** The list that new objects go into: that of an object, the Scenario's, or the only List there is; null for documents. @param {Entry|null} after @returns {{node: any, path: Path}|null} */
  #list(after) {
    if (after && after.path.length > 1) { const path = after.path.slice(0, -1); return { node: this.#at(path), path }; }
    if (after) return null;
    if (this.isScenario) { const path = [this.scenarioAt, "objects"]; return { node: this.#at(path), path }; }
    const full = this.docs.filter((doc) => doc.contents);
    if (full.length !== 1) return null;
    const index = this.docs.indexOf(full[0]);
    const { contents } = full[0];
    if (isSeq(contents)) return { node: contents, path: [index] };
    if (isMap(contents) && contents.get("kind") === "List" && isSeq(contents.get("items", true))) return { node: contents.get("items", true), path: [index, "items"] };
    return null;
  }

  /** @param {Path} path */
  #at(path) {
    const { contents } = this.docs[Number(path[0])];
    return path.length === 1 ? contents : contents?.getIn(path.slice(1), true);
  }

  /** @param {any[]} manifests @param {Entry|null} after */
  #addDocuments(manifests, after) {
    const written = manifests.map((manifest) => `${this.#write(manifest)}\n`);
    const pieces = this.#pieces();
    const place = after ? pieces[Number(after.path[0])].to : this.text.length;
    const before = this.text.slice(0, place).trimEnd();
    const rest = this.text.slice(place);
    return `${before}${before ? "\n---\n" : ""}${written.join("---\n")}${rest}`;
  }

  /** @param {any} node @param {Path} path @param {any[]} manifests */
  #rewriteList(node, path, manifests) {
    const items = [...(node?.items || []), ...manifests.map((manifest) => this.#node(manifest))];
    const body = items.map((item) => listItem(this.#stringify(item), 0)).join("\n");
    if (!node?.range) return path.length === 2 && path[1] === "objects" ? this.#insertText(`objects:\n${body}`) : this.text;
    const [from, to] = node.range;
    if (path.length === 1) return splice(this.text, [{ from, to, insert: body }]);
    const start = lineStart(this.text, from);
    const indent = /^ */.exec(this.text.slice(start))?.[0] || "";
    const gap = this.text.slice(start, from).replace(/[ \t]+$/, "").length + start;
    return splice(this.text, [{ from: gap, to, insert: `\n${indented(body, indent)}` }]);
  }

  /** @param {any} map @param {string} key @param {any} value */
  #insertKey(map, key, value) {
    const node = this.#node(value);
    const text = keyed(key, this.#stringify(node), node, "");
    const objects = map.items.find((/** @type {any} */ pair) => String(pair.key) === "objects");
    if (!objects || map.flow) return this.#insertText(text);
    const at = lineStart(this.text, objects.key.range[0]);
    return splice(this.text, [{ from: at, to: at, insert: `${text}\n` }]);
  }

  /** @param {string} text at the end of the Scenario */
  #insertText(text) {
    const { range } = this.docs[this.scenarioAt].contents;
    const end = lineEnd(this.text, range[1]);
    return splice(this.text, [{ from: end, to: end, insert: `${this.text[end - 1] === "\n" ? "" : "\n"}${text}\n` }]);
  }

  /** @param {Entry[]} gone all of one list @returns {Change[]} */
  #withoutItems(gone) {
    const path = gone[0].path.slice(0, -1);
    const list = this.#at(path);
    const indices = new Set(gone.map((entry) => Number(entry.path[path.length])));
    if (list.flow || indices.size === list.items.length) {
      const [from, to] = list.range;
      const kept = list.items.filter((/** @type {any} */ _, /** @type {number} */ index) => !indices.has(index));
      if (!kept.length) { const gap = this.text.slice(0, from).trimEnd().length; return [{ from: gap, to, insert: this.text.slice(from, to).endsWith("\n") ? " []\n" : " []" }]; }
      list.items = kept;
      return [{ from, to, insert: this.#stringify(list) }];
    }
    return [...indices].map((index) => {
      const from = withComments(this.text, dash(this.text, list.items[index].range[0]));
      const next = list.items[index + 1];
      return { from, to: next ? withComments(this.text, dash(this.text, next.range[0])) : lineEnd(this.text, list.items[index].range[1]), insert: "" };
    });
  }
}

// -- values -----------------------------------------------------------------------------------------------------------
/** @param {any} manifest @param {any} node @param {Path} path @param {number} line @returns {Entry} */
function entryOf(manifest, node, path, line) {
  const made = manifest.generate && typeof manifest.generate === "object";
  const kind = made ? "Generator" : String(manifest.kind || "");
  const name = made ? String(manifest.generate.name || `${String(manifest.generate.kind || "").toLowerCase()}-{i}`) : String(manifest.metadata?.name ?? "");
  const namespace = CLUSTER_WIDE.has(kind) ? "" : String(manifest.metadata?.namespace || "default");
  return { path, node, kind, namespace, name, key: `${kind}/${namespace}/${name}`, manifest, from: node.range[0], to: node.range[1], line };
}

/** @param {string} text */
function isJson(text) {
  if (!/^\s*[[{]/.test(text)) return false;
  try { JSON.parse(text); return true; } catch { return false; }
}

/** Sets, or takes away, what a path leads to; parents that are empty after that go too. @param {any} root @param {Path} path @param {any} value */
export function put(root, path, value) {
  const way = [root];
  for (const [index, key] of path.slice(0, -1).entries()) {
    let below = way[index][key];
    if (below === null || typeof below !== "object") {
      if (value === undefined) return;
      below = way[index][key] = typeof path[index + 1] === "number" ? [] : {};
    }
    way.push(below);
  }
  const last = path[path.length - 1];
  const owner = way[way.length - 1];
  if (value !== undefined) owner[last] = value;
  else if (Array.isArray(owner)) owner.splice(Number(last), 1);
  else delete owner[last];
  for (let depth = way.length - 1; value === undefined && depth > 1 && !Object.keys(way[depth]).length; depth -= 1) delete way[depth - 1][path[depth - 1]];
}

/** @param {any} root @param {any[]} manifests @param {Path|null} after */
function addTo(root, manifests, after) {
  const list = Array.isArray(root) ? root : root.kind === "Scenario" ? (root.objects ||= []) : root.items;
  if (!Array.isArray(list)) {
    const first = { ...root };
    for (const key of Object.keys(root)) delete root[key];
    Object.assign(root, { apiVersion: "v1", kind: "List", items: [first, ...manifests] });
    return;
  }
  const place = after?.length && typeof after[after.length - 1] === "number" ? Number(after[after.length - 1]) + 1 : list.length;
  list.splice(place, 0, ...manifests);
}

/** @param {any} root */
function asScenarioObject(root) {
  if (root?.kind === "Scenario") return root;
  const objects = Array.isArray(root) ? root : root?.kind === "List" ? root.items || [] : [root];
  return { apiVersion: "playground/v1", kind: "Scenario", objects };
}

/** {a: {b: value}} of [a, b]. @param {Path} path @param {any} value @returns {any} */
function nested(path, value) {
  return path.reduceRight((below, key) => (typeof key === "number" ? [below] : { [key]: below }), value);
}

/** Makes a way for a path: an empty value becomes a map, an alias a copy. @param {any} doc @param {Path} path */
function loosen(doc, path) {
  for (let length = 1; length < path.length; length += 1) {
    const here = doc.getIn(path.slice(0, length), true);
    const empty = typeof path[length] === "number" ? [] : {};
    if (isAlias(here)) doc.setIn(path.slice(0, length), doc.createNode(here.toJS?.(doc) ?? empty));
    else if (isScalar(here)) doc.setIn(path.slice(0, length), doc.createNode(empty));
    else if (here === undefined) return;
  }
}

/** Sets below the deepest map or list that is there; what is missing on the way comes as plain maps and lists. @param {any} doc @param {Path} path @param {any} value */
function setDeep(doc, path, value) {
  let length = path.length - 1;
  while (length > 0 && !isCollection(doc.getIn(path.slice(0, length), true))) length -= 1;
  doc.setIn(path.slice(0, length + 1), doc.createNode(nested(path.slice(length + 1), value)));
}

/** @param {any} doc @param {Path} path */
function take(doc, path) {
  if (!doc.hasIn(path)) return;
  doc.deleteIn(path);
  for (let length = path.length - 1; length > 1; length -= 1) {
    const here = doc.getIn(path.slice(0, length), true);
    if (!isCollection(here) || here.items.length) return;
    doc.deleteIn(path.slice(0, length));
  }
}

// -- text -------------------------------------------------------------------------------------------------------------
/** @param {string} text @param {Change[]} changes that do not overlap @returns {string} */
export function splice(text, changes) {
  return [...changes].sort((a, b) => b.from - a.from).reduce((done, { from, to, insert }) => done.slice(0, from) + insert + done.slice(to), text);
}

/** What differs between two texts, as one change; null when nothing does. @param {string} before @param {string} after @returns {Change|null} */
export function difference(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0, end = 0;
  while (start < most && before[start] === after[start]) start += 1;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

const lineStart = (/** @type {string} */ text, /** @type {number} */ at) => text.lastIndexOf("\n", at - 1) + 1;
const column = (/** @type {string} */ text, /** @type {number} */ at) => at - lineStart(text, at);

/** The place after the line that a place is on; the place itself at the start of a line. @param {string} text @param {number} at */
function lineEnd(text, at) {
  if (text[at - 1] === "\n") return at;
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** The start of the line with the dash before a list item. @param {string} text @param {number} at */
function dash(text, at) {
  let start = lineStart(text, at);
  while (start > 0 && !/^ *- /.test(text.slice(start, at + 1)) && !/^ *-$/.test(text.slice(start, at).trimEnd())) start = lineStart(text, start - 1);
  return start;
}

/** Comment lines right above, as far in as the line itself, belong to it. @param {string} text @param {number} start */
function withComments(text, start) {
  const indent = /^ */.exec(text.slice(start))?.[0].length || 0;
  let from = start;
  while (from > 0) {
    const above = lineStart(text, from - 1);
    const line = text.slice(above, from);
    if (!line.startsWith(`${" ".repeat(indent)}#`)) break;
    from = above;
  }
  return from;
}

/** @param {string} text @param {string} indent @param {number} [first] the first line to indent */
function indented(text, indent, first = 0) {
  return text.split("\n").map((line, index) => (index < first || !line ? line : indent + line)).join("\n");
}

/** @param {string} body @param {number} indent */
function listItem(body, indent) { return `${" ".repeat(indent)}- ${indented(body, " ".repeat(indent + 2), 1)}`; }

/** @param {string} body a whole document, comments above it included */
function asItem(body) {
  const lines = body.split("\n");
  const first = lines.findIndex((line) => line.trim() && !line.trimStart().startsWith("#"));
  return lines.map((line, index) => (index < first || !line ? line : index === first ? `- ${line}` : `  ${line}`)).filter((line, index) => line || index > first).join("\n");
}

/** @param {string} key @param {string} body @param {any} node @param {string} indent */
function keyed(key, body, node, indent) {
  if (!isCollection(node) || node.flow || !node.items.length) return `${key}: ${indented(body, indent, 1)}`;
  return `${key}:\n${indented(body, isSeq(node) ? indent : `${indent}  `)}`;
}
