/** Reads files beside the page, says what is in them, and writes them into a draft. @module */
import { documentsOf, gather, intoText, summaryOf } from "./import.js";

/** @type {import("./import.js").ReadFile[]} */ let files = [];

const ACTS = /** @type {Object<string, (question: any) => any>} */ ({
  read: async (question) => { files = await Promise.all(question.files.map(readFile)); return files.length; },
  look: ({ system, anonymise, there }) => summaryOf(gather(files, { system, there: new Set(there) }), anonymise),
  take: (question) => intoText(files, question),
});
let before = Promise.resolve();

self.onmessage = ({ data }) => { before = before.then(async () => self.postMessage(await ACTS[data.what](data))); };

/** @param {File|{name: string, text: string}} file @returns {Promise<import("./import.js").ReadFile>} */
async function readFile(file) {
  const { name } = file;
  try { return { name, documents: documentsOf(typeof file.text === "string" ? file.text : await textOf(/** @type {File} */ (file))) }; } catch (error) { return { name, documents: null, reason: String(/** @type {any} */ (error).message || error).slice(0, 200) }; }
}

/** @param {File} file */
function textOf(file) {
  if (!/\.gz$/.test(file.name)) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
