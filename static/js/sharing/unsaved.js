/**
 * What the editor holds, in its address: read when the page opens, written when a person asks for a link, gone with the first change.
 * The one rule: the server sees none of it until somebody saves.
 * @module
 */
import { copied } from "./copying.js";
import { dropOldLink, fromFragment, toFragment } from "./in_address.js";

/** The text that the address carries, put into the form before the editor reads it. @returns {Promise<void>} */
export async function takeFromAddress() {
  const text = await fromFragment(location.hash);
  const area = /** @type {HTMLTextAreaElement|null} */ (document.querySelector("[data-part=plain] textarea"));
  if (text !== null && area) area.value = text;
}

/** @param {{root: HTMLElement, code: EventTarget & {text: string}, say: (id: string, args?: Object<string, any>) => void}} workbench */
export function wireUnsaved({ root, code }) {
  /** @type {string|null} what the address names now */ let named = code.text;
  code.addEventListener("text", () => { if (named === null || code.text === named) return; named = null; dropOldLink(); });
  globalThis.addEventListener("hashchange", () => location.reload());
  const button = /** @type {HTMLButtonElement|null} */ (root.querySelector("[data-do=link-unsaved]"));
  const said = /** @type {HTMLElement|null} */ (root.querySelector("[data-part=link-said]"));
  if (!button || !said || typeof CompressionStream === "undefined") return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const fragment = await toFragment(code.text);
    if (fragment === null) { said.textContent = said.dataset.large || ""; return; }
    named = code.text;
    history.replaceState(history.state, "", `/new${fragment}`);
    said.textContent = (await copied(location.href) ? said.dataset.copied : said.dataset.shown) || "";
  });
}
