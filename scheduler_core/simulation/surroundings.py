"""The controllers around the scheduler, told of every change and asked to act when nothing else is left to do.

The one rule: they act through the control plane like everybody else, and in a fixed order: budgets, storage, taints, workloads.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.admission.priority import Priorities
from scheduler_core.api.findings import Findings
from scheduler_core.api.objects import Condition, KubeObject, Node, Pod, PodDisruptionBudget, Workload
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.controllers.disruption import DisruptionController, scale_in
from scheduler_core.controllers.taint_eviction import TaintEviction
from scheduler_core.controllers.volumes import concerns_storage, reconcile_volumes
from scheduler_core.controllers.workloads import KINDS, WorkloadControllers
from scheduler_core.simulation.clock import VirtualClock
from scheduler_core.simulation.control_plane import ControlPlane
from scheduler_core.simulation.narrator import Narrator
from scheduler_core.simulation.seed import Seed
from scheduler_core.simulation.world import DELETED, Change, key_of

TAINT_MANAGER = Condition(
    type="DisruptionTarget",
    status="True",
    reason="DeletionByTaintManager",
    message="Taint manager: deleting due to NoExecute taint",
)


class Surroundings:
    """Every controller of a run."""

    def __init__(self, control_plane: ControlPlane, cluster: Cluster, narrator: Narrator, clock: VirtualClock, seed: Seed) -> None:
        self._control_plane = control_plane
        self._world = control_plane.world
        self._cluster = cluster
        self._narrator = narrator
        self._disruption = DisruptionController(scale_in(cluster.workloads))
        self._taints = TaintEviction(lambda: clock.now)
        self._workloads = WorkloadControllers(seed.draw)
        self._written: dict[str, PodDisruptionBudget] = {}
        """budgets as the disruption controller last wrote them"""
        self._storage_due = False
        """whether the storage controllers may have something to do"""

    def set_up(self) -> None:
        """What the controllers did before the run began; what is left to do they do in its first instant."""
        pods = list(self._world.pods.values())
        self._settle_storage(pods)
        for key, budget in self._world.budgets.items():
            self._disruption.budget_changed(key, budget, pods)
        for budget in self._disruption.reconcile():
            self._write(budget)
            self._cluster.set_object(budget)
        for name, node in self._world.nodes.items():
            self._node_changed(name, node)
        for kind in KINDS:
            for key, workload in self._world.of_kind(kind).items():
                self._workloads.workload_changed(kind, key, workload, ())
        for pod in pods:
            self._workloads.pod_changed(pod.key, pod)
            self._taints.pod_changed(pod.key, pod)
        while self._world.next_change() is not None:
            pass

    def learn(self, change: Change) -> None:
        """An object changed."""
        self._storage_due = self._storage_due or concerns_storage(change.kind, change.new)
        if change.kind == "Pod":
            pod: Pod | None = None if change.verb == DELETED else change.new
            self._disruption.pod_changed(change.key, pod)
            self._taints.pod_changed(change.key, pod)
            self._workloads.pod_changed(change.key, pod)
        elif change.kind == "Node":
            self._node_changed(change.key, change.new)
        elif change.kind == "PodDisruptionBudget":
            if change.new is not self._written.get(change.key):
                self._disruption.budget_changed(change.key, change.new, self._world.pods.values())
        elif change.kind in KINDS:
            workload: Workload | None = change.new
            self._workloads.workload_changed(change.kind, change.key, workload, self._world.pods.values())

    def react(self) -> bool:
        """Let the first controller that has something to do act; False when none has."""
        if not self._disruption.is_idle:
            for budget in self._disruption.reconcile():
                self._write(budget)
                self._narrator.budget(budget, self.covered_by(budget))
            return True
        if self._storage_due:
            self._storage_due = False
            for item in reconcile_volumes(self._cluster, self._world.pods.values()):
                self._control_plane.write(item)
            return True
        if not self._taints.is_idle:
            self._evict()
            return True
        if not self._workloads.is_idle:
            self._scale()
            return True
        return False

    def next_due(self) -> int | None:
        """When time alone makes a controller act, in milliseconds; None when it never does."""
        return self._taints.next_due()

    def covered_by(self, item: KubeObject) -> Sequence[Pod]:
        """The pods that a budget covers now; none for any other object."""
        return self._disruption.covered_by(key_of(item)) if isinstance(item, PodDisruptionBudget) else ()

    def admitted(self, item: KubeObject) -> KubeObject:
        """The object as an API server would store it."""
        if not isinstance(item, Pod):
            return item
        return Priorities(self._world.of_kind("PriorityClass").values(), Findings(strict=False)).admit(item, None)

    # ---- inside --------------------------------------------------------------------------------------------------

    def _node_changed(self, name: str, node: Node | None) -> None:
        self._taints.node_changed(name, node, self._world.pods.values())
        self._workloads.node_changed(name, node)

    def _settle_storage(self, pods: Sequence[Pod]) -> None:
        while written := reconcile_volumes(self._cluster, pods):
            for item in written:
                self._world.put(item)
                self._cluster.set_object(item)

    def _write(self, budget: PodDisruptionBudget) -> None:
        key = key_of(budget)
        if self._world.budgets[key] is not budget:
            self._written[key] = budget
            self._world.put(budget)

    def _evict(self) -> None:
        for pod in self._taints.evictions(self._world.pods.get):
            self._world.set_condition(pod.key, TAINT_MANAGER)
            self._control_plane.delete("Pod", pod.key)

    def _scale(self) -> None:
        for scaling in self._workloads.scale():
            for pod in scaling.create:
                self._control_plane.apply(self.admitted(pod))
                self._narrator.object("created", "workloads", self._world.pods[pod.key], caused=True)
            for key in scaling.delete:
                self._control_plane.delete("Pod", key)
