/**
 * Quantities as Kubernetes writes them, and what pods ask for, for the bars until the engine's own figures come.
 * The one rule: a text that is no quantity counts as nothing; the check says what is wrong with it.
 * @module
 */

const SUFFIXES = { n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 };

/** CPU in milli, everything else in its unit. @param {string} resource @param {any} text @returns {number} */
export function parseAmount(resource, text) {
  const found = /^([+-]?\d*\.?\d*)(?:[eE]([+-]?\d+)|(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?)$/.exec(String(text ?? "").trim());
  if (!found || !/\d/.test(found[1])) return 0;
  const value = Number(found[1]) * (found[2] ? 10 ** Number(found[2]) : SUFFIXES[/** @type {keyof SUFFIXES} */ (found[3] || "")]);
  return Math.ceil(Number((resource === "cpu" ? value * 1000 : value).toPrecision(12)));
}

/** @param {any} map @returns {Object<string, number>} */
export function parseAmounts(map) {
  return Object.fromEntries(Object.entries(map || {}).map(([resource, text]) => [resource, parseAmount(resource, text)]));
}

/** What a pod asks for: all containers together, or what an init container needs with the sidecars before it. @param {any} manifest @returns {Object<string, number>} */
export function requestsOf(manifest) {
  const spec = manifest?.spec || {};
  /** @type {Object<string, number>} */ const total = {}, sidecars = {}, highest = {};
  for (const container of list(spec.containers)) sum(total, asked(container));
  for (const container of list(spec.initContainers)) {
    const amounts = asked(container);
    if (container?.restartPolicy === "Always") { sum(total, amounts); sum(sidecars, amounts); raise(highest, sidecars); continue; }
    raise(highest, sum({ ...sidecars }, amounts));
  }
  raise(total, highest);
  Object.assign(total, parseAmounts(spec.resources?.requests));
  return sum(total, parseAmounts(spec.overhead));
}

/** @param {any} container */
function asked(container) {
  const { requests, limits } = container?.resources || {};
  return { ...parseAmounts(limits), ...parseAmounts(requests) };
}

const list = (/** @type {any} */ value) => (Array.isArray(value) ? value : []);

/** @param {Object<string, number>} total @param {Object<string, number>} amounts */
function sum(total, amounts) { for (const [name, amount] of Object.entries(amounts)) total[name] = (total[name] || 0) + amount; return total; }

/** @param {Object<string, number>} total @param {Object<string, number>} amounts */
function raise(total, amounts) { for (const [name, amount] of Object.entries(amounts)) total[name] = Math.max(total[name] || 0, amount); }
