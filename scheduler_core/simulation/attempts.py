"""One scheduling attempt after another: take a pod out, try to place it, and carry out what was decided.

The one rule: what goes to the API server in the background (binding, asynchronous preemption) arrives when no pod is left to
try, or a number of attempts later, because a scheduler is faster than its API calls. Mirrors schedule_one.go and the last step of
framework/preemption.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from scheduler_core.api.objects import Condition, KubeObject, Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import Extender
from scheduler_core.framework.interface import Profile
from scheduler_core.plugins.volume_binding import assume_volumes
from scheduler_core.preemption.evaluator import PreemptionResult
from scheduler_core.queue.events import ASSIGNED_POD_DELETE
from scheduler_core.queue.nominator import Nominating
from scheduler_core.queue.queued import QueuedPod
from scheduler_core.queue.scheduling_queue import Gate, SchedulingQueue
from scheduler_core.scheduler.binding import bind_by_extenders
from scheduler_core.scheduler.cycle import NO_NODES, CycleResult
from scheduler_core.simulation.control_plane import ControlPlane
from scheduler_core.simulation.infos import PodInfos
from scheduler_core.simulation.profiles import ProfileRun
from scheduler_core.simulation.world import with_condition

UNSCHEDULABLE: Final = "Unschedulable"
SCHEDULER_ERROR: Final = "SchedulerError"
REQUEST_ATTEMPTS: Final = 16
"""How many attempts a scheduler makes while a request of the background travels."""
PREEMPTING: Final = "waiting for the preemption for this pod to be finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How an attempt ended without a node."""

    reason: str
    message: str
    plugins: frozenset[str]
    nominating: Nominating | None


class AttemptObserver(Protocol):
    """Told of every step of every attempt."""

    def started(self, queued: QueuedPod, info: PodInfo) -> None:
        """The pod was taken out of the queue."""

    def cycled(self, result: CycleResult) -> None:
        """Filter, score and selection are done."""

    def assumed(self, key: str, node: str) -> None:
        """The pod counts as placed."""

    def preempting(self, result: PreemptionResult) -> None:
        """Preemption was evaluated."""

    def nominated(self, result: PreemptionResult) -> None:
        """Preemption has begun for the pod."""

    def failed(self, queued: QueuedPod, failure: Failure, node: str) -> None:
        """The attempt ended without a node; the pod is nominated to ``node`` or to none."""

    def bound(self, key: str, node: str) -> None:
        """The pod is bound."""

    def bind_failed(self, key: str, node: str, error: str) -> None:
        """The pod could not be bound."""

    def evicted(self, by: str, victim: Pod, node: str) -> None:
        """The victim was deleted."""

    def nomination_cleared(self, by: str, key: str, node: str) -> None:
        """A lower-priority pod lost its nomination to the node."""


class Attempts:
    """The scheduling loop's body."""

    def __init__(
        self,
        cluster: Cluster,
        control_plane: ControlPlane,
        infos: PodInfos,
        profiles: Mapping[str, ProfileRun],
        observer: AttemptObserver,
        *,
        extenders: Sequence[Extender],
        asynchronous: bool,
    ) -> None:
        self._cluster = cluster
        self._control_plane = control_plane
        self._infos = infos
        self._profiles = profiles
        self._observer = observer
        self._extenders = extenders
        self._asynchronous = asynchronous
        self._next_start = 0
        """where the next search for nodes starts, whichever profile makes it"""
        self._preempting: set[str] = set()
        self._later: deque[tuple[int, Callable[[], None]]] = deque()
        self.count = 0

    def gate(self, pod: Pod) -> Gate | None:
        """PreEnqueue: scheduling gates, and a preemption that is under way."""
        profile = self._profiles[pod.scheduler_name].profile
        if pod.scheduling_gates and profile.runs("SchedulingGates", "preEnqueue"):
            return Gate("SchedulingGates", f"waiting for scheduling gates: [{' '.join(pod.scheduling_gates)}]")
        if pod.key in self._preempting and profile.runs("DefaultPreemption", "preEnqueue"):
            return Gate("DefaultPreemption", PREEMPTING)
        return None

    def run_one(self, queue: SchedulingQueue) -> bool:
        """Try the next pod; False when none is there to try."""
        queued = queue.pop()
        if queued is None:
            return False
        profile = self._profiles[queued.pod.scheduler_name]
        info = self._infos.of(queued.pod)
        self.count += 1
        self._observer.started(queued, info)
        profile.scheduler.next_start = self._next_start
        result = profile.scheduler.schedule(info)
        self._next_start = profile.scheduler.next_start
        self._observer.cycled(result)
        if result.host is not None:
            self._assume(queue, queued, profile.profile, info, self._cluster.names[result.host])
            return True
        failure = self._failure(profile, result)
        self._give_back(queue, queued, failure)
        return True

    def run_later(self, *, overdue: bool = False) -> bool:
        """Let the oldest request in the background reach the API server; False when there is none, or none ``overdue``."""
        if not self._later or (overdue and self.count - self._later[0][0] < REQUEST_ATTEMPTS):
            return False
        self._later.popleft()[1]()
        return True

    def _send(self, request: Callable[[], None]) -> None:
        self._later.append((self.count, request))

    # ---- placed --------------------------------------------------------------------------------------------------

    def _assume(self, queue: SchedulingQueue, queued: QueuedPod, profile: Profile, info: PodInfo, node: str) -> None:
        queue.nominator.delete(info.key)
        self._cluster.add_pod(info, node)
        storage = self._reserve(profile, info.pod, node)
        self._observer.assumed(info.key, node)
        self._send(lambda: self._bind(queue, queued, info, node, storage))

    def _reserve(self, profile: Profile, pod: Pod, node: str) -> tuple[KubeObject, ...]:
        """The claims and volumes that change with the pod; the scheduler counts on them at once, as its cache does."""
        if not pod.volumes or not profile.runs("VolumeBinding", "filter") or not profile.runs("VolumeBinding", "reserve"):
            return ()
        changed = assume_volumes(self._cluster, pod, node).objects
        for item in changed:
            self._cluster.set_object(item)
        return changed

    def _bind(self, queue: SchedulingQueue, queued: QueuedPod, info: PodInfo, node: str, storage: tuple[KubeObject, ...]) -> None:
        queue.done(info.key)
        for item in storage:
            self._control_plane.write(item)
        binding = bind_by_extenders(self._extenders, info, node)
        error = binding.error if binding is not None else ""
        if not error and self._control_plane.bind(info.key, node):
            self._observer.bound(info.key, node)
            return
        self._undo(queue, queued, info, node, error or f'pods "{info.pod.name}" not found')

    def _undo(self, queue: SchedulingQueue, queued: QueuedPod, info: PodInfo, node: str, error: str) -> None:
        """The pod was counted on a node and could not be bound there. Mirrors handleBindingCycleError."""
        self._observer.bind_failed(info.key, node, error)
        assumed = replace(info.pod, node_name=node)
        self._cluster.remove_pod(info.key)
        queue.move_all(ASSIGNED_POD_DELETE, assumed, None)
        self._give_back(queue, queued, Failure(reason=SCHEDULER_ERROR, message=error, plugins=frozenset(), nominating=Nominating("")))

    # ---- not placed ----------------------------------------------------------------------------------------------

    def _failure(self, profile: ProfileRun, result: CycleResult) -> Failure:
        clear = Nominating("")
        if result.error:
            return Failure(reason=SCHEDULER_ERROR, message=result.error, plugins=frozenset(), nominating=clear)
        if result.fit_error == NO_NODES:
            return Failure(reason=UNSCHEDULABLE, message=NO_NODES, plugins=frozenset(), nominating=clear)
        plugins = frozenset(result.diagnosis.plugins)
        if profile.evaluator is None:
            return Failure(reason=UNSCHEDULABLE, message=result.fit_error, plugins=plugins, nominating=None)
        live = self._control_plane.world.pods.get(result.pod.key)
        if live is not None:
            result.pod.pod = live
        preemption = profile.evaluator.preempt(result)
        self._observer.preempting(preemption)
        message, nominating = self._outcome(preemption)
        text = f"{result.fit_error} preemption: {message}" if message else result.fit_error
        return Failure(reason=UNSCHEDULABLE, message=text, plugins=plugins, nominating=nominating)

    def _outcome(self, preemption: PreemptionResult) -> tuple[str, Nominating | None]:
        """What preemption adds to the message, and what becomes of the nomination; carries it out when it found a node."""
        if preemption.error:
            return preemption.error, None
        if not preemption.chosen:
            keeps = not preemption.eligibility.eligible or bool(preemption.candidates)
            return preemption.message, None if keeps else Nominating("")
        self._prepare(preemption)
        return "", Nominating(preemption.chosen)

    def _give_back(self, queue: SchedulingQueue, queued: QueuedPod, failure: Failure) -> None:
        live = self._control_plane.world.pods.get(queued.key)
        if live is None or live.node_name:
            queue.done(queued.key)
            return
        seen = queued.pod
        queued.unschedulable_plugins = set(failure.plugins)
        queued.pod = live
        where = failure.nominating.node if failure.nominating else live.nominated_node_name
        self._observer.failed(queued, failure, where)
        queue.add_unschedulable(queued)
        queue.nominator.add(live, failure.nominating)
        self._patch(seen, failure)

    def _patch(self, seen: Pod, failure: Failure) -> None:
        """Write what differs from the pod as the attempt saw it, which may be older than the pod is."""
        condition = Condition(type="PodScheduled", status="False", reason=failure.reason, message=failure.message)
        fields: dict[str, Any] = {}
        if condition not in seen.conditions:
            live = self._control_plane.world.pods[seen.key]
            fields["conditions"] = with_condition(live.conditions, condition)
        if failure.nominating is not None and failure.nominating.node != seen.nominated_node_name:
            fields["nominated_node_name"] = failure.nominating.node
        if fields:
            self._control_plane.world.update_pod(seen.key, **fields)

    # ---- preemption, step 5 --------------------------------------------------------------------------------------

    def _prepare(self, preemption: PreemptionResult) -> None:
        """Mirrors prepareCandidate and prepareCandidateAsync."""
        if not self._asynchronous:
            for victim in preemption.victims:
                self._evict(preemption, victim)
            self._clear_lower(preemption)
            self._observer.nominated(preemption)
            return
        self._observer.nominated(preemption)
        victims = [victim for victim in preemption.victims if not victim.is_terminating]
        if victims:
            self._preempting.add(preemption.pod.key)
            self._send(lambda: self._carry_out(preemption, victims))

    def _carry_out(self, preemption: PreemptionResult, victims: Sequence[PodInfo]) -> None:
        self._clear_lower(preemption)
        *others, last = victims
        for victim in others:
            self._evict(preemption, victim)
        # the gate opens before the last victim is deleted, so that the pod cannot miss that deletion
        self._preempting.discard(preemption.pod.key)
        self._evict(preemption, last)

    def _evict(self, preemption: PreemptionResult, victim: PodInfo) -> None:
        live = self._control_plane.world.pods.get(victim.key)
        if live is None or live.deletion_timestamp is not None:
            return
        self._observer.evicted(preemption.pod.key, live, preemption.chosen)
        self._control_plane.evict(victim.key, by=preemption.pod.pod.scheduler_name)

    def _clear_lower(self, preemption: PreemptionResult) -> None:
        pod, node = preemption.pod, preemption.chosen
        for other in self._cluster.nominator.on(node):
            # a nomination that the scheduler has yet to see in the pod's status cannot be taken out of it
            if other.priority < pod.priority and other.pod.nominated_node_name:
                self._observer.nomination_cleared(pod.key, other.key, node)
                self._control_plane.world.update_pod(other.key, nominated_node_name="")
