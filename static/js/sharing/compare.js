/**
 * Two runs beside each other with one timeline. The one rule: the server aligned them; here a row is shown on both sides.
 * @module
 */
import { one } from "../dom.js";
import { rowsOf } from "./rows.js";
import { Scenes, wordsOfPage } from "./scenes.js";

const page = one("[data-behaviour=compare]");
const words = wordsOfPage();
/** @type {[number, number][]} seqs on both sides, 0 where one has no such step */
const rows = rowsOf(JSON.parse(one("#rows").textContent || "[]"));
const sides = [...page.querySelectorAll("[data-side]")].map((side) => new Scenes(/** @type {HTMLElement} */ (side), words));
const range = /** @type {HTMLInputElement} */ (one("[data-part=timeline]", page));
const counter = one("[data-part=counter]", page);
const parting = page.dataset.parting === "" ? -1 : Number(page.dataset.parting);
let at = 0;

/** @param {number} row */
function go(row) {
  at = Math.max(0, Math.min(rows.length - 1, row));
  range.value = String(at);
  counter.textContent = `${words.say("player.counter", { at: at + 1, count: rows.length })} · ${pathOf(at)}`;
  sides.forEach((side, index) => drawSide(side, index));
}

/** The path of a row: both sides have the same, or one has it. @param {number} row */
function pathOf(row) {
  const side = rows[row]?.[0] ? 0 : 1;
  const seq = rows[row]?.[side];
  return seq && seq <= sides[side].store.lastSeq ? sides[side].store.event(seq).path : "";
}

/** A side without this step stays where it was before, and says so. @param {Scenes} side @param {number} index */
function drawSide(side, index) {
  let row = at;
  while (row > 0 && !rows[row][index]) row -= 1;
  const seq = rows[row]?.[index];
  const element = /** @type {HTMLElement} */ (side.step.closest("[data-side]"));
  element.classList.toggle("is-absent", row !== at);
  if (seq) side.draw(side.store.steps.bySeq[seq], row === at ? "" : page.dataset.absent || "");
}

range.max = String(Math.max(0, rows.length - 1));
range.addEventListener("input", () => go(Number(range.value)));
one("[data-do=back]", page).addEventListener("click", () => go(at - 1));
one("[data-do=forward]", page).addEventListener("click", () => go(at + 1));
one("[data-do=parting]", page).addEventListener("click", () => go(parting));
page.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target === range || target.matches("input, select, textarea")) return;
  const move = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10 }[event.key];
  if (move) { go(at + move); event.preventDefault(); }
});

page.hidden = false;
Promise.all(sides.map((side, index) => side.read((index ? page.dataset.other : page.dataset.one) || ""))).then(() => {
  const given = rows.findIndex((_row, index) => !/^(setup\/|start$)/.test(pathOf(index)));
  go(parting >= 0 ? parting : Math.max(0, given));
  page.dataset.ready = "true";
}).catch((error) => { counter.textContent = String(error.message || error); });
export {};
