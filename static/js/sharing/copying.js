/**
 * The copy buttons of a dialog or a page. The one rule: when the browser refuses, the text is selected, so that a person can copy it.
 * @module
 */

/** Makes every copy button below `root` work. @param {ParentNode} root */
export function wireCopying(root) {
  const said = /** @type {HTMLElement|null} */ (root.querySelector("[data-part=said]"));
  for (const button of root.querySelectorAll("[data-do=copy]")) {
    const copy = /** @type {HTMLButtonElement} */ (button);
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const box = /** @type {HTMLInputElement|HTMLTextAreaElement|null} */ (document.getElementById(copy.dataset.copies || ""));
      if (!box) return;
      const done = await copied(box.value);
      if (!done) box.select();
      if (said) said.textContent = (done ? said.dataset.copied : said.dataset.select) || "";
    });
  }
}

/** @param {string} text @returns {Promise<boolean>} whether it is on the clipboard */
export async function copied(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch { return false; }
}
