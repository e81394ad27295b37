"""Kubernetes objects as frozen values: only the fields that decide something, already converted.

The one rule: nothing here computes. Quantities are integers (CPU in milli, everything else in its base unit), times are
whole seconds since the Unix epoch, and lists are tuples, so that a value can be shared, compared and interned.
Mirrors the types of k8s.io/api (core/v1, policy/v1, storage/v1, scheduling/v1) at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Resources = Mapping[str, int]
"""Amounts by resource name: ``cpu`` in milli-CPU, ``memory`` and other storage in bytes, everything else in units."""

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """One expression of a label or node selector; ``operator`` is In, NotIn, Exists, DoesNotExist, Gt or Lt."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSelector:
    """metav1.LabelSelector: both empty selects everything; a selector that is None selects nothing."""

    match_labels: tuple[tuple[str, str], ...] = ()
    match_expressions: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSelectorTerm:
    """Expressions over labels and over fields (metadata.name), all of which must hold; empty matches nothing."""

    match_expressions: tuple[Requirement, ...] = ()
    match_fields: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredNodeTerm:
    """A node selector term with its weight, 1 to 100."""

    weight: int
    term: NodeSelectorTerm


@dataclass(frozen=True, slots=True, kw_only=True)
class PodAffinityTerm:
    """A pod affinity or anti-affinity term as written; defaults are applied where it is used."""

    topology_key: str
    selector: LabelSelector | None = None
    namespaces: tuple[str, ...] = ()
    namespace_selector: LabelSelector | None = None
    match_label_keys: tuple[str, ...] = ()
    mismatch_label_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferredPodTerm:
    """A pod affinity term with its weight, 1 to 100."""

    weight: int
    term: PodAffinityTerm


@dataclass(frozen=True, slots=True, kw_only=True)
class TopologySpreadConstraint:
    """core/v1 TopologySpreadConstraint; policies are Honor or Ignore, ``when_unsatisfiable`` DoNotSchedule or ScheduleAnyway."""

    max_skew: int
    topology_key: str
    when_unsatisfiable: str
    selector: LabelSelector | None = None
    min_domains: int | None = None
    node_affinity_policy: str = "Honor"
    node_taints_policy: str = "Ignore"
    match_label_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Taint:
    """A taint of a node; ``effect`` is NoSchedule, PreferNoSchedule or NoExecute."""

    key: str
    effect: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toleration:
    """A toleration of a pod; an empty key with Exists tolerates everything, an empty effect every effect."""

    key: str = ""
    operator: str = "Equal"
    value: str = ""
    effect: str = ""
    toleration_seconds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerPort:
    """A declared port; only those with a host port take part in scheduling."""

    container_port: int = 0
    host_port: int = 0
    host_ip: str = ""
    protocol: str = "TCP"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """A container or init container; ``restart_policy`` Always makes an init container a sidecar.

    ``fine_requests`` has, in nano-units, those requests that are no whole number of units; ``allocated`` what counts in place of
    the requests while the container is being resized (None where it is not).
    """

    name: str
    image: str = ""
    requests: Resources = field(default_factory=dict)
    fine_requests: Resources = field(default_factory=dict)
    allocated: Resources | None = None
    limits: Resources = field(default_factory=dict)
    ports: tuple[ContainerPort, ...] = ()
    restart_policy: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """A volume of a pod.

    ``source`` is the key of core/v1 VolumeSource that is set (``persistentVolumeClaim``, ``gcePersistentDisk``,
    ``awsElasticBlockStore``, ``iscsi``, ``rbd``, ``azureDisk``, ``csi``, ``ephemeral``, ``emptyDir``, ``configMap`` ...);
    ``spec`` is what stands under it, as written.
    """

    name: str
    source: str = ""
    spec: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerReference:
    """metadata.ownerReferences: who recreates the pod."""

    kind: str
    name: str
    api_version: str = ""
    uid: str = ""
    controller: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A status condition of a pod or a node."""

    type: str
    status: str
    reason: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pod:
    """core/v1 Pod. ``priority`` is resolved; ``None`` where neither the pod nor a class gave one (it counts as 0)."""

    name: str
    namespace: str = "default"
    uid: str = ""
    labels: Labels = field(default_factory=dict)
    annotations: Labels = field(default_factory=dict)
    creation_timestamp: int | None = None
    deletion_timestamp: int | None = None
    owners: tuple[OwnerReference, ...] = ()
    node_name: str = ""
    scheduler_name: str = "default-scheduler"
    priority: int | None = None
    priority_class_name: str = ""
    preemption_policy: str = "PreemptLowerPriority"
    node_selector: tuple[tuple[str, str], ...] = ()
    required_node_affinity: tuple[NodeSelectorTerm, ...] | None = None
    preferred_node_affinity: tuple[PreferredNodeTerm, ...] = ()
    required_affinity: tuple[PodAffinityTerm, ...] = ()
    preferred_affinity: tuple[PreferredPodTerm, ...] = ()
    required_anti_affinity: tuple[PodAffinityTerm, ...] = ()
    preferred_anti_affinity: tuple[PreferredPodTerm, ...] = ()
    tolerations: tuple[Toleration, ...] = ()
    spread_constraints: tuple[TopologySpreadConstraint, ...] = ()
    containers: tuple[Container, ...] = ()
    init_containers: tuple[Container, ...] = ()
    overhead: Resources = field(default_factory=dict)
    pod_requests: Resources | None = None
    pod_limits: Resources | None = None
    scheduling_gates: tuple[str, ...] = ()
    volumes: tuple[Volume, ...] = ()
    host_network: bool = False
    termination_grace_period_seconds: int = 30
    phase: str = "Pending"
    start_time: int | None = None
    nominated_node_name: str = ""
    conditions: tuple[Condition, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> str:
        """``namespace/name``, unique among pods."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerImage:
    """An image that a node has, with all its names and its size in bytes."""

    names: tuple[str, ...]
    size_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """core/v1 Node. ``allocatable`` falls back to capacity where the node states none."""

    name: str
    uid: str = ""
    labels: Labels = field(default_factory=dict)
    annotations: Labels = field(default_factory=dict)
    creation_timestamp: int | None = None
    unschedulable: bool = False
    taints: tuple[Taint, ...] = ()
    allocatable: Resources = field(default_factory=dict)
    capacity: Resources = field(default_factory=dict)
    images: tuple[ContainerImage, ...] = ()
    declared_features: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Namespace:
    """core/v1 Namespace: its labels decide namespace selectors."""

    name: str
    labels: Labels = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PodDisruptionBudget:
    """policy/v1 PodDisruptionBudget.

    ``min_available`` and ``max_unavailable`` are integers or percentages as written (``"50%"``);
    ``disruptions_allowed`` is None where the object has no status. ``selector_error`` says why a selector is invalid.
    """

    name: str
    namespace: str = "default"
    labels: Labels = field(default_factory=dict)
    selector: LabelSelector | None = None
    selector_error: str = ""
    min_available: int | str | None = None
    max_unavailable: int | str | None = None
    disruptions_allowed: int | None = None
    disrupted_pods: tuple[str, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriorityClass:
    """scheduling/v1 PriorityClass."""

    name: str
    value: int
    global_default: bool = False
    preemption_policy: str = "PreemptLowerPriority"
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersistentVolume:
    """core/v1 PersistentVolume. ``source`` and ``source_spec`` are as in :class:`Volume`."""

    name: str
    labels: Labels = field(default_factory=dict)
    annotations: Labels = field(default_factory=dict)
    capacity: Resources = field(default_factory=dict)
    access_modes: tuple[str, ...] = ()
    storage_class_name: str = ""
    volume_mode: str = "Filesystem"
    volume_attributes_class_name: str = ""
    node_affinity: tuple[NodeSelectorTerm, ...] | None = None
    claim_ref: tuple[str, str, str] | None = None
    """(namespace, name, uid) of the claim it is bound to or reserved for."""
    phase: str = ""
    deletion_timestamp: int | None = None
    source: str = ""
    source_spec: Mapping[str, Any] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PersistentVolumeClaim:
    """core/v1 PersistentVolumeClaim. ``storage_class_name`` is None where the claim names none ("" is a name)."""

    name: str
    namespace: str = "default"
    uid: str = ""
    labels: Labels = field(default_factory=dict)
    annotations: Labels = field(default_factory=dict)
    access_modes: tuple[str, ...] = ()
    requests: Resources = field(default_factory=dict)
    storage_class_name: str | None = None
    volume_name: str = ""
    volume_mode: str = "Filesystem"
    volume_attributes_class_name: str = ""
    selector: LabelSelector | None = None
    owners: tuple[OwnerReference, ...] = ()
    phase: str = ""
    deletion_timestamp: int | None = None
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> str:
        """``namespace/name``, unique among claims."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StorageClass:
    """storage/v1 StorageClass. ``allowed_topologies`` is a tuple of terms, each of (key, values)."""

    name: str
    provisioner: str = ""
    volume_binding_mode: str = "Immediate"
    is_default: bool = False
    allowed_topologies: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CSINodeDriver:
    """A driver on a CSINode; ``count`` is its allocatable volume limit, None where it states none."""

    name: str
    node_id: str = ""
    topology_keys: tuple[str, ...] = ()
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CSINode:
    """storage/v1 CSINode."""

    name: str
    annotations: Labels = field(default_factory=dict)
    drivers: tuple[CSINodeDriver, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CSIStorageCapacity:
    """storage/v1 CSIStorageCapacity; sizes in bytes, None where not stated."""

    name: str
    namespace: str = "default"
    storage_class_name: str = ""
    node_topology: LabelSelector | None = None
    capacity: int | None = None
    maximum_volume_size: int | None = None
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VolumeAttachment:
    """storage/v1 VolumeAttachment of a persistent volume; ``volume_name`` is "" for a volume written into a pod."""

    name: str
    attacher: str = ""
    node_name: str = ""
    volume_name: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CSIDriver:
    """storage/v1 CSIDriver."""

    name: str
    storage_capacity: bool = False
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Workload:
    """A controller or service that owns or selects pods (ReplicaSet, StatefulSet, Deployment, DaemonSet, Job,
    ReplicationController, Service): what system-default spreading and the disruption controller read of it."""

    kind: str
    name: str
    namespace: str = "default"
    uid: str = ""
    labels: Labels = field(default_factory=dict)
    selector: LabelSelector | None = None
    replicas: int | None = None
    owners: tuple[OwnerReference, ...] = ()
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> str:
        """``namespace/name``, unique in its kind."""
        return f"{self.namespace}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Other:
    """An object that is kept and shown but decides nothing in the engine."""

    kind: str
    name: str
    namespace: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict, repr=False)


KubeObject = (
    Node
    | Pod
    | Namespace
    | PodDisruptionBudget
    | PriorityClass
    | PersistentVolume
    | PersistentVolumeClaim
    | StorageClass
    | CSINode
    | CSIStorageCapacity
    | CSIDriver
    | VolumeAttachment
    | Workload
    | Other
)


def kind_of(value: KubeObject) -> str:
    """The Kubernetes kind of a value."""
    return value.kind if isinstance(value, Workload | Other) else type(value).__name__
