"""Nodes that pods are bound to but that nobody gave: named, and made up on request.

The one rule: a node that is made up holds exactly the pods bound to it, with room for nothing but a little: what they request,
rounded up to sizes that machines have.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from scheduler_core.api.objects import KubeObject, Node, Pod
from scheduler_core.api.parse import Parser
from scheduler_core.api.resources import requests_of
from scheduler_core.api.scenario import Scenario

GIB: Final = 1024**3
MADE_UP: Final = "playground/made-up"
"""The annotation that a node which was made up has."""
STANDARD_PODS: Final = 110
FINISHED: Final = ("Succeeded", "Failed")


def missing_nodes(objects: Iterable[KubeObject]) -> tuple[str, ...]:
    """The names of nodes that pods are bound to and that are not among the objects, sorted."""
    objects = tuple(objects)
    given = {value.name for value in objects if type(value) is Node}
    return tuple(sorted({value.node_name for value in objects if type(value) is Pod and value.node_name} - given))


def with_missing_nodes(scenario: Scenario) -> Scenario:
    """The scenario with those nodes added, sized by what their pods request."""
    missing = missing_nodes(scenario.objects)
    if not missing:
        return scenario
    bound: dict[str, list[Pod]] = {name: [] for name in missing}
    for value in scenario.objects:
        if type(value) is Pod and value.node_name in bound and value.phase not in FINISHED:
            bound[value.node_name].append(value)
    made = tuple(_made_up(name, pods) for name, pods in bound.items())
    return replace(scenario, objects=(*made, *scenario.objects))


def _made_up(name: str, pods: list[Pod]) -> Node:
    totals: dict[str, int] = {"cpu": 0, "memory": 0}
    for pod in pods:
        for resource, amount in requests_of(pod).items():
            totals[resource] = totals.get(resource, 0) + amount
    room = {resource: str(amount) for resource, amount in totals.items() if resource not in ("cpu", "memory")}
    room["cpu"] = str(_machine_size(-(-totals["cpu"] // 1000)))
    room["memory"] = f"{_machine_size(-(-totals['memory'] // GIB))}Gi"
    room["pods"] = str(max(STANDARD_PODS, len(pods)))
    manifest = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}, "annotations": {MADE_UP: "true"}},
        "spec": {},
        "status": {"capacity": room, "allocatable": room},
    }
    node = Parser().read(manifest, None)
    assert isinstance(node, Node)
    return node


def _machine_size(needed: int) -> int:
    """The next even number with at most two significant binary digits: 2, 4, 6, 8, 12, 16, 24, 32 ..."""
    size = 2
    while size < needed:
        size = size * 2 if size * 3 // 2 < needed or size < 4 else size * 3 // 2
        if size >= needed:
            break
    return size
