/** Reads files beside the page, so that a large one does not stop it. @module */
import { documentsOf } from "./import.js";

self.onmessage = ({ data }) => {
  self.postMessage(data.map((/** @type {{name: string, text: string}} */ { name, text }) => {
    try { return { name, documents: documentsOf(text) }; } catch (error) { return { name, documents: null, reason: String(/** @type {any} */ (error).message || error).slice(0, 200) }; }
  }));
};
