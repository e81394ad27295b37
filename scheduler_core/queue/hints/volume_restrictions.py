"""VolumeRestrictions: a pod that goes and used the same volume, or the claim that was missing, may help.

Mirrors plugins/volumerestrictions.
"""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import PersistentVolumeClaim, Pod, Volume
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration
from scheduler_core.queue.hints.volumes import CLAIM, direct_claims


def after_pod_deleted(pod: Pod, old: Pod, _new: None) -> bool:
    """The pod that goes shares a disk or a claim with the waiting pod."""
    if old.namespace != pod.namespace:
        return False
    if any(_conflicts(mine, other) for mine in pod.volumes for other in old.volumes):
        return True
    return bool(direct_claims(pod) & direct_claims(old))


def after_claim_added(pod: Pod, _old: None, new: PersistentVolumeClaim) -> bool:
    """The pod uses the new claim."""
    return new.namespace == pod.namespace and new.name in direct_claims(pod)


def _conflicts(mine: Volume, other: Volume) -> bool:
    if mine.source != other.source:
        return False
    a, b = mine.spec, other.spec
    match mine.source:
        case "gcePersistentDisk":
            return a.get("pdName") == b.get("pdName") and not (a.get("readOnly") and b.get("readOnly"))
        case "awsElasticBlockStore":
            return a.get("volumeID") == b.get("volumeID")
        case "iscsi":
            return a.get("iqn") == b.get("iqn") and not (a.get("readOnly") and b.get("readOnly"))
        case "rbd":
            return _same_image(mine, other) and not (a.get("readOnly") and b.get("readOnly"))
    return False


def _same_image(mine: Volume, other: Volume) -> bool:
    a, b = mine.spec, other.spec
    monitors = set(a.get("monitors") or ()) & set(b.get("monitors") or ())
    return bool(monitors) and a.get("pool", "rbd") == b.get("pool", "rbd") and a.get("image") == b.get("image")


REGISTRATIONS: Final = (
    Registration(ClusterEvent(POD, Action.DELETE), after_pod_deleted),
    Registration(ClusterEvent(NODE, Action.ADD)),
    Registration(ClusterEvent(CLAIM, Action.ADD), after_claim_added),
)
