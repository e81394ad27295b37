"""VolumeBinding: every claim of the pod is bound where the node can reach it, or can be bound or provisioned there.

The one rule: which volume a claim would get is decided for all nodes at once, before any is filtered, so that Filter only
looks up and Reserve finds the same volumes. Pods on nodes do not matter: there is no ledger. Mirrors plugins/volumebinding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.objects import KubeObject, PersistentVolume, PersistentVolumeClaim, Pod
from scheduler_core.cluster.bound_volumes import bound_claim, bound_volume, provisioned
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.cluster.storage import SELECTED_NODE, claim_uses, is_owned_by, not_owned_text
from scheduler_core.cluster.volume_matching import STORAGE
from scheduler_core.cluster.volume_plan import VolumePlan, claims_of, plan_of
from scheduler_core.framework.interface import (
    ALWAYS_SKIP,
    MAX_NODE_SCORE,
    NEVER_SCORES,
    NO_SCORE,
    SKIP,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Reason,
    Verdict,
)
from scheduler_core.framework.status import Code, PluginError, Status

REASON_NODE: Final = "node(s) didn't match PersistentVolume's node affinity"
REASON_NO_VOLUME: Final = "node(s) didn't find available persistent volumes to bind"
REASON_SPACE: Final = "node(s) did not have enough free storage"
REASON_MISSING: Final = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
REASON_IMMEDIATE: Final = "pod has unbound immediate PersistentVolumeClaims"

# In the order in which kube-scheduler gives them: the k-th for the k-th bit of what the plan says is wrong with a node.
REASONS: Final = (REASON_NODE, REASON_NO_VOLUME, REASON_SPACE, REASON_MISSING)
VERDICTS: Final[tuple[Reason, ...]] = tuple(
    (Code.UNRESOLVABLE, tuple(reason for bit, reason in enumerate(REASONS) if bits >> bit & 1)) for bits in range(1, 1 << len(REASONS))
)

# Utilisation in percent and score from 0 to 10, the default where the gate StorageCapacityScoring is on.
DEFAULT_SHAPE: Final = ((0, 10), (100, 0))


@dataclass(frozen=True, slots=True)
class VolumeBinding:
    """The plugin with VolumeBindingArgs; ``shape`` scores nodes and is set only with the gate StorageCapacityScoring."""

    name: str = "VolumeBinding"
    bind_timeout_seconds: int = 600
    shape: tuple[tuple[int, int], ...] | None = None

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Refuse a pod whose claims are missing, lost, going or not yet bound though they should be; skip without claims."""
        if not pod.pod.volumes:
            return ALWAYS_SKIP
        refusal = _refusal(cluster, pod.pod)
        if refusal:
            return PreFilterResult(status=Status(Code.UNRESOLVABLE, (refusal,)))
        claims = claims_of(cluster, pod.pod)
        if not claims.bound and not claims.delayed and not claims.immediate:
            return SKIP
        if claims.immediate:
            return PreFilterResult(status=Status(Code.UNRESOLVABLE, (REASON_IMMEDIATE,)))
        return PreFilterResult(_State(plan_of(cluster, pod.pod, claims)))

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Skip unless nodes are to be scored by the room that volumes would leave."""
        if self.shape is None or not pod.pod.volumes:
            return NEVER_SCORES
        claims = claims_of(cluster, pod.pod)
        if not claims.delayed:
            return NO_SCORE
        return PreScoreResult(_Score(plan_of(cluster, pod.pod, claims), self.shape))


@dataclass(frozen=True, slots=True)
class VolumeChanges:
    """What binding a pod's volumes leaves behind: objects to put in the place of those of the same name, and new volumes."""

    claims: tuple[PersistentVolumeClaim, ...] = ()
    volumes: tuple[PersistentVolume, ...] = ()

    @property
    def objects(self) -> tuple[KubeObject, ...]:
        """Volumes first, then the claims that name them."""
        return (*self.volumes, *self.claims)


def assume_volumes(cluster: Cluster, pod: Pod, node: str) -> VolumeChanges:
    """What becomes of the pod's claims once it is assumed on a node that passed Filter.

    The answer is the state after Reserve, PreBind, the persistent volume controller and the provisioner: claims that a volume
    was found for are bound to it; for the others a volume is made that the node can reach.
    The cluster is not changed: give ``objects`` to :meth:`Cluster.set_object`. Empty for a pod whose claims are all bound.
    Raises PluginError where a claim cannot be bound on this node.
    """
    if not pod.volumes:
        return VolumeChanges()
    refusal = _refusal(cluster, pod)
    if refusal:
        raise PluginError(refusal)
    claims = claims_of(cluster, pod)
    row = cluster.row_of.get(node)
    if not claims.delayed:
        return VolumeChanges()
    if row is None:
        raise PluginError(f'node "{node}" not found')
    plan = plan_of(cluster, pod, claims)
    if plan.bits[row]:
        raise PluginError(f"binding volumes: {', '.join(VERDICTS[plan.bits[row] - 1][1])}")
    found: list[PersistentVolume] = []
    changed: list[PersistentVolumeClaim] = []
    for claim, volume in plan.bindings(row):
        found.append(bound_volume(volume, claim))
        changed.append(bound_claim(claim, volume))
    for claim in plan.provisions(row):
        volume = provisioned(cluster, claim, node)
        found.append(volume)
        changed.append(bound_claim(claim, volume, {SELECTED_NODE: node}))
    return VolumeChanges(tuple(changed), tuple(found))


def _refusal(cluster: Cluster, pod: Pod) -> str:
    """Why a claim cannot be used at all, "" for no reason."""
    for use in claim_uses(pod):
        claim = cluster.claims.get(use.key)
        if claim is None:
            if use.is_ephemeral:
                return f'waiting for ephemeral volume controller to create the persistentvolumeclaim "{use.name}"'
            return f'persistentvolumeclaim "{use.name}" not found'
        if claim.phase == "Lost":
            return f'persistentvolumeclaim "{claim.name}" bound to non-existent persistentvolume "{claim.volume_name}"'
        if claim.deletion_timestamp is not None:
            return f'persistentvolumeclaim "{claim.name}" is being deleted'
        if use.is_ephemeral and not is_owned_by(claim, pod):
            return not_owned_text(claim, pod)
    return ""


class _State(FilterState):
    def __init__(self, plan: VolumePlan) -> None:
        self._bits = plan.bits

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        ids = self._bits[rows].astype(np.int32)
        return Verdict(ids, VERDICTS) if ids.any() else None


# ---- score -----------------------------------------------------------------------------------------------------------


class _Score:
    """How full the volumes or pools would be that a node gives the pod, by class. Mirrors scorer.go."""

    looks_at_pods = True

    def __init__(self, plan: VolumePlan, shape: tuple[tuple[int, int], ...]) -> None:
        self._plan = plan
        self._shape = shape

    def raw(self, rows: IndexArray) -> IntArray:
        return np.array([self._score(row) for row in rows.tolist()], np.int64)

    def normalize(self, raw: IntArray) -> IntArray:
        return raw

    def _score(self, row: int) -> int:
        classes: dict[str, tuple[int, int]] = {}
        for claim, volume in self._plan.bindings(row):
            asked, capacity = classes.get(volume.storage_class_name, (0, 0))
            more = volume.capacity.get(STORAGE, 0)
            classes[volume.storage_class_name] = (asked + claim.requests.get(STORAGE, 0), capacity + more)
        if not classes:
            for claim in self._plan.provisions(row):
                room = self._plan.rooms.get(claim.key)
                if room is not None:
                    name = claim.storage_class_name or ""
                    classes[name] = (classes.get(name, (0, 0))[0] + claim.requests.get(STORAGE, 0), int(room[row]))
        if not classes:
            return 0
        total = sum(self._of_class(asked, capacity) for asked, capacity in classes.values())
        # rounded half up, as Go rounds numbers that are not negative
        return (2 * total + len(classes)) // (2 * len(classes))

    def _of_class(self, asked: int, capacity: int) -> int:
        if capacity == 0 or asked > capacity:
            return self._on_shape(100)
        return self._on_shape(asked * 100 // capacity)

    def _on_shape(self, utilization: int) -> int:
        points = [(at, score * (MAX_NODE_SCORE // 10)) for at, score in self._shape]
        for k, (at, score) in enumerate(points):
            if utilization <= at:
                if k == 0:
                    return score
                before, low = points[k - 1]
                # Go's division cuts towards zero
                rise = (score - low) * (utilization - before)
                step = abs(rise) // (at - before)
                return low + (step if rise >= 0 else -step)
        return points[-1][1]
