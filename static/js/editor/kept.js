/**
 * Drafts and their earlier states in this browser's database; what was kept in local storage before moves here.
 * The one rule: what each draft is about stands apart from its texts, so that a list of drafts reads no text.
 * @module
 */

/** @typedef {{nodes: number, pods: number}|null} About */
/** @typedef {{id: string, title: string, parent: string, changed: number, size: number, about: About, states: {at: number, size: number, about: About}[]}} Meta */

const NAME = "playground";
const OLD = "draft:"; // keys of local storage, until 2026
const NOW = 0; // a text's time, for the newest one

export class Kept {
  /** @param {IDBDatabase} database */
  constructor(database) { this.database = database; }

  /** @returns {Promise<Kept>} */
  static async open() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("drafts", { keyPath: "id" });
      request.result.createObjectStore("texts", { keyPath: ["id", "at"] });
    };
    const kept = new Kept(await answerOf(request));
    await kept.#takeOld();
    return kept;
  }

  /** @returns {Promise<Meta[]>} the newest first */
  async all() {
    /** @type {Meta[]} */ const found = await answerOf(this.#store("drafts").getAll());
    return found.sort((a, b) => b.changed - a.changed);
  }

  /** @param {string} id @returns {Promise<Meta|null>} */
  async meta(id) { return (await answerOf(this.#store("drafts").get(id))) || null; }

  /** @param {string} id @param {number} [at] of an earlier state @returns {Promise<string|null>} */
  async text(id, at = NOW) { return (await answerOf(this.#store("texts").get([id, at])))?.text ?? null; }

  /** A draft as it is now; `states` of it that are to be kept, `fresh` the one that is new among them. @param {Meta} meta @param {string} text @param {{at: number, text: string}|null} fresh @returns {Promise<void>} */
  async put(meta, text, fresh) {
    const transaction = this.database.transaction(["drafts", "texts"], "readwrite");
    const drafts = transaction.objectStore("drafts"), texts = transaction.objectStore("texts");
    drafts.put(meta);
    texts.put({ id: meta.id, at: NOW, text });
    if (fresh) texts.put({ id: meta.id, at: fresh.at, text: fresh.text });
    const oldest = meta.states[0]?.at ?? Infinity;
    texts.delete(IDBKeyRange.bound([meta.id, 1], [meta.id, oldest], false, true));
    await done(transaction);
  }

  /** @param {string} id @returns {Promise<void>} */
  async forget(id) {
    const transaction = this.database.transaction(["drafts", "texts"], "readwrite");
    transaction.objectStore("drafts").delete(id);
    transaction.objectStore("texts").delete(IDBKeyRange.bound([id, 0], [id, Infinity]));
    await done(transaction);
  }

  /** @param {string} name */
  #store(name) { return this.database.transaction(name).objectStore(name); }

  /** Drafts that an earlier version of this page kept in local storage. */
  async #takeOld() {
    for (const key of Object.keys(localStorage).filter((each) => each.startsWith(OLD))) {
      const old = oldDraft(localStorage.getItem(key));
      const id = key.slice(OLD.length);
      if (old && !await this.meta(id)) {
        const states = old.states.map(({ at, text }) => ({ at, size: text.length, about: null }));
        await this.put({ id, title: old.title, parent: old.parent, changed: old.changed, size: old.text.length, about: null, states }, old.text, null);
        for (const state of old.states) await this.put({ id, title: old.title, parent: old.parent, changed: old.changed, size: old.text.length, about: null, states }, old.text, state);
      }
      localStorage.removeItem(key);
    }
  }
}

/** @param {string|null} json @returns {{text: string, title: string, parent: string, changed: number, states: {at: number, text: string}[]}|null} */
function oldDraft(json) {
  try {
    const { text, title = "", parent = "", changed = Date.now(), states = [] } = JSON.parse(json || "null") || {};
    return typeof text === "string" && text ? { text, title, parent, changed, states: states.filter((/** @type {any} */ each) => each?.at > 0 && typeof each.text === "string") } : null;
  } catch { return null; }
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answerOf(request) {
  return new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function done(transaction) {
  return new Promise((resolve, reject) => { transaction.oncomplete = () => resolve(); transaction.onabort = () => reject(transaction.error); transaction.onerror = () => reject(transaction.error); });
}
