/**
 * How the field of tiles is laid out: by which label it is grouped, how large a tile is. The one rule: only for clusters too large for cards.
 * @module
 */
import { h, one } from "../dom.js";

const MOST_VALUES = 40; // a label with more values than this does not group anything

/** The labels that group: more than one value, not too many. @param {import("../trace/reducer.js").State} state @returns {string[]} */
export function groupingLabels(state) {
  /** @type {Map<string, Set<string>>} */
  const values = new Map();
  for (const node of state.nodes.values()) {
    for (const [label, value] of Object.entries(node.labels || {})) {
      const seen = values.get(label) || new Set();
      if (seen.size <= MOST_VALUES) seen.add(String(value));
      values.set(label, seen);
    }
  }
  return [...values].filter(([, seen]) => seen.size > 1 && seen.size <= MOST_VALUES).map(([label]) => label).sort();
}

/** Shows the two controls when the stage asks for them, and hands on what they say. @param {import("./stage.js").Stage} stage @param {import("../words.js").Words} words @param {() => void} redraw */
export function wireField(stage, words, redraw) {
  const group = /** @type {HTMLSelectElement} */ (one("[data-part=group]"));
  const zoom = /** @type {HTMLInputElement} */ (one("[data-part=zoom]"));
  let known = "";
  group.addEventListener("change", () => { stage.grouping = group.value; redraw(); });
  zoom.addEventListener("input", () => { stage.side = Number(zoom.value); redraw(); });
  stage.onField = (state) => {
    const labels = groupingLabels(state);
    const sign = `${words.lang} ${labels.join()}`;
    if (sign === known) return;
    known = sign;
    one("[data-part=grouping]").hidden = labels.length === 0;
    one("[data-part=zooming]").hidden = false;
    const names = ["", ...labels];
    group.replaceChildren(...names.map((label) => h("option", { value: label }, label ? label.slice(label.lastIndexOf("/") + 1) : words.say("run.group.none"))));
    if (stage.grouping === null) stage.grouping = labels.find((label) => label.endsWith("/zone")) || "";
    group.value = stage.grouping;
    zoom.value = String(stage.sideFor(state.nodes.size));
  };
}
