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
from scheduler_core.controllers.disruption import DisruptionController, scale_in
from scheduler_core.controllers.volumes import concerns_storage, reconcile_volumes
from scheduler_core.extenders.rules import extenders_of
from scheduler_core.framework.extender import Extender
from scheduler_core.kubelet.kubelet import Kubelet
from scheduler_core.preemption.evaluator import Evaluator
from scheduler_core.queue.hints import HintMap
from scheduler_core.queue.nominator import PodNominator
from scheduler_core.queue.scheduling_queue import FLUSH_PERIOD_MS, SchedulingQueue
from scheduler_core.scheduler.cycle import Scheduler
from scheduler_core.simulation.attempts import Attempts, ProfileRun
from scheduler_core.simulation.clock import SECOND, VirtualClock
from scheduler_core.simulation.control_plane import ControlPlane
from scheduler_core.simulation.informers import Informers
from scheduler_core.simulation.infos import PodInfos
from scheduler_core.simulation.narrator import Narrator
from scheduler_core.simulation.seed import Seed
from scheduler_core.simulation.settings import ASYNC_PREEMPTION, RunLimits, plugins_of, queue_settings
from scheduler_core.simulation.world import DELETED, Change, World, key_of
from scheduler_core.trace.recorder import Recorder

AFTER_OPERATION_MS: Final = 1
"""How long each operation of the timeline takes."""
HOPELESS_ERRORS: Final = 5
"""A pod that failed by errors so often in a row keeps no run alive."""


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
        seed: Seed | None = None,
    ) -> None:
        self.clock = VirtualClock(epoch)
        self.world = World()
        self.cluster = Cluster()
        self.narrator = Narrator(recorder, self.cluster, self.world, self.clock)
        self.kubelet = Kubelet(self.clock)
        self.control_plane = ControlPlane(self.world, self.kubelet, self.clock, self.narrator)
        self._infos = PodInfos(self.cluster)
        gates = scenario.feature_gates
        configuration = profiles_of(scenario.config, gates)
        asked: Sequence[Extender] = extenders_of(scenario.extenders) if extenders is None else extenders
        profiles = {
            name: ProfileRun(
                Scheduler(
                    self.cluster,
                    profile,
                    asked,
                    configuration.percentage_of_nodes_to_score,
                    draw=seed.draw(f"host/{name}") if seed else None,
                ),
                None
                if profile.preemption is None
                else Evaluator(
                    self.cluster,
                    profile.preemption,
                    asked,
                    draw_offset=seed.draw(f"offset/{name}") if seed else None,
                    draw_tie=seed.draw(f"tie/{name}") if seed else None,
                    trace=recorder.enabled,
                ),
            )
            for name, profile in configuration.profiles.items()
        }
        self.profiles = profiles
        self.attempts = Attempts(
            self.cluster,
            self.control_plane,
            self._infos,
            profiles,
            self.narrator,
            asynchronous=gates.get(ASYNC_PREEMPTION, True),
        )
        nominator = PodNominator(self.cluster.nominator, live=self.world.pods.get, info_of=self._infos.of)
        hints = HintMap({name: plugins_of(run.scheduler.profile, extenders=bool(asked)) for name, run in profiles.items()})
        self.queue = SchedulingQueue(
            clock=self.clock,
            hints=hints,
            pre_enqueue=self.attempts.gate,
            nominator=nominator,
            observer=self.narrator,
            settings=queue_settings(scenario.config, gates),
        )
        self.narrator.queue = self.queue
        self._informers = Informers(self.cluster, self.queue, self._infos, profiles, versions=versions)
        self._written: dict[str, PodDisruptionBudget] = {}
        """budgets as the disruption controller last wrote them"""
        self._disruption = DisruptionController(scale_in(self.cluster.workloads)) if controllers else None
        self._storage_due = False
        """whether the storage controllers may have something to do"""

    # ---- objects -------------------------------------------------------------------------------------------------

    def set_up(self, objects: Sequence[KubeObject]) -> None:
        """Put the scenario's objects into the world; the table is filled at once, pending pods queue in order."""
        for item in objects:
            self.world.put(item)
        while self.world.next_change() is not None:
            pass
        self.cluster.add_all(self.world)
        self._infos.adopt()
        pods = list(self.world.pods.values())
        for pod in pods:
            if pod.deletion_timestamp is not None and pod.node_name:
                self.kubelet.expect(pod, max(pod.deletion_timestamp - self.clock.epoch, 0) * SECOND)
        if self._disruption is not None:
            self._settle_storage(pods)
            for key, budget in self.world.budgets.items():
                self._disruption.budget_changed(key, budget, pods)
            self._reconcile()
        for pod in pods:
            self._informers.enlist(pod)

    def operate(self, operation: Operation, index: int) -> None:
        """Carry out one operation of the timeline."""
        prefix, world = f"t{index}", self.world
        key = f"{operation.namespace}/{operation.name}" if operation.namespace else operation.name
        if operation.object is None:
            if key not in world.of_kind(operation.kind):
                return
            pod = world.pods.get(key) if operation.kind == "Pod" else None
            if pod is None:
                self.narrator.deleted(prefix, operation.kind, operation.namespace, operation.name)
            self.control_plane.delete(operation.kind, key)
            return
        verb = "updated" if key_of(operation.object) in world.of_kind(operation.kind) else "created"
        self.control_plane.apply(operation.object)
        stored = world.of_kind(operation.kind)[key]
        self.narrator.object(verb, prefix, stored, world.pods.values() if isinstance(stored, PodDisruptionBudget) else ())

    # ---- an instant ----------------------------------------------------------------------------------------------

    def tick(self) -> None:
        """What time alone does at a whole second."""
        self.narrator.quiet()
        self.queue.flush_backoff()
        if self.clock.now % FLUSH_PERIOD_MS == 0:
            self.queue.flush_unschedulable()

    def step(self) -> bool:
        """Do the next thing of this instant; False when nothing is left to do."""
        change = self.world.next_change()
        if change is not None:
            self._learn(change)
            return True
        if self.attempts.run_one(self.queue):
            return True
        if self.attempts.run_later():
            return True
        if self._disruption is not None and not self._disruption.is_idle:
            self._reconcile()
            return True
        if self._storage_due:
            self._storage_due = False
            for item in reconcile_volumes(self.cluster, self.world.pods.values()):
                self.control_plane.write(item)
            return True
        return self.control_plane.reap()

    def next_instant(self) -> int | None:
        """The next whole second, in milliseconds, at which time alone does something; None when it never will."""
        instants = [self.queue.next_flush(), self.kubelet.next_end()]
        seconds = [-(-instant // SECOND) * SECOND for instant in instants if instant is not None]
        return max(min(seconds), (self.clock.now // SECOND + 1) * SECOND) if seconds else None

    def is_settled(self) -> bool:
        """Whether time alone would change nothing but try the same pods in vain again."""
        if self.kubelet.next_end() is not None:
            return False
        return all(queued.consecutive_errors >= HOPELESS_ERRORS for queued in self.queue.backoff)

    # ---- inside --------------------------------------------------------------------------------------------------

    def _learn(self, change: Change) -> None:
        self._informers.handle(change)
        disruption = self._disruption
        if disruption is None:
            return
        self._storage_due = self._storage_due or concerns_storage(change.kind, change.new)
        if change.kind == "Pod":
            disruption.pod_changed(change.key, None if change.verb == DELETED else change.new)
        elif change.kind == "PodDisruptionBudget" and change.new is not self._written.get(change.key):
            disruption.budget_changed(change.key, change.new, self.world.pods.values())

    def _settle_storage(self, pods: Sequence[Pod]) -> None:
        """What the storage controllers did before the run began."""
        while written := reconcile_volumes(self.cluster, pods):
            for item in written:
                self.control_plane.write(item)
                self.cluster.set_object(item)
        while self.world.next_change() is not None:
            pass

    def _reconcile(self) -> None:
        assert self._disruption is not None, "only runs with controllers come here"
        for budget, changed, pods in self._disruption.reconcile():
            if changed:
                self._written[key_of(budget)] = budget
                self.world.put(budget)
            self.narrator.budget(budget, pods)


def epoch_of(objects: Sequence[KubeObject]) -> int:
    """The Unix time at which a run of the objects starts: no time that any of them states is later."""
    times = [0]
    for item in objects:
        if isinstance(item, Pod):
            times += [time for time in (item.creation_timestamp, item.start_time) if time is not None]
        elif isinstance(item, Node) and item.creation_timestamp is not None:
            times.append(item.creation_timestamp)
    return max(times)


def instants(timeline: Sequence[Operation]) -> Iterator[tuple[int, Operation]]:
    """(milliseconds, operation) in order."""
    for operation in timeline:
        yield round(operation.at * SECOND), operation


__all__ = ["AFTER_OPERATION_MS", "Engine", "RunLimits", "epoch_of", "instants"]
