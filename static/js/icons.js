/**
 * The drawings that stand for things. The one rule: strokes of the text's own colour, 24 by 24, so that they work in any theme.
 * @module
 */
import { s } from "./dom.js";

const PATHS = {
  first: "M6 5v14M19 5 9 12l10 7z", last: "M18 5v14M5 5l10 7-10 7z", back: "M17 5 7 12l10 7z", forward: "M7 5l10 7-10 7z", play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14", check: "M5 12.5l4.5 4.5L19 7.5", cross: "M6 6l12 12M18 6L6 18", return: "M20 6v7H6m4-4-4 4 4 4", flag: "M6 21V4h12l-3 4 3 4H6",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z", broken: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM12 3l-2 6 4 3-3 8",
  clock: "M12 7v5l3 2M12 3a9 9 0 1 0 .01 0", die: "M5 5h14v14H5zM9 9h.01M15 15h.01M12 12h.01M15 9h.01M9 15h.01", arrow: "M4 12h15m-5-5 5 5-5 5",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3", link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  plus: "M12 5v14M5 12h14", bolt: "M13 3 5 14h6l-1 7 8-11h-6z",
  help: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18h.01", table: "M4 5h16v14H4zM4 10h16M10 5v14", cards: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
};
const FILLED = new Set(["first", "last", "back", "forward", "play"]);

/** The path of a drawing, for who draws in SVG. @param {string} name @returns {{d: string, filled: boolean}} */
export function pathOf(name) { return { d: PATHS[/** @type {keyof typeof PATHS} */ (name)] || "", filled: FILLED.has(name) }; }

/** @param {keyof typeof PATHS} name @returns {SVGElement} */
export function icon(name) {
  return s("svg.icon", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, s("path", { d: PATHS[name], class: FILLED.has(name) ? "is-filled" : null }));
}
