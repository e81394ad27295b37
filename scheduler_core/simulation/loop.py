"""A run: objects, then time, until nothing more would happen.

The one rule: the order is always the same. What somebody did is learnt first, then pods are tried, then what the scheduler
asked of the API server in the background arrives, then controllers react; and only when all of it is done does time move on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from scheduler_core.api.objects import KubeObject, Node, Pod, PodDisruptionBudget
from scheduler_core.api.scenario import Operation, Scenario
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.configuration import profiles_of
from scheduler_core.extenders import extenders_of, ignored_resources
from scheduler_core.framework.extender import Extender
from scheduler_core.kubelet.kubelet import Kubelet
from scheduler_core.queue.hints import HintMap
from scheduler_core.queue.nominator import PodNominator
from scheduler_core.queue.queued import QueuedPod
from scheduler_core.queue.scheduling_queue import FLUSH_PERIOD_MS, SchedulingQueue
from scheduler_core.simulation.attempts import REQUEST_ATTEMPTS, Attempts
from scheduler_core.simulation.clock import SECOND, VirtualClock
from scheduler_core.simulation.control_plane import ControlPlane
from scheduler_core.simulation.informers import Informers
from scheduler_core.simulation.infos import PodInfos
from scheduler_core.simulation.narrator import Narrator
from scheduler_core.simulation.profiles import profile_runs
from scheduler_core.simulation.seed import Seed
from scheduler_core.simulation.settings import ASYNC_PREEMPTION, plugins_of, queue_settings
from scheduler_core.simulation.surroundings import Surroundings
from scheduler_core.simulation.world import UPDATED, Change, World
from scheduler_core.trace.recorder import Recorder

AFTER_OPERATION_MS: Final = 1
"""How long each operation of the timeline takes."""
DEFAULT_EPOCH: Final = 1_767_225_600
"""The first second of 2026, for objects that state no time."""
HOPELESS_ERRORS: Final = 5
"""A pod that failed by errors so often in a row keeps no run alive."""


TOLD: Final[dict[type, int]] = {Node: 0, Pod: 2, PodDisruptionBudget: 3}
"""In which order objects are told at the start: nodes before the pods on them, budgets after the pods that they cover."""


class Engine:
    """Everything of a run but its events: the world, the scheduler, and the passing of time."""

    def __init__(
        self,
        scenario: Scenario,
        recorder: Recorder,
        *,
        epoch: int,
        extenders: Sequence[Extender] | None = None,
        controllers: bool = True,
        versions: bool = True,
        detail: bool = True,
        seed: Seed | None = None,
    ) -> None:
        self.clock = VirtualClock(epoch)
        self.world = World()
        self.cluster = Cluster()
        self.narrator = Narrator(recorder, self.cluster, self.world, self.clock, detail=detail)
        self.kubelet = Kubelet(self.clock)
        self.control_plane = ControlPlane(self.world, self.kubelet, self.clock, self.narrator)
        self._infos = PodInfos(self.cluster)
        gates = scenario.feature_gates
        asked: Sequence[Extender] = extenders_of(scenario.extenders) if extenders is None else extenders
        configuration = profiles_of(scenario.config, gates, ignored_resources=ignored_resources(scenario.extenders))
        self.profiles = profile_runs(self.cluster, configuration, asked, seed=seed, trace=recorder.enabled and detail)
        self.attempts = Attempts(
            self.cluster,
            self.control_plane,
            self._infos,
            self.profiles,
            self.narrator,
            extenders=asked,
            asynchronous=gates.get(ASYNC_PREEMPTION, True),
        )
        nominator = PodNominator(self.cluster.nominator, live=self.world.pods.get, info_of=self._infos.of)
        hints = HintMap({name: plugins_of(run.profile, extenders=bool(asked)) for name, run in self.profiles.items()})
        self.queue = SchedulingQueue(
            clock=self.clock,
            hints=hints,
            pre_enqueue=self.attempts.gate,
            nominator=nominator,
            observer=self.narrator,
            settings=queue_settings(configuration, gates),
        )
        self.narrator.queue = self.queue
        self._informers = Informers(self.cluster, self.queue, self._infos, self.profiles, versions=versions)
        self._changed_at = 0
        """when anything but the status of a waiting pod last changed"""
        self._reaped_after = 0
        """how many attempts had been made when a pod last went"""
        self._surroundings = (
            Surroundings(self.control_plane, self.cluster, self.narrator, self.clock, seed or Seed(0)) if controllers else None
        )

    # ---- objects -------------------------------------------------------------------------------------------------

    def set_up(self, objects: Sequence[KubeObject]) -> Iterator[None]:
        """Put the scenario's objects into the world, object by object; pending pods queue in order at the end."""
        for item in objects:
            self.world.put(item)
        while self.world.next_change() is not None:
            pass
        self.cluster.add_all(self.world)
        self._infos.adopt()
        pods = list(self.world.pods.values())
        if self._surroundings is not None:
            self._surroundings.set_up()
        for item in sorted(self.world, key=lambda item: TOLD.get(type(item), 1)):
            self.narrator.object("created", "setup", item, self._covered_by(item))
            yield
        for pod in pods:
            if pod.deletion_timestamp is not None and pod.node_name:
                end = max(pod.deletion_timestamp - self.clock.epoch, 1) * SECOND
                self.kubelet.expect(pod, end)
                self.narrator.terminating(pod, end)
            self.narrator.about(pod.key)
            self._informers.enlist(pod)
            yield

    def operate(self, operation: Operation, index: int) -> None:
        """Carry out one operation of the timeline."""
        prefix, world = f"t{index}", self.world
        known = world.of_kind(operation.kind)
        key = f"{operation.namespace}/{operation.name}" if operation.namespace else operation.name
        if operation.object is None:
            if key not in known:
                return
            self.narrator.quiet()
            if operation.kind != "Pod":
                self.narrator.deleted(prefix, operation.kind, operation.namespace, operation.name)
            self.control_plane.delete(operation.kind, key)
            return
        verb = "updated" if key in known else "created"
        item = operation.object if self._surroundings is None else self._surroundings.admitted(operation.object)
        self.control_plane.apply(item)
        self.narrator.object(verb, prefix, known[key], self._covered_by(known[key]))

    # ---- an instant ----------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """What time alone does at a whole second."""
        self.narrator.quiet()
        self._reaped_after = self.attempts.count
        self.queue.flush_backoff()
        if self.clock.now % FLUSH_PERIOD_MS == 0:
            self.queue.flush_unschedulable()

    def step(self) -> bool:
        """Do the next thing of this instant; False when nothing is left to do."""
        change = self.world.next_change()
        if change is not None:
            self._learn(change)
            return True
        if self.attempts.run_later(overdue=True):
            return True
        if self._is_reap_overdue() and self._reap():
            return True
        if self.attempts.run_one(self.queue):
            return True
        if self.attempts.run_later():
            return True
        if self._surroundings is not None and self._surroundings.react():
            return True
        return self._reap()

    def next_instant(self) -> int | None:
        """The next whole second, in milliseconds, at which time alone does something; None when it never will."""
        instants = [self.queue.next_flush(), self.kubelet.next_end(), self._next_due()]
        seconds = [-(-instant // SECOND) * SECOND for instant in instants if instant is not None]
        return max(min(seconds), (self.clock.now // SECOND + 1) * SECOND) if seconds else None

    def is_settled(self) -> bool:
        """Whether nothing is left to do, and time alone would only try the same pods in vain again."""
        if len(self.queue.active) or self.kubelet.next_end() is not None or self._next_due() is not None:
            return False
        return all(self._is_hopeless(queued) for queued in self.queue.backoff)

    def _is_hopeless(self, queued: QueuedPod) -> bool:
        """Whether the pod failed by errors again and again, the last time after anything had changed."""
        return queued.consecutive_errors >= HOPELESS_ERRORS and queued.timestamp > self._changed_at

    # ---- inside --------------------------------------------------------------------------------------------------

    def _learn(self, change: Change) -> None:
        if change.verb != UPDATED or change.kind != "Pod" or change.new.node_name:
            self._changed_at = self.clock.now
        self._informers.handle(change)
        if self._surroundings is not None:
            self._surroundings.learn(change)

    def _reap(self) -> bool:
        """Let the next pod go whose time has come; like any request, that is seen some attempts later by a busy scheduler."""
        end = self.kubelet.next_end()
        if end is None or end > self.clock.now:
            return False
        self.narrator.quiet()
        self._reaped_after = self.attempts.count
        return self.control_plane.reap()

    def _is_reap_overdue(self) -> bool:
        return self.attempts.count - self._reaped_after >= REQUEST_ATTEMPTS

    def _next_due(self) -> int | None:
        return None if self._surroundings is None else self._surroundings.next_due()

    def _covered_by(self, item: KubeObject) -> Sequence[Pod]:
        return () if self._surroundings is None else self._surroundings.covered_by(item)


def epoch_of(objects: Sequence[KubeObject]) -> int:
    """The Unix time at which a run of the objects starts: no time that any of them states is later."""
    times: list[int] = []
    for item in objects:
        if isinstance(item, Pod):
            times += [time for time in (item.creation_timestamp, item.start_time) if time is not None]
        elif isinstance(item, Node) and item.creation_timestamp is not None:
            times.append(item.creation_timestamp)
    return max(times, default=DEFAULT_EPOCH)
