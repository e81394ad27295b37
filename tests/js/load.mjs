/** What the tests of the pure JavaScript share: the catalogues, and every golden log there is. */
import { readFileSync, readdirSync, existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { TraceStore } from "../../static/js/trace/store.js";

const root = new URL("../../", import.meta.url);
export const json = (path) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
export const LANGUAGES = ["en", "zh-hans"];
export const wording = Object.fromEntries(LANGUAGES.map((lang) => [lang, json(`static/wording/${lang}.json`)]));
export const sentences = Object.fromEntries(LANGUAGES.map((lang) => [lang, json(`scheduler_core/trace/messages/${lang}.json`)]));

const folder = process.env.LOGS ? pathToFileURL(`${process.env.LOGS}/`) : new URL("tests/data/logs/", root);
export const logs = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")).map((name) => ({ name, events: readFileSync(new URL(name, folder), "utf8").trim().split("\n").map((line) => JSON.parse(line)) }))
  : [];

/** @param {any[]} events */
export function storeOf(events) {
  const store = new TraceStore();
  store.append(events);
  return store;
}
