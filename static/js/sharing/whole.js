/**
 * The link that carries the whole scenario, where it is small enough. The one rule: it is made in the browser, nobody stores it.
 * @module
 */
import { toFragment } from "./in_address.js";

/** @param {ParentNode} root */
export async function wireWhole(root) {
  const row = /** @type {HTMLElement|null} */ (root.querySelector("[data-part=whole]"));
  if (!row || typeof CompressionStream === "undefined") return;
  const answer = await fetch(row.dataset.source || "", { credentials: "same-origin" });
  const fragment = answer.ok ? await toFragment(await answer.text()) : null;
  if (!fragment) return;
  const box = /** @type {HTMLInputElement} */ (row.querySelector("input"));
  box.value = new URL(row.dataset.new || "/new", location.href).href + fragment;
  row.hidden = false;
}
