/**
 * What the editor makes of a file, for tests in other languages: a JSON list of texts on standard input, the texts of the drafts on standard output.
 * Arguments: "import" (as a chosen file), "edit" (a label comes and goes on every object), "scenario" (as it is exported).
 */
import { readFileSync } from "node:fs";
import { Draft } from "../../static/js/editor/manifests.js";
import { documentsOf, intoText } from "../../static/js/editor/import.js";

const steps = { import: imported, edit: edited, scenario: (/** @type {string} */ given) => new Draft(given).asScenario() };
const texts = JSON.parse(readFileSync(0, "utf8")).map((/** @type {string} */ text) => process.argv.slice(2).reduce((here, what) => steps[/** @type {keyof typeof steps} */ (what)](here), text));
process.stdout.write(JSON.stringify(texts));

/** @param {string} given */
function imported(given) { return intoText([{ name: "file", documents: documentsOf(given) }], { system: true, anonymise: false, text: "" }); }

/** @param {string} given */
function edited(given) {
  const way = (/** @type {any} */ entry) => (entry.kind === "Generator" ? ["generate", "template", "metadata", "labels", "edited"] : ["metadata", "labels", "edited"]);
  const set = (/** @type {string} */ here, /** @type {any} */ value) => { const draft = new Draft(here); return draft.set(draft.entries.map((entry) => ({ entry, set: [[way(entry), value]] }))); };
  const marked = set(given, "yes");
  if (new Draft(marked).error || !marked.includes("edited")) throw new Error("the edit did not come through");
  return set(marked, undefined);
}
