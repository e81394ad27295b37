/**
 * Which fields each kind has, in sections; everything that decides something in the scheduler, and nothing else.
 * The one rule: data only. A field has a type, a path below its scope and a label; form.js draws it.
 * @module
 */

import { newNode, newPod } from "./templates.js";

/** @typedef {import("./form.js").Field} Field */
/** @typedef {{title?: string, open?: boolean, fields: Field[]}} Section */

const text = (/** @type {string} */ label, /** @type {any} */ path, more = {}) => ({ type: "text", label, path, ...more });
const quantity = (/** @type {string} */ label, /** @type {any} */ path, placeholder = "") => ({ type: "quantity", label, path, placeholder });
const count = (/** @type {string} */ label, /** @type {any} */ path, more = {}) => ({ type: "number", label, path, ...more });
const choice = (/** @type {string} */ label, /** @type {any} */ path, /** @type {any} */ options, more = {}) => ({ type: "select", label, path, options, ...more });
const check = (/** @type {string} */ label, /** @type {any} */ path, more = {}) => ({ type: "check", label, path, ...more });
const words = (/** @type {string} */ label, /** @type {any} */ path, more = {}) => ({ type: "list", label, path, ...more });
const pairs = (/** @type {string} */ label, /** @type {any} */ path, more = {}) => ({ type: "pairs", label, path, ...more });
const name = { type: "text", label: "name", path: ["metadata", "name"], late: true, isName: true, mono: true };
const namespace = { type: "text", label: "namespace", path: ["metadata", "namespace"], late: true, placeholder: "default", suggest: (/** @type {any} */ context) => context.draft.entries.filter((/** @type {any} */ each) => each.kind === "Namespace").map((/** @type {any} */ each) => each.name) };
const labels = pairs("labels", ["metadata", "labels"], { names: ["app", "tier", "team"], add: "edit.add.label" });

const TOPOLOGIES = ["kubernetes.io/hostname", "topology.kubernetes.io/zone", "topology.kubernetes.io/region"];
const RESOURCES = ["cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "hugepages-2Mi", "pods"];
const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist"];
const NODE_OPERATORS = [...OPERATORS, "Gt", "Lt"];
const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
const classes = (/** @type {any} */ context) => [...context.model.classes.keys()];

/** @param {any} path @param {string} label @param {string[]} operators */
const expressions = (path, label = "expressions", operators = OPERATORS) => ({
  type: "rows", label, path, add: "edit.add.rule", make: () => ({ key: "app", operator: "In", values: ["web"] }),
  columns: [text("key", ["key"], { mono: true }), choice("operator", ["operator"], operators, { required: true }), words("values", ["values"])],
});
/** @param {(string|number)[]} path */
const selector = (path) => [pairs("match_labels", [...path, "matchLabels"], { names: ["app"], initially: "web", add: "edit.add.label" }), expressions([...path, "matchExpressions"], "match_expressions")];
/** @param {(string|number)[]} path */
const podTerm = (path) => [text("topology_key", [...path, "topologyKey"], { suggest: TOPOLOGIES, mono: true }), ...selector([...path, "labelSelector"]), words("namespaces", [...path, "namespaces"])];
const aPodTerm = () => ({ topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "web" } } });
/** @param {"podAffinity"|"podAntiAffinity"} which */
const podAffinity = (which) => [
  { type: "cards", label: `${which}.required`, path: ["spec", "affinity", which, "requiredDuringSchedulingIgnoredDuringExecution"], make: aPodTerm, fields: podTerm([]), add: "edit.add.rule" },
  { type: "cards", label: `${which}.preferred`, path: ["spec", "affinity", which, "preferredDuringSchedulingIgnoredDuringExecution"], make: () => ({ weight: 50, podAffinityTerm: aPodTerm() }), fields: [count("weight", ["weight"], { min: 1, max: 100 }), ...podTerm(["podAffinityTerm"])], add: "edit.add.rule" },
];
const nodeTerm = [expressions(["matchExpressions"], "match_expressions", NODE_OPERATORS), expressions(["matchFields"], "match_fields", ["In", "NotIn"])];
const aNodeRule = { key: "topology.kubernetes.io/zone", operator: "In", values: ["a"] };

/** @param {string} kind @returns {(context: any) => string[]} names of objects of that kind in the draft */
function namesOf(kind) { return (context) => context.draft.entries.filter((/** @type {any} */ each) => each.kind === kind).slice(0, 500).map((/** @type {any} */ each) => each.name); }
/** Drivers that the draft's storage classes name. @param {any} context @returns {string[]} */
function drivers(context) { return [...new Set(context.draft.entries.filter((/** @type {any} */ each) => each.kind === "StorageClass").map((/** @type {any} */ each) => String(each.manifest.provisioner || "")).filter(Boolean))]; }
/** @param {string[]} path */
const storageClass = (path) => text("storage_class", path, { suggest: namesOf("StorageClass"), mono: true });
const accessModes = choice("access_mode", ["spec", "accessModes", 0], ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"], { required: true });

const container = [
  text("name", ["name"], { mono: true }), text("image", ["image"], { mono: true }),
  { type: "group", label: "requests", fields: [quantity("cpu", ["resources", "requests", "cpu"], "500m"), quantity("memory", ["resources", "requests", "memory"], "512Mi")] },
  { type: "group", label: "limits", fields: [quantity("cpu", ["resources", "limits", "cpu"]), quantity("memory", ["resources", "limits", "memory"])] },
  pairs("all_requests", ["resources", "requests"], { names: RESOURCES, initially: "1", add: "edit.add.resource" }),
  { type: "rows", label: "ports", path: ["ports"], add: "edit.add.port", make: () => ({ containerPort: 8080, hostPort: 8080 }), columns: [count("container_port", ["containerPort"], { min: 1, max: 65535 }), count("host_port", ["hostPort"], { min: 1, max: 65535 }), choice("protocol", ["protocol"], ["TCP", "UDP", "SCTP"])] },
];

/** @type {Object<string, Section[]>} */
export const FIELDS = {
  Node: [
    { fields: [name, { type: "group", label: "allocatable", fields: [quantity("cpu", room("cpu"), "4"), quantity("memory", room("memory"), "16Gi"), quantity("pods", room("pods"), "110")] }, check("cordoned", ["spec", "unschedulable"])] },
    { title: "labels", fields: [pairs("labels", ["metadata", "labels"], { names: ["topology.kubernetes.io/zone", "disktype", "node.kubernetes.io/instance-type", "kubernetes.io/hostname"], initially: "a", add: "edit.add.label" })] },
    { title: "taints", fields: [{ type: "rows", label: "taints", path: ["spec", "taints"], add: "edit.add.taint", make: () => ({ key: "dedicated", value: "batch", effect: "NoSchedule" }), columns: [text("key", ["key"], { mono: true }), text("value", ["value"], { mono: true }), choice("effect", ["effect"], EFFECTS, { required: true })] }] },
    { title: "resources", fields: [pairs("all_resources", (/** @type {any} */ value) => room()(value).slice(0, 2), { names: ["nvidia.com/gpu", "ephemeral-storage", "hugepages-2Mi", "attachable-volumes-csi-driver"], initially: "1", add: "edit.add.resource" })] },
    { title: "images", fields: [{ type: "cards", label: "images", path: ["status", "images"], make: () => ({ names: ["registry.example/app:1"], sizeBytes: 300000000 }), titleOf: (/** @type {any} */ each) => each?.names?.[0] || "", fields: [words("image_names", ["names"]), count("size", ["sizeBytes"], { min: 0 })], add: "edit.add.image" }] },
  ],
  Pod: [
    { fields: [name, namespace, { type: "group", label: "asks", fields: [quantity("cpu", ["spec", "containers", 0, "resources", "requests", "cpu"], "500m"), quantity("memory", ["spec", "containers", 0, "resources", "requests", "memory"], "512Mi")] }] },
    { title: "priority", open: true, fields: [choice("priority_class", ["spec", "priorityClassName"], classes), count("priority", ["spec", "priority"], { when: (/** @type {any} */ value) => !value.spec?.priorityClassName, max: 1000000000 }), choice("preemption_policy", ["spec", "preemptionPolicy"], ["PreemptLowerPriority", "Never"], { empty: "default", when: (/** @type {any} */ value) => !value.spec?.priorityClassName || value.spec?.preemptionPolicy }), count("grace", ["spec", "terminationGracePeriodSeconds"], { min: 0, placeholder: "30" })] },
    { title: "labels", fields: [labels] },
    { title: "containers", shut: true, fields: [{ type: "cards", label: "containers", path: ["spec", "containers"], make: () => ({ name: "app-2", image: "registry.example/app:1", resources: { requests: { cpu: "100m" } } }), titleOf: (/** @type {any} */ each) => each?.name || "", fields: container, add: "edit.add.container" }, { type: "cards", label: "init_containers", path: ["spec", "initContainers"], make: () => ({ name: "init", image: "registry.example/app:1", resources: { requests: { cpu: "100m" } } }), titleOf: (/** @type {any} */ each) => each?.name || "", fields: [...container, choice("restart_policy", ["restartPolicy"], ["Always"], { empty: "once" })], add: "edit.add.container" }, pairs("overhead", ["spec", "overhead"], { names: RESOURCES, initially: "100m", add: "edit.add.resource" })] },
    { title: "tolerations", fields: [{ type: "rows", label: "tolerations", path: ["spec", "tolerations"], add: "edit.add.toleration", make: () => ({ key: "dedicated", operator: "Equal", value: "batch", effect: "NoSchedule" }), columns: [text("key", ["key"], { mono: true }), choice("operator", ["operator"], ["Equal", "Exists"]), text("value", ["value"], { mono: true }), choice("effect", ["effect"], EFFECTS, { empty: "any" })] }] },
    { title: "node_affinity", fields: [pairs("node_selector", ["spec", "nodeSelector"], { names: ["disktype", "topology.kubernetes.io/zone"], initially: "ssd", add: "edit.add.label" }), { type: "cards", label: "node_affinity.required", path: ["spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"], make: () => ({ matchExpressions: [aNodeRule] }), fields: nodeTerm, add: "edit.add.rule" }, { type: "cards", label: "node_affinity.preferred", path: ["spec", "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"], make: () => ({ weight: 50, preference: { matchExpressions: [aNodeRule] } }), fields: [count("weight", ["weight"], { min: 1, max: 100 }), expressions(["preference", "matchExpressions"], "match_expressions", NODE_OPERATORS)], add: "edit.add.rule" }] },
    { title: "pod_affinity", fields: [...podAffinity("podAffinity"), ...podAffinity("podAntiAffinity")] },
    { title: "spread", fields: [{ type: "cards", label: "spread", path: ["spec", "topologySpreadConstraints"], make: () => ({ maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: { app: "web" } } }), add: "edit.add.rule", fields: [count("max_skew", ["maxSkew"], { min: 1 }), text("topology_key", ["topologyKey"], { suggest: TOPOLOGIES, mono: true }), choice("when_unsatisfiable", ["whenUnsatisfiable"], ["DoNotSchedule", "ScheduleAnyway"], { required: true }), count("min_domains", ["minDomains"], { min: 1 }), choice("node_affinity_policy", ["nodeAffinityPolicy"], ["Honor", "Ignore"], { empty: "default" }), choice("node_taints_policy", ["nodeTaintsPolicy"], ["Honor", "Ignore"], { empty: "default" }), ...selector(["labelSelector"])] }] },
    { title: "gates", fields: [{ type: "rows", label: "gates", path: ["spec", "schedulingGates"], add: "edit.add.gate", make: () => ({ name: "example.com/wait" }), columns: [text("name", ["name"], { mono: true })] }, text("scheduler", ["spec", "schedulerName"], { placeholder: "default-scheduler" })] },
    { title: "volumes", fields: [{ type: "cards", label: "volumes", path: ["spec", "volumes"], make: (/** @type {any} */ context) => ({ name: "store", persistentVolumeClaim: { claimName: namesOf("PersistentVolumeClaim")(context)[0] || "store" } }), titleOf: (/** @type {any} */ each) => each?.name || "", fields: [text("name", ["name"]), text("claim", ["persistentVolumeClaim", "claimName"], { suggest: namesOf("PersistentVolumeClaim"), mono: true })], add: "edit.add.volume" }] },
    { title: "status", fields: [choice("phase", ["status", "phase"], ["Pending", "Running", "Succeeded", "Failed"], { empty: "unset" }), text("start_time", ["status", "startTime"], { placeholder: "2026-03-02T08:00:00Z", mono: true }), text("nominated", ["status", "nominatedNodeName"], { mono: true })] },
  ],
  PodDisruptionBudget: [
    { fields: [name, namespace, { type: "numberOrText", label: "min_available", path: ["spec", "minAvailable"] }, { type: "numberOrText", label: "max_unavailable", path: ["spec", "maxUnavailable"] }, ...selector(["spec", "selector"])] },
    { title: "budget_status", fields: [count("disruptions_allowed", ["status", "disruptionsAllowed"], { min: 0 })] },
  ],
  PriorityClass: [{ fields: [name, count("value", ["value"], { max: 1000000000 }), choice("preemption_policy", ["preemptionPolicy"], ["PreemptLowerPriority", "Never"], { empty: "default" }), check("global_default", ["globalDefault"])] }],
  Namespace: [{ fields: [name, labels] }],
  PersistentVolumeClaim: [{ fields: [name, namespace, { type: "quantity", label: "storage", path: ["spec", "resources", "requests", "storage"], placeholder: "10Gi" }, storageClass(["spec", "storageClassName"]), accessModes, text("volume_name", ["spec", "volumeName"], { suggest: namesOf("PersistentVolume"), mono: true })] }],
  PersistentVolume: [
    { fields: [name, { type: "quantity", label: "storage", path: ["spec", "capacity", "storage"], placeholder: "10Gi" }, storageClass(["spec", "storageClassName"]), accessModes, choice("reclaim", ["spec", "persistentVolumeReclaimPolicy"], ["Retain", "Delete"], { empty: "default" })] },
    { title: "claim_ref", fields: [text("claim_namespace", ["spec", "claimRef", "namespace"], { placeholder: "default" }), text("claim", ["spec", "claimRef", "name"], { suggest: namesOf("PersistentVolumeClaim"), mono: true })] },
    { title: "volume_nodes", fields: [{ type: "cards", label: "volume_nodes", path: ["spec", "nodeAffinity", "required", "nodeSelectorTerms"], make: () => ({ matchExpressions: [aNodeRule] }), fields: nodeTerm, add: "edit.add.rule" }] },
    { title: "driver", fields: [text("driver", ["spec", "csi", "driver"], { mono: true, suggest: drivers }), text("volume_handle", ["spec", "csi", "volumeHandle"], { mono: true })] },
  ],
  StorageClass: [{ fields: [name, text("provisioner", ["provisioner"], { mono: true, wide: true, suggest: ["ebs.csi.aws.com", "pd.csi.storage.gke.io", "disk.csi.azure.com", "kubernetes.io/no-provisioner"] }), choice("binding_mode", ["volumeBindingMode"], ["Immediate", "WaitForFirstConsumer"], { required: true, explained: true, wide: true }), choice("reclaim", ["reclaimPolicy"], ["Retain", "Delete"], { empty: "default" }), { type: "cards", label: "allowed_topologies", path: ["allowedTopologies"], make: () => ({ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["a"] }] }), add: "edit.add.rule", fields: [{ type: "rows", label: "match_expressions", path: ["matchLabelExpressions"], add: "edit.add.rule", make: () => ({ key: "topology.kubernetes.io/zone", values: ["a"] }), columns: [text("key", ["key"], { mono: true, suggest: TOPOLOGIES }), words("values", ["values"])] }] }] }],
  CSINode: [{ fields: [{ ...name, suggest: namesOf("Node") }, { type: "rows", label: "drivers", path: ["spec", "drivers"], add: "edit.add.driver", make: (/** @type {any} */ context) => ({ name: drivers(context)[0] || "ebs.csi.aws.com", nodeID: "node", allocatable: { count: 25 } }), columns: [text("driver", ["name"], { mono: true }), text("node_id", ["nodeID"], { mono: true }), count("most_volumes", ["allocatable", "count"], { min: 0 })] }] }],
  Generator: [
    { fields: [choice("generator_kind", ["generate", "kind"], ["Node", "Pod"], { required: true }), count("count", ["generate", "count"], { min: 0, max: 50000 }), { type: "text", label: "generator_name", path: ["generate", "name"], late: true, isName: true, mono: true }] },
    { title: "vary", open: true, fields: [{ type: "vary", label: "vary", path: ["generate", "vary"] }] },
    { title: "template", open: true, fields: [{ type: "object", label: "template", path: ["generate", "template"], kindOf: (/** @type {any} */ value) => value.generate?.kind }] },
  ],
  Other: [{ fields: [name, namespace, labels, { type: "note", label: "edit.other" }] }],
};

/** Where a node's room is written: allocatable, or capacity where there is only that. @param {string} [resource] @returns {(value: any) => string[]} */
function room(resource) {
  return (value) => ["status", value.status?.allocatable || !value.status?.capacity ? "allocatable" : "capacity", ...(resource ? [resource] : [])];
}

/** What of a kind is worth varying in a generator, as paths of problems: each with values to begin with. @type {Object<string, [string, any[]][]>} */
export const VARIED = {
  Node: [["metadata.labels[topology.kubernetes.io/zone]", ["a", "b", "c"]], ["status.allocatable.cpu", ["4", "8"]], ["status.allocatable.memory", ["16Gi", "32Gi"]], ["status.allocatable[nvidia.com/gpu]", ["0", "8"]], ["metadata.labels.disktype", ["ssd", "hdd"]], ["spec.unschedulable", [false, true]]],
  Pod: [["spec.containers[0].resources.requests.cpu", ["250m", "500m", "1"]], ["spec.containers[0].resources.requests.memory", ["256Mi", "1Gi"]], ["spec.priority", [0, 100]], ["spec.priorityClassName", ["low", "high"]], ["metadata.labels.app", ["web", "db"]], ["metadata.namespace", ["team-1", "team-2"]], ["spec.nodeName", ["node-1", "node-2"]]],
};

/** @param {string} plugin @param {string} key */
const argument = (plugin, key) => (/** @type {any} */ value) => {
  const profiles = value.config?.profiles;
  const configs = Array.isArray(profiles) ? profiles[0]?.pluginConfig || [] : [];
  const found = configs.findIndex((/** @type {any} */ each) => each?.name === plugin);
  return ["config", "profiles", 0, "pluginConfig", found < 0 ? configs.length : found, "args", ...key.split(".")];
};
const PLUGINS = [["NodeUnschedulable", 0], ["NodeName", 0], ["TaintToleration", 3], ["NodeAffinity", 2], ["NodePorts", 0], ["NodeResourcesFit", 1], ["VolumeRestrictions", 0], ["NodeVolumeLimits", 0], ["VolumeBinding", 0], ["VolumeZone", 0], ["PodTopologySpread", 2], ["InterPodAffinity", 2], ["DefaultPreemption", 0], ["NodeResourcesBalancedAllocation", 1], ["ImageLocality", 1]];
const nodeNames = (/** @type {any} */ context) => context.model.nodes.slice(0, 500).map((/** @type {any} */ node) => node.name);
/** @param {string} verb @param {any[]} fields */
const answer = (verb, fields) => ({ type: "verb", label: `extender_${verb}`, path: [verb], fields });
const strikes = (/** @type {string} */ label, /** @type {any} */ path, /** @type {string} */ initially) => pairs(label, path, { initially, names: nodeNames, suggest: nodeNames, add: "edit.add.node.rule" });
const answers = [
  text("name", ["name"], { mono: true }), count("extender_weight", ["weight"], { min: 1, max: 100 }),
  choice("extender_errors", ["ignorable"], ["true"], { empty: "false", boolean: true, explained: true }),
  words("managed_resources", ["managedResources"], { placeholder: "example.com/gpu" }), check("node_cache", ["nodeCacheCapable"]),
  answer("filter", [strikes("extender_failed", ["filter", "failed"], "no licence"), strikes("extender_failed_for_good", ["filter", "failedAndUnresolvable"], "wrong region"), text("extender_error", ["filter", "error"], { wide: true })]),
  answer("prioritize", [pairs("extender_points", ["prioritize"], { initially: 10, numbers: true, names: nodeNames, suggest: nodeNames, add: "edit.add.node.rule" })]),
  answer("preempt", [words("extender_drop", ["preempt", "drop"], { placeholder: "node-1, node-2" }), words("extender_empty", ["preempt", "empty"], { placeholder: "node-3" }), choice("extender_status", ["preempt", "status"], ["404", "500"], { empty: "200", number: true })]),
  answer("bind", [text("extender_error", ["bind", "error"], { wide: true })]),
];
export const verbOf = (/** @type {any} */ operation) => ["create", "update", "delete"].find((each) => operation?.[each]) || "";
const latest = (/** @type {any} */ context) => Math.max(0, ...(context.draft.scenario.timeline || []).map((/** @type {any} */ each) => Number(each?.at) || 0)) + 10;
const late = (/** @type {any} */ context, /** @type {string} */ kind) => `late-${kind}-${(context.draft.scenario.timeline?.length || 0) + 1}`;
const operations = /** @type {[string, (context: any) => any][]} */ ([
  ["edit.add.op.pod", (context) => ({ at: latest(context), create: newPod(late(context, "pod")) })],
  ["edit.add.op.node", (context) => ({ at: latest(context), create: newNode(late(context, "node")) })],
  ["edit.add.op.update", (context) => ({ at: latest(context), update: anObject(context) })],
  ["edit.add.op.delete", (context) => ({ at: latest(context), delete: referenceTo(anObject(context)) })],
]);
/** The first pod, or node, that a draft has: what an operation begins with. @param {any} context */
function anObject(context) {
  const { entries } = context.draft;
  const found = ["Pod", "Node"].map((kind) => entries.find((/** @type {any} */ each) => each.kind === kind)).find(Boolean);
  return found ? structuredClone(found.manifest) : newPod("pod-1");
}
/** @param {any} object */
export function referenceTo({ kind, metadata }) { return { kind, ...(metadata?.namespace ? { namespace: metadata.namespace } : {}), name: metadata?.name }; }

/** @type {Object<string, Section[]>} */
export const SETTINGS = {
  scenario: [{ fields: [text("title", ["metadata", "title"], { wide: true }), text("summary", ["metadata", "summary"], { wide: true }), choice("lang", ["metadata", "lang"], ["en", "zh-hans"]), words("tags", ["metadata", "tags"])] }],
  timeline: [{ fields: [{ type: "timeline", label: "timeline", path: ["timeline"], makes: operations }, count("until", ["until"], { min: 0 })] }],
  scheduler: [
    { fields: [{ type: "effect", label: "effect" }, count("percentage", ...configured("percentageOfNodesToScore", { min: 0, max: 100, placeholder: "0" }))] },
    { title: "preemption", open: true, fields: [count("candidates_percentage", argument("DefaultPreemption", "minCandidateNodesPercentage"), { min: 0, max: 100, placeholder: "10", config: ["DefaultPreemption", "minCandidateNodesPercentage"] }), count("candidates_absolute", argument("DefaultPreemption", "minCandidateNodesAbsolute"), { min: 0, placeholder: "100", config: ["DefaultPreemption", "minCandidateNodesAbsolute"] })] },
    { title: "strategy", open: true, fields: [
      choice("strategy", argument("NodeResourcesFit", "scoringStrategy.type"), ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"], { empty: "default", config: ["NodeResourcesFit", "scoringStrategy.type"], explained: true, wide: true }),
      configRows("shape", "NodeResourcesFit", "scoringStrategy.requestedToCapacityRatio.shape", { when: isRatio, add: "edit.add.point", make: () => ({ utilization: 100, score: 10 }), columns: [count("utilization", ["utilization"], { min: 0, max: 100 }), count("points", ["score"], { min: 0, max: 10 })] }),
      configRows("strategy_resources", "NodeResourcesFit", "scoringStrategy.resources", { add: "edit.add.resource", make: () => ({ name: "nvidia.com/gpu", weight: 1 }), columns: [text("resource", ["name"], { mono: true }), count("weight", ["weight"], { min: 1, max: 100 })] }),
    ] },
    { title: "spreading", fields: [choice("spread_defaults", argument("PodTopologySpread", "defaultingType"), ["System", "List"], { empty: "default", config: ["PodTopologySpread", "defaultingType"], explained: true, wide: true }), configRows("default_constraints", "PodTopologySpread", "defaultConstraints", { add: "edit.add.rule", make: () => ({ maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" }), columns: [count("max_skew", ["maxSkew"], { min: 1 }), text("topology_key", ["topologyKey"], { mono: true }), choice("when_unsatisfiable", ["whenUnsatisfiable"], ["DoNotSchedule", "ScheduleAnyway"], { required: true })] }), count("hard_weight", argument("InterPodAffinity", "hardPodAffinityWeight"), { min: 0, max: 100, placeholder: "1", config: ["InterPodAffinity", "hardPodAffinityWeight"] })] },
    { title: "queue", fields: [count("backoff_first", ...configured("podInitialBackoffSeconds", { min: 1, placeholder: "1" })), count("backoff_most", ...configured("podMaxBackoffSeconds", { min: 1, placeholder: "10" }))] },
    { title: "plugins", open: true, fields: [{ type: "plugins", label: "plugins", plugins: PLUGINS }] },
  ],
  extenders: [{ fields: [{ type: "cards", label: "extenders", path: ["extenders"], make: (/** @type {any} */ context) => ({ name: `extender-${(context.draft.scenario.extenders?.length || 0) + 1}`, weight: 1, nodeCacheCapable: true, filter: { failed: { [nodeNames(context)[0] || "node-1"]: "no licence" } } }), titleOf: (/** @type {any} */ each) => each?.name || "", fields: answers, add: "edit.add.extender" }] }],
  chance: [{ fields: [count("seed", ["seed"], { min: 0, placeholder: "0" }), { type: "gates", label: "gates_feature", gates: [["SchedulerAsyncPreemption", true], ["SchedulerPopFromBackoffQ", true], ["StorageCapacityScoring", false]] }] }],
};

/** @param {any} value of the scenario */
function isRatio(value) { return argumentOf(value.config, "NodeResourcesFit", "scoringStrategy.type") === "RequestedToCapacityRatio"; }

/** Rows of an argument of a plugin. @param {string} label @param {string} plugin @param {string} key @param {any} more */
function configRows(label, plugin, key, more) { return { type: "configRows", label, plugin, key, ...more }; }

/** What the first profile says of an argument of a plugin. @param {any} config @param {string} plugin @param {string} key @returns {any} */
export function argumentOf(config, plugin, key) {
  const configs = Array.isArray(config?.profiles) ? config.profiles[0]?.pluginConfig || [] : [];
  const found = configs.find((/** @type {any} */ each) => each?.name === plugin);
  return key.split(".").reduce((here, each) => here?.[each], found?.args);
}

/** A key of the configuration itself. @param {string} key @param {any} more @returns {[string[], any]} */
function configured(key, more) { return [["config", key], { ...more, config: ["", key] }]; }
