"""Small clusters for tests of extenders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.api.scenario import scenario_from_document
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo


def node(name: str, cpu: str = "4", **labels: str) -> dict[str, Any]:
    """A Node."""
    allocatable = {"cpu": cpu, "memory": "8Gi", "pods": "10"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "status": {"allocatable": allocatable}}


def pod(name: str, cpu: str = "1", on: str = "", priority: int = 0, **requests: str) -> dict[str, Any]:
    """A Pod, bound when ``on`` names a node; further requests by resource name with ``__`` for a slash and ``_`` for a dot."""
    extended = {key.replace("__", "/").replace("_", "."): value for key, value in requests.items()}
    spec: dict[str, Any] = {
        "priority": priority,
        "containers": [
            {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu, "memory": "1Gi", **extended}, "limits": extended}}
        ],
    }
    if on:
        spec["nodeName"] = on
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default", "uid": f"uid-{name}"}, "spec": spec}


class Bench:
    """A cluster with its pending pods by name."""

    def __init__(self, *objects: Mapping[str, Any]) -> None:
        scenario = scenario_from_document({"objects": list(objects)})
        self.cluster = Cluster(scenario.objects)
        self.pending = {o.name: self.cluster.info_of(o) for o in scenario.objects if type(o).__name__ == "Pod" and not o.node_name}  # type: ignore[union-attr]

    def bound(self, name: str) -> PodInfo:
        """A pod on a node."""
        return self.cluster.known[f"default/{name}"]

    def pods_on(self, name: str) -> list[PodInfo] | None:
        """The pods on a node, as preemption tells an extender."""
        row = self.cluster.row_of.get(name)
        return None if row is None else [self.cluster.pods.infos[slot] for slot in self.cluster.pods_on[row]]
