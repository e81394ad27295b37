/**
 * A part of the page as an SVG drawing of its own: boxes, borders, icons and text where they stand, in the colours they have.
 * The one rule: everything is read from the page as it is drawn, so a picture can say nothing that the page does not.
 * @module
 */
const XML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (/** @type {any} */ text) => String(text).replace(/[&<>"]/g, (letter) => XML[/** @type {keyof typeof XML} */ (letter)]);
const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
const isClear = (/** @type {string} */ colour) => colour === "transparent" || /^rgba\(.*, 0\)$/.test(colour);
const DRAWN = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity"];
const WRITTEN = ["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "letter-spacing"];

/** @param {HTMLElement} root @param {{skip?: string, title?: string, lines?: string[]}} [options] `lines` stand above the drawing @returns {{svg: string, width: number, height: number}} */
export function svgOf(root, { skip = "", title = "", lines = [] } = {}) {
  const { scrollLeft, scrollTop } = root;
  root.scrollTo({ left: 0, top: 0, behavior: "instant" }); // what sticks to an edge would cover what scrolls
  const painter = new Painter(root, skip);
  painter.draw(root);
  root.scrollTo({ left: scrollLeft, top: scrollTop, behavior: "instant" });
  const style = getComputedStyle(root);
  const ground = [root, ...ancestors(root)].map((each) => getComputedStyle(each).backgroundColor).find((colour) => !isClear(colour)) || "#ffffff";
  const head = lines.length * 24 + (lines.length ? 16 : 0);
  const width = Math.ceil(painter.right + 16), height = Math.ceil(painter.bottom + 16 + head);
  const above = lines.map((line, index) => `<text x="16" y="${24 + index * 24}" fill="${style.color}" font-family="${escaped(style.fontFamily)}" font-size="${index ? 14 : 17}"${index ? "" : ' font-weight="650"'}>${escaped(line)}</text>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${title ? `<title>${escaped(title)}</title>` : ""}${painter.definitions()}<rect width="100%" height="100%" fill="${ground}"/>${above}<g transform="translate(0 ${head})">${painter.parts.join("")}</g></svg>`;
  return { svg, width, height };
}

/** @param {Element} element @returns {Element[]} */
function ancestors(element) { return element.parentElement ? [element.parentElement, ...ancestors(element.parentElement)] : []; }

class Painter {
  /** @param {HTMLElement} root @param {string} skip */
  constructor(root, skip) {
    const box = root.getBoundingClientRect();
    this.left = box.left - root.scrollLeft;
    this.top = box.top - root.scrollTop;
    this.skip = skip;
    this.right = 0;
    this.bottom = 0;
    /** @type {string[]} */ this.parts = [];
    this.hatched = false;
  }

  definitions() {
    const pattern = document.querySelector("pattern#hatch");
    return pattern && this.hatched ? `<defs>${this.#copy(pattern)}</defs>` : "";
  }

  /** @param {Element} element */
  draw(element) {
    if (this.skip && element.matches(this.skip)) return;
    if (element.matches(".sr, noscript, script, style, dialog:not([open])")) return;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    const box = element.getBoundingClientRect();
    if (element instanceof SVGSVGElement) { this.#icon(element, box); return; }
    const faded = style.opacity !== "1";
    if (faded) this.parts.push(`<g opacity="${style.opacity}">`);
    this.#box(box, style);
    this.#edge(element, box);
    for (const child of element.childNodes) {
      if (child instanceof Element) this.draw(child);
      else if (child.nodeType === Node.TEXT_NODE && child.textContent?.trim()) this.#text(/** @type {Text} */ (child), element, style);
    }
    if (faded) this.parts.push("</g>");
  }

  /** @param {DOMRect} box @param {CSSStyleDeclaration} style */
  #box(box, style) {
    if (!box.width || !box.height) return;
    const x = box.left - this.left, y = box.top - this.top;
    const widths = ["Top", "Right", "Bottom", "Left"].map((side) => (style.getPropertyValue(`border-${side.toLowerCase()}-style`) === "none" ? 0 : parseFloat(style.getPropertyValue(`border-${side.toLowerCase()}-width`))));
    const even = widths.every((width) => width === widths[0]);
    const fill = isClear(style.backgroundColor) ? "none" : style.backgroundColor;
    const stroke = even && widths[0] > 0 && !isClear(style.borderTopColor);
    if (fill !== "none" || stroke) {
      const inset = stroke ? widths[0] / 2 : 0;
      const dash = style.borderTopStyle === "dashed" ? ` stroke-dasharray="6 4"` : style.borderTopStyle === "dotted" ? ` stroke-dasharray="2 3"` : "";
      this.#reach(x + box.width, y + box.height);
      this.parts.push(`${rounded(x + inset, y + inset, box.width - 2 * inset, box.height - 2 * inset, style)} fill="${fill}"${stroke ? ` stroke="${style.borderTopColor}" stroke-width="${widths[0]}"${dash}` : ""}/>`);
    }
    if (even) return;
    const sides = [[x, y, x + box.width, y], [x + box.width, y, x + box.width, y + box.height], [x, y + box.height, x + box.width, y + box.height], [x, y, x, y + box.height]];
    ["top", "right", "bottom", "left"].forEach((side, index) => {
      const colour = style.getPropertyValue(`border-${side}-color`);
      if (widths[index] > 0 && !isClear(colour)) this.parts.push(`<line x1="${round(sides[index][0])}" y1="${round(sides[index][1])}" x2="${round(sides[index][2])}" y2="${round(sides[index][3])}" stroke="${colour}" stroke-width="${widths[index]}"/>`);
    });
  }

  /** The coloured edge that is drawn before a pod. @param {Element} element @param {DOMRect} box */
  #edge(element, box) {
    const style = getComputedStyle(element, "::before");
    if (style.content === "none" || style.content === "normal" || style.position !== "absolute" || isClear(style.backgroundColor)) return;
    const [left, top, width, height] = ["left", "top", "width", "height"].map((name) => parseFloat(style.getPropertyValue(name)) || 0);
    const border = parseFloat(getComputedStyle(element).borderLeftWidth) || 0;
    this.parts.push(`<rect x="${round(box.left - this.left + border + left)}" y="${round(box.top - this.top + border + top)}" width="${round(width)}" height="${round(height)}" fill="${style.backgroundColor}"/>`);
  }

  /** @param {SVGSVGElement} element @param {DOMRect} box */
  #icon(element, box) {
    if (!box.width || !box.height) return;
    this.hatched ||= /hatch/.test(element.innerHTML) || [...element.querySelectorAll("*")].some((each) => getComputedStyle(each).fill.includes("#hatch"));
    const view = element.getAttribute("viewBox");
    const x = box.left - this.left, y = box.top - this.top;
    this.#reach(x + box.width, y + box.height);
    this.parts.push(`<svg x="${round(x)}" y="${round(y)}" width="${round(box.width)}" height="${round(box.height)}"${view ? ` viewBox="${escaped(view)}"` : ""} overflow="visible">${[...element.children].map((child) => this.#copy(child)).join("")}</svg>`);
  }

  /** @param {Element} element @returns {string} */
  #copy(element) {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || element.tagName === "title") return "";
    const isText = /^(?:text|tspan)$/.test(element.tagName);
    const attributes = new Map([...element.attributes].filter(({ name }) => !["class", "style", "role", "tabindex"].includes(name) && !/^(?:data|aria)-|:/.test(name)).map(({ name, value }) => [name, value]));
    for (const name of isText ? [...DRAWN, ...WRITTEN] : DRAWN) { const value = style.getPropertyValue(name); if (value && value !== "normal") attributes.set(name, value.replace(/url\("[^"#]*#/, 'url("#').replace(/"/g, isText ? "'" : "")); }
    if (isText && style.textDecorationLine.includes("line-through")) attributes.set("text-decoration", "line-through");
    const inside = [...element.childNodes].map((child) => (child instanceof Element ? this.#copy(child) : isText ? escaped(child.textContent) : ""));
    return `<${element.tagName} ${[...attributes].map(([name, value]) => `${name}="${escaped(value)}"`).join(" ")}>${inside.join("")}</${element.tagName}>`;
  }

  /** @param {Text} node @param {Element} element @param {CSSStyleDeclaration} style */
  #text(node, element, style) {
    for (const { text, box } of linesOf(node)) {
      const room = style.textOverflow === "ellipsis" ? element.getBoundingClientRect().right - box.left : Infinity;
      const shown = box.width > room + 1 ? `${text.slice(0, Math.max(1, Math.floor((text.length * (room - 10)) / box.width)))}…` : text;
      const size = parseFloat(style.fontSize);
      const x = box.left - this.left, y = box.top - this.top + (box.height + size * 0.7) / 2;
      this.#reach(x + Math.min(box.width, room), y + 4);
      const line = style.textDecorationLine.includes("line-through") ? ' text-decoration="line-through"' : "";
      this.parts.push(`<text x="${round(x)}" y="${round(y)}" fill="${style.color}" font-family="${escaped(style.fontFamily)}" font-size="${round(size)}" font-weight="${style.fontWeight}"${line}>${escaped(shown)}</text>`);
    }
  }

  /** @param {number} x @param {number} y */
  #reach(x, y) { this.right = Math.max(this.right, x); this.bottom = Math.max(this.bottom, y); }
}

/** The beginning of a rect, or of a path where the corners are not alike. @param {number} x @param {number} y @param {number} width @param {number} height @param {CSSStyleDeclaration} style */
function rounded(x, y, width, height, style) {
  const [a, b, c, d] = ["top-left", "top-right", "bottom-right", "bottom-left"].map((corner) => Math.min(parseFloat(style.getPropertyValue(`border-${corner}-radius`)) || 0, width / 2, height / 2));
  if (a === b && b === c && c === d) return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(a)}"`;
  const arc = (/** @type {number} */ radius, /** @type {number} */ dx, /** @type {number} */ dy) => (radius ? `a${round(radius)} ${round(radius)} 0 0 1 ${round(dx * radius)} ${round(dy * radius)}` : "");
  return `<path d="M${round(x + a)} ${round(y)}h${round(width - a - b)}${arc(b, 1, 1)}v${round(height - b - c)}${arc(c, -1, 1)}h${round(c + d - width)}${arc(d, -1, -1)}v${round(d + a - height)}${arc(a, 1, -1)}z"`;
}

/** The lines that a text is broken into. @param {Text} node @returns {{text: string, box: DOMRect}[]} */
function linesOf(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
  if (!rects.length) return [];
  if (rects.every((rect) => Math.abs(rect.top - rects[0].top) < 2)) return [{ text: (node.textContent || "").replace(/\s+/g, " ").trim(), box: range.getBoundingClientRect() }];
  /** @type {{text: string, box: DOMRect}[]} */ const lines = [];
  for (const found of (node.textContent || "").matchAll(/\S+/g)) {
    range.setStart(node, found.index || 0);
    range.setEnd(node, (found.index || 0) + found[0].length);
    const box = range.getBoundingClientRect();
    const last = lines[lines.length - 1];
    if (last && Math.abs(last.box.top - box.top) < 2) { last.text += ` ${found[0]}`; last.box = new DOMRect(last.box.left, last.box.top, box.right - last.box.left, last.box.height); } else lines.push({ text: found[0], box });
  }
  return lines;
}

/** @param {{svg: string, width: number, height: number}} drawing @param {number} [scale] @returns {Promise<Blob>} a PNG of it */
export async function pngOf({ svg, width, height }, scale = 2) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.min(16_000, width * scale);
  canvas.height = Math.min(16_000, height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}
