/**
 * The Share dialog: the share page of the scenario, without its frame, fetched when it is opened, so that it speaks the language of the moment.
 * The one rule: without this module the button is a link to the same thing as a page.
 * @module
 */
import { wireCopying } from "./copying.js";
import { wireWhole } from "./whole.js";

/** @param {{address: string, step?: string, run?: string, title: string, close: string}} place */
export async function openShare(place) {
  const address = new URL(place.address, location.href);
  const here = new URLSearchParams(location.search);
  address.searchParams.set("part", "1");
  if (place.step) address.searchParams.set("step", place.step);
  if (place.run) address.searchParams.set("run", place.run);
  for (const name of ["view", "lang"]) if (here.get(name)) address.searchParams.set(name, here.get(name) || "");
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) { location.href = place.address; return; }
  show(place, new DOMParser().parseFromString(await answer.text(), "text/html"));
}

/** @param {{title: string, close: string}} place @param {Document} fetched */
function show(place, fetched) {
  document.querySelector("dialog.share-dialog")?.remove();
  const dialog = document.createElement("dialog");
  dialog.className = "share-dialog";
  dialog.setAttribute("aria-labelledby", "share-heading");
  const head = document.createElement("div");
  head.className = "share-head";
  const heading = document.createElement("h2");
  heading.id = "share-heading";
  heading.textContent = place.title;
  const close = document.createElement("button");
  close.className = "icon-button";
  close.type = "button";
  close.setAttribute("aria-label", place.close);
  close.textContent = "×";
  close.addEventListener("click", () => dialog.close());
  head.append(heading, close);
  dialog.append(head, ...fetched.body.childNodes);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  wireCopying(dialog);
  wireWhole(dialog);
  dialog.showModal();
}

/** Every Share button of the page opens the dialog instead. @param {() => {step?: string, run?: string}} [where] */
export function wireShare(where = () => ({})) {
  for (const button of document.querySelectorAll("[data-do=share]")) {
    const share = /** @type {HTMLElement} */ (button);
    share.closest("form")?.addEventListener("submit", (event) => {
      event.preventDefault();
      const { address = "", title = share.textContent || "", close = "" } = share.dataset;
      openShare({ address, title, close, ...where() });
    });
  }
}
