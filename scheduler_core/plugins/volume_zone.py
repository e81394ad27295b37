"""VolumeZone: the zone and region labels of bound volumes must be those of the node. Mirrors plugins/volumezone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.objects import PersistentVolume, Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.csi_migration import BETA_REGION, BETA_ZONE, REGION, ZONE
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.cluster.storage import rows_with_label
from scheduler_core.framework.interface import (
    ALWAYS_SKIP,
    SKIP,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    Verdict,
    reject_rows,
)
from scheduler_core.framework.status import Code, Status

REASON: Final = "node(s) had no available volume zone"
LABELS: Final = (BETA_ZONE, BETA_REGION, ZONE, REGION)
STABLE: Final = {BETA_ZONE: ZONE, BETA_REGION: REGION}
"""The label that a node may have in place of the beta one."""
SEVERAL: Final = "__"
"""Stands between the zones of a volume that is in several."""

Topology = tuple[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class VolumeZone:
    """The plugin; it has no arguments."""

    name: str = "VolumeZone"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Refuse a pod whose claims or volumes are missing; skip when no bound volume says where it is."""
        if not pod.pod.volumes:
            return ALWAYS_SKIP
        wanted: set[Topology] = set()
        for volume in pod.pod.volumes:
            if volume.source == "persistentVolumeClaim":
                found = _bound_volume(cluster, pod.pod, str(volume.spec.get("claimName") or ""))
                if isinstance(found, str):
                    return PreFilterResult(status=Status(Code.UNRESOLVABLE, (found,)))
                if found is not None:
                    wanted.update(_topologies(found))
        if not wanted:
            return SKIP
        key = frozenset(wanted)
        return PreFilterResult(_State(cluster.static((self.name, key), lambda: _elsewhere(cluster, key))))


class _State(FilterState):
    def __init__(self, elsewhere: BoolArray) -> None:
        self._elsewhere = elsewhere

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return reject_rows(self._elsewhere[rows], Code.UNRESOLVABLE, REASON)


def _bound_volume(cluster: Cluster, pod: Pod, name: str) -> PersistentVolume | str | None:
    """The volume of a claim, why there is none, or None when it is to be found only once the pod has a node."""
    if not name:
        return "PersistentVolumeClaim had no name"
    claim = cluster.claims.get(f"{pod.namespace}/{name}")
    if claim is None:
        return f'persistentvolumeclaim "{name}" not found'
    if claim.volume_name:
        return cluster.volumes.get(claim.volume_name) or f'persistentvolume "{claim.volume_name}" not found'
    if not claim.storage_class_name:
        return "PersistentVolumeClaim had no pv name and storageClass name"
    storage_class = cluster.storage_classes.get(claim.storage_class_name)
    if storage_class is None:
        return f'storageclass.storage.k8s.io "{claim.storage_class_name}" not found'
    return None if storage_class.volume_binding_mode == "WaitForFirstConsumer" else "PersistentVolume had no name"


def _topologies(volume: PersistentVolume) -> list[Topology]:
    """Label and allowed values; as upstream a label with an empty zone in it is ignored."""
    found = []
    for label in LABELS:
        if label in volume.labels:
            values = frozenset(value.strip() for value in volume.labels[label].split(SEVERAL))
            if "" not in values:
                found.append((label, values))
    return found


def _elsewhere(cluster: Cluster, wanted: frozenset[Topology]) -> BoolArray:
    """(nodes,) bool: nodes with a zone or region, but not that of every volume."""
    wrong = np.zeros(len(cluster), np.bool_)
    for label, values in wanted:
        right = np.zeros(len(cluster), np.bool_)
        labels = [STABLE[label], label] if label in STABLE else [label]
        for known in labels:
            for value, rows in rows_with_label(cluster, known).items():
                right[rows] = value in values
        wrong |= ~right
    return wrong & _somewhere(cluster)


def _somewhere(cluster: Cluster) -> BoolArray:
    placed = np.zeros(len(cluster), np.bool_)
    for label in LABELS:
        for rows in rows_with_label(cluster, label).values():
            placed[rows] = True
    return placed
