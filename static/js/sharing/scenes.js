/**
 * A run read over HTTP into a store, and drawn on a stage of its own: what embeds and comparisons are made of.
 * The one rule: no socket and no player; whoever uses it says where to stand.
 * @module
 */
import { one } from "../dom.js";
import { sentenceOf } from "../narrate.js";
import { Stage } from "../stage/stage.js";
import { sceneAt } from "../trace/scene.js";
import { TraceStore } from "../trace/store.js";
import { Words } from "../words.js";

const PART = 2000;
const AGAIN_MS = 400;

/** The words that the server put into the page. */
export function wordsOfPage() {
  const data = (/** @type {string} */ id) => JSON.parse(one(`#${id}`).textContent || "null");
  return new Words(document.documentElement.dataset.lang || "en", data("wording"), data("sentences"));
}

export class Scenes {
  /** @param {HTMLElement} root with the parts stage and step @param {Words} words */
  constructor(root, words) {
    this.words = words;
    this.store = new TraceStore();
    this.step = one("[data-part=step]", root);
    this.stage = new Stage(one("[data-part=stage]", root), words, () => undefined);
  }

  /** Reads the whole log; waits for a run that still runs. @param {string} run @param {() => void} [grew] */
  async read(run, grew = () => undefined) {
    for (;;) {
      const answer = await fetch(`/api/v1/runs/${run}/events?after=${this.store.lastSeq}&limit=${PART}`, { credentials: "omit" });
      if (!answer.ok) throw new Error(`The log of ${run} cannot be read: ${answer.status}`);
      const { events, last_seq: last, status } = await answer.json();
      if (this.store.append(events)) { this.words.learnNodes(this.store.head.nodes.keys()); grew(); }
      if (this.store.lastSeq >= last && !["queued", "running"].includes(status)) return;
      if (!events.length) await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
    }
  }

  /** Draws a place; false when there is none. @param {number} index @param {string} [instead] said in place of the sentence */
  draw(index, instead = "") {
    const scene = sceneAt(this.store, index);
    if (!scene) return false;
    this.stage.draw(scene, false);
    const { id, args } = sentenceOf(scene);
    this.step.textContent = instead || this.words.say(id, args);
    return true;
  }
}
