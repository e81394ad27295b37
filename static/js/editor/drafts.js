/**
 * Drafts in this browser: the text is kept with every pause, older states with it. Nothing is sent anywhere.
 * The one rule: a draft is never overwritten by another; what was open is there again after a reload or a crash.
 * @module
 */
import { h, one } from "../dom.js";

const OWN = "draft"; // in this tab
const PREFIX = "draft:";
const MOST_DRAFTS = 20;
const MOST_STATES = 40;
const APART_MS = 60_000;
const PAUSE_MS = 150;

/** @typedef {{text: string, changed: number, parent: string, title: string, states: {at: number, text: string}[]}} Kept */

export class Drafts {
  /** @param {HTMLElement} root @param {import("../words.js").Words} words @param {{parent: string, given: string}} page */
  constructor(root, words, { parent, given }) {
    this.words = words;
    this.parent = parent;
    this.given = given;
    this.bar = one("[data-part=restore]", root);
    this.state = one("[data-part=kept]", root);
    this.timer = 0;
    this.pending = "";
    /** @type {(text: string) => void} */ this.onOpen = () => {};
    this.id = "";
  }

  /** The text to begin with. @returns {Promise<string>} */
  async start() {
    const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    const again = entry?.type === "reload" || entry?.type === "back_forward" || take(sessionStorage, "draft-stays") === "1";
    const own = read(sessionStorage, OWN);
    const kept = own && again ? this.load(own) : null;
    addEventListener("pagehide", () => this.flush());
    addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") this.flush(); });
    for (const link of document.querySelectorAll("[data-language]")) link.addEventListener("click", () => { this.flush(); write(sessionStorage, "draft-stays", "1"); });
    if (kept) { this.id = own || ""; this.parent = kept.parent || this.parent; return kept.text; }
    this.#begin();
    if (!this.given.trim()) this.#offer();
    return this.given;
  }

  #begin() {
    this.id = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
    write(sessionStorage, OWN, this.id);
  }

  /** From here on it is another draft; the one before stays as it is. */
  fresh() {
    this.flush();
    this.parent = "";
    this.#begin();
  }

  get title() { return this.load(this.id)?.title || ""; }

  /** @param {string} id @returns {Kept|null} */
  load(id) {
    try { return JSON.parse(localStorage.getItem(PREFIX + id) || "null"); } catch { return null; }
  }

  /** Every draft, the newest first. @returns {(Kept & {id: string})[]} */
  all() {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => ({ id: key.slice(PREFIX.length), .../** @type {Kept} */ (this.load(key.slice(PREFIX.length))) }))
      .filter(({ text }) => text).sort((a, b) => b.changed - a.changed);
  }

  /** @param {string} text */
  changed(text) {
    this.pending = text;
    this.dirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), text.length > 300_000 ? 8 * PAUSE_MS : PAUSE_MS);
  }

  flush() { if (this.dirty) this.save(this.pending); }

  /** @param {string} text */
  save(text) {
    clearTimeout(this.timer);
    this.dirty = false;
    const old = this.load(this.id);
    if (!text.trim() && !old) return;
    if (old?.text === text) return;
    const now = Date.now();
    const states = old?.states || [];
    if (old?.text && (!states.length || now - states[states.length - 1].at > APART_MS || Math.abs(old.text.length - text.length) > 400)) states.push({ at: old.changed, text: old.text });
    const kept = { text, changed: now, parent: this.parent, title: titleOf(text), states: states.slice(-MOST_STATES) };
    this.state.textContent = this.words.say(this.#store(kept) ? "edit.kept" : "edit.kept.not");
  }

  /** With less and less history until there is room. @param {Kept} kept @returns {boolean} */
  #store(kept) {
    for (const most of [MOST_STATES, 5, 0]) {
      try {
        localStorage.setItem(PREFIX + this.id, JSON.stringify({ ...kept, states: most ? kept.states.slice(-most) : [] }));
        this.#forgetOld();
        return true;
      } catch { this.#forgetOld(Math.max(1, most)); }
    }
    return false;
  }

  /** @param {number} [most] */
  #forgetOld(most = MOST_DRAFTS) { for (const { id } of this.all().filter(({ id }) => id !== this.id).slice(most)) localStorage.removeItem(PREFIX + id); }

  #offer() {
    const [last] = this.all();
    if (!last) return;
    this.bar.replaceChildren(
      h("p", {}, this.words.say("edit.restore", { when: ago(last.changed, this.words.lang || "en"), title: last.title || this.words.say("scenario.untitled") })),
      h("button.button.is-small", { type: "button", "data-do": "restore", onclick: () => this.open(last.id) }, this.words.say("edit.restore.do")),
      h("button.button.is-small", { type: "button", onclick: () => { this.bar.hidden = true; } }, this.words.say("edit.restore.not")));
    this.bar.hidden = false;
  }

  /** Opens another draft; it goes on as itself. @param {string} id @param {string} [text] an older state of it */
  open(id, text) {
    const kept = this.load(id);
    if (!kept) return;
    this.flush();
    this.id = id;
    this.parent = kept.parent || "";
    write(sessionStorage, OWN, id);
    this.bar.hidden = true;
    this.onOpen(text ?? kept.text);
  }

  /** @param {string} id */
  forget(id) { localStorage.removeItem(PREFIX + id); }
}

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

/** @param {Storage} storage @param {string} key */
function read(storage, key) { try { return storage.getItem(key); } catch { return null; } }

/** @param {Storage} storage @param {string} key */
function take(storage, key) { const value = read(storage, key); try { storage.removeItem(key); } catch { /* nothing is kept here */ } return value; }

/** @param {Storage} storage @param {string} key @param {string} value */
function write(storage, key, value) { try { storage.setItem(key, value); } catch { /* nothing is kept here */ } }
