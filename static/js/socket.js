/**
 * The one WebSocket of the page. The one rule: the cursor is the last seq the store has; after any break it asks again from there,
 * so nothing is lost and nothing comes twice.
 * @module
 */

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15000;
const UNKNOWN = 4404;

/** How long to wait before the n-th attempt: doubling, with jitter so that a class does not come back at once. @param {number} attempt @param {number} chance 0..1 */
export function backOff(attempt, chance) {
  const most = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return Math.round(most / 2 + (most / 2) * chance);
}

/** Whether this browser inflates frames. */
export function canInflate() { return typeof DecompressionStream === "function"; }

/** @param {ArrayBuffer} data @returns {Promise<string>} */
export function inflated(data) {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

/** @typedef {"connecting"|"live"|"waiting"|"done"|"unknown"} LinkStatus */

/** Raises "events" (detail: events), "status" (detail: {link, run}). */
export class RunSocket extends EventTarget {
  /** @param {string} path "/ws/runs/<id>/" @param {() => number} cursor @param {{WebSocket?: typeof WebSocket, origin?: string, early?: any}} [world] `early` is what early.js opened */
  constructor(path, cursor, world = {}) {
    super();
    this.path = path;
    this.cursor = cursor;
    this.attempt = 0;
    this.link = /** @type {LinkStatus} */ ("connecting");
    this.run = "queued";
    this.turn = /** @type {Promise<void>|null} */ (null); // of the last frame that is not read yet
    this.WebSocket = world.WebSocket || globalThis.WebSocket;
    this.early = world.early?.path === path ? world.early : null;
    this.origin = world.origin || globalThis.location.origin.replace(/^http/, "ws");
  }

  open() {
    this.#say("connecting");
    if (this.early && this.cursor() === 0) { this.#adopt(this.early); return; }
    this.socket = new this.WebSocket(`${this.origin}${this.path}?after=${this.cursor()}${canInflate() ? "&frames=deflate" : ""}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.addEventListener("message", (message) => this.#take(message.data));
    this.socket.addEventListener("close", (closed) => this.#inTurn(() => this.#closed(closed.code)));
  }

  /** What was opened before the modules were there, and what it has heard; once. @param {any} early */
  #adopt(early) {
    this.early = null;
    this.socket = early.socket;
    early.socket.onmessage = (/** @type {MessageEvent} */ message) => this.#take(message.data);
    early.socket.onclose = (/** @type {CloseEvent} */ closed) => this.#inTurn(() => this.#closed(closed.code));
    for (const message of early.heard) this.#take(message.data);
    if (early.closed) this.#inTurn(() => this.#closed(early.closed.code));
  }

  /** A frame is JSON, or JSON in raw deflate, which takes a moment: what comes after it waits its turn. @param {string|ArrayBuffer} data */
  #take(data) {
    if (typeof data === "string") { this.#inTurn(() => this.#hear(JSON.parse(data))); return; }
    const inflating = inflated(data);
    this.#inTurn(async () => this.#hear(JSON.parse(await inflating)));
  }

  /** At once when nothing is being inflated. @param {() => void|Promise<void>} step */
  #inTurn(step) {
    if (!this.turn) {
      const done = step();
      if (done) this.#waitFor(done);
      return;
    }
    this.#waitFor(this.turn.then(step));
  }

  /** @param {Promise<void>} turn */
  #waitFor(turn) {
    this.turn = turn.catch((error) => { console.error(error); this.socket?.close(); });
    const mine = this.turn;
    mine.then(() => { if (this.turn === mine) this.turn = null; });
  }

  /** @param {any} message */
  #hear(message) {
    this.attempt = 0;
    if (message.status) this.run = message.status;
    if (message.type === "hello") this.#say("live");
    if (message.type === "events") this.dispatchEvent(new CustomEvent("events", { detail: message.events }));
    if (message.type === "end") this.#say("done");
  }

  /** @param {number} code */
  #closed(code) {
    if (this.link === "done") return;
    if (code === UNKNOWN) { this.#say("unknown"); return; }
    this.#say("waiting");
    this.attempt += 1;
    setTimeout(() => this.open(), backOff(this.attempt, Math.random()));
  }

  /** @param {LinkStatus} link */
  #say(link) {
    this.link = link;
    this.dispatchEvent(new CustomEvent("status", { detail: { link, run: this.run } }));
  }
}
