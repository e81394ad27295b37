"""VolumeZone: a claim of the pod, a volume with other zones, a late-binding class or a node may help. Mirrors plugins/volumezone."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import PersistentVolume, PersistentVolumeClaim, Pod, StorageClass
from scheduler_core.queue.events import NODE, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration
from scheduler_core.queue.hints.volumes import CLAIM, STORAGE_CLASS, VOLUME, direct_claims

TOPOLOGY_LABELS: Final = (
    "failure-domain.beta.kubernetes.io/zone",
    "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "topology.kubernetes.io/region",
)


def after_storage_class_added(_pod: Pod, _old: None, new: StorageClass) -> bool:
    """The class binds when its first consumer is scheduled."""
    return new.volume_binding_mode == "WaitForFirstConsumer"


def after_claim_change(pod: Pod, _old: PersistentVolumeClaim | None, new: PersistentVolumeClaim) -> bool:
    """The pod uses the claim."""
    return new.namespace == pod.namespace and new.name in direct_claims(pod)


def after_volume_change(_pod: Pod, old: PersistentVolume | None, new: PersistentVolume) -> bool:
    """The volume is new, or in other zones."""
    return old is None or _topologies(old) != _topologies(new)


def _topologies(volume: PersistentVolume) -> list[frozenset[str] | None]:
    values = (volume.labels.get(label) for label in TOPOLOGY_LABELS)
    return [None if value is None else frozenset(value.split("__")) for value in values]


REGISTRATIONS: Final = (
    Registration(ClusterEvent(STORAGE_CLASS, Action.ADD), after_storage_class_added),
    Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_LABEL)),
    Registration(ClusterEvent(CLAIM, Action.ADD | Action.UPDATE), after_claim_change),
    Registration(ClusterEvent(VOLUME, Action.ADD | Action.UPDATE), after_volume_change),
)
