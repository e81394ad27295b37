/**
 * Made-up names in place of those of a company: nodes, namespaces, workloads, labels, images; relations stay as they are.
 * The one rule: the same text becomes the same text everywhere, and what is not known to be harmless is replaced or left out.
 * @module
 */

const WELL_KNOWN = /(^|\.|\/)(kubernetes\.io|k8s\.io)(\/|$)/;
const HARMLESS = new Set(["", "true", "false", "default", "kube-system", "kube-public", "default-scheduler", "system-cluster-critical", "system-node-critical", "linux", "windows", "amd64", "arm64"]);
const STEMS = { node: "node", namespace: "team", pod: "pod", owner: "app", label: "label", value: "v", class: "class", image: "image", claim: "claim", volume: "vol", container: "c", taint: "taint", zone: "zone", config: "profile", other: "x", uid: "uid", gate: "gate", driver: "driver" };

class Names {
  constructor() {
    /** @type {Map<string, string>} */ this.known = new Map();
    /** @type {Map<string, number>} */ this.numbers = new Map();
  }

  /** @param {any} text @param {keyof typeof STEMS} stem @returns {any} */
  of(text, stem) {
    if (typeof text !== "string" || HARMLESS.has(text)) return text;
    const found = this.known.get(text);
    if (found) return found;
    const number = (this.numbers.get(stem) || 0) + 1;
    this.numbers.set(stem, number);
    const made = `${STEMS[stem]}-${number}`;
    this.known.set(text, made);
    return made;
  }

  /** Label keys of Kubernetes itself stay. @param {string} key */
  key(key) { return WELL_KNOWN.test(key) ? key : this.of(key, "label"); }

  /** @param {string} key @param {any} value */
  value(key, value) {
    if (/^(kubernetes\.io\/(os|arch)|beta\.kubernetes\.io\/(os|arch)|node-role\.)/.test(key)) return value;
    return this.of(value, /zone|region/.test(key) ? "zone" : "value");
  }

  /** @param {any} map @returns {any} */
  labels(map) { return map && typeof map === "object" ? Object.fromEntries(Object.entries(map).map(([key, value]) => [this.key(key), this.value(key, value)])) : map; }

  /** @param {any} list @param {boolean} [fields] */
  expressions(list, fields = false) {
    return each(list, ({ key, operator, values }) => ({ key: fields ? key : this.key(String(key)), operator, ...(values ? { values: each(values, (value) => (operator === "Gt" || operator === "Lt" ? value : fields ? this.of(value, "node") : this.value(String(key), value))) } : {}) }));
  }

  /** @param {any} selector */
  selector(selector) {
    if (!selector || typeof selector !== "object") return selector;
    return { ...(selector.matchLabels ? { matchLabels: this.labels(selector.matchLabels) } : {}), ...(selector.matchExpressions ? { matchExpressions: this.expressions(selector.matchExpressions) } : {}) };
  }

  /** @param {any} term */
  nodeTerm(term) { return { ...(term?.matchExpressions ? { matchExpressions: this.expressions(term.matchExpressions) } : {}), ...(term?.matchFields ? { matchFields: this.expressions(term.matchFields, true) } : {}) }; }

  /** @param {any} term */
  podTerm(term) {
    return { ...pick(term, []), topologyKey: this.key(String(term?.topologyKey)), ...(term?.labelSelector ? { labelSelector: this.selector(term.labelSelector) } : {}), ...(term?.namespaces ? { namespaces: each(term.namespaces, (name) => this.of(name, "namespace")) } : {}), ...(term?.namespaceSelector ? { namespaceSelector: this.selector(term.namespaceSelector) } : {}),
      ...(term?.matchLabelKeys ? { matchLabelKeys: each(term.matchLabelKeys, (key) => this.key(key)) } : {}), ...(term?.mismatchLabelKeys ? { mismatchLabelKeys: each(term.mismatchLabelKeys, (key) => this.key(key)) } : {}) };
  }
}

const each = (/** @type {any} */ list, /** @type {(value: any) => any} */ act) => (Array.isArray(list) ? list.map(act) : list);
const pick = (/** @type {any} */ from, /** @type {string[]} */ keys) => Object.fromEntries(keys.filter((key) => from && from[key] !== undefined).map((key) => [key, from[key]]));

const OWN = /** @type {Object<string, keyof typeof STEMS>} */ ({ Node: "node", Namespace: "namespace", Pod: "pod", PriorityClass: "class", PersistentVolumeClaim: "claim", PersistentVolume: "volume", StorageClass: "class", CSINode: "node", CSIDriver: "driver" });

/** @param {any[]} objects @returns {any[]} objects of the same shape under made-up names */
export function anonymised(objects) {
  const names = new Names();
  for (const object of objects) if (object.kind === "Node") names.of(object.metadata?.name, "node");
  for (const object of objects) if (object.kind === "Namespace") names.of(object.metadata?.name, "namespace");
  return objects.map((object) => (object.generate ? { generate: { ...pick(object.generate, ["kind", "count"]), name: `${String(object.generate.kind).toLowerCase()}-g-{i}`, template: renamed({ ...object.generate.template, kind: object.generate.kind }, names), ...varied(object.generate.vary, names) } } : renamed(object, names)));
}

/** What a generator varies: amounts stay, labels get other names, the rest is left out. @param {any} vary @param {Names} names */
function varied(vary, names) {
  const found = Object.entries(vary || {}).flatMap(([path, values]) => {
    if (/(?:resources|allocatable|capacity|overhead)\b|^spec\.(?:priority|unschedulable|terminationGracePeriodSeconds)$/.test(path)) return [[path, values]];
    const [, label] = /^metadata\.labels(?:\.([^.[\]]+)|\[([^\]]+)\])$/.exec(path)?.filter((each) => each !== undefined) || [];
    return label ? [[`metadata.labels[${names.key(label)}]`, each(values, (value) => names.value(label, value))]] : [];
  });
  return found.length ? { vary: Object.fromEntries(found) } : {};
}

/** @param {any} object @param {Names} names */
function renamed(object, names) {
  const { kind } = object;
  const made = { ...pick(object, ["apiVersion", "kind"]), metadata: metaOf(object.metadata, kind, names) };
  const more = RENAMERS[kind];
  return more ? { ...made, ...more(object, names) } : { ...made, ...workload(object, names) };
}

/** @param {any} metadata @param {string} kind @param {Names} names */
function metaOf(metadata, kind, names) {
  return {
    ...(metadata?.name !== undefined ? { name: names.of(metadata.name, OWN[kind] || "owner") } : {}), ...(metadata?.namespace ? { namespace: names.of(metadata.namespace, "namespace") } : {}),
    ...(metadata?.labels ? { labels: names.labels(metadata.labels) } : {}), ...pick(metadata, ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"]), ...(metadata?.uid ? { uid: names.of(metadata.uid, "uid") } : {}),
    ...(metadata?.ownerReferences ? { ownerReferences: each(metadata.ownerReferences, (owner) => ({ ...pick(owner, ["apiVersion", "kind", "controller"]), name: names.of(owner?.name, owner?.kind === "Node" ? "node" : "owner"), ...(owner?.uid ? { uid: names.of(owner.uid, "uid") } : {}) })) } : {}),
  };
}

/** @param {any} container @param {Names} names */
function containerOf(container, names) {
  return { name: names.of(container?.name, "container"), ...(container?.image ? { image: names.of(container.image, "image") } : {}), ...pick(container, ["resources", "restartPolicy"]), ...(container?.ports ? { ports: each(container.ports, (port) => pick(port, ["containerPort", "hostPort", "hostIP", "protocol"])) } : {}) };
}

/** @param {any} affinity @param {Names} names */
function affinityOf(affinity, names) {
  const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution", PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  const pods = (/** @type {any} */ rules) => ({ ...(rules[REQUIRED] ? { [REQUIRED]: each(rules[REQUIRED], (term) => names.podTerm(term)) } : {}), ...(rules[PREFERRED] ? { [PREFERRED]: each(rules[PREFERRED], (rule) => ({ weight: rule.weight, podAffinityTerm: names.podTerm(rule.podAffinityTerm) })) } : {}) });
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity;
  return {
    ...(nodeAffinity ? { nodeAffinity: { ...(nodeAffinity[REQUIRED] ? { [REQUIRED]: { nodeSelectorTerms: each(nodeAffinity[REQUIRED].nodeSelectorTerms, (term) => names.nodeTerm(term)) } } : {}), ...(nodeAffinity[PREFERRED] ? { [PREFERRED]: each(nodeAffinity[PREFERRED], (rule) => ({ weight: rule.weight, preference: names.nodeTerm(rule.preference) })) } : {}) } } : {}),
    ...(podAffinity ? { podAffinity: pods(podAffinity) } : {}), ...(podAntiAffinity ? { podAntiAffinity: pods(podAntiAffinity) } : {}),
  };
}

/** @param {any} volume @param {Names} names */
function volumeOf(volume, names) {
  const claim = volume?.persistentVolumeClaim;
  return { name: names.of(volume?.name, "volume"), ...(claim ? { persistentVolumeClaim: { ...pick(claim, ["readOnly"]), claimName: names.of(claim.claimName, "claim") } } : { emptyDir: {} }) };
}

/** @param {any} taint @param {Names} names */
const taintOf = (taint, names) => ({ ...pick(taint, ["operator", "effect", "tolerationSeconds", "timeAdded"]), ...(taint?.key ? { key: names.key(taint.key) } : {}), ...(taint?.value ? { value: names.value(String(taint.key), taint.value) } : {}) });

/** @param {any} pod @param {Names} names */
function podOf(pod, names) {
  const spec = pod.spec || {};
  const status = pod.status;
  return {
    spec: {
      ...pick(spec, ["schedulerName", "priority", "preemptionPolicy", "terminationGracePeriodSeconds", "hostNetwork", "overhead", "resources", "restartPolicy"]),
      ...(spec.nodeName ? { nodeName: names.of(spec.nodeName, "node") } : {}), ...(spec.priorityClassName ? { priorityClassName: names.of(spec.priorityClassName, "class") } : {}), ...(spec.nodeSelector ? { nodeSelector: names.labels(spec.nodeSelector) } : {}),
      ...(spec.affinity ? { affinity: affinityOf(spec.affinity, names) } : {}), ...(spec.tolerations ? { tolerations: each(spec.tolerations, (toleration) => taintOf(toleration, names)) } : {}),
      ...(spec.topologySpreadConstraints ? { topologySpreadConstraints: each(spec.topologySpreadConstraints, (rule) => ({ ...pick(rule, ["maxSkew", "whenUnsatisfiable", "minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy"]), topologyKey: names.key(String(rule?.topologyKey)), ...(rule?.labelSelector ? { labelSelector: names.selector(rule.labelSelector) } : {}), ...(rule?.matchLabelKeys ? { matchLabelKeys: each(rule.matchLabelKeys, (key) => names.key(key)) } : {}) })) } : {}),
      ...(spec.schedulingGates ? { schedulingGates: each(spec.schedulingGates, (gate) => ({ name: names.of(gate?.name, "gate") })) } : {}), ...(spec.volumes ? { volumes: each(spec.volumes, (volume) => volumeOf(volume, names)) } : {}),
      ...(spec.initContainers ? { initContainers: each(spec.initContainers, (container) => containerOf(container, names)) } : {}), ...(spec.containers ? { containers: each(spec.containers, (container) => containerOf(container, names)) } : {}),
    },
    ...(status ? { status: { ...pick(status, ["phase", "startTime"]), ...(status.nominatedNodeName ? { nominatedNodeName: names.of(status.nominatedNodeName, "node") } : {}), ...(status.conditions ? { conditions: each(status.conditions, (condition) => pick(condition, ["type", "status"])) } : {}) } } : {}),
  };
}

/** @param {any} object @param {Names} names */
function workload(object, names) {
  const { spec } = object;
  if (!spec || typeof spec !== "object") return {};
  const selector = spec.selector && (spec.selector.matchLabels || spec.selector.matchExpressions ? names.selector(spec.selector) : names.labels(spec.selector));
  return { spec: { ...pick(spec, ["replicas"]), ...(selector ? { selector } : {}) } };
}

const RENAMERS = /** @type {Object<string, (object: any, names: Names) => any>} */ ({
  Pod: podOf,
  Node: (node, names) => ({ spec: { ...pick(node.spec, ["unschedulable"]), ...(node.spec?.taints ? { taints: each(node.spec.taints, (taint) => taintOf(taint, names)) } : {}) }, status: { ...pick(node.status, ["allocatable", "capacity"]), ...(node.status?.images ? { images: each(node.status.images, (image) => ({ names: each(image?.names, (name) => names.of(name, "image")), ...pick(image, ["sizeBytes"]) })) } : {}) } }),
  PodDisruptionBudget: (budget, names) => ({ spec: { ...pick(budget.spec, ["minAvailable", "maxUnavailable"]), ...(budget.spec?.selector ? { selector: names.selector(budget.spec.selector) } : {}) }, ...(budget.status ? { status: pick(budget.status, ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"]) } : {}) }),
  PriorityClass: (priority) => pick(priority, ["value", "globalDefault", "preemptionPolicy"]),
  Namespace: () => ({}),
  PersistentVolumeClaim: (claim, names) => ({ spec: { ...pick(claim.spec, ["accessModes", "resources", "volumeMode"]), ...(claim.spec?.storageClassName ? { storageClassName: names.of(claim.spec.storageClassName, "class") } : {}), ...(claim.spec?.volumeName ? { volumeName: names.of(claim.spec.volumeName, "volume") } : {}), ...(claim.spec?.selector ? { selector: names.selector(claim.spec.selector) } : {}) }, ...(claim.status ? { status: pick(claim.status, ["phase"]) } : {}) }),
  PersistentVolume: (volume, names) => ({ spec: { ...pick(volume.spec, ["accessModes", "capacity", "volumeMode", "persistentVolumeReclaimPolicy"]), ...(volume.spec?.storageClassName ? { storageClassName: names.of(volume.spec.storageClassName, "class") } : {}), ...(volume.spec?.claimRef ? { claimRef: { ...pick(volume.spec.claimRef, ["kind", "apiVersion"]), namespace: names.of(volume.spec.claimRef.namespace, "namespace"), name: names.of(volume.spec.claimRef.name, "claim"), ...(volume.spec.claimRef.uid ? { uid: names.of(volume.spec.claimRef.uid, "uid") } : {}) } } : {}), ...(volume.spec?.nodeAffinity ? { nodeAffinity: { required: { nodeSelectorTerms: each(volume.spec.nodeAffinity.required?.nodeSelectorTerms, (term) => names.nodeTerm(term)) } } } : {}), ...(volume.spec?.csi ? { csi: { driver: names.of(volume.spec.csi.driver, "driver"), volumeHandle: names.of(volume.spec.csi.volumeHandle, "volume") } } : {}) }, ...(volume.status ? { status: pick(volume.status, ["phase"]) } : {}) }),
  StorageClass: (storage, names) => ({ ...pick(storage, ["volumeBindingMode", "reclaimPolicy", "allowVolumeExpansion"]), ...(storage.provisioner ? { provisioner: WELL_KNOWN.test(storage.provisioner) ? storage.provisioner : names.of(storage.provisioner, "driver") } : {}) }),
  CSINode: (node, names) => ({ spec: { drivers: each(node.spec?.drivers, (driver) => ({ name: names.of(driver?.name, "driver"), nodeID: names.of(driver?.nodeID, "node"), ...(driver?.topologyKeys ? { topologyKeys: each(driver.topologyKeys, (key) => names.key(key)) } : {}), ...pick(driver, ["allocatable"]) })) } }),
});
