/**
 * SVG from descriptions: a drawing is described anew at every step, and only what differs from the last description is written.
 * The one rule: an element stays the same element as long as its key does, so focus, motion and the browser's own work on it are kept.
 * @module
 */
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {{tag: string, key: string, props: Object<string, any>, text: string|null, children: Shape[], element: any}} Shape */

/** @param {string} tag @param {Object<string, any>} [props] `key` names it among its brothers @param {...any} children shapes, or one text @returns {Shape} */
export function v(tag, props = {}, ...children) {
  const { key = "", ...rest } = props;
  const [first] = children;
  if (typeof first === "string" || typeof first === "number") return { tag, key, props: rest, text: String(first), children: [], element: null };
  return { tag, key, props: rest, text: null, children: children.flat(4).filter(Boolean), element: null };
}

/** @param {any} value */
function isAbsent(value) { return value === null || value === undefined || value === false; }

/** @param {Shape} shape @returns {SVGElement} */
export function make(shape) {
  const element = document.createElementNS(SVG, shape.tag);
  shape.element = element;
  for (const name in shape.props) if (!isAbsent(shape.props[name])) element.setAttribute(name, shape.props[name]);
  if (shape.text !== null) element.textContent = shape.text;
  else for (const child of shape.children) element.append(make(child));
  return element;
}

/** Writes into the element of an old description what a new one says otherwise. @param {Shape} old @param {Shape} next @returns {SVGElement} of the new one */
export function patch(old, next) {
  if (old === next) return next.element;
  const { element } = old;
  if (old.tag !== next.tag || (old.text === null) !== (next.text === null)) {
    const fresh = make(next);
    element.replaceWith(fresh);
    return fresh;
  }
  next.element = element;
  dress(element, old.props, next.props);
  if (next.text !== null) { if (next.text !== old.text) element.textContent = next.text; } else patchChildren(element, old.children, next.children);
  return element;
}

/** @param {SVGElement} element @param {Object<string, any>} old @param {Object<string, any>} next */
function dress(element, old, next) {
  for (const name in next) {
    if (old[name] === next[name]) continue;
    if (isAbsent(next[name])) element.removeAttribute(name);
    else element.setAttribute(name, next[name]);
  }
  for (const name in old) if (!(name in next)) element.removeAttribute(name);
}

/** Brothers without a key of their own are known by their tag and their place among those. @param {Shape[]} shapes */
function named(shapes) {
  /** @type {Object<string, number>} */
  const counts = {};
  return shapes.map((shape) => shape.key || `${shape.tag} ${(counts[shape.tag] = (counts[shape.tag] || 0) + 1)}`);
}

/** @param {SVGElement} parent @param {Shape[]} old @param {Shape[]} next */
function patchChildren(parent, old, next) {
  const oldNames = named(old), names = named(next);
  const known = new Map(oldNames.map((name, index) => [name, old[index]]));
  let before = /** @type {Element|null} */ (parent.firstElementChild);
  next.forEach((shape, index) => {
    const kept = known.get(names[index]);
    known.delete(names[index]);
    if (kept && kept.element === before) { before = /** @type {Element} */ (before).nextElementSibling; patch(kept, shape); return; }
    parent.insertBefore(kept ? patch(kept, shape) : make(shape), before);
  });
  for (const gone of known.values()) gone.element.remove();
}
