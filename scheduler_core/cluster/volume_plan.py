"""What each node would give the claims of one pod: volumes that are there, volumes to be made, or nothing.

The one rule: the plan is made for all nodes at once, and once for each pod: Filter, Score and Reserve read the same plan.
Mirrors binder.go of plugins/volumebinding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import (
    CSIStorageCapacity,
    LabelSelector,
    NodeSelectorTerm,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Requirement,
    StorageClass,
)
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.csi_migration import MIGRATIONS, migrated_plugins, node_affinity
from scheduler_core.cluster.storage import SELECTED_NODE, Rows, claim_uses, is_fully_bound, matching_rows
from scheduler_core.cluster.volume_matching import STORAGE, candidates

UNREACHED: Final = 1
NO_VOLUME: Final = 2
NO_SPACE: Final = 4
MISSING: Final = 8
NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
NONE: Final = -1


@dataclass(frozen=True, slots=True)
class PodClaims:
    """The claims of a pod, each once for every volume that names it."""

    bound: tuple[PersistentVolumeClaim, ...]
    delayed: tuple[PersistentVolumeClaim, ...]
    """Unbound, to be bound once the pod has a node."""
    immediate: tuple[PersistentVolumeClaim, ...]
    """Unbound, though the persistent volume controller should have bound them."""


def claims_of(cluster: Cluster, pod: Pod) -> PodClaims:
    """The pod's claims, all of which must exist. Mirrors GetPodVolumeClaims."""
    bound, delayed, immediate = [], [], []
    for use in claim_uses(pod):
        claim = cluster.claims[use.key]
        if is_fully_bound(claim):
            bound.append(claim)
        elif not claim.volume_name and _is_delayed(cluster, claim):
            delayed.append(claim)
        else:
            immediate.append(claim)
    return PodClaims(tuple(bound), tuple(delayed), tuple(immediate))


def _is_delayed(cluster: Cluster, claim: PersistentVolumeClaim) -> bool:
    storage_class = cluster.storage_classes.get(claim.storage_class_name or "")
    return storage_class is not None and storage_class.volume_binding_mode == "WaitForFirstConsumer"


# ---- which volume on which node --------------------------------------------------------------------------------------


@dataclass(slots=True)
class VolumePlan:
    """What each node would give each claim.

    ``bits`` (nodes,) int64 says what is wrong with a node: UNREACHED, NO_VOLUME, NO_SPACE and MISSING added up. ``chosen`` has
    for each claim that is to find a volume (nodes,) int64 indexes into its candidates, NONE where there is none and a volume
    would have to be made.
    """

    bits: NDArray[np.int64]
    to_match: tuple[PersistentVolumeClaim, ...] = ()
    candidates: list[Sequence[PersistentVolume]] = field(default_factory=list)
    chosen: list[NDArray[np.int64]] = field(default_factory=list)
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


def plan_of(cluster: Cluster, pod: Pod, claims: PodClaims) -> VolumePlan:
    """The plan of the pod, made again only when storage changed or another pod was asked about since."""
    last: dict[Pod, VolumePlan] = cluster.static("last volume plan", dict)
    plan = last.get(pod)
    if plan is None:
        last.clear()
        plan = last[pod] = _plan(cluster, claims)
    return plan


def _plan(cluster: Cluster, claims: PodClaims) -> VolumePlan:
    """Mirrors FindPodVolumes, for every node."""
    plan = VolumePlan(np.zeros(len(cluster), np.int64))
    _check_bound(cluster, claims.bound, plan)
    if not claims.delayed:
        return plan
    plan.selected = tuple(claim for claim in claims.delayed if SELECTED_NODE in claim.annotations)
    unselected = (claim for claim in claims.delayed if SELECTED_NODE not in claim.annotations)
    plan.to_match = tuple(sorted(unselected, key=lambda claim: claim.requests.get(STORAGE, 0)))
    alive = np.ones(len(cluster), np.bool_)
    for claim in plan.selected:
        alive[np.array([name != claim.annotations[SELECTED_NODE] for name in cluster.names], np.bool_)] = False
    plan.bits[~alive] |= NO_VOLUME
    _match(cluster, plan)
    _provision(cluster, plan, alive)
    return plan


def _check_bound(cluster: Cluster, claims: Sequence[PersistentVolumeClaim], plan: VolumePlan) -> None:
    """The first claim that a node cannot serve decides its reason. Mirrors checkBoundClaims."""
    open_rows = np.ones(len(cluster), np.bool_)
    for claim in claims:
        volume = cluster.volumes.get(claim.volume_name)
        if volume is None:
            plan.bits[open_rows] |= MISSING
            return
        reached = _reach(cluster, volume)
        if reached is not None:
            plan.bits[open_rows & ~reached] |= UNREACHED
            open_rows &= reached


def _reach(cluster: Cluster, volume: PersistentVolume) -> NDArray[np.bool_] | None:
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


def _mask(cluster: Cluster, terms: tuple[NodeSelectorTerm, ...] | None) -> NDArray[np.bool_] | None:
    rows = matching_rows(cluster, terms)
    if rows is None:
        return None
    mask = np.zeros(len(cluster), np.bool_)
    mask[rows] = True
    return mask


def _match(cluster: Cluster, plan: VolumePlan) -> None:
    """Find a volume for each claim on each node, smallest claim first. Mirrors findMatchingVolumes."""
    taken: dict[str, NDArray[np.bool_]] = {}
    for claim in plan.to_match:
        chosen = np.full(len(cluster), NONE, np.int64)
        reserved, available = candidates(cluster, claim)
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


def _free_rows(cluster: Cluster, volume: PersistentVolume, taken: dict[str, NDArray[np.bool_]], decided: NDArray[np.bool_]) -> Rows:
    rows = matching_rows(cluster, volume.node_affinity)
    if rows is None:
        rows = np.arange(len(cluster))
    rows = rows[~decided[rows]]
    held = taken.get(volume.name)
    return rows if held is None else rows[~held[rows]]


def _provision(cluster: Cluster, plan: VolumePlan, alive: NDArray[np.bool_]) -> None:
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
        plan.bits[asking & ~makes] |= NO_VOLUME
        room = _room(cluster, storage_class, claim)
        spacious = np.ones(len(cluster), np.bool_) if room is None else room != NONE
        plan.bits[asking & makes & ~spacious] |= NO_SPACE
        alive &= ~asking | (makes & spacious)
        if room is not None:
            plan.rooms[claim.key] = room


def _provisioned_rows(cluster: Cluster, storage_class: StorageClass) -> NDArray[np.bool_]:
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


def _room(cluster: Cluster, storage_class: StorageClass, claim: PersistentVolumeClaim) -> NDArray[np.int64] | None:
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
