/**
 * What can be done with the node or the pod that was selected. The one rule: only what makes sense for it at this step is offered.
 * @module
 */

/** What can be done with the node or the pod that was selected. @param {import("../trace/reducer.js").State} state @param {{node?: string, pod?: string}} asked @returns {{action: string, target: string}[]} */
export function changesFor(state, asked) {
  const pod = asked.pod ? state.pods.get(asked.pod) : null;
  const node = asked.node ? state.nodes.get(asked.node) : null;
  const actions = pod ? [...(pod.terminating ? [] : ["pod-delete"]), "pod-add", ...(pod.gates?.length && !pod.node ? ["gate-lift"] : [])]
    : node ? [node.unschedulable ? "uncordon" : "cordon", "drain", "taint", ...(node.taints.length ? ["untaint"] : []), "node-add", "node-remove"] : [];
  return actions.map((action) => ({ action, target: asked.pod || asked.node || "" }));
}
