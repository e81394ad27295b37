/**
 * The player's controls and the timeline. The one rule: the range input is the truth; bands and diamonds only decorate it.
 * @module
 */
import { h, one } from "./dom.js";
import { icon } from "./icons.js";
import { sentenceOf } from "./narrate.js";
import { sceneAt } from "./trace/scene.js";

/** @typedef {import("./player.js").Player} Player */
/** @typedef {import("./words.js").Words} Words */

const MOST_BANDS = 240;
const MOST_MARKS = 160;
const AGAIN = 200; // ms between two drawings of a track that grows

export class PlayerBar {
  /** @param {HTMLElement} root @param {Player} player @param {import("./trace/store.js").TraceStore} store @param {Words} words @param {() => void} copyLink */
  constructor(root, player, store, words, copyLink) {
    Object.assign(this, { root, player, store, words });
    this.range = /** @type {HTMLInputElement} */ (one("[data-part=timeline]", root));
    this.bands = one("[data-part=bands]", root);
    this.marks = one("[data-part=marks]", root);
    this.fill = one("[data-part=fill]", root);
    this.counter = one("[data-part=counter]", root);
    this.live = /** @type {HTMLButtonElement} */ (one("[data-part=live]", root));
    this.play = /** @type {HTMLButtonElement} */ (one("[data-do=play]", root));
    this.speed = /** @type {HTMLButtonElement} */ (one("[data-do=speed]", root));
    this.drawn = -1;
    this.#wire(copyLink);
  }

  /** @param {() => void} copyLink */
  #wire(copyLink) {
    const on = (/** @type {string} */ name, /** @type {() => void} */ act) => one(`[data-do=${name}]`, this.root).addEventListener("click", act);
    on("first", () => this.player.go(0));
    on("back", () => this.player.move(this.player.grain, -1));
    on("forward", () => this.player.move(this.player.grain, 1));
    on("last", () => this.player.go(Infinity));
    on("play", () => this.player.toggle());
    on("speed", () => this.player.faster());
    on("link", copyLink);
    this.live.addEventListener("click", () => this.player.live());
    this.range.addEventListener("input", () => this.player.go(Number(this.range.value)));
    for (const button of this.root.querySelectorAll("[data-icon]")) button.prepend(icon(/** @type {any} */ (/** @type {HTMLElement} */ (button).dataset.icon)));
    for (const radio of this.root.querySelectorAll("input[name=grain]")) radio.addEventListener("change", () => { this.player.grain = /** @type {any} */ (/** @type {HTMLInputElement} */ (radio).value); });
    this.player.addEventListener("length", () => this.#grew());
    this.player.addEventListener("play", () => { this.drawButtons(); this.drawPlace(); });
    this.words.addEventListener("change", () => { this.drawn = -1; this.drawTrack(); this.drawButtons(); this.drawPlace(); });
    new ResizeObserver(() => { this.drawn = -1; this.drawTrack(); }).observe(this.bands);
  }

  /** @param {import("./trace/scene.js").Scene|null} [scene] of the place, when somebody has it already */
  drawPlace(scene = sceneAt(this.store, this.player.at)) {
    const { player, words } = this;
    this.range.value = String(player.at);
    this.fill.style.setProperty("--at", String(player.last ? player.at / player.last : 0));
    this.counter.textContent = words.say("player.counter", { at: player.at + 1, count: player.last + 1 });
    if (scene) {
      const { id, args } = sentenceOf(scene);
      this.range.setAttribute("aria-valuetext", `${words.say("player.at", { at: player.at + 1, count: player.last + 1 })} ${words.say(id, args)}`);
    }
    const behind = !player.follows && this.streaming ? player.behind : 0;
    this.live.hidden = !(this.streaming || player.follows) || (behind === 0 && !this.streaming);
    this.live.textContent = behind ? words.say("player.behind", { count: behind }) : words.say("player.live");
    this.live.classList.toggle("is-following", player.follows);
  }

  drawButtons() {
    const playing = this.player.playing;
    const name = this.words.say(playing ? "player.pause" : "player.play");
    this.play.setAttribute("aria-label", name);
    this.play.title = name;
    this.play.replaceChildren(icon(playing ? "pause" : "play"));
    this.speed.textContent = `${this.player.speed}×`;
    this.speed.setAttribute("aria-label", this.words.say("player.speed", { speed: this.player.speed }));
  }

  /** Thousands of events may come in a second: the first at once, what follows together. */
  #grew() {
    this.range.max = String(this.player.last);
    if (this.growing) return;
    const draw = () => { this.drawTrack(); this.drawPlace(); };
    draw();
    this.growing = setTimeout(() => { this.growing = 0; draw(); }, AGAIN);
  }

  drawTrack() {
    const { steps } = this.store;
    this.range.max = String(this.player.last);
    if (this.drawn === steps.length) return;
    this.drawn = steps.length;
    const all = steps.length, width = this.bands.clientWidth || 1;
    const bands = bandsShown(steps.bands, all);
    this.bands.replaceChildren(...bands.map((band) => {
      const share = (band.last - band.first + 1) / all;
      const text = band.group === "cycle" ? band.cycle : this.words.say(`group.${band.group}`);
      return h(`span.band.group-${band.group}`, { "--from": band.first / all, "--share": share, title: text }, share * width > 9 * String(text).length + 14 ? text : "");
    }));
    const decisions = steps.decisions.length > MOST_MARKS ? [] : steps.decisions;
    this.marks.replaceChildren(...decisions.map((index) => h("span.mark", { "--from": all > 1 ? index / (all - 1) : 0 })));
  }
}

/** Every band; of a longer run one for each cycle; of a still longer one the cycles that share a stretch of the track as one. @param {import("./trace/steps.js").Band[]} bands @param {number} all places */
export function bandsShown(bands, all) {
  if (bands.length <= MOST_BANDS) return bands;
  const cycles = byCycle(bands);
  if (cycles.length <= MOST_BANDS) return cycles;
  const shown = [];
  for (const band of cycles) {
    const last = shown[shown.length - 1];
    if (!last || (last.last - last.first + 1) * MOST_BANDS >= all) shown.push({ ...band });
    else { last.last = band.last; last.cycle = `${last.cycle.split("–")[0]}–${band.cycle}`; }
  }
  return shown;
}

/** Long runs: one band for each cycle. @param {import("./trace/steps.js").Band[]} bands */
function byCycle(bands) {
  const merged = [];
  for (const band of bands) {
    const last = merged[merged.length - 1];
    if (last && (last.cycle === band.cycle || !band.cycle)) last.last = band.last;
    else merged.push({ ...band, cycle: band.cycle || "", group: "cycle" });
  }
  return merged;
}
