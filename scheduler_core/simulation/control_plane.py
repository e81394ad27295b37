"""What an API server and the kubelets do with requests: create, update, bind, evict, delete.

The one rule: every request is carried out here in full, so that a script, a person and the scheduler meet the same rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from scheduler_core.api.objects import Condition, KubeObject, Pod
from scheduler_core.kubelet.kubelet import SCHEDULED, Kubelet
from scheduler_core.simulation.clock import VirtualClock
from scheduler_core.simulation.world import World, key_of

ORPHAN_GRACE_MS: Final = 40_000
"""How long a node must be gone before its pods are removed."""
PREEMPTED: Final = "PreemptionByScheduler"


class ControlPlaneObserver(Protocol):
    """Told of what happens to pods outside the scheduler."""

    def terminating(self, pod: Pod, until: int) -> None:
        """The pod was deleted and goes at ``until``, in milliseconds."""

    def gone(self, pod: Pod) -> None:
        """The pod is no more."""

    def written(self, verb: str, item: KubeObject) -> None:
        """A controller or the scheduler created or updated an object that is no pod."""


class ControlPlane:
    """The world, its kubelets and its clock."""

    def __init__(self, world: World, kubelet: Kubelet, clock: VirtualClock, observer: ControlPlaneObserver) -> None:
        self.world = world
        self._kubelet = kubelet
        self._clock = clock
        self._observer = observer

    def apply(self, item: KubeObject) -> None:
        """Create or replace an object; what only a status says of a known pod is kept."""
        if isinstance(item, Pod):
            item = self._with_status(item)
        self.world.put(item)

    def write(self, item: KubeObject) -> None:
        """Create or replace an object for a controller or the scheduler."""
        self._observer.written(self.world.put(item).verb, item)

    def delete(self, kind: str, key: str) -> None:
        """Delete an object; a bound pod takes its grace period."""
        pod = self.world.pods.get(key) if kind == "Pod" else None
        if pod is None:
            self.world.remove(kind, key)
            if kind == "Node":
                self._abandon(key)
            return
        if pod.deletion_timestamp is not None:
            return
        if not pod.node_name or pod.termination_grace_period_seconds <= 0:
            self._remove(pod)
            return
        end = self._kubelet.terminate(pod)
        pod = replace(pod, deletion_timestamp=self._clock.epoch + end // 1000)
        self.world.put(pod)
        self._observer.terminating(pod, end)

    def bind(self, key: str, node: str) -> bool:
        """Bind a pending pod, which then runs at once; False when it is gone or bound elsewhere."""
        pod = self.world.pods.get(key)
        if pod is None or pod.node_name:
            return False
        conditions = (*(c for c in pod.conditions if c.type != SCHEDULED.type), SCHEDULED)
        bound = replace(pod, node_name=node, nominated_node_name="", conditions=conditions)
        self.world.put(bound)
        self.world.put(self._kubelet.started(bound))
        return True

    def evict(self, key: str, *, by: str) -> bool:
        """Preempt a pod: say so in its status and delete it; False when it is gone."""
        message = f"{by}: preempting to accommodate a higher priority pod"
        condition = Condition(type="DisruptionTarget", status="True", reason=PREEMPTED, message=message)
        if self.world.set_condition(key, condition) is None:
            return False
        self.delete("Pod", key)
        return True

    def reap(self) -> bool:
        """Let the next pod go whose grace period is over; False when there is none."""
        key = self._kubelet.next_gone()
        pod = self.world.pods.get(key) if key else None
        if pod is not None:
            self._remove(pod)
        return key is not None

    def _abandon(self, node: str) -> None:
        """The node is gone, and its kubelet with it: garbage collection removes its pods. Mirrors pkg/controller/podgc."""
        for pod in self.world.pods.values():
            if pod.node_name == node:
                self._kubelet.expect(pod, self._clock.now + ORPHAN_GRACE_MS)

    def _remove(self, pod: Pod) -> None:
        self._kubelet.forget(pod.key)
        self.world.remove("Pod", pod.key)
        self._observer.gone(pod)

    def _with_status(self, pod: Pod) -> Pod:
        known = self.world.pods.get(key_of(pod))
        if known is None:
            return pod if not pod.node_name or pod.start_time is not None else self._kubelet.started(pod)
        return replace(
            pod,
            node_name=pod.node_name or known.node_name,
            phase=known.phase,
            start_time=known.start_time,
            nominated_node_name=known.nominated_node_name,
            conditions=known.conditions,
            deletion_timestamp=known.deletion_timestamp,
            creation_timestamp=known.creation_timestamp if pod.creation_timestamp is None else pod.creation_timestamp,
        )
