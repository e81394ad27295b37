/**
 * YAML in colours for texts of megabytes: only what is in sight is looked at, line by line.
 * The one rule: a line is judged by itself; what spans lines is coloured as plain text.
 * @module
 */
import { Decoration, EditorView } from "../../vendor/codemirror/codemirror.js";

const KINDS = /** @type {const} */ (["key", "mark", "quiet", "text"]);
const MARKS = /** @type {Object<string, any>} */ (Object.fromEntries(KINDS.map((kind) => [kind, Decoration.mark({ class: `cm-light-${kind}` })])));
const LONGEST = 2000; // letters of a line that are looked at

/** Pieces of a line, in order: keys, document marks and dashes, comments, quoted texts. @param {string} line @returns {{from: number, to: number, kind: typeof KINDS[number]}[]} */
export function piecesOfLine(line) {
  if (/^(---|\.\.\.)(\s|$)/.test(line)) return [{ from: 0, to: 3, kind: "mark" }];
  const found = [];
  const token = /("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\w./-]+)(?=:(?:\s|$))|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?<=^|\s)#.*|[{}[\],]|^ *-(?= )/g;
  for (const match of line.slice(0, LONGEST).matchAll(token)) {
    const [text, key] = match;
    const kind = key !== undefined ? "key" : text.startsWith("#") || /^(?: *-|[{}[\],])$/.test(text) ? "quiet" : "text";
    found.push({ from: match.index, to: match.index + text.length, kind: /** @type {typeof KINDS[number]} */ (kind) });
  }
  return found;
}

/** @param {EditorView} view */
function colours(view) {
  const { doc } = view.state;
  const ranges = [];
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = doc.lineAt(at);
      for (const piece of piecesOfLine(line.text)) ranges.push(MARKS[piece.kind].range(line.from + piece.from, line.from + piece.to));
      at = line.to + 1;
    }
  }
  return Decoration.set(ranges);
}

export const lightYaml = [
  EditorView.decorations.of(colours),
  EditorView.theme({ ".cm-light-key": { color: "var(--link)" }, ".cm-light-mark": { color: "var(--code-meta)", fontWeight: "600" }, ".cm-light-quiet": { color: "var(--quiet)" } }),
];
