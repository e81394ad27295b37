"""What the hints of the volume plugins share: kinds of events, and the claims of a pod."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Pod

CLAIM: Final = "PersistentVolumeClaim"
VOLUME: Final = "PersistentVolume"
STORAGE_CLASS: Final = "StorageClass"
CSI_NODE: Final = "CSINode"
CSI_DRIVER: Final = "CSIDriver"
CSI_STORAGE_CAPACITY: Final = "CSIStorageCapacity"
ATTACHMENT: Final = "VolumeAttachment"

MIGRATABLE: Final = frozenset(
    {"gcePersistentDisk", "awsElasticBlockStore", "azureDisk", "azureFile", "cinder", "vsphereVolume", "portworxVolume"}
)
"""Sources in a pod that a CSI driver takes over."""


def direct_claims(pod: Pod) -> set[str]:
    """The names of the claims that the pod's volumes name."""
    return {volume.spec.get("claimName", "") for volume in pod.volumes if volume.source == "persistentVolumeClaim"}


def all_claims(pod: Pod) -> set[str]:
    """As ``direct_claims``, and the claims made for its ephemeral volumes."""
    return direct_claims(pod) | {f"{pod.name}-{volume.name}" for volume in pod.volumes if volume.source == "ephemeral"}
