"""Clusters of any size for measuring: nodes of 4 CPU and 32Gi, small pods that run, pods that wait.

The one rule: the same numbers give the same text, so that figures of two days can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ZONES = 3


def nodes(count: int) -> Iterator[dict[str, Any]]:
    """``count`` nodes in three zones, as the workloads of ``scheduler_core bench`` have them."""
    room = {"cpu": "4", "memory": "32Gi", "pods": "110"}
    for k in range(count):
        name = f"node-{k:05d}"
        labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{k % ZONES}"}
        status = {"allocatable": room, "capacity": room}
        yield {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": labels}, "spec": {}, "status": status}


def running(count: int, on: int, *, cpu: str = "900m") -> Iterator[dict[str, Any]]:
    """``count`` pods of priority 0, dealt out over the first ``on`` nodes, each with a start time of its own."""
    for k in range(count):
        started = f"2026-01-{1 + k // 86400:02d}T{k // 3600 % 24:02d}:{k // 60 % 60:02d}:{k % 60:02d}Z"
        status = {"phase": "Running", "startTime": started}
        yield {**_pod(f"low-{k}", cpu, 0, node=f"node-{k % on:05d}"), "status": status}


def waiting(count: int, *, cpu: str = "3", priority: int = 1000) -> Iterator[dict[str, Any]]:
    """``count`` pods that wait for a place."""
    for k in range(count):
        yield {**_pod(f"pod-{k}", cpu, priority), "status": {"phase": "Pending"}}


def document(*parts: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """All of it as a v1 List."""
    return {"apiVersion": "v1", "kind": "List", "items": [item for part in parts for item in part]}


def _pod(name: str, cpu: str, priority: int, *, node: str = "") -> dict[str, Any]:
    resources = {"requests": {"cpu": cpu, "memory": "500Mi"}}
    spec: dict[str, Any] = {"priority": priority, "containers": [{"name": "c", "image": "registry.example/app:1", "resources": resources}]}
    if node:
        spec["nodeName"] = node
    metadata = {"name": name, "namespace": "default", "uid": name, "labels": {"app": "low" if node else "high"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
