/**
 * The objects of a cluster as manifests, at one place of a trace and with what has been asked for since.
 * The one rule: what the trace says is never changed; a change lives in the copy that was made for it.
 * @module
 */

/** @typedef {import("../trace/store.js").TraceStore} TraceStore */
/** @typedef {import("../trace/reducer.js").State} State */
/** @typedef {Object<string, any>} Manifest */

/** @param {{kind: string, namespace?: string, name: string}} reference */
export function objectKey({ kind, namespace, name }) { return `${kind} ${namespace ? `${namespace}/${name}` : name}`; }

/** The manifest of every object there is after an event. @param {TraceStore} store @param {number} seq @returns {Map<string, Manifest>} */
export function manifestsAt(store, seq) {
  /** @type {Map<string, Manifest>} */
  const found = new Map();
  for (const { kind, data } of store.events.slice(0, seq)) {
    if (kind === "object.deleted") found.delete(objectKey(data));
    else if (kind === "pod.gone") found.delete(`Pod ${data.pod}`);
    else if (kind.startsWith("object.") && data.object) found.set(objectKey(data), data.object);
  }
  return found;
}

/** What a list of changes is made on: each change sees what those before it did. */
export class Cluster {
  /** @param {Map<string, Manifest>} manifests @param {State} state at the same place */
  constructor(manifests, state) {
    this.manifests = new Map(manifests);
    this.state = state;
  }

  /** @param {string} kind @param {string} name "n1" or "shop/web-1" @returns {Manifest|undefined} */
  find(kind, name) { return this.manifests.get(`${kind} ${name}`); }

  /** @param {string} kind @returns {string[]} */
  names(kind) { return [...this.manifests.keys()].filter((key) => key.startsWith(`${kind} `)).map((key) => key.slice(kind.length + 1)); }

  /** A copy to change. @param {string} kind @param {string} name @returns {Manifest} */
  copy(kind, name) { return structuredClone(this.find(kind, name) || {}); }

  /** @param {Manifest} object */
  put(object) { this.manifests.set(objectKey({ kind: object.kind, ...object.metadata }), object); }

  /** @param {string} kind @param {string} name */
  remove(kind, name) { this.manifests.delete(`${kind} ${name}`); }

  /** Pods on a node, those that shut down already left out. @param {string} node @returns {string[]} */
  podsOn(node) {
    return (this.state.nodes.get(node)?.pods || []).filter((key) => this.find("Pod", key) && !this.state.pods.get(key)?.terminating);
  }
}

/** A name that nobody has: web-1 -> web-2, web -> web-2. @param {string} name @param {(name: string) => boolean} isTaken */
export function freeName(name, isTaken) {
  const found = /^(.*?)-(\d{1,6})$/.exec(name);
  const stem = found ? found[1] : name;
  let number = found ? Number(found[2]) + 1 : 2;
  while (isTaken(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}
