/**
 * Values by their paths, and the scheduler's configuration with something of it set. The one rule: pure; what is given is never changed.
 * @module
 */

/** @typedef {(string|number)[]} Path */

/** @param {any} source @param {Path} path @returns {any} */
export function at(source, path) { return path.reduce((here, key) => (here === null || here === undefined ? undefined : here[key]), source); }

export const asList = (/** @type {any} */ value) => (Array.isArray(value) ? value : []);

/** A configuration with a key of its first profile set, or taken away. @param {any} config @param {string[]} path @param {any} value */
export function withProfile(config, path, value) {
  const copy = structuredClone(config || { apiVersion: "kubescheduler.config.k8s.io/v1", kind: "KubeSchedulerConfiguration" });
  const profiles = asList(copy.profiles).length ? copy.profiles : (copy.profiles = [{ schedulerName: "default-scheduler" }]);
  let here = profiles[0];
  for (const key of path.slice(0, -1)) here = here[key] ||= {};
  if (value === undefined) delete here[path[path.length - 1]]; else here[path[path.length - 1]] = value;
  tidy(profiles[0]);
  if (profiles.length === 1 && Object.keys(profiles[0]).join() === "schedulerName" && profiles[0].schedulerName === "default-scheduler") delete copy.profiles;
  return Object.keys(copy).every((key) => ["apiVersion", "kind"].includes(key)) ? undefined : copy;
}

/** A configuration with an argument of a plugin, or a key of its own, set or taken away. @param {any} config @param {string} plugin "" for the configuration itself @param {string} key @param {any} value */
export function withArgument(config, plugin, key, value) {
  const copy = structuredClone(config || { apiVersion: "kubescheduler.config.k8s.io/v1", kind: "KubeSchedulerConfiguration" });
  if (!plugin) {
    if (value === undefined) delete copy[key]; else copy[key] = value;
    return Object.keys(copy).every((each) => ["apiVersion", "kind"].includes(each)) ? undefined : copy;
  }
  const configs = structuredClone(asList(asList(copy.profiles)[0]?.pluginConfig));
  let mine = configs.find((/** @type {any} */ each) => each?.name === plugin);
  if (!mine) configs.push(mine = { name: plugin, args: {} });
  let here = mine.args ||= {};
  const way = key.split(".");
  for (const each of way.slice(0, -1)) here = here[each] ||= {};
  if (value === undefined) delete here[way[way.length - 1]]; else here[way[way.length - 1]] = value;
  tidy(mine.args);
  const kept = configs.filter((/** @type {any} */ each) => each.name !== plugin || Object.keys(each.args).length);
  return withProfile(copy, ["pluginConfig"], kept.length ? kept : undefined);
}

/** @param {any} value */
function tidy(value) {
  for (const [key, below] of Object.entries(value)) {
    if (below && typeof below === "object") { tidy(below); if (!Object.keys(below).length) delete value[key]; }
  }
}
