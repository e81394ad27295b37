/** The share page and the scenario page: copying, and the dialog. The one rule: the wiring is here and nothing else is. */
import { wireCopying } from "./copying.js";
import { wireShare } from "./dialog.js";
import { wireWhole } from "./whole.js";

wireCopying(document);
wireWhole(document);
wireShare();
export {};
