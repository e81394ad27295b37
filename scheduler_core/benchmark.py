"""The workloads that kube-scheduler's own algorithm was measured on, run the same way: cycles in process, one pod after another.

The one rule: the engine runs as it always does, without a trace; only the clock of the caller is read.
Mirrors the workloads of docs/benchmark.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.scenario import scenario_from_document
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.configuration import profiles_of
from scheduler_core.preemption.evaluator import Evaluator
from scheduler_core.scheduler.cycle import Scheduler

WORKLOADS: Final = ("basic", "spread", "antiaffinity", "preempt")
DEFAULT_PODS: Final = {"basic": 2000, "spread": 2000, "antiaffinity": 2000, "preempt": 500}
ZONES: Final = 3
RUNNING_EACH: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The outcome of a workload; ``latencies`` in seconds, one for each pod."""

    workload: str
    nodes: int
    latencies: tuple[float, ...]
    seconds: float

    def document(self) -> dict[str, Any]:
        """The line that ``bench`` prints."""
        ordered = sorted(self.latencies)
        return {
            "workload": self.workload,
            "nodes": self.nodes,
            "pods": len(ordered),
            "seconds": round(self.seconds, 4),
            "pods_per_s": round(len(ordered) / self.seconds, 1) if self.seconds else None,
            "p50_ms": round(1000 * _quantile(ordered, 0.50), 3),
            "p99_ms": round(1000 * _quantile(ordered, 0.99), 3),
        }


def run(workload: str, nodes: int, pods: int | None, now: Callable[[], float], *, running_each: int = RUNNING_EACH) -> Measured:
    """Schedule the workload's pods; ``now`` is a monotonic clock in seconds.

    ``running_each``: pods on each node of ``preempt``, which together ask for 3,600m whatever their number.
    """
    count = pods if pods is not None else _default_pods(workload, nodes)
    objects = [*_nodes(nodes), *(_running(nodes, running_each) if workload == "preempt" else ())]
    pending = [_pod(workload, k) for k in range(count)]
    scenario = scenario_from_document({"objects": [*objects, *pending]})
    cluster = Cluster(scenario.objects[: len(objects)])
    infos = [cluster.info_of(pod) for pod in scenario.objects[len(objects) :]]  # type: ignore[arg-type]
    configuration = profiles_of(None, {})
    profile = configuration.profiles["default-scheduler"]
    scheduler = Scheduler(cluster, profile)
    assert profile.preemption is not None
    evaluator = Evaluator(cluster, profile.preemption)
    latencies = []
    start = now()
    for info in infos:
        began = now()
        _schedule(cluster, scheduler, evaluator, info)
        latencies.append(now() - began)
    return Measured(workload=workload, nodes=nodes, latencies=tuple(latencies), seconds=now() - start)


def _schedule(cluster: Cluster, scheduler: Scheduler, evaluator: Evaluator, info: PodInfo) -> None:
    result = scheduler.schedule(info)
    if result.host is not None:
        cluster.add_pod(info, cluster.names[result.host])
        return
    preemption = evaluator.preempt(result)
    if not preemption.chosen:
        raise RuntimeError(f"{info.key} found no place: {result.fit_error or result.error} {preemption.message}")
    for victim in preemption.victims:
        cluster.forget(victim)
    cluster.add_pod(info, preemption.chosen)


def _default_pods(workload: str, nodes: int) -> int:
    if workload in ("antiaffinity", "preempt"):
        return min(nodes, DEFAULT_PODS[workload])
    return DEFAULT_PODS[workload]


def _nodes(count: int) -> Iterator[dict[str, Any]]:
    room = {"cpu": "4", "memory": "32Gi", "pods": "110"}
    for k in range(count):
        name = f"node-{k:05d}"
        labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{k % ZONES}"}
        status = {"allocatable": room, "capacity": room}
        yield {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": {}, "status": status}


def _running(nodes: int, each: int) -> Iterator[dict[str, Any]]:
    """Pods on each node, each with a start time of its own."""
    for k in range(nodes * each):
        started = f"2026-01-{1 + k // 86400:02d}T{k // 3600 % 24:02d}:{k // 60 % 60:02d}:{k % 60:02d}Z"
        spec = {"nodeName": f"node-{k // each:05d}", "priority": 0, "containers": [_container(f"{3600 // each}m")]}
        metadata = {"name": f"low-{k}", "namespace": "default", "uid": f"low-{k}", "labels": {"app": "low"}}
        yield {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Running", "startTime": started}}


def _pod(workload: str, number: int) -> dict[str, Any]:
    metadata = {"name": f"pod-{number}", "namespace": "default", "uid": f"pod-{number}", "labels": {"app": workload}}
    spec: dict[str, Any] = {"containers": [_container("3" if workload == "preempt" else "100m")]}
    selector = {"matchLabels": {"app": workload}}
    match workload:
        case "spread":
            constraint = {"maxSkew": 5, "topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": "DoNotSchedule"}
            spec["topologySpreadConstraints"] = [{**constraint, "labelSelector": selector}]
        case "antiaffinity":
            term = {"labelSelector": selector, "topologyKey": "kubernetes.io/hostname"}
            spec["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
        case "preempt":
            spec["priority"] = 1000
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}


def _container(cpu: str) -> dict[str, Any]:
    return {"name": "c", "image": "registry.example/app:1", "resources": {"requests": {"cpu": cpu, "memory": "500Mi"}}}


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
