"""Which volumes a claim could be bound to. Mirrors FindMatchingVolume of component-helpers/storage/volume.

The one rule: nodes are not asked here; where a volume can be reached is for the caller to say.
"""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import PersistentVolume, PersistentVolumeClaim
from scheduler_core.api.selectors import label_selector_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.storage import is_bound_to

STORAGE: Final = "storage"
"""The one resource of volumes and claims: bytes."""


def candidates(cluster: Cluster, claim: PersistentVolumeClaim) -> tuple[list[PersistentVolume], list[PersistentVolume]]:
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
