/** Reads parts of a text beside the page, a few at a time, so that a newer text can overtake. @module */
import { contentOf } from "./parts.js";

const LETTERS = 60_000; // of one answer: what the page can take in without a stop that is felt
let newest = 0;

self.onmessage = async ({ data: { id, parts } }) => {
  newest = id;
  for (let at = 0; at < parts.length && newest === id;) {
    const from = at;
    const contents = [];
    for (let letters = 0; at < parts.length && letters < LETTERS; at += 1) { contents.push(contentOf(parts[at])); letters += parts[at].text.length; }
    self.postMessage({ id, from, contents, done: at >= parts.length });
    await new Promise((resolve) => { setTimeout(resolve); });
  }
};
