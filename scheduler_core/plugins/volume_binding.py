"""VolumeBinding: every claim of the pod is bound where the node can reach it, or can be bound or provisioned there.

The one rule: which volume a claim would get is decided for all nodes at once, before any is filtered, so that Filter only
looks up and Reserve finds the same volumes. Pods on nodes do not matter: there is no ledger. Mirrors plugins/volumebinding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import (
    CSIStorageCapacity,
    KubeObject,
    LabelSelector,
    NodeSelectorTerm,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Requirement,
    StorageClass,
)
from scheduler_core.api.selectors import label_selector_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.csi_migration import BY_PLUGIN, MIGRATIONS, ZONE, migrated_plugins, node_affinity
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.cluster.storage import (
    BIND_COMPLETED,
    BOUND_BY_CONTROLLER,
    SELECTED_NODE,
    Rows,
    claim_uses,
    is_bound_to,
    is_fully_bound,
    is_owned_by,
    matching_rows,
    not_owned_text,
)
from scheduler_core.framework.interface import (
    MAX_NODE_SCORE,
    SKIP,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    Reason,
    ScoreState,
    Verdict,
)
from scheduler_core.framework.status import Code, PluginError, Status

REASON_NODE: Final = "node(s) didn't match PersistentVolume's node affinity"
REASON_NO_VOLUME: Final = "node(s) didn't find available persistent volumes to bind"
REASON_SPACE: Final = "node(s) did not have enough free storage"
REASON_MISSING: Final = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
REASON_IMMEDIATE: Final = "pod has unbound immediate PersistentVolumeClaims"
NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
STORAGE: Final = "storage"
NONE: Final = -1

# The reasons of a node, in the order in which kube-scheduler gives them; a node's bits say which of them hold.
REASONS: Final = (REASON_NODE, REASON_NO_VOLUME, REASON_SPACE, REASON_MISSING)
VERDICTS: Final[tuple[Reason, ...]] = tuple(
    (Code.UNRESOLVABLE, tuple(reason for bit, reason in enumerate(REASONS) if bits >> bit & 1)) for bits in range(1, 1 << len(REASONS))
)

# Utilisation in percent and score from 0 to 10, the default where the gate StorageCapacityScoring is on.
DEFAULT_SHAPE: Final = ((0, 10), (100, 0))


@dataclass(frozen=True, slots=True)
class VolumeBinding:
    """The plugin with VolumeBindingArgs; ``shape`` scores nodes and is set only with the gate StorageCapacityScoring."""

    name: str = "VolumeBinding"
    bind_timeout_seconds: int = 600
    shape: tuple[tuple[int, int], ...] | None = None

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Refuse a pod whose claims are missing, lost, going or not yet bound though they should be; skip without claims."""
        if not pod.pod.volumes:
            return SKIP
        refusal = _refusal(cluster, pod.pod)
        if refusal:
            return PreFilterResult(status=Status(Code.UNRESOLVABLE, (refusal,)))
        claims = _sorted_claims(cluster, pod.pod)
        if not claims.bound and not claims.delayed and not claims.immediate:
            return SKIP
        if claims.immediate:
            return PreFilterResult(status=Status(Code.UNRESOLVABLE, (REASON_IMMEDIATE,)))
        return PreFilterResult(_State(_plan_of(cluster, pod.pod, claims)))

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> ScoreState | None:
        """Skip unless nodes are to be scored by the room that volumes would leave."""
        if self.shape is None or not pod.pod.volumes:
            return None
        claims = _sorted_claims(cluster, pod.pod)
        if not claims.delayed:
            return None
        return _Score(_plan_of(cluster, pod.pod, claims), self.shape)


@dataclass(frozen=True, slots=True)
class VolumeChanges:
    """What binding a pod's volumes leaves behind: objects to put in the place of those of the same name, and new volumes."""

    claims: tuple[PersistentVolumeClaim, ...] = ()
    volumes: tuple[PersistentVolume, ...] = ()

    @property
    def objects(self) -> tuple[KubeObject, ...]:
        """Volumes first, then the claims that name them."""
        return (*self.volumes, *self.claims)


def assume_volumes(cluster: Cluster, pod: Pod, node: str) -> VolumeChanges:
    """What becomes of the pod's claims once it is assumed on a node that passed Filter.

    The answer is the state after Reserve, PreBind, the persistent volume controller and the provisioner: claims that a volume
    was found for are bound to it; for the others a volume is made, as large as was asked, that the node can reach (by the
    topology keys of the driver's entry in the node's CSINode; the zone for in-tree provisioners; otherwise from anywhere).
    The cluster is not changed: give ``objects`` to :meth:`Cluster.set_object`. Empty for a pod whose claims are all bound.
    Raises PluginError where a claim cannot be bound on this node.
    """
    if not pod.volumes:
        return VolumeChanges()
    refusal = _refusal(cluster, pod)
    if refusal:
        raise PluginError(refusal)
    claims = _sorted_claims(cluster, pod)
    row = cluster.row_of.get(node)
    if not claims.delayed:
        return VolumeChanges()
    if row is None:
        raise PluginError(f'node "{node}" not found')
    plan = _plan_of(cluster, pod, claims)
    if plan.bits[row]:
        raise PluginError(f"binding volumes: {', '.join(VERDICTS[plan.bits[row] - 1][1])}")
    found: list[PersistentVolume] = []
    changed: list[PersistentVolumeClaim] = []
    for claim, volume in plan.bindings(row):
        found.append(_bound_volume(volume, claim))
        changed.append(_bound_claim(claim, volume, {}))
    for claim in plan.provisions(row):
        volume = _provisioned(cluster, claim, node)
        found.append(volume)
        changed.append(_bound_claim(claim, volume, {SELECTED_NODE: node}))
    return VolumeChanges(tuple(changed), tuple(found))


# ---- claims ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Claims:
    bound: tuple[PersistentVolumeClaim, ...]
    delayed: tuple[PersistentVolumeClaim, ...]
    """Unbound, to be bound once the pod has a node."""
    immediate: tuple[PersistentVolumeClaim, ...]
    """Unbound, though the persistent volume controller should have bound them."""


def _refusal(cluster: Cluster, pod: Pod) -> str:
    """Why a claim cannot be used at all, "" for no reason."""
    for use in claim_uses(pod):
        claim = cluster.claims.get(use.key)
        if claim is None:
            if use.is_ephemeral:
                return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{use.name}"'
            return f'persistentvolumeclaim "{use.name}" not found'
        if claim.phase == "Lost":
            return f'persistentvolumeclaim "{claim.name}" bound to non-existent persistentvolume "{claim.volume_name}"'
        if claim.deletion_timestamp is not None:
            return f'persistentvolumeclaim "{claim.name}" is being deleted'
        if use.is_ephemeral and not is_owned_by(claim, pod):
            return not_owned_text(claim, pod)
    return ""


def _sorted_claims(cluster: Cluster, pod: Pod) -> _Claims:
    bound, delayed, immediate = [], [], []
    for use in claim_uses(pod):
        claim = cluster.claims[use.key]
        if is_fully_bound(claim):
            bound.append(claim)
        elif not claim.volume_name and _is_delayed(cluster, claim):
            delayed.append(claim)
        else:
            immediate.append(claim)
    return _Claims(tuple(bound), tuple(delayed), tuple(immediate))


def _is_delayed(cluster: Cluster, claim: PersistentVolumeClaim) -> bool:
    storage_class = cluster.storage_classes.get(claim.storage_class_name or "")
    return storage_class is not None and storage_class.volume_binding_mode == "WaitForFirstConsumer"


# ---- which volume on which node --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Plan:
    """What each node would give each claim.

    ``bits`` (nodes,) int64 says which of REASONS refuse the node. ``chosen`` has for each claim that is to find a volume
    (nodes,) int64 indexes into its candidates, NONE where there is none; those go to ``provisioned``.
    """

    bits: IntArray
    to_match: tuple[PersistentVolumeClaim, ...] = ()
    candidates: list[Sequence[PersistentVolume]] = field(default_factory=list)
    chosen: list[IntArray] = field(default_factory=list)
    selected: tuple[PersistentVolumeClaim, ...] = ()
    """Claims that already wait for their volume on a node."""
    rooms: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    """By claim: (nodes,) int64 capacity in bytes of the pool that would hold the volume, NONE where unknown."""

    def bindings(self, row: int) -> list[tuple[PersistentVolumeClaim, PersistentVolume]]:
        """Claims with the volumes that they would be bound to."""
        return [
            (claim, volumes[int(chosen[row])])
            for claim, volumes, chosen in zip(self.to_match, self.candidates, self.chosen, strict=True)
            if chosen[row] != NONE
        ]

    def provisions(self, row: int) -> list[PersistentVolumeClaim]:
        """Claims that a volume would be made for, in the order in which they are checked."""
        unmatched = [claim for claim, chosen in zip(self.to_match, self.chosen, strict=True) if chosen[row] == NONE]
        return [*self.selected, *unmatched]


def _plan_of(cluster: Cluster, pod: Pod, claims: _Claims) -> _Plan:
    """The plan of the pod, made again only when storage changed or another pod was asked about since."""
    last: dict[Pod, _Plan] = cluster.static("last volume plan", dict)
    plan = last.get(pod)
    if plan is None:
        last.clear()
        plan = last[pod] = _plan(cluster, claims)
    return plan


def _plan(cluster: Cluster, claims: _Claims) -> _Plan:
    """Mirrors FindPodVolumes, for every node."""
    plan = _Plan(np.zeros(len(cluster), np.int64))
    _check_bound(cluster, claims.bound, plan)
    if not claims.delayed:
        return plan
    plan.selected = tuple(claim for claim in claims.delayed if SELECTED_NODE in claim.annotations)
    unselected = (claim for claim in claims.delayed if SELECTED_NODE not in claim.annotations)
    plan.to_match = tuple(sorted(unselected, key=lambda claim: claim.requests.get(STORAGE, 0)))
    alive = np.ones(len(cluster), np.bool_)
    for claim in plan.selected:
        alive[np.array([name != claim.annotations[SELECTED_NODE] for name in cluster.names], np.bool_)] = False
    plan.bits[~alive] |= 2
    _match(cluster, plan)
    _provision(cluster, plan, alive)
    return plan


def _check_bound(cluster: Cluster, claims: Sequence[PersistentVolumeClaim], plan: _Plan) -> None:
    """The first claim that a node cannot serve decides its reason. Mirrors checkBoundClaims."""
    open_rows = np.ones(len(cluster), np.bool_)
    for claim in claims:
        volume = cluster.volumes.get(claim.volume_name)
        if volume is None:
            plan.bits[open_rows] |= 8
            return
        reached = _reach(cluster, volume)
        if reached is not None:
            plan.bits[open_rows & ~reached] |= 1
            open_rows &= reached


def _reach(cluster: Cluster, volume: PersistentVolume) -> BoolArray | None:
    """(nodes,) bool: nodes that can mount a bound volume; None for all. In-tree volumes follow the node's migration."""
    if volume.source not in MIGRATIONS:
        return _mask(cluster, volume.node_affinity)
    reached = np.ones(len(cluster), np.bool_)
    for migrated, rows in _rows_by_migration(cluster).items():
        mask = _mask(cluster, node_affinity(volume, migrated))
        if mask is not None:
            reached[rows] = mask[rows]
    return reached


def _rows_by_migration(cluster: Cluster) -> dict[frozenset[str], list[int]]:
    def build() -> dict[frozenset[str], list[int]]:
        groups: dict[frozenset[str], list[int]] = {}
        for row, name in enumerate(cluster.names):
            groups.setdefault(migrated_plugins(cluster.csi_nodes.get(name)), []).append(row)
        return groups

    return cluster.static("rows by migrated plugins", build)


def _mask(cluster: Cluster, terms: tuple[NodeSelectorTerm, ...] | None) -> BoolArray | None:
    rows = matching_rows(cluster, terms)
    if rows is None:
        return None
    mask = np.zeros(len(cluster), np.bool_)
    mask[rows] = True
    return mask


def _match(cluster: Cluster, plan: _Plan) -> None:
    """Find a volume for each claim on each node, smallest claim first. Mirrors findMatchingVolumes."""
    taken: dict[str, BoolArray] = {}
    for claim in plan.to_match:
        chosen = np.full(len(cluster), NONE, np.int64)
        reserved, available = _candidates(cluster, claim)
        volumes = (*reserved, *available)
        decided = np.zeros(len(cluster), np.bool_)
        for index, volume in enumerate(volumes):
            rows = _free_rows(cluster, volume, taken, decided)
            chosen[rows] = index
            decided[rows] = True
            if index < len(reserved):
                # a volume reserved for the claim is the only one that it may get, also where the node cannot reach it
                decided |= ~taken.get(volume.name, np.zeros(len(cluster), np.bool_))
            if decided.all():
                break
        for index in np.unique(chosen[chosen != NONE]).tolist():
            held = taken.setdefault(volumes[index].name, np.zeros(len(cluster), np.bool_))
            held |= chosen == index
        plan.candidates.append(volumes)
        plan.chosen.append(chosen)


def _free_rows(cluster: Cluster, volume: PersistentVolume, taken: dict[str, BoolArray], decided: BoolArray) -> Rows:
    rows = matching_rows(cluster, volume.node_affinity)
    if rows is None:
        rows = np.arange(len(cluster))
    rows = rows[~decided[rows]]
    held = taken.get(volume.name)
    return rows if held is None else rows[~held[rows]]


def _candidates(cluster: Cluster, claim: PersistentVolumeClaim) -> tuple[list[PersistentVolume], list[PersistentVolume]]:
    """The volumes reserved for the claim, and those free for anyone, smallest first. Mirrors FindMatchingVolume.

    Of equal ones kube-scheduler takes any; here it is the first by name.
    """
    reserved, available = [], []
    for volume in _volumes_by_class(cluster).get(claim.storage_class_name or "", ()):
        is_reserved = is_bound_to(volume, claim)
        if (volume.claim_ref is not None and not is_reserved) or not _fits(volume, claim):
            continue
        if is_reserved:
            reserved.append(volume)
        elif _is_available(volume, claim):
            available.append(volume)
    available.sort(key=lambda volume: volume.capacity.get(STORAGE, 0))
    return reserved, available


def _volumes_by_class(cluster: Cluster) -> dict[str, list[PersistentVolume]]:
    def build() -> dict[str, list[PersistentVolume]]:
        classes: dict[str, list[PersistentVolume]] = {}
        for _, volume in sorted(cluster.volumes.items()):
            classes.setdefault(volume.storage_class_name, []).append(volume)
        return classes

    return cluster.static("volumes by class", build)


def _fits(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    return (
        volume.capacity.get(STORAGE, 0) >= claim.requests.get(STORAGE, 0)
        and volume.volume_mode == claim.volume_mode
        and volume.volume_attributes_class_name == claim.volume_attributes_class_name
        and volume.deletion_timestamp is None
    )


def _is_available(volume: PersistentVolume, claim: PersistentVolumeClaim) -> bool:
    if volume.phase != "Available" or not set(claim.access_modes) <= set(volume.access_modes):
        return False
    return claim.selector is None or label_selector_matches(claim.selector, volume.labels)


def _provision(cluster: Cluster, plan: _Plan, alive: BoolArray) -> None:
    """Refuse nodes where a claim without a volume cannot get one made. Mirrors checkVolumeProvisions.

    A node is refused for the first claim that fails there; where all can be made, claims without a match do no harm.
    """
    alive = alive.copy()
    waiting = [(claim, None) for claim in plan.selected]
    for claim, chosen in [*waiting, *zip(plan.to_match, plan.chosen, strict=True)]:
        asking = alive if chosen is None else alive & (chosen == NONE)
        if not asking.any():
            continue
        storage_class = cluster.storage_classes[claim.storage_class_name or ""]
        makes = _provisioned_rows(cluster, storage_class)
        plan.bits[asking & ~makes] |= 2
        room = _room(cluster, storage_class, claim)
        spacious = np.ones(len(cluster), np.bool_) if room is None else room != NONE
        plan.bits[asking & makes & ~spacious] |= 4
        alive &= ~asking | (makes & spacious)
        if room is not None:
            plan.rooms[claim.key] = room


def _provisioned_rows(cluster: Cluster, storage_class: StorageClass) -> BoolArray:
    """(nodes,) bool: nodes in one of the topologies that the class allows, none where it provisions nothing."""
    if storage_class.provisioner in ("", NO_PROVISIONER):
        return np.zeros(len(cluster), np.bool_)
    if not storage_class.allowed_topologies:
        return np.ones(len(cluster), np.bool_)
    terms = tuple(
        NodeSelectorTerm(match_expressions=tuple(Requirement(key=key, operator="In", values=values) for key, values in term))
        for term in storage_class.allowed_topologies
    )
    mask = _mask(cluster, terms)
    assert mask is not None  # only no terms at all stand for every node
    return mask


def _room(cluster: Cluster, storage_class: StorageClass, claim: PersistentVolumeClaim) -> IntArray | None:
    """(nodes,) int64: bytes in a pool that a node reaches and that can hold the claim, NONE for none.

    None where the driver does not publish its capacity. Mirrors hasEnoughCapacity.
    """
    driver = cluster.csi_drivers.get(storage_class.provisioner)
    size = claim.requests.get(STORAGE)
    if size is None or driver is None or not driver.storage_capacity:
        return None
    room = np.full(len(cluster), NONE, np.int64)
    for _, pool in sorted(cluster.csi_capacities.items(), reverse=True):
        if pool.storage_class_name == storage_class.name and pool.node_topology is not None and _largest(pool) >= size:
            rows = matching_rows(cluster, _as_terms(pool.node_topology))
            room[slice(None) if rows is None else rows] = pool.capacity or 0
    return room


def _largest(pool: CSIStorageCapacity) -> int:
    """The largest volume that a pool can hold, NONE where it does not say."""
    if pool.maximum_volume_size is not None:
        return pool.maximum_volume_size
    return NONE if pool.capacity is None else pool.capacity


def _as_terms(selector: LabelSelector) -> tuple[NodeSelectorTerm, ...] | None:
    """A label selector as a node selector; None where it selects everything."""
    equal = tuple(Requirement(key=key, operator="In", values=(value,)) for key, value in selector.match_labels)
    expressions = (*equal, *selector.match_expressions)
    return (NodeSelectorTerm(match_expressions=expressions),) if expressions else None


class _State(FilterState):
    def __init__(self, plan: _Plan) -> None:
        self._bits = plan.bits

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        ids = self._bits[rows].astype(np.int32)
        return Verdict(ids, VERDICTS) if ids.any() else None


# ---- score -----------------------------------------------------------------------------------------------------------


class _Score:
    """How full the volumes or pools would be that a node gives the pod, by class. Mirrors scorer.go."""

    def __init__(self, plan: _Plan, shape: tuple[tuple[int, int], ...]) -> None:
        self._plan = plan
        self._shape = shape

    def raw(self, rows: IndexArray) -> IntArray:
        return np.array([self._score(row) for row in rows.tolist()], np.int64)

    def normalize(self, raw: IntArray) -> IntArray:
        return raw

    def _score(self, row: int) -> int:
        classes: dict[str, tuple[int, int]] = {}
        for claim, volume in self._plan.bindings(row):
            asked, capacity = classes.get(volume.storage_class_name, (0, 0))
            more = volume.capacity.get(STORAGE, 0)
            classes[volume.storage_class_name] = (asked + claim.requests.get(STORAGE, 0), capacity + more)
        if not classes:
            for claim in self._plan.provisions(row):
                room = self._plan.rooms.get(claim.key)
                if room is not None:
                    name = claim.storage_class_name or ""
                    classes[name] = (classes.get(name, (0, 0))[0] + claim.requests.get(STORAGE, 0), int(room[row]))
        if not classes:
            return 0
        total = sum(self._of_class(asked, capacity) for asked, capacity in classes.values())
        # rounded half up, as Go rounds numbers that are not negative
        return (2 * total + len(classes)) // (2 * len(classes))

    def _of_class(self, asked: int, capacity: int) -> int:
        if capacity == 0 or asked > capacity:
            return self._on_shape(100)
        return self._on_shape(asked * 100 // capacity)

    def _on_shape(self, utilization: int) -> int:
        points = [(at, score * (MAX_NODE_SCORE // 10)) for at, score in self._shape]
        for k, (at, score) in enumerate(points):
            if utilization <= at:
                if k == 0:
                    return score
                before, low = points[k - 1]
                # Go's division cuts towards zero
                rise = (score - low) * (utilization - before)
                step = abs(rise) // (at - before)
                return low + (step if rise >= 0 else -step)
        return points[-1][1]


# ---- what binding leaves behind --------------------------------------------------------------------------------------


def _bound_volume(volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    """Mirrors GetBindVolumeToClaim, and the phase that the persistent volume controller sets."""
    marks = {} if is_bound_to(volume, claim) else {BOUND_BY_CONTROLLER: "yes"}
    annotations = {**volume.annotations, **marks}
    reference = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": claim.namespace, "name": claim.name}
    if claim.uid:
        reference["uid"] = claim.uid
    return replace(
        volume,
        annotations=annotations,
        claim_ref=(claim.namespace, claim.name, claim.uid),
        phase="Bound",
        manifest=_changed(volume.manifest, annotations, {"claimRef": reference}),
    )


def _bound_claim(claim: PersistentVolumeClaim, volume: PersistentVolume, marks: dict[str, str]) -> PersistentVolumeClaim:
    annotations = {**claim.annotations, **marks, BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"}
    return replace(
        claim,
        annotations=annotations,
        volume_name=volume.name,
        phase="Bound",
        manifest=_changed(claim.manifest, annotations, {"volumeName": volume.name}),
    )


def _changed(manifest: Any, annotations: dict[str, str], spec: dict[str, Any]) -> dict[str, Any]:
    return {
        **manifest,
        "metadata": {**manifest.get("metadata", {}), "annotations": annotations},
        "spec": {**manifest.get("spec", {}), **spec},
        "status": {**manifest.get("status", {}), "phase": "Bound"},
    }


def _provisioned(cluster: Cluster, claim: PersistentVolumeClaim, node: str) -> PersistentVolume:
    """The volume that a provisioner would make for the claim, seen from the node."""
    storage_class = cluster.storage_classes[claim.storage_class_name or ""]
    name = f"pvc-{claim.uid or f'{claim.namespace}-{claim.name}'}"
    migration = BY_PLUGIN.get(storage_class.provisioner)
    driver = migration.driver if migration else storage_class.provisioner
    topology = _topology(cluster, storage_class.provisioner, driver, node)
    terms = None
    spec: dict[str, Any] = {
        "accessModes": list(claim.access_modes),
        "capacity": {STORAGE: str(claim.requests.get(STORAGE, 0))},
        "csi": {"driver": driver, "volumeHandle": name},
        "storageClassName": storage_class.name,
        "volumeMode": claim.volume_mode,
    }
    if topology:
        terms = (NodeSelectorTerm(match_expressions=tuple(Requirement(key=k, operator="In", values=(v,)) for k, v in topology)),)
        expressions = [{"key": key, "operator": "In", "values": [value]} for key, value in topology]
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}}
    volume = PersistentVolume(
        name=name,
        annotations={"pv.kubernetes.io/provisioned-by": driver},
        capacity={STORAGE: claim.requests.get(STORAGE, 0)},
        access_modes=claim.access_modes,
        storage_class_name=storage_class.name,
        volume_mode=claim.volume_mode,
        volume_attributes_class_name=claim.volume_attributes_class_name,
        node_affinity=terms,
        claim_ref=(claim.namespace, claim.name, claim.uid),
        source="csi",
        source_spec={"driver": driver, "volumeHandle": name},
        manifest={"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec},
    )
    return _bound_volume(volume, claim)


def _topology(cluster: Cluster, provisioner: str, driver: str, node: str) -> list[tuple[str, str]]:
    """Labels of the node that a new volume is tied to."""
    labels = cluster.nodes[cluster.row_of[node]].labels
    csi_node = cluster.csi_nodes.get(node)
    if csi_node is not None:
        for entry in csi_node.drivers:
            if entry.name == driver:
                return [(key, labels[key]) for key in entry.topology_keys if key in labels]
    return [(ZONE, labels[ZONE])] if provisioner in BY_PLUGIN and ZONE in labels else []
