/**
 * The text of a draft as a document: what objects it holds and where they stand, and changes of them as new text.
 * The one rule: text in, text out; whatever is not changed stays as it was written, comments and order included.
 * @module
 */
import { Document, isAlias, isCollection, isMap, isScalar, isSeq, parseAllDocuments } from "../../vendor/yaml/yaml.js";
import { jsonObjects } from "./json_places.js";
import { CONFIGURATION, READ, contentOf, inheritedFrom, piecesOf } from "./parts.js";

/** @typedef {import("./parts.js").Path} Path */
/** @typedef {import("./parts.js").Part} Part */
/** @typedef {import("./parts.js").Piece} Piece */
/** @typedef {import("./parts.js").Content} Content */
/** @typedef {{path: Path, kind: string, namespace: string, name: string, key: string, manifest: any, from: number, to: number, line: number, part: Part|null, inner: Path}} Entry an object; `part` is where it is read, `inner` its way in there */
/** @typedef {{from: number, to: number, insert: string}} Change */
/** @typedef {[Path, any]} Setting a path below an object, and the value there; undefined takes the field away */

const CLUSTER_WIDE = new Set(["Node", "Namespace", "PersistentVolume", "PriorityClass", "StorageClass", "CSINode", "CSIDriver", "VolumeAttachment", "Generator"]);

/** What was read of parts: no part is read twice, as long as its letters are the same. */
export class Read {
  /** @type {Map<string, Content>} */ #known = new Map();

  /** @param {Part} part */
  static key(part) { return (part.isItem ? "-" : "") + part.text; }

  /** @param {Part} part */
  has(part) { return this.#known.has(Read.key(part)); }

  /** @param {Part} part @param {Content} content */
  learn(part, content) { this.#known.set(Read.key(part), content); }

  /** @param {Part} part @returns {Content} */
  of(part) {
    const key = Read.key(part);
    let content = this.#known.get(key);
    if (!content) this.#known.set(key, content = contentOf(part));
    return content;
  }

  /** Only what these parts need. @param {Part[]} parts */
  keep(parts) {
    if (this.#known.size < 2 * parts.length + 100) return;
    const old = this.#known;
    this.#known = new Map();
    for (const part of parts) { const content = old.get(Read.key(part)); if (content) this.learn(part, content); }
  }
}

/** The parts that a text is read in. @param {Piece[]} pieces @returns {Part[]} */
export function partsOf(pieces) { return pieces.flatMap(({ head, list }) => (list ? [head, ...list.parts] : [head])); }

export class Draft {
  /** @param {string} text @param {Read} [read] what is known already @param {Piece[]|null} [pieces] of the text, when somebody has them */
  constructor(text, read = new Read(), pieces = null) {
    this.text = text;
    this.read = read;
    this.root = jsonOf(text);
    this.isJson = this.root !== undefined;
    /** @type {Piece[]} */ this.pieces = this.isJson ? [] : pieces || piecesOf(text);
    /** @type {{message: string, line: number}|null} why the text cannot be read */ this.error = null;
    /** @type {Entry[]} */ this.entries = [];
    /** @type {any} the Scenario around the objects, without them; {} when there is none */ this.scenario = {};
    /** @type {number} number of the document that is the Scenario, -1 without one */ this.scenarioAt = -1;
    if (this.isJson) this.#readJson();
    else this.#readPieces();
  }

  #readPieces() {
    let line = 1;
    for (const [index, piece] of this.pieces.entries()) {
      const content = this.read.of(piece.head);
      this.#fail(content, line);
      if (content.scenario) { if (content.shape === "scenario") this.scenarioAt = index; this.scenario = { ...this.scenario, ...content.scenario }; }
      line = piece.list ? this.#readItems(piece, piece.list, content, [index], line) : this.#readObjects(piece.head, content, [index], line, {});
    }
    this.read.keep(partsOf(this.pieces));
  }

  /** @param {Piece} piece @param {import("./parts.js").List} list @param {Content} head @param {Path} path @param {number} line @returns {number} the line after it */
  #readItems(piece, list, head, path, line) {
    let here = line + countLines(this.text, piece.from, list.from);
    const inherited = head.list ? inheritedFrom(head.list.kind, head.list.apiVersion) : {};
    list.parts.forEach((part, index) => { here = this.#readObjects(part, this.read.of(part), [...path, list.key, index], here, inherited); });
    return here + countLines(this.text, list.to, piece.to);
  }

  /** @param {Part} part @param {Content} content @param {Path} path @param {number} line @param {any} inherited @returns {number} the line after it */
  #readObjects(part, content, path, line, inherited) {
    if (part.isItem) this.#fail(content, line);
    for (const found of content.objects) {
      const manifest = found.isItem && inherited.kind ? { ...inherited, ...found.manifest } : found.manifest;
      this.entries.push(entryOf(manifest, [...path, ...found.path], { from: part.from + found.from, to: part.from + found.to, line: line + found.line }, part, found.path));
    }
    return line + content.lines;
  }

  /** @param {Content} content @param {number} line */
  #fail({ error }, line) { if (error) this.error ||= { message: error.message, line: line + error.line }; }

  #readJson() {
    const { root } = this;
    if (root?.kind === "Scenario") { this.scenarioAt = 0; const { objects, ...rest } = root; this.scenario = rest; }
    if (root?.kind === CONFIGURATION) { this.scenario = { config: root }; return; }
    for (const { path, manifest, from, to, line } of jsonObjects(this.text, root)) this.entries.push(entryOf(manifest, [0, ...path], { from, to, line }, null, []));
  }

  get isScenario() { return this.scenarioAt >= 0; }

  /** @type {any} */ #asWritten = null;

  /** How lists under a key are written here: indented or not. */
  get #style() { return this.#asWritten ||= this.#styleOf(); }

  #styleOf() {
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
    const { node, path, parts } = list;
    if (!parts && (!isSeq(node) || node.flow || !node.items.length)) return this.#rewriteList(node, path, manifests);
    const place = after && after.path.length === path.length + 1 ? Number(after.path[path.length]) : (parts || node.items).length - 1;
    const indent = parts ? list.indent || 0 : column(this.text, node.range[0]);
    const end = lineEnd(this.text, (parts ? this.#astOf(parts[place]) : node.items[place]).range[1]);
    const insert = manifests.map((manifest) => `${listItem(this.#write(manifest), indent)}\n`).join("");
    return splice(this.text, [{ from: end, to: end, insert: this.text[end - 1] === "\n" ? insert : `\n${insert}` }]);
  }

  /** Objects taken away. @param {Entry[]} entries @returns {string} */
  remove(entries) {
    if (this.isJson) return this.#json((root) => [...entries].reverse().forEach((entry) => put(root, entry.path.slice(1), undefined)));
    const whole = new Set(entries.filter(({ path }) => path.length === 1).map(({ path }) => path[0]));
    /** @type {Map<string, Entry[]>} */
    const byList = new Map();
    for (const entry of entries) {
      if (entry.path.length < 2) continue;
      const list = entry.path.slice(0, -1).join("/");
      if (!byList.has(list)) byList.set(list, []);
      byList.get(list)?.push(entry);
    }
    const changes = [...byList.values()].flatMap((gone) => this.#withoutItems(gone));
    this.pieces.forEach(({ from, to }, index) => { if (whole.has(index)) changes.push({ from, to, insert: "" }); });
    const text = splice(this.text, changes);
    return whole.has(0) ? text.replace(/^---[ \t]*\n/, "") : text;
  }

  /** A key of the Scenario around the objects set or taken away; plain documents become a Scenario first. @param {Path} path @param {any} value @returns {string} */
  setScenario(path, value) {
    if (this.isJson) return this.#json((root) => put(asScenarioObject(root), path, value), asScenarioObject);
    if (!this.isScenario) return value === undefined ? this.text : new Draft(this.asScenario(), this.read).setScenario(path, value);
    const map = this.#at([this.scenarioAt]);
    const at = map.items.findIndex((/** @type {any} */ pair) => String(pair.key) === path[0]);
    if (at < 0) return value === undefined ? this.text : this.#insertKey(map, String(path[0]), nested(path.slice(1), value));
    const pair = map.items[at];
    const next = map.items[at + 1];
    const from = pair.key.range[0];
    const to = pair.value?.range ? pair.value.range[1] : pair.key.range[1] + 1;
    if (path.length === 1 && value === undefined) return splice(this.text, [{ from, to: next ? lineStart(this.text, next.key.range[0]) : lineEnd(this.text, to), insert: "" }]);
    const changed = path.length === 1 ? this.#made(value) : this.#changed(pair.value, [[path.slice(1), value]]);
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
    for (const { from, to, head, list } of this.pieces) {
      const body = this.text.slice(from, to).replace(/^(?:%[^\n]*\n)*---[ \t]*\n?/, "").replace(/\n\.\.\.\s*$/, "\n").trimEnd();
      if (!body.trim()) continue;
      const { shape } = this.read.of(head);
      if (shape === "config") config.push(`config:\n${indented(body, "  ")}\n`);
      else objects.push(shape === "list" && !list ? body : asItem(body));
    }
    return `apiVersion: playground/v1\nkind: Scenario\n${config.join("")}objects:${objects.length ? `\n${objects.join("\n")}` : " []"}\n`;
  }

  /** The line of a field of an object, or of what is nearest around it. @param {Entry} entry @param {Path} path @returns {number} */
  lineOf(entry, path) {
    if (this.isJson) return entry.line;
    const node = this.#node(entry);
    for (let length = path.length; length > 0 && isMap(node); length -= 1) {
      const found = /** @type {any} */ (node.getIn(path.slice(0, length), true));
      if (found?.range) return entry.line + countLines(this.text, entry.from, found.range[0]);
    }
    return entry.line;
  }

  // -- pieces -------------------------------------------------------------------------------------------------------
  /** @param {Entry} entry @param {Setting[]} set @returns {Change} */
  #change(entry, set) {
    const node = this.#node(entry);
    const simple = set.length === 1 ? this.#scalarChange(node, set[0]) : null;
    if (simple) return simple;
    const [from, to] = node.range;
    const ending = this.text.slice(from, to).endsWith("\n") ? "\n" : "";
    const changed = this.#changed(isAlias(node) ? this.#made(entry.manifest) : node, set); // who changes a reference wants an object of its own
    if (changed && typeof changed === "object") Object.assign(changed, { anchor: undefined }); // it stands before the value, and stays
    const body = this.#stringify(changed);
    return { from, to, insert: indented(body, " ".repeat(column(this.text, from)), 1) + ending };
  }

  /** A value that stands in one place already: only its letters change. @param {any} node @param {Setting} setting @returns {Change|null} */
  #scalarChange(node, [path, value]) {
    if (value === undefined || value === null || typeof value === "object" || !isMap(node)) return null;
    const old = node.getIn(path, true);
    if (!isScalar(old) || !old.range || old.range[0] === old.range[1] || String(old.type).startsWith("BLOCK") || old.anchor) return null;
    const fresh = /** @type {any} */ (this.#made(value));
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
  #made(value) { return new Document(value, /** @type {any} */ ({ version: "1.1" })).contents; }

  /** @param {any} node @returns {string} */
  #stringify(node) {
    const doc = new Document(null, /** @type {any} */ ({ version: "1.1" }));
    doc.contents = node;
    if (node && typeof node === "object") Object.assign(node, { commentBefore: undefined, comment: undefined, spaceBefore: false });
    return doc.toString(/** @type {any} */ (this.#style)).replace(/\n$/, "");
  }

  /** @param {any} value @returns {string} */
  #write(value) { return this.#stringify(this.#made(value)); }

  /** @param {(root: any) => void} change @param {(root: any) => any} [wrap] */
  #json(change, wrap = (root) => root) {
    const root = wrap(JSON.parse(this.text));
    change(root);
    return `${JSON.stringify(root, null, 2)}\n`;
  }

  /** The syntax tree of an object, places counted in the whole text; made anew each time, so that it may be changed. @param {Entry} entry */
  #node(entry) { return this.#at(entry.path); }

  /** @param {Part} part @param {(at: number) => number} [place] */
  #astOf(part, place = (at) => part.from + at) {
    const [document] = /** @type {any[]} */ (parseAllDocuments(part.text, /** @type {any} */ (READ)));
    const contents = document?.contents ?? null;
    move(contents, place);
    return part.isItem && isSeq(contents) ? contents.items[0] : contents;
  }

  /** What a path leads to. @param {Path} path @returns {any} */
  #at(path) {
    const piece = this.pieces[Number(path[0])];
    const { head, list } = piece;
    const below = (/** @type {any} */ node, /** @type {Path} */ way) => (way.length ? node?.getIn(way, true) : node);
    if (!list) return below(this.#astOf(head), path.slice(1));
    if (path[1] === list.key && path.length > 2) return below(this.#astOf(list.parts[Number(path[2])]), path.slice(3));
    const gap = list.from - piece.from; // in the head, one line stands for the whole list
    return below(this.#astOf(head, (at) => piece.from + (at <= gap ? at : at - 1 + list.to - list.from)), path.slice(1));
  }

  /** The list that new objects go into: that of an object, the Scenario's, or the only List there is; null for documents. @param {Entry|null} after @returns {{node: any, path: Path, parts?: Part[], indent?: number}|null} */
  #list(after) {
    if (after && after.path.length > 1) return this.#listAt(after.path.slice(0, -1));
    if (after) return null;
    if (this.isScenario) return this.#listAt([this.scenarioAt, "objects"]);
    const full = this.pieces.filter(({ head }) => this.read.of(head).shape);
    if (full.length !== 1) return null;
    const index = this.pieces.indexOf(full[0]);
    if (full[0].list?.key === "items") return full[0].head.text.match(/^kind:[ \t]*["']?List\b/m) ? this.#listAt([index, "items"]) : null;
    const contents = this.#at([index]);
    if (isSeq(contents)) return { node: contents, path: [index] };
    if (isMap(contents) && contents.get("kind") === "List" && isSeq(contents.get("items", true))) return { node: contents.get("items", true), path: [index, "items"] };
    return null;
  }

  /** @param {Path} path */
  #listAt(path) {
    const { list } = this.pieces[Number(path[0])];
    if (list && path.length === 2 && path[1] === list.key) return { node: null, path, parts: list.parts, indent: list.indent };
    return { node: this.#at(path), path };
  }

  /** @param {any[]} manifests @param {Entry|null} after */
  #addDocuments(manifests, after) {
    const written = manifests.map((manifest) => `${this.#write(manifest)}\n`);
    const { pieces } = this;
    const place = after ? pieces[Number(after.path[0])].to : this.text.length;
    const before = this.text.slice(0, place).trimEnd();
    const rest = this.text.slice(place);
    return `${before}${before ? "\n---\n" : ""}${written.join("---\n")}${rest}`;
  }

  /** @param {any} node @param {Path} path @param {any[]} manifests */
  #rewriteList(node, path, manifests) {
    const items = [...(node?.items || []), ...manifests.map((manifest) => this.#made(manifest))];
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
    const node = this.#made(value);
    const text = keyed(key, this.#stringify(node), node, "");
    const objects = map.items.find((/** @type {any} */ pair) => String(pair.key) === "objects");
    if (!objects || map.flow) return this.#insertText(text);
    const at = lineStart(this.text, objects.key.range[0]);
    return splice(this.text, [{ from: at, to: at, insert: `${text}\n` }]);
  }

  /** @param {string} text at the end of the Scenario */
  #insertText(text) {
    const { list } = this.pieces[this.scenarioAt];
    const end = lineEnd(this.text, Math.max(this.#at([this.scenarioAt]).range[1], list?.to ?? 0));
    return splice(this.text, [{ from: end, to: end, insert: `${this.text[end - 1] === "\n" ? "" : "\n"}${text}\n` }]);
  }

  /** @param {Entry[]} gone all of one list @returns {Change[]} */
  #withoutItems(gone) {
    const path = gone[0].path.slice(0, -1);
    const indices = new Set(gone.map((entry) => Number(entry.path[path.length])));
    const { node: list, parts } = this.#listAt(path);
    if (parts) return this.#withoutParts(/** @type {import("./parts.js").List} */ (this.pieces[Number(path[0])].list), indices);
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

  /** @param {import("./parts.js").List} list @param {Set<number>} indices */
  #withoutParts({ parts, from, to }, indices) {
    if (indices.size === parts.length) { const gap = this.text.slice(0, from).trimEnd().length; return [{ from: gap, to, insert: this.text[to - 1] === "\n" ? " []\n" : " []" }]; }
    return [...indices].map((index) => {
      const part = parts[index], next = parts[index + 1];
      return { from: withComments(this.text, part.from), to: next ? withComments(this.text, next.from) : lineEnd(this.text, this.#astOf(part).range[1]), insert: "" };
    });
  }
}

// -- values -----------------------------------------------------------------------------------------------------------
/** @param {any} manifest @param {Path} path @param {{from: number, to: number, line: number}} place @param {Part|null} part @param {Path} inner @returns {Entry} */
function entryOf(manifest, path, place, part, inner) {
  const made = manifest.generate && typeof manifest.generate === "object";
  const kind = made ? "Generator" : String(manifest.kind || "");
  const name = made ? String(manifest.generate.name || `${String(manifest.generate.kind || "").toLowerCase()}-{i}`) : String(manifest.metadata?.name ?? "");
  const namespace = CLUSTER_WIDE.has(kind) ? "" : String(manifest.metadata?.namespace || "default");
  return { path, kind, namespace, name, key: `${kind}/${namespace}/${name}`, manifest, ...place, part, inner };
}

/** What a text is as JSON; undefined when it is none. @param {string} text @returns {any} */
function jsonOf(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try { return JSON.parse(text); } catch { return undefined; }
}

/** Lines that end between two places. @param {string} text @param {number} from @param {number} to */
function countLines(text, from, to) {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Places in a syntax tree as those of another text. @param {any} node @param {(at: number) => number} place */
function move(node, place) {
  if (!node || typeof node !== "object") return;
  if (Array.isArray(node.range)) node.range = node.range.map(place);
  for (const item of node.items || []) {
    if (item && typeof item === "object" && "key" in item && !item.range) { move(item.key, place); move(item.value, place); } else move(item, place);
  }
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
  let done = 0;
  const pieces = [];
  for (const { from, to, insert } of [...changes].sort((a, b) => a.from - b.from)) {
    pieces.push(text.slice(done, from), insert);
    done = to;
  }
  return pieces.join("") + text.slice(done);
}

const STRIDE = 4096; // letters that are compared at once

/** What differs between two texts, as one change; null when nothing does. @param {string} before @param {string} after @returns {Change|null} */
export function difference(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0, end = 0;
  while (start + STRIDE < most && before.slice(start, start + STRIDE) === after.slice(start, start + STRIDE)) start += STRIDE;
  while (start < most && before[start] === after[start]) start += 1;
  while (end + STRIDE < most - start && before.slice(before.length - end - STRIDE, before.length - end) === after.slice(after.length - end - STRIDE, after.length - end)) end += STRIDE;
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
