/**
 * Elements in one line. The one rule: text goes in as text nodes, styles by CSSOM, so a strict policy and users' texts are both safe.
 * @module
 */
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node|string|number|null|undefined|false} Child */

/** @param {Element} element @param {Object<string, any>} props */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) /** @type {any} */ (element).style.setProperty(name, String(value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/** @param {Element} element @param {(Child|Child[])[]} children */
function fill(element, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** @param {string} tag "div.card.is-focus" @param {Object<string, any>} [props] @param {...any} children @returns {HTMLElement} */
export function h(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length) element.className = classes.join(" ");
  dress(element, props);
  fill(element, children);
  return element;
}

/** @param {string} tag @param {Object<string, any>} [props] @param {...any} children @returns {SVGElement} */
export function s(tag, props = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElementNS(SVG, name);
  if (classes.length) element.setAttribute("class", classes.join(" "));
  dress(element, props);
  fill(element, children);
  return element;
}

/**
 * Keeps one element for each key, in order, and writes only into those whose model changed: their drawings have no listeners of their own.
 * @template T
 * @param {Element} parent @param {T[]} items @param {(item: T) => string} key @param {(item: T) => string} signature @param {(item: T) => Element} draw
 */
export function keyed(parent, items, key, signature, draw) {
  const old = new Map([...parent.children].map((child) => [/** @type {any} */ (child).dataset.key, child]));
  let before = /** @type {Element|null} */ (parent.firstElementChild);
  for (const item of items) {
    const id = key(item), sign = signature(item);
    let element = /** @type {any} */ (old.get(id));
    if (!element || element.signature !== sign) {
      const fresh = /** @type {any} */ (draw(item));
      fresh.dataset.key = id;
      if (element) morph(element, fresh);
      else element = fresh;
      element.signature = sign;
    }
    old.delete(id);
    if (element !== before) parent.insertBefore(element, before);
    else before = before.nextElementSibling;
  }
  for (const gone of old.values()) gone.remove();
}

/** Makes an element say what a fresh one says, and leaves alone what says the same: for drawings without listeners of their own. @param {Element} old @param {Element} fresh */
export function morph(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") /** @type {any} */ (old).style.cssText = value; // as an attribute, a strict policy forbids it
    else old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  if (fresh.firstElementChild instanceof HTMLElement && fresh.firstElementChild.dataset.flip) { morphKeyed(old, fresh); return; }
  let kept = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    if (!kept) { old.append(child); continue; }
    const next = kept.nextSibling;
    if (kept.nodeType === 3 && child.nodeType === 3) { if (kept.nodeValue !== child.nodeValue) kept.nodeValue = child.nodeValue; }
    else if (kept instanceof Element && child instanceof Element && kept.tagName === child.tagName) morph(kept, child);
    else old.replaceChild(child, kept);
    kept = next;
  }
  while (kept) { const next = kept.nextSibling; kept.remove(); kept = next; }
}

/** Rows that change their order keep their elements. @param {Element} old @param {Element} fresh */
function morphKeyed(old, fresh) {
  const known = new Map([...old.children].map((child, index) => [/** @type {HTMLElement} */ (child).dataset.flip || `the ${index}th`, child]));
  let before = old.firstElementChild;
  for (const child of [...fresh.children]) {
    const key = /** @type {HTMLElement} */ (child).dataset.flip || "", kept = key ? known.get(key) : undefined;
    known.delete(key);
    if (kept) morph(kept, child);
    if (kept && kept === before) before = kept.nextElementSibling;
    else old.insertBefore(kept || child, before);
  }
  for (const gone of known.values()) gone.remove();
}

const MARKS = ["nodeName", "pod", "phase", "line"];

/** Draws, and puts the focus back on the same thing when its element was drawn anew: focus is never lost. @param {Element} root @param {() => void} draw */
export function keepFocus(root, draw) {
  const active = /** @type {HTMLElement|null} */ (document.activeElement);
  const held = active && active !== root && root.contains(active) ? active : null;
  draw();
  if (!held || held.isConnected) return;
  const name = MARKS.find((each) => held.dataset[each]);
  const attribute = name ? `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` : "";
  const same = name ? root.querySelector(`[${attribute}="${CSS.escape(held.dataset[name] || "")}"]`) : null;
  /** @type {HTMLElement} */ (same || root).focus({ preventScroll: true });
}

/** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement} */
export function one(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return /** @type {HTMLElement} */ (found);
}
