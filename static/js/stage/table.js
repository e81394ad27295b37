/**
 * The stage as a table: the same facts for who does not see the drawing. The one rule: one row for each node, nothing left out.
 * @module
 */
import { h, morph } from "../dom.js";
import { amount, number } from "../format.js";
import { barsOf, badgeOf, isFocus } from "./model.js";
import { candidatesOf, roleOf } from "../trace/scene.js";

const ROWS = 120; // of a large cluster; the filter finds the others

/** What the step is about comes first when not all nodes have a row. @param {import("../trace/scene.js").Scene} scene @param {string} filter @returns {string[]} */
export function rowsOf(scene, filter) {
  const names = [...scene.state.nodes.keys()].filter((name) => !filter || name.includes(filter));
  if (names.length <= ROWS) return names;
  const { cycle } = scene;
  const first = [scene.node, cycle?.picked?.node, cycle?.selected?.host, ...scene.state.nominations.values(), ...Object.keys((cycle && candidatesOf(cycle)) || {}), ...(cycle?.checked.keys() || [])];
  const there = new Set(names);
  return [...new Set([...first.filter((name) => there.has(name)), ...names])];
}

/** @param {Element} root @param {import("../trace/scene.js").Scene} scene @param {import("../words.js").Words} words @param {string} filter */
export function drawTable(root, scene, words, filter) {
  const names = rowsOf(scene, filter);
  const fresh = h("div.twin-table", {}, h("div.table-wrap", { tabindex: "0", role: "group", "aria-label": words.say("table.nodes") }, h("table.node-table", { "aria-label": words.say("table.nodes") },
    h("thead", {}, h("tr", {}, ["table.node", "resource.cpu", "resource.memory", "table.pods", "table.now"].map((id) => h("th", { scope: "col" }, words.say(id))))),
    h("tbody", {}, names.slice(0, ROWS).map((name) => row(scene, name, words))))),
  names.length > ROWS ? h("p.quiet", {}, words.say("list.more", { count: names.length - ROWS })) : null);
  if (root.firstElementChild) morph(root.firstElementChild, fresh);
  else root.append(fresh);
}

/** @param {import("../trace/scene.js").Scene} scene @param {string} name @param {import("../words.js").Words} words */
function row(scene, name, words) {
  const node = scene.state.nodes.get(name);
  const bars = new Map(barsOf(scene, name).map((bar) => [bar.resource, bar]));
  const cell = (/** @type {string} */ resource) => {
    const bar = bars.get(resource);
    if (!bar) return "–";
    return `${amount(resource, bar.used)} / ${amount(resource, bar.all)}${bar.over ? ` · ${words.say("bar.over", { amount: amount(resource, bar.over) })}` : ""}`;
  };
  return h(`tr${isFocus(scene, name) ? ".is-focus" : ""}${scene.since.nodes.has(name) ? ".is-changed" : ""}`, { "data-node": name, "data-flip": `row:${name}`, "aria-current": isFocus(scene, name) ? "true" : null }, h("th", { scope: "row" }, h("button.link", { type: "button", "data-node-name": name }, words.nodeName(name)), node.zone ? h("span.quiet", {}, ` ${node.zone}`) : null),
    h("td", {}, cell("cpu")), h("td", {}, cell("memory")),
    h("td", {}, h("ul.inline-list", {}, node.pods.map((key) => {
      const pod = scene.state.pods.get(key), role = roleOf(scene, key);
      return h("li", {}, h("button.link", { type: "button", "data-pod": key }, words.podLabel(key)), ` ${number(pod.priority)}${role ? ` · ${words.say(`role.${role}`)}` : ""}`);
    }))),
    h("td", {}, badgeOf(scene, name, words)?.text || "–"));
}
