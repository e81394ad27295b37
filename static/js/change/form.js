/**
 * One change as a form: which fields it has, what may stand in them, and what stands there at first.
 * The one rule: the form is drawn from its values; a problem stands at its field and nowhere else.
 * @module
 */
import { h } from "../dom.js";
import { freeName } from "./objects.js";
import { ACTIONS, taintText } from "./operations.js";

/** @typedef {import("./objects.js").Cluster} Cluster */
/** @typedef {import("./operations.js").Change} Change */
/** @typedef {import("./operations.js").Problem} Problem */
/** @typedef {{say: (id: string, args?: Object<string, any>) => string, has: (id: string) => boolean}} Speaker */
/** @typedef {{value: string, text: string}} Option */

const MOST_OPTIONS = 300;
const MOST_HINTS = 2000;
const UNITS = /** @type {[string, number][]} */ ([["Ti", 2 ** 40], ["Gi", 2 ** 30], ["Mi", 2 ** 20], ["Ki", 2 ** 10]]);

/** An amount as manifests write it: 1500 milli-CPU -> "1500m", 2³⁰ bytes -> "1Gi". @param {string} resource @param {number} amount */
export function quantity(resource, amount) {
  if (!amount) return "";
  if (resource === "cpu") return amount % 1000 ? `${amount}m` : String(amount / 1000);
  const unit = UNITS.find(([, size]) => amount % size === 0);
  return unit ? `${amount / unit[1]}${unit[0]}` : String(amount);
}

const plain = (/** @type {string[]} */ names) => names.map((name) => ({ value: name, text: name }));
const nodesThat = (/** @type {Cluster} */ cluster, /** @type {(spec: any) => boolean} */ holds) => plain(cluster.names("Node").filter((name) => holds(cluster.find("Node", name)?.spec || {})));

/** Fields in which one thing is chosen. @type {Object<string, (cluster: Cluster, values: Object<string, string>, words: Speaker) => Option[]>} */
const CHOICES = {
  pod: (cluster) => plain(cluster.names("Pod")),
  copy: (cluster, values, words) => [{ value: "", text: words.say("copy.none") }, ...plain(cluster.names("Pod"))],
  gated: (cluster) => plain(cluster.names("Pod").filter((name) => cluster.find("Pod", name)?.spec?.schedulingGates?.length)),
  gate: (cluster, values, words) => [{ value: "", text: words.say("gate.all") }, ...plain((cluster.find("Pod", values.gated)?.spec?.schedulingGates || []).map((/** @type {any} */ gate) => gate.name))],
  policy: () => plain(["PreemptLowerPriority", "Never"]),
  like: (cluster) => plain(cluster.names("Node")),
  node: (cluster) => plain(cluster.names("Node")),
  cordoned: (cluster) => nodesThat(cluster, (spec) => spec.unschedulable),
  tainted: (cluster) => nodesThat(cluster, (spec) => spec.taints?.length),
  taint: (cluster, values) => plain((cluster.find("Node", values.tainted)?.spec?.taints || []).map(taintText)),
  effect: () => plain(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
  budgets: (cluster, values, words) => ["respect", "ignore"].map((value) => ({ value, text: words.say(`budgets.${value}`) })),
  pdb: (cluster) => plain(cluster.names("PodDisruptionBudget")),
  bound: () => plain(["minAvailable", "maxUnavailable"]),
};
/** Choosing here changes what the fields after it hold. */
const LEADERS = new Set(["copy", "like", "gated", "tainted"]);

/** What the fields hold at first, and again when one before them has changed. @param {string} action @param {Cluster} cluster @param {Object<string, string>} given @param {Speaker} words @returns {Object<string, string>} */
export function startingValues(action, cluster, given, words) {
  /** @type {Object<string, string>} */
  const values = { name: "", namespace: "default", cpu: "500m", memory: "256Mi", priority: "", policy: "PreemptLowerPriority", count: "1", key: "", value: "", amount: "1", ...given };
  for (const field of ACTIONS[action].fields) {
    if (CHOICES[field] && !values[field]) values[field] = CHOICES[field](cluster, values, words)[0]?.value || "";
  }
  if (action === "pod-add") Object.assign(values, fromPod(cluster, values.copy));
  if (action === "node-add" && values.like) values.name = freeName(values.like, (name) => Boolean(cluster.find("Node", name)));
  return values;
}

/** @param {Cluster} cluster @param {string} key @returns {Object<string, string>} */
function fromPod(cluster, key) {
  const isTaken = (/** @type {string} */ namespace) => (/** @type {string} */ name) => Boolean(cluster.find("Pod", `${namespace}/${name}`));
  const found = cluster.find("Pod", key);
  if (!found) return { name: freeName("pod-0", isTaken("default")), namespace: "default" };
  const view = cluster.state.pods.get(key);
  const own = found.spec.containers?.[0]?.resources?.requests || {};
  const cpu = view ? quantity("cpu", view.requests.cpu || 0) : own.cpu || "", memory = view ? quantity("memory", view.requests.memory || 0) : own.memory || "";
  const priority = found.spec.priorityClassName || (found.spec.priority === undefined ? "" : String(found.spec.priority));
  const policy = found.spec.preemptionPolicy || "PreemptLowerPriority";
  return {
    name: freeName(found.metadata.name, isTaken(found.metadata.namespace)), namespace: found.metadata.namespace, cpu, memory, priority, policy,
    "given-cpu": cpu, "given-memory": memory, "given-priority": priority, "given-policy": policy,
  };
}

/**
 * Draws the fields of a change into a place. @param {Element} root @param {Change} change @param {Cluster} cluster @param {Speaker} words @param {Problem[]} problems
 * @param {() => void} redraw called when a choice changes what other fields offer
 */
export function drawFields(root, change, cluster, words, problems, redraw) {
  const { action, values } = change;
  const note = words.has(`note.${action}`) ? h("p.change-note", {}, words.say(`note.${action}`)) : null;
  root.replaceChildren(...[note, ...ACTIONS[action].fields.filter((field) => field !== "fixed").map((field) => drawField(field, change, cluster, words, problems.find((each) => each.field === field), redraw))].filter((each) => each !== null));
  root.classList.toggle("is-pair", action === "pod-add");
  for (const field of ACTIONS[action].fields) values[field] ??= "";
}

/** @param {string} field @param {Change} change @param {Cluster} cluster @param {Speaker} words @param {Problem|undefined} problem @param {() => void} redraw */
function drawField(field, change, cluster, words, problem, redraw) {
  const { values } = change;
  const id = `change-${field}`, options = CHOICES[field]?.(cluster, values, words);
  const common = { id, name: field, "aria-invalid": problem ? "true" : null, "aria-describedby": problem ? `${id}-problem` : null, autocomplete: "off" };
  const control = /** @type {HTMLInputElement|HTMLSelectElement} */ (options && options.length <= MOST_OPTIONS
    ? h("select", common, options.length ? options.map(({ value, text }) => h("option", { value, selected: value === values[field] }, text)) : h("option", { value: "" }, words.say("choice.none")))
    : h("input", { ...common, type: field === "count" ? "number" : "text", min: field === "count" ? 1 : null, list: options ? `${id}-options` : null, spellcheck: "false", value: values[field] ?? "" }));
  control.addEventListener(options ? "change" : "input", () => {
    values[field] = control.value;
    if (!LEADERS.has(field)) return;
    Object.assign(values, startingValues(change.action, cluster, { [field]: control.value }, words));
    redraw();
  });
  return h(`div.change-field.field-${field}`, {}, h("label", { for: id }, words.say(`field.${field}`)), control,
    options && options.length > MOST_OPTIONS ? h("datalist", { id: `${id}-options` }, options.slice(0, MOST_HINTS).map(({ value }) => h("option", { value }))) : null,
    problem ? h("p.change-problem", { id: `${id}-problem` }, problem.message || words.say(problem.id || "", problem.args)) : null);
}
