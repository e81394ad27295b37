/**
 * Amounts, times and names as people read them. The one rule: pure functions of their arguments.
 * @module
 */

/** CPU in milli to cores: 1930 -> "1.93". @param {number} milli */
export function cores(milli) { return String(Math.round(milli / 10) / 100); }

/** @param {number} bytes */
export function bytes(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let size = Math.abs(bytes), unit = 0;
  while (size >= 1024 && unit < units.length - 1) { size /= 1024; unit += 1; }
  const text = size >= 100 || unit === 0 ? String(Math.round(size)) : String(Math.round(size * 10) / 10);
  return `${bytes < 0 ? "−" : ""}${text} ${units[unit]}`;
}

/** @param {string} resource @param {number} amount */
export function amount(resource, amount) {
  if (resource === "cpu") return cores(amount);
  if (resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-")) return bytes(amount);
  return String(amount);
}

/** 2000001000 -> "2 000 001 000" with thin spaces. @param {number} value */
export function number(value) {
  return String(value).replace(/^-/, "−").replace(/(?<=\d)(?=(\d{3})+$)/g, "\u202f");
}

/** Virtual seconds. @param {number} seconds */
export function seconds(seconds) {
  return String(Math.round(seconds * 100) / 100).replace(/^-/, "−");
}

/** The moment t of a run as a date in UTC: "Nov 10, 10:41". @param {string|undefined} epoch @param {number|null} t @param {string} lang @param {boolean} [precise] with seconds */
export function moment(epoch, t, lang, precise = false) {
  if (t === null || t === undefined) return "–";
  const base = epoch ? Date.parse(epoch) : NaN;
  if (Number.isNaN(base)) return `${seconds(t)} s`;
  const locale = lang === "zh-hans" ? "zh-Hans" : "en-GB";
  return formatFor(locale, precise).format(base + t * 1000);
}

/** @type {Map<string, Intl.DateTimeFormat>} making one takes longer than all the rest of a step */
const formats = new Map();

/** @param {string} locale @param {boolean} precise */
function formatFor(locale, precise) {
  const key = `${locale} ${precise}`;
  let found = formats.get(key);
  if (!found) { found = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: precise ? "2-digit" : undefined, timeZone: "UTC" }); formats.set(key, found); }
  return found;
}

/** "nightly-84b5c7d9f-u9hzl" -> "nightly-…u9hzl": the hash of a ReplicaSet tells people nothing. @param {string} name */
export function withoutHash(name) { return name.replace(/-[bcdf0-9ghjklmnpqrstvwxz2456789]{7,10}-([a-z0-9]{5})$/, "-…$1"); }

/** How node names are written when all end alike: the common ".domain" goes. @param {Iterable<string>} names @returns {(name: string) => string} */
export function shortNodes(names) {
  const list = [...names];
  const first = list.find((name) => name.includes("."));
  if (!first) return (name) => name;
  const suffix = first.slice(first.indexOf("."));
  if (!list.every((name) => name.endsWith(suffix) && name.length > suffix.length)) return (name) => name;
  return (name) => (name.endsWith(suffix) ? name.slice(0, -suffix.length) : name);
}

/** @param {string} key "shop/web-1" @returns {string} "web-1" */
export function podName(key) { return key.slice(key.indexOf("/") + 1); }

/** The largest share of a node that a pod asks for, 0..1. @param {Object<string, number>} requests @param {Object<string, number>} allocatable */
export function dominantShare(requests, allocatable) {
  let share = 0;
  for (const [resource, amount] of Object.entries(requests || {})) {
    const all = allocatable?.[resource];
    if (all > 0 && resource !== "pods") share = Math.max(share, amount / all);
  }
  return share;
}
