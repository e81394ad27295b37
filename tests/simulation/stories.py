"""Small clusters as documents, and what became of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.api import scenario_from_document
from scheduler_core.simulation.run import Simulation
from scheduler_core.simulation.settings import RunLimits
from scheduler_core.trace.replay import Replay

Document = dict[str, Any]


def node(name: str, cpu: str = "4", **spec: Any) -> Document:
    """A node with room for pods."""
    allocatable = {"cpu": cpu, "memory": "32Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
        "spec": spec,
        "status": {"allocatable": allocatable, "capacity": allocatable},
    }


def pod(name: str, cpu: str = "1", *, priority: int = 0, on: str = "", grace: int = 30, **more: Any) -> Document:
    """A pod, pending unless it is ``on`` a node; ``labels`` and ``owner`` go to its metadata, everything else to its spec."""
    labels = more.pop("labels", {"app": name})
    owner = more.pop("owner", None)
    containers = [{"name": "c", "image": "registry.example/c", "resources": {"requests": {"cpu": cpu, "memory": "64Mi"}}}]
    spec = {"containers": containers, "priority": priority, "terminationGracePeriodSeconds": grace, **more}
    metadata: Document = {"name": name, "namespace": "default", "uid": f"uid-{name}", "labels": labels}
    if owner:
        metadata["ownerReferences"] = [{"apiVersion": "apps/v1", "kind": owner[0], "name": owner[1], "uid": owner[1], "controller": True}]
    status: Document = {}
    if on:
        spec["nodeName"] = on
        status = {"phase": "Running", "startTime": "2026-01-01T00:00:00Z"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def budget(name: str, app: str, **spec: Any) -> Document:
    """A budget over the pods of an app, without a status."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": app}}, **spec},
    }


def create(at: float, item: Document) -> Document:
    """An operation."""
    return {"at": at, "create": item}


def update(at: float, item: Document) -> Document:
    """An operation."""
    return {"at": at, "update": item}


def delete(at: float, kind: str, name: str) -> Document:
    """An operation."""
    target = {"kind": kind, "name": name}
    return {"at": at, "delete": target if kind == "Node" else {**target, "namespace": "default"}}


class Story:
    """A finished run."""

    def __init__(self, objects: Iterable[Document], timeline: Iterable[Document] = (), *, cycles: int = 2000, **more: Any) -> None:
        document = {"objects": list(objects), "timeline": list(timeline), **more}
        self.simulation = Simulation(scenario_from_document(document), limits=RunLimits(cycles=cycles))
        self.events = [event.document() for event in self.simulation.events()]
        self.replay = Replay(self.events)

    @property
    def result(self) -> Mapping[str, Any]:
        """placements, evicted, pending"""
        return self.replay.result()

    def of(self, kind: str, pod: str = "") -> list[Mapping[str, Any]]:
        """The events of a kind, about one pod if it is named."""
        wanted = f"default/{pod}"
        return [event for event in self.events if event["kind"] == kind and (not pod or event["data"].get("pod") == wanted)]

    def moves(self, pod: str) -> list[tuple[float, str, str]]:
        """(t, queue, event) of every move of a pod."""
        return [(event["t"], event["data"]["to"], event["data"]["event"]) for event in self.of("queue.moved", pod)]

    def bound(self, pod: str) -> tuple[float, str] | None:
        """When and where the pod was bound."""
        found = self.of("pod.bound", pod)
        return (found[-1]["t"], found[-1]["data"]["node"]) if found else None

    def states(self) -> list[Mapping[str, Any]]:
        """The state after every event."""
        replay = Replay()
        states = []
        for event in self.events:
            replay.apply(event)
            states.append(replay.document())
        return states
