/**
 * Drafts in this browser: the text is kept with every pause, older states with it. Nothing is sent anywhere.
 * The one rule: a draft is never overwritten by another; what was open is there again after a reload or a crash.
 * @module
 */
import { h, one } from "../dom.js";
import { Kept } from "./kept.js";

/** @typedef {import("./kept.js").Meta} Meta */

const OWN = "draft"; // in this tab
const LEFT = "left:"; // what a page that was left in the middle of a word had no time to put away
const MOST_DRAFTS = 20;
const MOST_STATES = 40;
const MOST_LETTERS = 40_000_000; // of the earlier states of one draft
const APART_MS = 60_000;
const PAUSE_MS = 150;
const MOST_WAIT_MS = 4000;

export class Drafts {
  /** @param {HTMLElement} root @param {import("../words.js").Words} words @param {{parent: string, given: string, text: () => string, about: () => import("./kept.js").About}} page */
  constructor(root, words, { parent, given, text, about }) {
    this.words = words;
    this.parent = parent;
    this.given = given;
    this.textNow = text;
    this.about = about;
    this.bar = one("[data-part=restore]", root);
    this.state = one("[data-part=kept]", root);
    this.timer = 0;
    this.dirty = false;
    /** @type {Kept|null} null where the browser keeps nothing */ this.kept = null;
    /** @type {Meta|null} of the draft that is open */ this.meta = null;
    this.text = ""; // as it was kept last
    /** @type {Promise<any>} */ this.writing = Promise.resolve();
    /** @type {(text: string) => void} */ this.onOpen = () => {};
    /** @type {(text: string) => void} */ this.onRestore = () => {};
    this.id = "";
  }

  /** The text to begin with. @returns {Promise<string>} */
  async start() {
    const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const again = entry?.type === "reload" || entry?.type === "back_forward" || take(sessionStorage, "draft-stays") === "1";
    const own = read(sessionStorage, OWN);
    try { this.kept = await inTime(Kept.open()); await this.#takeLeft(); } catch { this.kept = null; this.state.textContent = this.words.say("edit.kept.never"); }
    addEventListener("pagehide", () => this.#leave());
    addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") this.#leave(); });
    for (const link of document.querySelectorAll("[data-language]")) link.addEventListener("click", () => { this.#leave(); write(sessionStorage, "draft-stays", "1"); });
    const text = own && again ? await this.#load(own) : null;
    if (text !== null) return text;
    this.#begin();
    if (!this.given.trim()) await this.#offer();
    return this.given;
  }

  /** What was typed last before the page was left. */
  async #takeLeft() {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(LEFT))) {
      const { id = "", text = "", changed = 0, parent = "" } = parsed(take(localStorage, key));
      const meta = id && text ? await this.kept?.meta(id) : null;
      if (!id || !text || (meta && meta.changed >= changed)) continue;
      const was = await this.kept?.text(id) ?? "";
      await this.#put({ id, parent: meta?.parent || parent, meta: meta || null, was, text, changed });
    }
  }

  #begin() {
    this.id = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
    this.meta = null;
    this.text = "";
    write(sessionStorage, OWN, this.id);
  }

  /** @param {string} id @returns {Promise<string|null>} */
  async #load(id) {
    const [meta, text] = await Promise.all([this.kept?.meta(id), this.kept?.text(id)]);
    if (!meta || text === null || text === undefined) return null;
    Object.assign(this, { id, meta, text, parent: meta.parent || this.parent });
    write(sessionStorage, OWN, id);
    return text;
  }

  /** From here on it is another draft; the one before stays as it is. */
  async fresh() {
    await this.flush();
    this.parent = "";
    this.#begin();
  }

  get title() { return this.meta?.title || ""; }

  /** Every draft, the newest first. @returns {Promise<Meta[]>} */
  async all() { return (await this.kept?.all()) || []; }

  /** The text is another now. @param {number} length */
  changed(length) {
    this.dirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), length > 300_000 ? 8 * PAUSE_MS : PAUSE_MS);
  }

  /** What the text that was kept last is about is known now. @param {string} text */
  know(text) { if (this.meta && !this.meta.about && this.text === text) this.meta = { ...this.meta, about: this.about() }; }

  /** @returns {Promise<any>} when everything is put away */
  flush() { return this.dirty ? this.save(this.textNow()) : this.writing; }

  /** A page that is left has no time to wait for a database: what is not in it yet goes where writing is done at once, if there is room. */
  #leave() {
    if (!this.dirty) return;
    const text = this.textNow();
    if (text !== this.text) write(localStorage, LEFT + this.id, JSON.stringify({ id: this.id, text, changed: Date.now(), parent: this.parent }));
    this.flush();
  }

  /** @param {string} text @returns {Promise<any>} */
  save(text) {
    clearTimeout(this.timer);
    this.dirty = false;
    if (!this.kept || text === this.text || (!text.trim() && !this.meta)) return this.writing;
    const { id, parent, meta, text: was } = this;
    const changed = Date.now();
    this.text = text;
    this.bar.hidden = true;
    this.meta = metaOf({ id, parent, meta, was, text, changed }, this.about());
    this.writing = this.writing.then(() => this.#put({ id, parent, meta, was, text, changed })).then((stored) => {
      this.state.textContent = stored ? this.words.say("edit.kept") : this.words.say("edit.kept.not", { size: megabytes(text.length) });
      this.state.classList.toggle("is-bad", !stored);
    });
    return this.writing;
  }

  /** With less and less history until there is room. @param {Step} step @returns {Promise<boolean>} */
  async #put(step) {
    const { kept } = this;
    if (!kept) return false;
    const meta = metaOf(step, this.about());
    const isFresh = meta.states.length > 0 && meta.states[meta.states.length - 1].at === step.meta?.changed && !step.meta.states.some(({ at }) => at === step.meta?.changed);
    const fresh = isFresh && step.meta ? { at: step.meta.changed, text: step.was } : null;
    for (const most of [MOST_STATES, 5, 0]) {
      const states = most ? meta.states.slice(-most) : [];
      try {
        await kept.put({ ...meta, states }, step.text, states.length ? fresh : null);
        if (this.id === step.id && this.meta) this.meta = { ...this.meta, states };
        take(localStorage, LEFT + step.id);
        await this.#forgetOld(MOST_DRAFTS);
        return true;
      } catch { await this.#forgetOld(Math.max(1, most)).catch(() => {}); }
    }
    return false;
  }

  /** @param {number} most */
  async #forgetOld(most) { for (const { id } of (await this.all()).filter(({ id }) => id !== this.id).slice(most)) await this.forget(id); }

  async #offer() {
    const [last] = await this.all();
    if (!last) return;
    this.bar.replaceChildren(
      h("p", {}, this.words.say("edit.restore", { when: ago(last.changed, this.words.lang || "en"), title: last.title || this.words.say("scenario.untitled") })),
      h("button.button.is-small", { type: "button", "data-do": "restore", onclick: () => this.open(last.id) }, this.words.say("edit.restore.do")),
      h("button.button.is-small", { type: "button", onclick: () => { this.bar.hidden = true; } }, this.words.say("edit.restore.not")));
    this.bar.hidden = false;
  }

  /** Opens another draft, which goes on as itself; or an earlier state of this one, as a change that can be undone. @param {string} id @param {number} [at] of an earlier state */
  async open(id, at) {
    await this.flush();
    if (id === this.id && at) { const state = await this.kept?.text(id, at); if (state !== null && state !== undefined) this.onRestore(state); return; }
    const text = await this.#load(id);
    if (text === null) return;
    this.bar.hidden = true;
    this.onOpen(text);
    const state = at ? await this.kept?.text(id, at) : null;
    if (state) this.onRestore(state);
  }

  /** @param {string} id @returns {Promise<void>} */
  async forget(id) { await this.kept?.forget(id); }
}

/** @typedef {{id: string, parent: string, meta: Meta|null, was: string, text: string, changed: number}} Step from what was kept to what is to be kept */

/** What is known of a draft after a step: a state joins its history when it is old enough, or differs enough. @param {Step} step @param {import("./kept.js").About} about @returns {Meta} */
function metaOf({ id, parent, meta, was, text, changed }, about) {
  const states = [...(meta?.states || [])];
  const last = states[states.length - 1];
  if (meta && was && (!last || meta.changed - last.at > APART_MS || Math.abs(was.length - text.length) > 400)) states.push({ at: meta.changed, size: was.length, about: meta.about });
  let letters = 0;
  const near = states.reverse().filter(({ size }, index) => index < MOST_STATES && (letters += size) <= Math.max(MOST_LETTERS, size)).reverse();
  return { id, parent, title: titleOf(text), changed, size: text.length, about, states: near };
}

/** A database that does not answer is none: the page begins without it. @template T @param {Promise<T>} promise @returns {Promise<T>} */
function inTime(promise) {
  return Promise.race([promise, new Promise((_, reject) => { setTimeout(() => reject(new Error("no answer")), MOST_WAIT_MS); })]);
}

/** @param {number} letters */
export const megabytes = (letters) => (letters / 1e6).toFixed(1);

/** @param {string|null} json @returns {any} */
function parsed(json) { try { return JSON.parse(json || "null") || {}; } catch { return {}; } }

/** @param {string} text */
export function titleOf(text) {
  const title = /^ {0,4}title: *(["']?)(.+)\1 *$/m.exec(text.slice(0, 4000))?.[2] || /title: *["']?([^,}"'\n]+)/.exec(text.slice(0, 2000))?.[1];
  return (title || "").slice(0, 80);
}

/** "5 minutes ago". @param {number} at @param {string} lang */
export function ago(at, lang) {
  const minutes = Math.round((Date.now() - at) / 60_000);
  const words = new Intl.RelativeTimeFormat(lang === "zh-hans" ? "zh-Hans" : "en", { numeric: "auto" });
  if (minutes < 60) return words.format(-minutes, "minute");
  return minutes < 48 * 60 ? words.format(-Math.round(minutes / 60), "hour") : words.format(-Math.round(minutes / 1440), "day");
}

/** "today, 14:05". @param {number} at @param {string} lang */
export function when(at, lang) {
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : { month: "short", day: "numeric" };
  return new Intl.DateTimeFormat(lang === "zh-hans" ? "zh-Hans" : "en-GB", { ...day, hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);
}

/** @param {Storage} storage @param {string} key */
function read(storage, key) { try { return storage.getItem(key); } catch { return null; } }

/** @param {Storage} storage @param {string} key */
function take(storage, key) { const value = read(storage, key); try { storage.removeItem(key); } catch { /* nothing is kept here */ } return value; }

/** @param {Storage} storage @param {string} key @param {string} value */
function write(storage, key, value) { try { storage.setItem(key, value); } catch { /* nothing is kept here */ } }
