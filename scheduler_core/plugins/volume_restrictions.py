"""VolumeRestrictions: disks that only one pod may write, claims that only one pod may use. Mirrors plugins/volumerestrictions.

The ledger has two columns: pairs of volumes on the node that cannot be mounted together, and uses of the pod's
ReadWriteOncePod claims. The second is counted over the whole cluster, so that only taking off the pod that uses the claim
makes it zero; as upstream, a pod taken off counts by the name of its claims alone, whatever its namespace.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.objects import Pod, Volume
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.cluster.storage import claim_uses
from scheduler_core.framework.interface import ALWAYS_SKIP, SKIP, FilterState, IndexArray, IntArray, PreFilterResult, Verdict
from scheduler_core.framework.status import Code, Status

REASON_DISK: Final = "node(s) had no available disk"
REASON_CLAIM: Final = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod"
READ_WRITE_ONCE_POD: Final = "ReadWriteOncePod"


@dataclass(frozen=True, slots=True)
class Disk:
    """A volume that pods on one node may not share freely; ``monitors`` are those of an RBD image."""

    identity: tuple[str, ...]
    is_read_only: bool = False
    monitors: frozenset[str] = frozenset()

    def collides(self, other: Disk) -> bool:
        """Whether the two cannot be mounted on one node."""
        if self.identity != other.identity or (self.is_read_only and other.is_read_only):
            return False
        return self.identity[0] != "rbd" or not self.monitors.isdisjoint(other.monitors)


class VolumeIndex:
    """Which claims and disks pods on nodes use."""

    def __init__(self, cluster: Cluster) -> None:
        self.claims: Counter[str] = Counter()
        self.disks: dict[tuple[str, ...], Counter[tuple[int, Disk]]] = defaultdict(Counter)

    def added(self, info: PodInfo, row: int) -> None:
        """Count the pod's claims and disks."""
        self._count(info.pod, row, 1)

    def removed(self, info: PodInfo, row: int) -> None:
        """Stop counting them."""
        self._count(info.pod, row, -1)

    def _count(self, pod: Pod, row: int, by: int) -> None:
        if not pod.volumes:
            return
        for name in _claim_names(pod):
            self.claims[f"{pod.namespace}/{name}"] += by
        for disk in _disks(pod):
            held = self.disks[disk.identity]
            held[row, disk] += by
            if not held[row, disk]:
                del held[row, disk]


@dataclass(frozen=True, slots=True)
class VolumeRestrictions:
    """The plugin; it has no arguments."""

    name: str = "VolumeRestrictions"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Refuse a pod whose claim is missing; skip where no disk and no claim in use can be in the way."""
        if not pod.pod.volumes:
            return ALWAYS_SKIP
        exclusive: set[str] = set()
        for name in _claim_names(pod.pod):
            claim = cluster.claims.get(f"{pod.pod.namespace}/{name}")
            if claim is None:
                return PreFilterResult(status=Status(Code.UNRESOLVABLE, (f'persistentvolumeclaim "{name}" not found',)))
            if READ_WRITE_ONCE_POD in claim.access_modes:
                exclusive.add(name)
        disks = tuple(_disks(pod.pod))
        if not disks and not exclusive:
            return SKIP
        index: VolumeIndex = cluster.index(VolumeIndex)
        in_use = sum(index.claims[f"{pod.pod.namespace}/{name}"] > 0 for name in exclusive)
        if not disks and not in_use:
            return SKIP
        collisions = np.zeros(len(cluster), np.int64)
        for disk in disks:
            for (row, other), count in index.disks.get(disk.identity, {}).items():
                if disk.collides(other):
                    collisions[row] += count
        return PreFilterResult(_State(disks, frozenset(exclusive), collisions, in_use))


class _State(FilterState):
    width = 2

    def __init__(self, disks: tuple[Disk, ...], exclusive: frozenset[str], collisions: IntArray, in_use: int) -> None:
        self._disks = disks
        self._exclusive = exclusive
        self._collisions = collisions
        self._in_use = in_use

    def usage(self, rows: IndexArray) -> IntArray:
        return np.stack([self._collisions[rows], np.full(len(rows), self._in_use, np.int64)], axis=1)

    def weigh(self, pods: PodBatch) -> IntArray:
        weights = np.zeros((len(pods), 2), np.int64)
        for k, info in enumerate(pods.infos):
            if info.pod.volumes:
                weights[k, 0] = sum(mine.collides(other) for other in _disks(info.pod) for mine in self._disks)
                weights[k, 1] = sum(name in self._exclusive for name in _claim_names(info.pod))
        return weights

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        ids = np.where(usage[:, 0] > 0, 1, np.where(usage[:, 1] > 0, 2, 0)).astype(np.int32)
        if not ids.any():
            return None
        return Verdict(ids, ((Code.UNSCHEDULABLE, (REASON_DISK,)), (Code.UNSCHEDULABLE, (REASON_CLAIM,))))


def _claim_names(pod: Pod) -> Iterator[str]:
    """Only claims that the pod names: those of ephemeral volumes are its own."""
    return (use.name for use in claim_uses(pod) if not use.is_ephemeral)


def _disks(pod: Pod) -> Iterator[Disk]:
    return (disk for disk in map(_disk, pod.volumes) if disk is not None)


def _disk(volume: Volume) -> Disk | None:
    spec = volume.spec
    is_read_only = bool(spec.get("readOnly"))
    match volume.source:
        case "gcePersistentDisk":
            return Disk(("gce", str(spec.get("pdName") or "")), is_read_only)
        case "awsElasticBlockStore":
            return Disk(("aws", str(spec.get("volumeID") or "")))
        case "iscsi":
            return Disk(("iscsi", str(spec.get("iqn") or "")), is_read_only)
        case "rbd":
            monitors = frozenset(str(monitor) for monitor in spec.get("monitors") or ())
            return Disk(("rbd", str(spec.get("pool") or "rbd"), str(spec.get("image") or "")), is_read_only, monitors)
    return None
