/**
 * How wide texts are, so that a drawing knows where everything stands before the browser has laid anything out.
 * The one rule: nothing of the page is read for it; a text is measured once and remembered.
 * @module
 */

const SIZE = 100; // px at which texts are measured; every other size is a share of it
const MOST = 20_000;
const NARROWEST = 0.8;

/** @typedef {(text: string, size: number, weight: number) => number} WidthOf */

export class Measure {
  /** @param {(text: string, weight: number) => number} wide the width of a text at 100 px */
  constructor(wide) {
    this.wide = wide;
    /** @type {Map<string, number>} */ this.known = new Map();
  }

  /** @param {string} text @param {number} size in px @param {number} weight */
  width(text, size, weight) {
    const key = `${weight} ${text}`;
    let found = this.known.get(key);
    if (found === undefined) {
      if (this.known.size > MOST) this.known.clear();
      found = this.wide(text, weight);
      this.known.set(key, found);
    }
    return (found * size) / SIZE;
  }

  /** The text as it fits: drawn a little narrower if that is enough, else cut. @param {string} text @param {number} size @param {number} weight @param {number} room @returns {{text: string, narrowed: number|null}} `narrowed`: to so many px */
  fit(text, size, weight, room) {
    const wide = this.width(text, size, weight);
    if (wide <= room) return { text, narrowed: null };
    return wide * NARROWEST <= room ? { text, narrowed: room } : { text: this.clip(text, size, weight, room), narrowed: null };
  }

  /** The text, or as much of it as there is room for and an ellipsis. @param {string} text @param {number} size @param {number} weight @param {number} room */
  clip(text, size, weight, room) {
    if (this.width(text, size, weight) <= room) return text;
    let low = 0, high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.width(`${text.slice(0, middle)}…`, size, weight) <= room) low = middle;
      else high = middle - 1;
    }
    return low ? `${text.slice(0, low).trimEnd()}…` : "…";
  }

  /** The text in lines; what does not fit into the last is cut. @param {string} text @param {number} size @param {number} weight @param {number} room @param {number} most lines */
  wrap(text, size, weight, room, most) {
    if (this.width(text, size, weight) <= room) return [text];
    const lines = [];
    let line = "";
    for (const word of text.split(BREAKS)) {
      if (!line || this.width(line + word.trimEnd(), size, weight) <= room) { line += word; continue; }
      lines.push(line.trimEnd());
      line = word;
    }
    lines.push(line.trimEnd());
    if (lines.length > most) lines.splice(most - 1, lines.length, lines.slice(most - 1).join(" "));
    return lines.map((each) => this.clip(each, size, weight, room));
  }
}
/** After a space, a hyphen or a slash, and between any two signs of Chinese. */
const BREAKS = /(?<=[\s/,-])(?=\S)|(?<=[\u3000-\u9fff\uff00-\uffef])(?=[\u3000-\u9fff])/;

/** Measures in the font of an element. @param {Element} element */
export function measureLike(element) {
  const pen = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(element).fontFamily || "sans-serif";
  return new Measure((text, weight) => {
    if (!pen) return text.length * SIZE * 0.58;
    pen.font = `${weight} ${SIZE}px ${family}`;
    return pen.measureText(text).width;
  });
}
