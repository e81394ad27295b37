/**
 * Where cards stand: rows of equal columns, the one node that a step is about first and large. The one rule: pure; who draws reads no layout.
 * @module
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Place */
/** @typedef {{columns: number, column: number, gap: number, star: number, starWidth: number, restLeft: number, restColumns: number, restWidth: number}} Plan */

/**
 * How many columns, and how wide. @param {number} width of the room @param {number} count of cards @param {{least: number, most?: number, gap: number, star: boolean, aside?: boolean}} how
 * `aside`: the others stay beside the large one, however many they are
 * @returns {Plan}
 */
export function planOf(width, count, { least, most = Infinity, gap, star, aside = false }) {
  const fitting = Math.max(1, Math.floor((width + gap) / (least + gap)));
  const columns = most < Infinity ? Math.max(1, Math.min(fitting, count)) : fitting;
  const column = Math.min(most, (width - gap * (columns - 1)) / columns);
  if (aside && star && count > 1 && fitting > 1) {
    const starWidth = Math.round((width - gap) * 0.6), left = starWidth + gap, restColumns = count > 9 ? 2 : 1;
    return { columns: 1, column, gap, star: 1, starWidth, restLeft: left, restColumns, restWidth: (width - left - gap * (restColumns - 1)) / restColumns };
  }
  const span = star ? Math.min(2, columns) : 0;
  const starWidth = span ? column * span + gap * (span - 1) : 0;
  return { columns, column, gap, star: span, starWidth, restLeft: starWidth + gap, restColumns: columns - span, restWidth: column };
}

/** Cards in their order, the large one first when there is one. @param {number[]} heights @param {Plan} plan @param {boolean} aside @returns {{places: Place[], height: number}} */
export function placeCards(heights, plan, aside = false) {
  /** @type {Place[]} */ const places = [];
  let index = 0, y = 0, below = 0;
  if (plan.star && heights.length) { places.push({ x: 0, y: 0, width: plan.starWidth, height: heights[0] }); index = 1; below = heights[0] + plan.gap; }
  const row = (/** @type {number} */ left, /** @type {number} */ across, /** @type {number} */ width) => {
    const some = heights.slice(index, index + across);
    some.forEach((height, k) => places.push({ x: left + k * (width + plan.gap), y, width, height }));
    index += some.length;
    y += Math.max(...some) + plan.gap;
  };
  while (plan.star && index < heights.length && plan.restColumns > 0 && (aside || y < below - plan.gap - 40)) row(plan.restLeft, plan.restColumns, plan.restWidth);
  if (!aside) y = Math.max(y, below);
  while (index < heights.length) row(0, plan.columns, plan.column);
  return { places, height: Math.max(0, Math.max(y, below) - plan.gap) };
}
