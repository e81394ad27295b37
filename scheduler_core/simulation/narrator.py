"""Tells the recorder what happens: the listener of the queue, of the attempts and of the control plane.

The one rule: it only tells; nothing here decides anything, and without a recorder that is enabled it does nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from scheduler_core.api.objects import KubeObject, Pod, PodDisruptionBudget, kind_of
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.preemption.evaluator import PreemptionResult
from scheduler_core.preemption.report import PreemptionReport
from scheduler_core.queue.queued import QueuedPod
from scheduler_core.queue.scheduling_queue import BACKOFF, GATED, Advice, SchedulingQueue, Strategy
from scheduler_core.scheduler.cycle import CycleResult
from scheduler_core.scheduler.report import report_cycle
from scheduler_core.simulation.attempts import Failure
from scheduler_core.simulation.clock import SECOND, VirtualClock
from scheduler_core.simulation.views import view_of
from scheduler_core.simulation.world import World
from scheduler_core.trace.recorder import Recorder

EVICTION: Final = "eviction"


class Narrator:
    """Records events; ``queue`` is set once the queue exists, which needs its listener first."""

    queue: SchedulingQueue

    def __init__(self, recorder: Recorder, cluster: Cluster, world: World, clock: VirtualClock, *, detail: bool) -> None:
        self._recorder = recorder
        self._cluster = cluster
        self._world = world
        self._clock = clock
        self._enabled = recorder.enabled
        self._detail = recorder.enabled and detail
        """whether the reasons of decisions are told, and not only the decisions"""
        self._times: Counter[str] = Counter()
        self._cycle = 0
        self._cause: int | None = None
        self._entered: dict[str, int] = {}
        """The event that last put a pod in a queue."""
        self._cycle_of: dict[str, tuple[str, int]] = {}
        """For a pod: the path of its last cycle, and the last event of that cycle."""
        self._created: dict[str, int] = {}
        """The event that created a pending pod."""
        self.evicted_keys: list[str] = []

    def _record(self, kind: str, path: str, data: dict[str, Any], **rest: Any) -> int:
        self._recorder.now = self._clock.seconds
        rest.setdefault("cause", self._cause)
        return self._recorder.record(kind, path, data, **rest)

    def _once(self, path: str) -> str:
        """The path itself the first time, with a number after it from then on."""
        self._times[path] += 1
        count = self._times[path]
        return path if count == 1 else f"{path}/{count}"

    # ---- the run -------------------------------------------------------------------------------------------------

    def run_started(self, *, engine: str, models: str, seed: int, counts: dict[str, int], profiles: list[str], warnings: list[str]) -> None:
        """The first event of a run."""
        data = {
            "engine": engine,
            "models": models,
            "seed": seed,
            "counts": counts,
            "epoch": datetime.fromtimestamp(self._clock.epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "profiles": profiles,
            "warnings": warnings,
        }
        self._record("run.started", "start", data, args={"nodes": counts["nodes"], "pods": counts["pods"]}, cause=None)

    def limit_reached(self, limit: str, value: float | None) -> None:
        """The run ends before it has settled."""
        self._record("run.limit_reached", "limit", {"limit": limit, "value": value}, args={"limit": limit}, cause=None)

    def run_finished(self, reason: str) -> None:
        """The last event of a run."""
        pods = self._world.pods.values()
        bound = sum(bool(pod.node_name) for pod in pods)
        counts = {
            "bound": bound,
            "pending": len(pods) - bound,
            "evicted": len(self.evicted_keys),
            "cycles": self._cycle,
            "nodes": len(self._world.nodes),
            "pods": len(pods),
        }
        args = {name: counts[name] for name in ("bound", "pending", "evicted")}
        self._record("run.finished", "end", {"counts": counts, "reason": reason}, args=args, cause=None)

    # ---- objects -------------------------------------------------------------------------------------------------

    def object(self, verb: str, prefix: str, item: KubeObject, covered: Iterable[Pod] = (), *, caused: bool = False) -> None:
        """An object was created or updated; it is the cause of what follows.

        ``covered`` are the pods of a budget; ``caused`` says that it follows from what was told last.
        """
        if not self._enabled:
            return
        if not caused:
            self._cause = None
        seq = self._cause = self._object(verb, prefix, item, covered)
        if isinstance(item, Pod) and not item.node_name:
            self._created[item.key] = seq

    def budget(self, item: PodDisruptionBudget, covered: Iterable[Pod]) -> None:
        """A budget's number or pods changed; this is no cause of anything in the queue."""
        if self._enabled:
            self._object("updated", "budgets", item, covered)

    def written(self, verb: str, item: KubeObject) -> None:
        """See ControlPlaneObserver; like a budget, a claim or volume is the cause of nothing in the queue."""
        if self._enabled:
            self._object(verb, "storage", item, ())

    def _object(self, verb: str, prefix: str, item: KubeObject, covered: Iterable[Pod]) -> int:
        kind, namespace = kind_of(item), getattr(item, "namespace", "")
        data = {
            "kind": kind,
            "namespace": namespace,
            "name": item.name,
            "object": dict(item.manifest),
            "view": view_of(item, covered, self._clock.epoch),
        }
        path = self._once(f"{prefix}/{kind}/{namespace}/{item.name}" if namespace else f"{prefix}/{kind}/{item.name}")
        return self._record(f"object.{verb}", path, data, args={"kind": kind, "name": item.name})

    def deleted(self, prefix: str, kind: str, namespace: str, name: str) -> None:
        """An object is no more; it is the cause of what follows."""
        if not self._enabled:
            return
        data = {"kind": kind, "namespace": namespace, "name": name}
        path = self._once(f"{prefix}/{kind}/{namespace}/{name}" if namespace else f"{prefix}/{kind}/{name}")
        self._cause = self._record("object.deleted", path, data, args={"kind": kind, "name": name}, cause=None)

    def about(self, key: str) -> None:
        """What follows is caused by the creation of a pending pod."""
        self._cause = self._created.get(key)

    def quiet(self) -> None:
        """What follows has no cause but time."""
        self._cause = None

    # ---- queue ---------------------------------------------------------------------------------------------------

    def moved(self, queued: QueuedPod, came_from: str | None, to: str, event: str, advice: Advice) -> None:
        """See QueueObserver."""
        if not self._enabled:
            return
        pod = queued.key
        until = self.queue.until(queued)
        rejectors = sorted(queued.rejectors)
        retried = advice.strategy is not Strategy.SKIP and bool(advice.plugin)
        data = {
            "pod": pod,
            "from": came_from,
            "to": to,
            "event": event,
            "plugin": advice.plugin or (queued.gating_plugin if to == GATED else ""),
            "hint": "Queue" if retried else "QueueSkip" if advice.asked else "",
            "until": None if until is None else until / SECOND,
            "attempts": queued.attempts,
            "plugins": rejectors,
        }
        self._times[f"queue/{pod}"] += 1
        path = f"queue/{pod}/{self._times[f'queue/{pod}']}"
        args = {"pod": pod, "from": came_from or "", "to": to, "event": event, "plugin": data["plugin"], "plugins": rejectors}
        args["until"] = data["until"]
        self._entered[pod] = self._record("queue.moved", path, data, variant=_variant_of(came_from, to, retried), args=args)

    def skipped(self, queued: QueuedPod, where: str, event: str, advice: Advice) -> None:
        """See QueueObserver."""
        if not self._detail:
            return
        pod = queued.key
        self._times[f"queue/{pod}/skip"] += 1
        path = f"queue/{pod}/skip/{self._times[f'queue/{pod}/skip']}"
        data = {"pod": pod, "event": event, "plugins": list(advice.asked), "in": where}
        self._record("queue.skipped", path, data, args={"pod": pod, "event": event, "plugins": list(advice.asked)})

    # ---- attempts ------------------------------------------------------------------------------------------------

    def started(self, queued: QueuedPod, info: PodInfo) -> None:
        """See AttemptObserver."""
        self._cycle += 1
        if not self._enabled:
            return
        pod = queued.key
        data = {
            "pod": pod,
            "cycle": self._cycle,
            "attempt": queued.attempts,
            "priority": info.priority,
            "profile": info.pod.scheduler_name,
            "nominated": self._cluster.nominator.node_of(pod) or info.pod.nominated_node_name or None,
            "requests": dict(info.requests),
            "from": queued.popped_from,
        }
        args = {"pod": pod, "priority": info.priority, "attempt": queued.attempts}
        self._cause = self._record("cycle.started", f"c{self._cycle}", data, args=args, cause=self._entered.get(pod))
        self._cycle_of[pod] = (f"c{self._cycle}", self._cause)

    def cycled(self, result: CycleResult) -> None:
        """See AttemptObserver."""
        if self._detail and self._cause is not None:
            self._recorder.now = self._clock.seconds
            self._cause = report_cycle(self._recorder, self._cluster, result, path=f"c{self._cycle}", cause=self._cause)

    def assumed(self, key: str, node: str) -> None:
        """See AttemptObserver."""
        if not self._enabled:
            return
        path = f"c{self._cycle}"
        cause = self._record("pod.assumed", f"{path}/assume", {"pod": key, "node": node}, args={"pod": key, "node": node})
        self._cycle_of[key] = (path, cause)

    def preempting(self, result: PreemptionResult) -> None:
        """See AttemptObserver."""
        if not self._detail or self._cause is None:
            return
        self._recorder.now = self._clock.seconds
        report = PreemptionReport(self._recorder, self._cluster, result, path=f"c{self._cycle}", epoch=self._clock.epoch)
        self._cause = report.record(self._cause)
        self._cycle_of[result.pod.key] = (f"c{self._cycle}", self._cause)

    def nominated(self, result: PreemptionResult) -> None:
        """See AttemptObserver."""
        if not self._enabled:
            return
        path, cause = self._cycle_of[result.pod.key]
        data = {
            "pod": result.pod.key,
            "node": result.chosen,
            "victims": [victim.key for victim in result.victims],
            "decided_by": result.pick.decided_by if result.pick else "",
        }
        args = {"pod": result.pod.key, "node": result.chosen}
        self._record("preemption.nominated", f"{path}/nominated", data, args=args, phase=EVICTION, cause=cause)

    def failed(self, queued: QueuedPod, failure: Failure, node: str) -> None:
        """See AttemptObserver."""
        if not self._enabled:
            return
        data = {
            "pod": queued.key,
            "reason": failure.reason,
            "message": failure.message,
            "plugins": sorted(failure.plugins),
            "nominated": node or None,
        }
        variant = "error" if failure.reason == "SchedulerError" else ""
        args = {"pod": queued.key, "message": failure.message}
        self._cause = self._record("cycle.failed", f"c{self._cycle}/fail", data, variant=variant, args=args)

    def bound(self, key: str, node: str) -> None:
        """See AttemptObserver."""
        if not self._enabled:
            return
        path, cause = self._cycle_of[key]
        start = self._world.pods[key].start_time
        data = {"pod": key, "node": node, "start_time": None if start is None else start - self._clock.epoch}
        self._cause = self._record("pod.bound", f"{path}/bind", data, args={"pod": key, "node": node}, cause=cause)

    def bind_failed(self, key: str, node: str, error: str) -> None:
        """See AttemptObserver."""
        if not self._enabled:
            return
        path, cause = self._cycle_of[key]
        args = {"pod": key, "node": node, "error": error}
        self._cause = self._record("pod.bind_failed", f"{path}/bind", dict(args), args=args, cause=cause)

    def evicted(self, by: str, victim: Pod, node: str) -> None:
        """See AttemptObserver."""
        self.evicted_keys.append(victim.key)
        if not self._enabled:
            return
        path, cause = self._cycle_of[by]
        grace = victim.termination_grace_period_seconds
        data = {"pod": by, "victim": victim.key, "node": node, "grace": grace, "how": "deleted"}
        args = {"victim": victim.key, "node": node, "grace": grace}
        where = f"{path}/evict/{victim.key}"
        self._cause = self._record("preemption.victim_deleted", where, data, args=args, phase=EVICTION, cause=cause)

    def nomination_cleared(self, by: str, key: str, node: str) -> None:
        """See AttemptObserver."""
        if not self._enabled:
            return
        path, cause = self._cycle_of[by]
        data = {"pod": by, "node": node, "cleared": key, "by": by}
        args = {"cleared": key, "node": node}
        self._cause = self._record("preemption.nomination_cleared", f"{path}/clear/{key}", data, args=args, phase=EVICTION, cause=cause)

    # ---- pods that go --------------------------------------------------------------------------------------------

    def terminating(self, pod: Pod, until: int) -> None:
        """See ControlPlaneObserver."""
        if not self._enabled:
            return
        grace = pod.termination_grace_period_seconds
        data = {"pod": pod.key, "node": pod.node_name, "grace": grace, "until": until / SECOND}
        args = {"pod": pod.key, "node": pod.node_name, "grace": grace}
        self._record("pod.terminating", self._once(f"pod/{pod.key}/terminating"), data, args=args)

    def gone(self, pod: Pod) -> None:
        """See ControlPlaneObserver."""
        if not self._enabled:
            return
        data = {"pod": pod.key, "node": pod.node_name or None}
        args = {"pod": pod.key, "node": pod.node_name}
        self._cause = self._record("pod.gone", self._once(f"pod/{pod.key}/gone"), data, args=args)


def _variant_of(came_from: str | None, to: str, retried: bool) -> str:
    """Which sentence fits the move."""
    if came_from is None:
        return "new"
    if came_from == "scheduling" and to != BACKOFF:
        return "failed"
    if retried and came_from != "scheduling":
        return "event"
    return "backoff" if to == BACKOFF else ""
