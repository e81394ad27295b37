"""NodeVolumeLimits: a node attaches no more volumes of a CSI driver than its CSINode allows. Mirrors plugins/nodevolumelimits.

Two pods that share a volume attach it once, so a sum over pods is not enough. The ledger has one column for each driver that
counts volumes which only one pod can use, and one column for each volume that several pods name, which counts those pods:
such a volume is attached while its column is not zero. Volumes that a VolumeAttachment holds on a node count whoever uses them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from scheduler_core.api.objects import CSINode, PersistentVolumeClaim, Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.csi_migration import MIGRATIONS, inline_volume, migrated_plugins, persistent_volume, provisioned_volume
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.cluster.storage import claim_uses
from scheduler_core.framework.interface import ALWAYS_SKIP, FilterState, IndexArray, IntArray, PreFilterResult, Verdict, reject_rows
from scheduler_core.framework.status import Code

REASON: Final = "node(s) exceed max volume count"
NO_LIMIT: Final = np.iinfo(np.int64).max

Attached = tuple[str, str]
"""A volume as (driver, handle)."""


@dataclass(frozen=True, slots=True)
class NodeLimits:
    """What a node's CSINode says: the most volumes by driver, and the in-tree plugins that it has handed over."""

    most: Mapping[str, int]
    migrated: frozenset[str]


class VolumePodIndex:
    """The pods of each row that may attach volumes."""

    def __init__(self, cluster: Cluster) -> None:
        self.pods: dict[int, dict[int, PodInfo]] = {}

    def added(self, info: PodInfo, row: int) -> None:
        """Note the pod if it has such a volume."""
        if _may_attach(info.pod):
            self.pods.setdefault(row, {})[info.slot] = info

    def removed(self, info: PodInfo, row: int) -> None:
        """Forget the pod."""
        self.pods.get(row, {}).pop(info.slot, None)


@dataclass(frozen=True, slots=True)
class NodeVolumeLimits:
    """The plugin; it has no arguments."""

    name: str = "NodeVolumeLimits"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip when the pod attaches nothing."""
        if not pod.pod.volumes or not _may_attach(pod.pod):
            return ALWAYS_SKIP
        missing = next((use for use in claim_uses(pod.pod) if use.key not in cluster.claims), None)
        if missing is not None:
            return PreFilterResult(_Missing(f'looking up PVC {missing.key}: persistentvolumeclaim "{missing.name}" not found'))
        return PreFilterResult(_state(cluster, pod))


class _Missing(FilterState):
    """A claim is not there: no node will do, and no preemption helps."""

    def __init__(self, text: str) -> None:
        self._text = text

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return reject_rows(np.ones(len(rows), np.bool_), Code.UNRESOLVABLE, self._text)


@dataclass(slots=True)
class _State(FilterState):
    """``most`` has for each driver (nodes,) int64; ``wanted`` the pod's volumes by what the node has migrated.

    ``held`` are the volumes of each row that a VolumeAttachment holds there.
    """

    cluster: Cluster
    limits: Mapping[int, NodeLimits]
    wanted: Mapping[frozenset[str], frozenset[Attached]]
    held: Mapping[int, frozenset[Attached]] = field(default_factory=dict)
    columns: dict[Attached, int] = field(default_factory=dict)
    drivers: dict[str, int] = field(default_factory=dict)
    most: dict[str, IntArray] = field(default_factory=dict)
    index: VolumePodIndex | None = None

    @property
    def width(self) -> int:  # type: ignore[override]
        return len(self.drivers) + len(self.columns)

    def usage(self, rows: IndexArray) -> IntArray:
        found = np.zeros((len(rows), self.width), np.int64)
        if self.index is not None and self.width:
            for k, row in enumerate(rows.tolist()):
                for info in self.index.pods.get(row, {}).values():
                    self._count(found[k], info.pod, row)
        return found

    def weigh(self, pods: PodBatch) -> IntArray:
        weights = np.zeros((len(pods), self.width), np.int64)
        if self.width:
            for k, (info, row) in enumerate(zip(pods.infos, pods.rows.tolist(), strict=True)):
                if info.pod.volumes:
                    self._count(weights[k], info.pod, row)
        return weights

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        exceeded = np.zeros(len(rows), np.bool_)
        for driver, column in self.drivers.items():
            attached = usage[:, column] + self._shared(driver, rows, usage) + self._held(driver, rows)
            added = self._added(driver, rows, usage)
            exceeded |= (added > 0) & (attached + added > self.most[driver][rows])
        return reject_rows(exceeded, Code.UNSCHEDULABLE, REASON)

    def _shared(self, driver: str, rows: IndexArray, usage: IntArray) -> IntArray:
        """(rows,) int64: volumes with a column that some pod uses and no VolumeAttachment holds."""
        shared = np.zeros(len(rows), np.int64)
        for volume, column in self.columns.items():
            if volume[0] == driver:
                in_use = usage[:, column] > 0
                if self.held:
                    in_use &= np.array([volume not in self.held.get(row, ()) for row in rows.tolist()], np.bool_)
                shared += in_use
        return shared

    def _held(self, driver: str, rows: IndexArray) -> IntArray:
        """(rows,) int64: volumes of the driver that a VolumeAttachment holds on the row."""
        if not self.held:
            return np.zeros(len(rows), np.int64)
        return np.array([sum(name == driver for name, _ in self.held.get(row, ())) for row in rows.tolist()], np.int64)

    def _added(self, driver: str, rows: IndexArray, usage: IntArray) -> IntArray:
        """(rows,) int64: the pod's volumes of the driver that are not attached yet."""
        added = np.zeros(len(rows), np.int64)
        for migrated, volumes in self.wanted.items():
            here = np.array([row in self.limits and self.limits[row].migrated == migrated for row in rows.tolist()], np.bool_)
            for volume in volumes:
                if volume[0] == driver:
                    column = self.columns.get(volume)
                    added += here if column is None else here & (usage[:, column] == 0)
        return added

    def _count(self, ledger: IntArray, pod: Pod, row: int) -> None:
        limits = self.limits.get(row)
        if limits is None:
            return
        for volume in _known(self.cluster, pod, limits.migrated):
            column = self.columns.get(volume)
            if column is None and volume not in self.held.get(row, ()):
                column = self.drivers.get(volume[0])
            if column is not None:
                ledger[column] += 1


def _state(cluster: Cluster, pod: PodInfo) -> _State:
    limits = cluster.static("volume limits", lambda: _limits(cluster))
    wanted = {migrated: _attached(cluster, pod.pod, migrated) for migrated in {entry.migrated for entry in limits.values()}}
    limited = {driver for entry in limits.values() for driver in entry.most if any(name == driver for name, _ in wanted[entry.migrated])}
    state = _State(cluster, limits, wanted, cluster.static("volume attachments", lambda: _attachments(cluster)))
    if not limited:
        return state
    state.drivers = {driver: column for column, driver in enumerate(sorted(limited))}
    for driver in state.drivers:
        column = state.most[driver] = np.full(len(cluster), NO_LIMIT, np.int64)
        for row, entry in limits.items():
            if driver in entry.most:
                column[row] = entry.most[driver]
    state.index = cluster.index(VolumePodIndex)
    users: Counter[Attached] = Counter(volume for volumes in wanted.values() for volume in volumes)
    for row, info in _others(cluster, state.index):
        if row in limits:
            users.update(_known(cluster, info.pod, limits[row].migrated))
    # whether a pod uses a volume of this pod matters even where its attachment makes it count anyway
    users.update(volume for held in state.held.values() for volume in held if any(volume in volumes for volumes in wanted.values()))
    shared = sorted(volume for volume, count in users.items() if count > 1 and volume[0] in state.drivers)
    state.columns = {volume: len(state.drivers) + k for k, volume in enumerate(shared)}
    return state


def _others(cluster: Cluster, index: VolumePodIndex) -> Iterable[tuple[int, PodInfo]]:
    """Every pod that may stand on a row: those that do, and those nominated to it."""
    for row, pods in index.pods.items():
        for info in pods.values():
            yield row, info
    for node in cluster.nominator.nodes():
        row = cluster.row_of.get(node, -1)
        for info in cluster.nominator.on(node):
            yield row, info


def _attachments(cluster: Cluster) -> dict[int, frozenset[Attached]]:
    """By row; only those of CSI volumes count. Mirrors getNodeVolumeAttachmentInfo."""
    found: dict[int, set[Attached]] = {}
    for attachment in cluster.attachments.values():
        volume = cluster.volumes.get(attachment.volume_name)
        row = cluster.row_of.get(attachment.node_name)
        if row is not None and attachment.attacher and volume is not None and volume.source == "csi":
            found.setdefault(row, set()).add((attachment.attacher, str(volume.source_spec.get("volumeHandle") or "")))
    return {row: frozenset(volumes) for row, volumes in found.items()}


def _limits(cluster: Cluster) -> dict[int, NodeLimits]:
    """By row; nodes without any limit have no entry."""
    found = {}
    for row, name in enumerate(cluster.names):
        node = cluster.csi_nodes.get(name)
        most = _most(node)
        if most:
            found[row] = NodeLimits(most, migrated_plugins(node))
    return found


def _most(node: CSINode | None) -> dict[str, int]:
    return {} if node is None else {driver.name: driver.count for driver in node.drivers if driver.count is not None}


def _may_attach(pod: Pod) -> bool:
    return any(volume.source in ("persistentVolumeClaim", "ephemeral") or volume.source in MIGRATIONS for volume in pod.volumes)


def _known(cluster: Cluster, pod: Pod, migrated: frozenset[str]) -> frozenset[Attached]:
    return cluster.static(("attached", pod, migrated), lambda: _attached(cluster, pod, migrated))


def _attached(cluster: Cluster, pod: Pod, migrated: frozenset[str]) -> frozenset[Attached]:
    """The volumes that the pod attaches to a node, each once. Mirrors filterAttachableVolumes.

    A claim that is not there counts for nothing: it may never have been the node's.
    """
    found: set[Attached] = set()
    for use in claim_uses(pod):
        claim = cluster.claims.get(use.key)
        if claim is not None:
            volume = _of_claim(cluster, claim, migrated)
            if volume is not None and all(volume):
                found.add(volume)
    for written in pod.volumes:
        volume = inline_volume(written, migrated)
        if volume is not None:
            found.add(volume)
    return frozenset(found)


def _of_claim(cluster: Cluster, claim: PersistentVolumeClaim, migrated: frozenset[str]) -> Attached | None:
    """Mirrors getCSIDriverInfo: an unbound claim stands for a volume of its own, by the driver of its class."""
    volume = cluster.volumes.get(claim.volume_name) if claim.volume_name else None
    if volume is not None:
        return persistent_volume(volume, migrated)
    storage_class = cluster.storage_classes.get(claim.storage_class_name or "")
    if storage_class is None:
        return None
    return provisioned_volume(storage_class.provisioner, migrated), f"claim {claim.key}"
