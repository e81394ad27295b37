/**
 * A text in parts: documents, and the items of long lists in them, each of which can be read by itself.
 * The one rule: what is read of a part depends on its letters alone; so a part that did not change is not read again, and a worker can read it.
 * @module
 */
import { LineCounter, isAlias, isMap, isSeq, parseAllDocuments } from "../../vendor/yaml/yaml.js";

/** @typedef {(string|number)[]} Path */
/** @typedef {{path: Path, manifest: any, from: number, to: number, line: number, isItem: boolean}} Found an object of a part; places and line are counted from the part's beginning */
/** @typedef {{objects: Found[], error: {message: string, line: number}|null, lines: number, shape: ""|"map"|"list"|"flow"|"config"|"scenario", scenario: any, list: {kind: string, apiVersion?: any}|null}} Content what stands in a part, as plain values */
/** @typedef {{from: number, to: number, text: string, isItem: boolean}} Part */
/** @typedef {{key: string, indent: number, from: number, to: number, parts: Part[]}} List the items of a document, each a part; `from` to `to` are whole lines */
/** @typedef {{from: number, to: number, head: Part, list: List|null}} Piece a document; where its items are parts, `head` is what is left without them */

export const CONFIGURATION = "KubeSchedulerConfiguration";
export const MOST_ALIASES = 1000;
/** As the API server's readers do: "y" and "n" alone are texts. @param {any} tag */
const withoutLetters = (tag) => (/:bool$/.test(tag.tag) && tag.test ? { ...tag, test: new RegExp(tag.test.source.replace(/\b[YyNn]\|(?:[yn]\|)?/, "")) } : tag);
export const READ = { version: "1.1", customTags: (/** @type {any[]} */ tags) => tags.filter((tag) => !/timestamp|binary/.test(tag.tag || tag)).map(withoutLetters), uniqueKeys: false, logLevel: "silent" };

// -- where parts begin and end ----------------------------------------------------------------------------------------
/** @param {string} text @returns {Piece[]} */
export function piecesOf(text) {
  const edges = /^(?:%|\.\.\.(?:\s|$))/m.test(text) ? edgesAsRead(text) : edgesOf(text);
  return edges.map((from, index) => pieceOf(text, from, edges[index + 1] ?? text.length));
}

/** Where documents begin: at the start, and at every line of dashes behind something. @param {string} text @returns {number[]} */
function edgesOf(text) {
  const edges = [0];
  for (let at = text.indexOf("\n---"); at >= 0; at = text.indexOf("\n---", at + 4)) {
    if (!/\s/.test(text[at + 4] ?? "\n")) continue;
    if (edges.length === 1 && isBlank(text.slice(0, at + 1)) && !/^---/m.test(text.slice(0, at + 1))) continue;
    edges.push(at + 1);
  }
  return edges;
}

/** Texts with directives, or with ends of documents, are split by the one who knows. @param {string} text @returns {number[]} */
function edgesAsRead(text) {
  const documents = parseAllDocuments(text, /** @type {any} */ (READ));
  return Array.isArray(documents) && documents.length ? documents.map((document, index) => (index ? document.range[0] : 0)) : [0];
}

/** Only comments and empty lines. @param {string} text */
const isBlank = (text) => text.split("\n").every((line) => !line.trim() || line.trimStart().startsWith("#"));

/** @param {string} text @param {number} from @param {number} to @returns {Piece} */
function pieceOf(text, from, to) {
  const whole = text.slice(from, to);
  const list = listOf(whole, from);
  if (!list) return { from, to, head: { from, to, text: whole, isItem: false }, list: null };
  const head = `${whole.slice(0, list.from - from)}\n${whole.slice(list.to - from)}`;
  return { from, to, head: { from, to, text: head, isItem: false }, list };
}

const LIST_KEY = /** @type {Object<string, string>} */ ({ Scenario: "objects" });

/** The items of a document, when each of them can be read by itself: a block list, nothing that refers to another place. @param {string} text @param {number} base @returns {List|null} */
function listOf(text, base) {
  const kind = /^kind:[ \t]*["']?(\w+)["']?[ \t]*(?:#.*)?$/m.exec(text)?.[1] || "";
  const key = LIST_KEY[kind] || (kind.endsWith("List") ? "items" : "");
  if (!key) return null;
  const found = new RegExp(`^${key}:[ \\t]*(?:#.*)?\\n(?:[ \\t]*(?:#.*)?\\n)*( *)- `, "m").exec(text);
  if (!found || /[\s[{,][&*]\S/.test(text) || /^\t|^(?:---[ \t]*)?[{["']/m.test(text)) return null;
  const indent = found[1].length;
  const first = found.index + found[0].length - indent - 2;
  const edges = itemEdges(text, first, indent);
  if (!edges) return null;
  const parts = edges.slice(0, -1).map((from, index) => ({ from: base + from, to: base + edges[index + 1], text: text.slice(from, edges[index + 1]), isItem: true }));
  return { key, indent, from: base + first, to: base + edges[edges.length - 1], parts };
}

/** Where items begin, and where the last one ends; null for what is no plain list. @param {string} text @param {number} first @param {number} indent @returns {number[]|null} */
function itemEdges(text, first, indent) {
  const edge = new RegExp(`^ {0,${indent}}(?=[^ \\n\\r#])`, "gm");
  const edges = [];
  edge.lastIndex = first;
  for (let found = edge.exec(text); found; found = edge.exec(text)) {
    const at = found.index + found[0].length;
    edge.lastIndex = at + 1;
    if (found[0].length === indent && /-[ \n]/.test(text.slice(at, at + 2))) edges.push(found.index);
    else if (/["'\w]/.test(text[at]) && found[0].length === 0) return [...edges, found.index];
    else return null;
  }
  return [...edges, text.length];
}

// -- what stands in a part --------------------------------------------------------------------------------------------
/** @param {Part} part @returns {Content} */
export function contentOf(part) {
  const counter = new LineCounter();
  const documents = parseAllDocuments(part.text, /** @type {any} */ ({ ...READ, lineCounter: counter }));
  const [document = null] = Array.isArray(documents) ? documents : [];
  /** @type {Content} */ const content = { objects: [], error: null, lines: newlines(part.text), shape: "", scenario: null, list: null };
  if (!document) return content;
  const [problem] = document.errors;
  const lineOf = (/** @type {number} */ at) => counter.linePos(at).line - 1;
  if (problem) return { ...content, error: { message: problem.message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, ""), line: lineOf(problem.pos[0]) } };
  try { fill(content, document, part.isItem, lineOf); } catch (error) { content.error = { message: String(/** @type {any} */ (error).message || error), line: 0 }; }
  return content;
}

/** @param {string} text */
function newlines(text) {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** @param {Content} content @param {any} document @param {boolean} isItem @param {(at: number) => number} lineOf */
function fill(content, document, isItem, lineOf) {
  const { contents } = document;
  const add = (/** @type {any} */ node, /** @type {Path} */ path, /** @type {any} */ inherited) => addObject(content, { document, node, path, inherited, lineOf, isItem });
  if (isSeq(contents)) {
    content.shape = contents.flow ? "flow" : "list";
    contents.items.forEach((item, index) => add(item, isItem ? [] : [index], {}));
    return;
  }
  if (!isMap(contents)) return;
  content.shape = "map";
  const kind = String(contents.get("kind") ?? "");
  if (kind === "Scenario" && String(contents.get("apiVersion") ?? "playground/v1").startsWith("playground/")) {
    content.shape = "scenario";
    const { objects, ...rest } = document.toJS({ maxAliasCount: MOST_ALIASES });
    content.scenario = rest;
    const list = contents.get("objects", true);
    if (isSeq(list)) list.items.forEach((item, index) => add(item, ["objects", index], {}));
    return;
  }
  if (kind === CONFIGURATION) { content.shape = "config"; content.scenario = { config: document.toJS({ maxAliasCount: MOST_ALIASES }) }; return; }
  if (kind.endsWith("List")) content.list = { kind, ...(contents.get("apiVersion") === undefined ? {} : { apiVersion: contents.get("apiVersion") }) };
  add(contents, [], {});
}

/** @param {Content} content @param {{document: any, node: any, path: Path, inherited: any, lineOf: (at: number) => number, isItem: boolean}} what */
function addObject(content, { document, node, path, inherited, lineOf, isItem }) {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (!isMap(target)) return;
  const kind = String(target.get("kind") ?? inherited.kind ?? "");
  const items = target.get("items", true);
  if (kind.endsWith("List") && (isSeq(items) || kind === "List")) {
    const below = inheritedFrom(kind, target.get("apiVersion"));
    if (isSeq(items)) items.items.forEach((item, index) => addObject(content, { document, node: item, path: [...path, "items", index], inherited: below, lineOf, isItem }));
    return;
  }
  const manifest = { ...inherited, ...(target.toJS(document, { maxAliasCount: MOST_ALIASES }) || {}) };
  content.objects.push({ path, manifest, from: node.range[0], to: node.range[1], line: lineOf(node.range[0]), isItem });
}

/** What the items of a typed list need not say themselves. @param {string} kind @param {any} apiVersion */
export function inheritedFrom(kind, apiVersion) { return kind === "List" ? {} : { kind: kind.slice(0, -4), apiVersion }; }
