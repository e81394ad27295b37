/**
 * What to do next, for somebody who builds a first cluster: one sentence at a time, up to the first preemption.
 * The one rule: it looks at the model only, and says nothing any more once somebody knows the way.
 * @module
 */

/** The steps, in order: each with the claim that ends it. @type {[string, (model: import("./model.js").Model, facts: any) => boolean][]} */
const STEPS = [
  ["nodes", ({ nodes, missing }) => nodes.length + missing.length > 0],
  ["pods", ({ pods }) => pods.length > 0],
  ["place", ({ pods }) => pods.some(({ node }) => node)],
  ["waiting", ({ waiting }) => waiting.length > 0],
  ["priority", ({ waiting, pods }) => waiting.some((pod) => pods.some((other) => other.node && other.priority < pod.priority))],
  ["full", ({ waiting }, facts) => waiting.some(({ key }) => { const fits = Object.values(facts?.fits?.[key] || {}); return fits.length > 0 && fits.every((/** @type {any} */ fit) => !fit.fits); })],
];
const MOST = 12; // pods; who has more needs no help

/** The step that comes next: its name, "run" when all is there, "" where nobody needs one. @param {import("./model.js").Model} model @param {any} facts @returns {string} */
export function nextStep(model, facts) {
  if (model.pods.length > MOST || model.nodes.length > MOST) return "";
  return STEPS.find(([, isDone]) => !isDone(model, facts))?.[0] || "run";
}

/** How many steps are done, of how many. @param {string} name */
export function progress(name) {
  const at = STEPS.findIndex(([each]) => each === name);
  return { done: at < 0 ? STEPS.length : at, all: STEPS.length };
}
