/**
 * The manifest of what is in focus, beside Why: its lines that decide the step are marked.
 * The one rule: made from the trace alone; who points at a thing reads that thing's manifest, and gets the own one back after.
 * @module
 */
import { h, one } from "./dom.js";
import { icon } from "./icons.js";
import { budgetsOf, decidingPaths, isMarked, manifestAt, ownSubject, yamlLines } from "./trace/yaml.js";

/** @typedef {import("./trace/scene.js").Scene} Scene */
/** @typedef {{kind: string, name: string}} Subject */

const PAUSE = 140; // ms of pointing before the manifest follows
const MOST_LINES = 400;

export class ManifestPanel {
  /** @param {HTMLElement} page @param {import("./trace/store.js").TraceStore} store @param {import("./words.js").Words} words */
  constructor(page, store, words) {
    Object.assign(this, { page, store, words });
    this.root = one("[data-part=manifest]", page);
    this.button = one("[data-do=manifest]", page);
    /** @type {Scene|null} */ this.scene = null;
    /** @type {Subject|null} what was clicked */ this.asked = null;
    /** @type {Subject|null} what is pointed at */ this.pointed = null;
    this.sign = "";
    this.timer = 0;
    this.button.prepend(icon("table"));
    this.button.addEventListener("click", () => this.toggle());
  }

  get shown() { return !this.root.hidden; }

  toggle() {
    this.root.hidden = this.shown;
    this.button.setAttribute("aria-pressed", String(this.shown));
    this.page.classList.toggle("shows-manifest", this.shown);
    this.draw();
    if (this.shown) this.root.focus({ preventScroll: true });
  }

  /** @param {Scene} scene @param {{node?: string, pod?: string}|null} asked */
  place(scene, asked) {
    this.scene = scene;
    this.asked = asked ? subjectOf(asked.pod, asked.node) : null;
    this.draw();
  }

  /** @param {{pod: string, node: string}|null} subject */
  point(subject) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => { this.pointed = subject ? subjectOf(subject.pod, subject.node) : null; this.draw(); }, PAUSE);
  }

  draw() {
    const { scene } = this;
    if (!this.shown || !scene) return;
    const told = (/** @type {Subject|null} */ each) => each && manifestAt(this.store, scene, each);
    const subject = [this.pointed, this.asked, ownSubject(scene)].find(told);
    const parts = subject ? [subject, ...budgetsOf(scene, subject)].map((each) => ({ subject: each, manifest: told(each), paths: decidingPaths(scene, each) })).filter((each) => each.manifest) : [];
    const sign = JSON.stringify([this.words.lang, parts]);
    if (sign === this.sign) return;
    this.sign = sign;
    this.root.replaceChildren(...(parts.length ? parts.map((part) => this.#drawOne(part)) : [h("p.quiet", {}, this.words.say("manifest.none"))]));
    this.#showMark();
  }

  /** The first marked line comes into sight: inside the panel, or inside the sheet of a narrow screen. */
  #showMark() {
    const mark = this.root.querySelector(".yaml-line.is-marked");
    const room = /** @type {HTMLElement} */ (this.root.scrollHeight > this.root.clientHeight + 4 ? this.root : this.root.parentElement);
    room.scrollTop = mark ? Math.max(0, room.scrollTop + mark.getBoundingClientRect().top - room.getBoundingClientRect().top - 90) : 0;
  }

  /** @param {{subject: Subject, manifest: any, paths: string[]}} part */
  #drawOne({ subject, manifest, paths }) {
    const { words } = this;
    const lines = yamlLines(manifest).slice(0, MOST_LINES);
    const marked = lines.filter(({ path }) => isMarked(path, paths)).length;
    const names = subject.kind === "Pod" ? { "data-pod": subject.name } : subject.kind === "Node" ? { "data-node-name": subject.name } : {};
    return h("section.manifest-object", {},
      h(`h2.manifest-title${this.#isPointedAt(subject) ? ".is-lit" : ""}`, names, h("span.quiet", {}, subject.kind), " ", h("strong", {}, subject.kind === "Pod" ? words.podLabel(subject.name) : subject.kind === "Node" ? words.nodeName(subject.name) : subject.name)),
      h("p.manifest-note", {}, words.say(marked ? "manifest.marked" : "manifest.unmarked", { count: marked })),
      h("ol.yaml", {}, lines.map((line) => this.#drawLine(line, paths))));
  }

  /** @param {Subject} subject */
  #isPointedAt(subject) { return this.pointed?.kind === subject.kind && this.pointed.name === subject.name; }

  /** @param {import("./trace/yaml.js").Line} line @param {string[]} paths */
  #drawLine({ text, path }, paths) {
    const marked = isMarked(path, paths);
    const node = /^(spec\.nodeName|status\.nominatedNodeName)$/.test(path) ? text.slice(text.indexOf(":") + 2) : null;
    return h(`li.yaml-line${marked ? ".is-marked" : ""}`, { "data-path": path, "data-names-node": node }, marked ? h("span.sr", {}, `${this.words.say("manifest.decides")}: `) : null, h("code", {}, text));
  }
}

/** @param {string} [pod] @param {string} [node] @returns {Subject|null} */
function subjectOf(pod, node) { return pod ? { kind: "Pod", name: pod } : node ? { kind: "Node", name: node } : null; }
