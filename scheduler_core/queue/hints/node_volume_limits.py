"""NodeVolumeLimits: a pod that goes and used attachable volumes, a detached volume, a new CSINode or the missing claim may help.

Mirrors plugins/nodevolumelimits.
"""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import PersistentVolumeClaim, Pod, VolumeAttachment
from scheduler_core.cluster.csi_migration import MIGRATIONS
from scheduler_core.queue.events import POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration
from scheduler_core.queue.hints.volumes import ATTACHMENT, CLAIM, CSI_NODE, MIGRATABLE, all_claims

_ATTACHABLE: Final = MIGRATABLE | {"persistentVolumeClaim", "ephemeral"}


def after_pod_deleted(_pod: Pod, old: Pod, _new: None) -> bool:
    """The pod that goes was on a node and had volumes that are attached there."""
    return bool(old.node_name) and any(volume.source in _ATTACHABLE for volume in old.volumes)


def after_claim_added(pod: Pod, _old: None, new: PersistentVolumeClaim) -> bool:
    """The pod uses the new claim."""
    return new.namespace == pod.namespace and new.name in all_claims(pod)


def after_attachment_deleted(pod: Pod, old: VolumeAttachment, _new: None) -> bool:
    """The pod has a claim, or a volume of the driver that detached one."""
    sources = {volume.source for volume in pod.volumes}
    return "persistentVolumeClaim" in sources or any(
        MIGRATIONS[source].driver == old.attacher for source in sources if source in MIGRATIONS
    )


REGISTRATIONS: Final = (
    Registration(ClusterEvent(CSI_NODE, Action.ADD)),
    Registration(ClusterEvent(POD, Action.DELETE), after_pod_deleted),
    Registration(ClusterEvent(CLAIM, Action.ADD), after_claim_added),
    Registration(ClusterEvent(ATTACHMENT, Action.DELETE), after_attachment_deleted),
)
