/**
 * The rows of a comparison, unrolled. The one rule: both sides count on together, except where one of them is not there.
 * @module
 */

/** @param {[number, number, number][]} stretches first seq of either side (0: not there), and how many rows @returns {[number, number][]} */
export function rowsOf(stretches) {
  const rows = /** @type {[number, number][]} */ ([]);
  for (const [one, other, count] of stretches) {
    for (let step = 0; step < count; step += 1) rows.push([one && one + step, other && other + step]);
  }
  return rows;
}
