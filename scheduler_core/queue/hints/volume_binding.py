"""VolumeBinding: changes of claims, volumes, classes, nodes and storage capacity may help. Mirrors plugins/volumebinding."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import CSIDriver, CSINode, CSIStorageCapacity, PersistentVolumeClaim, Pod, StorageClass
from scheduler_core.queue.events import NODE, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration
from scheduler_core.queue.hints.volumes import CLAIM, CSI_DRIVER, CSI_NODE, CSI_STORAGE_CAPACITY, STORAGE_CLASS, VOLUME, all_claims

MIGRATED_PLUGINS: Final = "storage.alpha.kubernetes.io/migrated-plugins"
_CHANGED: Final = Action.ADD | Action.UPDATE


def after_storage_class_change(_pod: Pod, old: StorageClass | None, new: StorageClass) -> bool:
    """The class is new, or allows other topologies."""
    return old is None or old.allowed_topologies != new.allowed_topologies


def after_claim_change(pod: Pod, _old: PersistentVolumeClaim | None, new: PersistentVolumeClaim) -> bool:
    """The pod uses the claim."""
    return new.namespace == pod.namespace and new.name in all_claims(pod)


def after_csi_node_change(_pod: Pod, old: CSINode | None, new: CSINode) -> bool:
    """The CSINode is new, or other in-tree plugins are migrated on it."""
    return old is None or old.annotations.get(MIGRATED_PLUGINS) != new.annotations.get(MIGRATED_PLUGINS)


def after_csi_driver_change(pod: Pod, old: CSIDriver | None, new: CSIDriver) -> bool:
    """A driver of one of the pod's inline volumes stopped tracking capacity."""
    uses = any(volume.source == "csi" and volume.spec.get("driver") == new.name for volume in pod.volumes)
    return uses and old is not None and old.storage_capacity and not new.storage_capacity


def after_csi_storage_capacity_change(_pod: Pod, old: CSIStorageCapacity | None, new: CSIStorageCapacity) -> bool:
    """There is more of it."""
    if old is None:
        return True
    before, after = _limit(old), _limit(new)
    return after is not None and (before is None or after > before)


def _limit(capacity: CSIStorageCapacity) -> int | None:
    return capacity.capacity if capacity.maximum_volume_size is None else capacity.maximum_volume_size


REGISTRATIONS: Final = (
    Registration(ClusterEvent(STORAGE_CLASS, _CHANGED), after_storage_class_change),
    Registration(ClusterEvent(CLAIM, _CHANGED), after_claim_change),
    Registration(ClusterEvent(VOLUME, _CHANGED)),
    Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_LABEL)),
    Registration(ClusterEvent(CSI_NODE, _CHANGED), after_csi_node_change),
    Registration(ClusterEvent(CSI_DRIVER, Action.UPDATE), after_csi_driver_change),
    Registration(ClusterEvent(CSI_STORAGE_CAPACITY, _CHANGED), after_csi_storage_capacity_change),
)
