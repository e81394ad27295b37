/**
 * Where the objects of a JSON text stand: their values are known from JSON.parse, their places are found by counting brackets.
 * The one rule: one pass over the letters, whatever their number.
 * @module
 */
import { inheritedFrom } from "./parts.js";

/** @typedef {import("./parts.js").Path} Path */
/** @typedef {{path: Path, manifest: any, from: number, to: number, line: number}} Placed */

/** @param {string} text that is JSON @param {any} root its value @returns {Placed[]} */
export function jsonObjects(text, root) {
  const key = Array.isArray(root) ? "" : root?.kind === "Scenario" ? "objects" : "items";
  const list = Array.isArray(root) ? root : root?.[key];
  const places = Array.isArray(list) ? itemPlaces(text, key) : [];
  /** @type {Placed[]} */ const found = [];
  const add = (/** @type {any} */ value, /** @type {Path} */ path, /** @type {any} */ inherited, /** @type {{from: number, to: number, line: number}} */ place) => {
    if (!value || typeof value !== "object" || Array.isArray(value)) return;
    const kind = String(value.kind ?? inherited.kind ?? "");
    if (kind.endsWith("List") && (Array.isArray(value.items) || kind === "List")) {
      const below = inheritedFrom(kind, value.apiVersion);
      (value.items || []).forEach((/** @type {any} */ each, /** @type {number} */ index) => add(each, [...path, "items", index], below, path.length ? place : places[index] || place));
      return;
    }
    found.push({ path, manifest: { ...inherited, ...value }, ...place });
  };
  const whole = { from: text.search(/\S/), to: text.trimEnd().length, line: 1 };
  if (Array.isArray(list) && key !== "items") list.forEach((each, index) => add(each, key ? [key, index] : [index], {}, places[index] || whole));
  else if (root?.kind !== "Scenario") add(root, [], {}, whole);
  return found;
}

/** Where the items of the outermost list stand: that under a key of the outermost map, or the text itself. @param {string} text @param {string} key @returns {{from: number, to: number, line: number}[]} */
function itemPlaces(text, key) {
  const token = /"(?:[^"\\]|\\.)*"|[[\]{},\n]/g;
  const wanted = key ? 2 : 1; // how deep its items stand
  /** @type {{from: number, to: number, line: number}[]} */ const places = [];
  let depth = 0, line = 1, inside = false, last = "", from = -1, at = 1;
  const end = (/** @type {number} */ to) => { if (from >= 0) { places.push({ from, to, line: at }); from = -1; } };
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [letter] = found;
    if (letter === "\n") { line += 1; continue; }
    if (inside && depth === wanted && from < 0 && !"],".includes(letter)) { from = found.index; at = line; }
    if (letter === "[" || letter === "{") {
      if (letter === "[" && depth === wanted - 1 && (!key || last === `"${key}"`)) inside = true;
      depth += 1;
    } else if (letter === "]" || letter === "}") {
      depth -= 1;
      if (inside && depth === wanted) end(found.index + 1);
      if (inside && depth < wanted) { end(found.index); inside = false; }
    } else if (letter !== ",") last = depth === 1 ? letter : last;
    else if (inside && depth === wanted) end(found.index);
  }
  return places;
}
