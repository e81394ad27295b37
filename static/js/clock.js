/**
 * The clock of virtual time, and every timer on the page. The one rule: time stands still at a step; only while the run plays it runs on to the next one.
 * @module
 */
import { moment, seconds } from "./format.js";
import { BEAT } from "./player.js";

/** What a timer shows at a moment: what is left until then, or what has passed since. @param {{until?: string, since?: string}} timer @param {number} now @returns {string} */
export function timerText({ until, since }, now) {
  const amount = until !== undefined ? Number(until) - now : now - Number(since);
  return seconds(Math.round(Math.max(0, amount) * 10) / 10);
}

/** The moment between two steps, while the run plays. @param {number} from @param {number} to @param {number} share of the way, 0 to 1 */
export function between(from, to, share) { return from + (to - from) * Math.max(0, Math.min(1, share)); }

export class Clock {
  /** @param {HTMLElement} page @param {HTMLElement} face @param {{player: import("./player.js").Player, store: import("./trace/store.js").TraceStore, words: import("./words.js").Words}} run */
  constructor(page, face, run) {
    Object.assign(this, { page, face, run });
    this.frame = 0;
    run.player.addEventListener("play", () => { if (!run.player.playing) this.#stop(); else if (this.t !== undefined) this.#run(); });
  }

  /** Shows the time of a step, and lets it run on when there is one to run to. @param {import("./trace/scene.js").Scene} scene */
  show(scene) {
    this.#stop();
    this.t = scene.state.t;
    this.face.title = moment(scene.epoch, this.t, this.run.words.lang, true);
    this.#draw(this.t);
    this.#run();
  }

  /** From this step to the next one, in the time that the player takes. */
  #run() {
    cancelAnimationFrame(this.frame);
    const { player } = this.run;
    const next = this.#next();
    if (!player.playing || next <= this.t || globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const start = performance.now(), length = BEAT / player.speed;
    const run = () => {
      this.#draw(between(this.t, next, (performance.now() - start) / length));
      if (performance.now() - start < length) this.frame = requestAnimationFrame(run);
    };
    this.frame = requestAnimationFrame(run);
  }

  /** When the next step of this grain is. */
  #next() {
    const { player, store } = this.run;
    const place = store.steps.places[store.steps.move(player.at, player.grain, 1)];
    return store.event(place.seq)?.t ?? this.t;
  }

  #stop() {
    cancelAnimationFrame(this.frame);
    if (this.frame && this.t !== undefined) this.#draw(this.t);
    this.frame = 0;
  }

  /** @param {number} now */
  #draw(now) {
    this.face.textContent = `${now.toFixed(1)} s`;
    for (const timer of this.page.querySelectorAll("[data-until], [data-since]")) {
      const { dataset } = /** @type {HTMLElement} */ (timer);
      if ("round" in dataset) timer.setAttribute("stroke-dasharray", `${Number(dataset.round) * Math.max(0, Math.min(1, (Number(dataset.until) - now) / Number(dataset.length)))} ${dataset.round}`);
      else timer.textContent = timerText(dataset, now);
    }
  }
}
