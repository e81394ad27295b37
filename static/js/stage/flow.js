/**
 * Pods in rows, and the brackets of budgets below them. The one rule: pure geometry; amounts in px, made from a model and nothing else.
 * @module
 */

/** @typedef {import("./model.js").Block} Block */
/** @typedef {{key: string, text: string, pods: string[], broken: boolean, live: boolean}} Bracket */
/** @typedef {{block: Block, width: number, height: number, kind?: string}} Item */
/** @typedef {Item & {x: number, y: number}} Placed */
/** @typedef {{bracket: Bracket, x: number, y: number, width: number, label: boolean, level: number, labelX: number, labelY: number}} Span */

/** The pods of one budget stand together, else a bracket could not hold them. @param {Item[]} items @param {Bracket[]} brackets @returns {Item[]} */
export function together(items, brackets) {
  const place = new Map();
  items.forEach((item, index) => {
    const bracket = brackets.find((each) => each.pods.includes(item.block.key));
    const first = bracket ? items.findIndex((each) => bracket.pods.includes(each.block.key)) : index;
    place.set(item, [first, index]);
  });
  return [...items].sort((a, b) => place.get(a)[0] - place.get(b)[0] || place.get(a)[1] - place.get(b)[1]);
}

/**
 * @param {Item[]} items @param {Bracket[]} brackets @param {{width: number, gap: number, drop: number, line: number, wide: (bracket: Bracket) => number}} how `drop`: room below a row for a bracket, `line`: for its text
 * @returns {{placed: Placed[], spans: Span[], height: number}}
 */
export function flow(items, brackets, how) {
  /** @type {Placed[][]} */ const rows = [];
  let x = 0;
  for (const item of together(items, brackets)) {
    if (!rows.length || x + item.width > how.width + 0.5) { rows.push([]); x = 0; }
    rows[rows.length - 1].push({ ...item, x, y: 0 });
    x += item.width + how.gap;
  }
  /** @type {Span[]} */ const spans = [];
  let y = 0;
  rows.forEach((row, index) => {
    for (const item of row) item.y = y;
    y += Math.max(...row.map((item) => item.height));
    const held = spansOf(row, brackets);
    for (const span of held) span.label = span.bracket.text !== "" && !rows.slice(index + 1).some((later) => later.some((item) => span.bracket.pods.includes(item.block.key)));
    y += below(held, y, how);
    spans.push(...held);
    y += how.gap;
  });
  return { placed: rows.flat(), spans, height: Math.max(0, y - how.gap) };
}

/** Brackets of a row, one below the other where they overlap, then their texts, beside each other where there is room. @param {Span[]} held @param {number} y @param {{width: number, drop: number, line: number, wide: (bracket: Bracket) => number}} how @returns {number} how deep they reach */
function below(held, y, how) {
  held.forEach((span, index) => {
    span.level = Math.max(-1, ...held.slice(0, index).filter((other) => other.x < span.x + span.width && span.x < other.x + other.width).map((other) => other.level)) + 1;
    span.y = y + span.level * how.drop;
  });
  const levels = Math.max(0, ...held.map((span) => span.level + 1));
  let line = -1, end = Infinity;
  for (const span of held.filter((each) => each.label)) {
    const wide = how.wide(span.bracket), at = Math.max(0, Math.min(span.x, how.width - wide));
    if (at < end) { line += 1; end = 0; }
    span.labelX = at;
    span.labelY = y + levels * how.drop + line * how.line;
    end = at + wide;
  }
  return levels * how.drop + (line + 1) * how.line;
}

/** The stretch of a row that a budget holds. @param {Placed[]} row @param {Bracket[]} brackets */
function spansOf(row, brackets) {
  return brackets.flatMap((bracket) => {
    const inside = row.filter((item) => bracket.pods.includes(item.block.key));
    if (!inside.length) return [];
    const first = inside[0], last = inside[inside.length - 1];
    return [{ bracket, x: first.x, y: 0, width: last.x + last.width - first.x, label: false, level: 0, labelX: 0, labelY: 0 }];
  });
}
