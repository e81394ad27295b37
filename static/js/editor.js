/**
 * The text box for manifests: line numbers, dropped files, problems at their lines. The one rule: without this the form still works.
 * @module
 */
import { h, one } from "./dom.js";

for (const form of document.querySelectorAll("[data-behaviour=editor]")) wire(/** @type {HTMLFormElement} */ (form));

/** @param {HTMLFormElement} form */
function wire(form) {
  const text = /** @type {HTMLTextAreaElement} */ (one("textarea", form));
  const gutter = one("[data-part=gutter]", form);
  const marks = new Map([...form.querySelectorAll("[data-line]")].map((item) => [Number(/** @type {HTMLElement} */ (item).dataset.line), item.textContent?.trim() || ""]));
  const draw = () => drawGutter(gutter, text, marks);
  text.addEventListener("input", draw);
  text.addEventListener("beforeinput", (event) => takeLarge(/** @type {InputEvent} */ (event), text, draw));
  text.addEventListener("paste", (event) => takePasted(/** @type {ClipboardEvent} */ (event), text, draw));
  text.addEventListener("scroll", () => { gutter.scrollTop = text.scrollTop; });
  form.addEventListener("click", (event) => {
    const jump = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("[data-line]"));
    if (jump) { event.preventDefault(); goToLine(text, Number(jump.dataset.line)); }
  });
  wireFiles(form, text, draw);
  form.addEventListener("submit", () => form.classList.add("is-busy"));
  globalThis.addEventListener("pageshow", () => form.classList.remove("is-busy"));
  draw();
}

const LARGE = 8000; // characters; browsers take seconds to type thousands of lines into a box, and no time to set its value

/** @param {HTMLTextAreaElement} text @param {string} data @param {() => void} draw */
function put(text, data, draw) {
  text.setRangeText(data, text.selectionStart, text.selectionEnd, "end");
  draw();
}

/** @param {InputEvent} event @param {HTMLTextAreaElement} text @param {() => void} draw */
function takeLarge(event, text, draw) {
  if (!event.data || event.data.length < LARGE) return;
  event.preventDefault();
  put(text, event.data, draw);
}

/** @param {ClipboardEvent} event @param {HTMLTextAreaElement} text @param {() => void} draw */
function takePasted(event, text, draw) {
  const data = event.clipboardData?.getData("text/plain") || "";
  if (data.length < LARGE) return;
  event.preventDefault();
  put(text, data, draw);
}

/** @param {Element} gutter @param {HTMLTextAreaElement} text @param {Map<number, string>} marks */
function drawGutter(gutter, text, marks) {
  const lines = Math.min(20000, text.value.split("\n").length);
  if (gutter.childElementCount === lines) return;
  gutter.replaceChildren(...Array.from({ length: lines }, (_, index) => (marks.has(index + 1) ? h("span.bad", { title: marks.get(index + 1) }, `${index + 1}`) : h("span", {}, `${index + 1}`))));
  gutter.scrollTop = text.scrollTop;
}

/** @param {HTMLTextAreaElement} text @param {number} line */
function goToLine(text, line) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1]?.length || 0));
  text.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(text).lineHeight));
}

/** @param {HTMLFormElement} form @param {HTMLTextAreaElement} text @param {() => void} draw */
function wireFiles(form, text, draw) {
  const take = async (/** @type {File|undefined} */ file) => {
    if (!file) return;
    text.value = await file.text();
    draw();
    text.focus();
  };
  form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("is-over"); });
  form.addEventListener("dragleave", () => form.classList.remove("is-over"));
  form.addEventListener("drop", (event) => { event.preventDefault(); form.classList.remove("is-over"); take(event.dataTransfer?.files[0]); });
  const input = /** @type {HTMLInputElement|null} */ (form.querySelector("input[type=file]"));
  input?.addEventListener("change", () => { take(input.files?.[0]).then(() => { input.value = ""; }); });
}
