/**
 * Which fields each kind has, in sections; everything that decides something in the scheduler, and nothing else.
 * The one rule: data only. A field has a type, a path below its scope and a label; form.js draws it.
 * @module
 */

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
    { title: "volumes", fields: [{ type: "cards", label: "volumes", path: ["spec", "volumes"], make: () => ({ name: "store", persistentVolumeClaim: { claimName: "store" } }), titleOf: (/** @type {any} */ each) => each?.name || "", fields: [text("name", ["name"]), text("claim", ["persistentVolumeClaim", "claimName"])], add: "edit.add.volume" }] },
    { title: "status", fields: [choice("phase", ["status", "phase"], ["Pending", "Running", "Succeeded", "Failed"], { empty: "unset" }), text("start_time", ["status", "startTime"], { placeholder: "2026-03-02T08:00:00Z", mono: true }), text("nominated", ["status", "nominatedNodeName"], { mono: true })] },
  ],
  PodDisruptionBudget: [
    { fields: [name, namespace, { type: "numberOrText", label: "min_available", path: ["spec", "minAvailable"] }, { type: "numberOrText", label: "max_unavailable", path: ["spec", "maxUnavailable"] }, ...selector(["spec", "selector"])] },
    { title: "budget_status", fields: [count("disruptions_allowed", ["status", "disruptionsAllowed"], { min: 0 })] },
  ],
  PriorityClass: [{ fields: [name, count("value", ["value"], { max: 1000000000 }), choice("preemption_policy", ["preemptionPolicy"], ["PreemptLowerPriority", "Never"], { empty: "default" }), check("global_default", ["globalDefault"])] }],
  Namespace: [{ fields: [name, labels] }],
  Generator: [
    { fields: [choice("generator_kind", ["generate", "kind"], ["Node", "Pod"], { required: true }), count("count", ["generate", "count"], { min: 0, max: 50000 }), { type: "text", label: "generator_name", path: ["generate", "name"], late: true, isName: true, mono: true }] },
    { title: "template", open: true, fields: [
      { type: "group", label: "allocatable", when: isMade("Node"), fields: [quantity("cpu", ["generate", "template", "status", "allocatable", "cpu"], "4"), quantity("memory", ["generate", "template", "status", "allocatable", "memory"], "16Gi"), quantity("pods", ["generate", "template", "status", "allocatable", "pods"], "110")] },
      { type: "group", label: "asks", when: isMade("Pod"), fields: [quantity("cpu", ["generate", "template", "spec", "containers", 0, "resources", "requests", "cpu"], "500m"), quantity("memory", ["generate", "template", "spec", "containers", 0, "resources", "requests", "memory"], "512Mi")] },
      choice("priority_class", ["generate", "template", "spec", "priorityClassName"], classes, { when: isMade("Pod") }), count("priority", ["generate", "template", "spec", "priority"], { when: isMade("Pod") }),
      pairs("labels", ["generate", "template", "metadata", "labels"], { names: ["app", "topology.kubernetes.io/zone"], initially: "web", add: "edit.add.label" }),
      { type: "json", label: "vary", path: ["generate", "vary"] },
    ] },
  ],
  Other: [{ fields: [name, namespace, labels, { type: "note", label: "edit.other" }] }],
};

/** Where a node's room is written: allocatable, or capacity where there is only that. @param {string} [resource] @returns {(value: any) => string[]} */
function room(resource) {
  return (value) => ["status", value.status?.allocatable || !value.status?.capacity ? "allocatable" : "capacity", ...(resource ? [resource] : [])];
}

/** @param {string} kind */
function isMade(kind) { return (/** @type {any} */ value) => value.generate?.kind === kind; }

/** @param {string} plugin @param {string} key */
const argument = (plugin, key) => (/** @type {any} */ value) => {
  const profiles = value.config?.profiles;
  const configs = Array.isArray(profiles) ? profiles[0]?.pluginConfig || [] : [];
  const found = configs.findIndex((/** @type {any} */ each) => each?.name === plugin);
  return ["config", "profiles", 0, "pluginConfig", found < 0 ? configs.length : found, "args", ...key.split(".")];
};
const PLUGINS = [["NodeUnschedulable", 0], ["NodeName", 0], ["TaintToleration", 3], ["NodeAffinity", 2], ["NodePorts", 0], ["NodeResourcesFit", 1], ["VolumeRestrictions", 0], ["NodeVolumeLimits", 0], ["VolumeBinding", 0], ["VolumeZone", 0], ["PodTopologySpread", 2], ["InterPodAffinity", 2], ["DefaultPreemption", 0], ["NodeResourcesBalancedAllocation", 1], ["ImageLocality", 1]];
const answers = [
  text("name", ["name"]), count("weight", ["weight"], { min: 0 }), check("node_cache", ["nodeCacheCapable"]), check("ignorable", ["ignorable"]),
  pairs("extender_failed", ["filter", "failed"], { initially: "no licence", add: "edit.add.node" }), pairs("extender_failed_for_good", ["filter", "failedAndUnresolvable"], { initially: "wrong region", add: "edit.add.node" }),
  { type: "json", label: "extender_prioritize", path: ["prioritize"] }, words("extender_drop", ["preempt", "drop"]), words("extender_empty", ["preempt", "empty"]), count("extender_status", ["preempt", "status"]),
];
const verb = (/** @type {any} */ operation) => ["create", "update", "delete"].find((each) => operation?.[each]) || "";

/** @type {Object<string, Section[]>} */
export const SETTINGS = {
  scenario: [{ fields: [text("title", ["metadata", "title"], { wide: true }), text("summary", ["metadata", "summary"], { wide: true }), choice("lang", ["metadata", "lang"], ["en", "zh-hans"]), words("tags", ["metadata", "tags"])] }],
  timeline: [{ fields: [{
    type: "cards", label: "timeline", path: ["timeline"],
    makes: [["edit.add.operation", (/** @type {any} */ context) => ({ at: 10, create: { apiVersion: "v1", kind: "Pod", metadata: { name: `late-${(context.draft.scenario.timeline?.length || 0) + 1}` }, spec: { containers: [{ name: "app", image: "registry.example/app:1", resources: { requests: { cpu: "1" } } }] } } })], ["edit.add.deletion", () => ({ at: 10, delete: { kind: "Pod", name: "pod-1" } })]],
    titleOf: (/** @type {any} */ each) => `${each?.at ?? "?"} s: ${verb(each)} ${each?.[verb(each)]?.kind || ""} ${each?.[verb(each)]?.metadata?.name || each?.[verb(each)]?.name || ""}`,
    fields: [
      count("at", ["at"], { min: 0, step: "any" }),
      { type: "group", label: "op_delete", when: (/** @type {any} */ each) => each.delete, fields: [choice("kind", ["delete", "kind"], ["Pod", "Node", "PodDisruptionBudget", "PriorityClass"], { required: true }), text("name", ["delete", "name"]), text("namespace", ["delete", "namespace"], { placeholder: "default" })] },
      ...["create", "update"].flatMap((each) => [
        { type: "group", label: `op_${each}`, when: (/** @type {any} */ value) => value[each], fields: [text("name", [each, "metadata", "name"]), text("namespace", [each, "metadata", "namespace"], { placeholder: "default" })] },
        { type: "group", label: "asks", when: (/** @type {any} */ value) => value[each]?.kind === "Pod", fields: [quantity("cpu", [each, "spec", "containers", 0, "resources", "requests", "cpu"]), quantity("memory", [each, "spec", "containers", 0, "resources", "requests", "memory"]), count("priority", [each, "spec", "priority"])] },
        { type: "json", label: "object", path: [each], when: (/** @type {any} */ value) => value[each] },
      ]),
    ],
  }, count("until", ["until"], { min: 0 })] }],
  scheduler: [
    { fields: [count("percentage", ...configured("percentageOfNodesToScore", { min: 0, max: 100 })), choice("strategy", argument("NodeResourcesFit", "scoringStrategy.type"), ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"], { empty: "default", config: ["NodeResourcesFit", "scoringStrategy.type"] }), choice("spread_defaults", argument("PodTopologySpread", "defaultingType"), ["System", "List"], { empty: "default", config: ["PodTopologySpread", "defaultingType"] })] },
    { title: "preemption", open: true, fields: [count("candidates_percentage", argument("DefaultPreemption", "minCandidateNodesPercentage"), { min: 0, max: 100, placeholder: "10", config: ["DefaultPreemption", "minCandidateNodesPercentage"] }), count("candidates_absolute", argument("DefaultPreemption", "minCandidateNodesAbsolute"), { min: 0, placeholder: "100", config: ["DefaultPreemption", "minCandidateNodesAbsolute"] })] },
    { title: "queue", fields: [count("backoff_first", ...configured("podInitialBackoffSeconds", { min: 1, placeholder: "1" })), count("backoff_most", ...configured("podMaxBackoffSeconds", { min: 1, placeholder: "10" }))] },
    { title: "plugins", open: true, fields: [{ type: "plugins", label: "plugins", plugins: PLUGINS }] },
  ],
  extenders: [{ fields: [{ type: "cards", label: "extenders", path: ["extenders"], make: (/** @type {any} */ context) => ({ name: `extender-${(context.draft.scenario.extenders?.length || 0) + 1}`, weight: 1, nodeCacheCapable: true, filter: { failed: {} } }), titleOf: (/** @type {any} */ each) => each?.name || "", fields: answers, add: "edit.add.extender" }] }],
  chance: [{ fields: [count("seed", ["seed"], { min: 0 }), { type: "gates", label: "gates_feature", gates: ["SchedulerAsyncPreemption", "SchedulerPopFromBackoffQ", "StorageCapacityScoring"] }] }],
};

/** A key of the configuration itself. @param {string} key @param {any} more @returns {[string[], any]} */
function configured(key, more) { return [["config", key], { ...more, config: ["", key] }]; }
