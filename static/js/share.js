/** The Share button of a scenario: copies its address and shows it. The one rule: the address is shown even when copying is refused. */
const button = document.querySelector("[data-do=share]");
const note = document.querySelector("[data-part=toast]");
button?.addEventListener("click", async () => {
  const { address = location.href, copied = "" } = /** @type {HTMLElement} */ (button).dataset;
  try { await navigator.clipboard.writeText(address); } catch { /* shown below all the same */ }
  if (note) note.textContent = `${copied} ${address}`;
});
export {};
