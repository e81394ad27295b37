"""NodeResourcesFit: room that is set free, or a node with room for the pod, may help. Mirrors plugins/noderesources/fit.go."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Node, Pod
from scheduler_core.api.resources import requests_of
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration


def after_pod_event(pod: Pod, old: Pod | None, new: Pod | None) -> bool:
    """A pod that held room goes, or one asks for less of something that the waiting pod asks for."""
    if new is None:
        return old is not None and bool(old.node_name or old.nominated_node_name)
    if new.key == pod.key:
        return True
    return bool(new.node_name) and old is not None and _asks_for_less(pod, old, new)


def after_node_change(pod: Pod, old: Node | None, new: Node) -> bool:
    """The empty node would hold the pod, and it is new or has more of something that the pod asks for."""
    asked = {name: amount for name, amount in requests_of(pod).items() if amount > 0}
    if new.allocatable.get("pods", 0) < 1 or any(new.allocatable.get(name, 0) < amount for name, amount in asked.items()):
        return False
    if old is None:
        return True
    return any(new.allocatable.get(name, 0) > old.allocatable.get(name, 0) for name in ("pods", *asked))


def _asks_for_less(pod: Pod, old: Pod, new: Pod) -> bool:
    before, after = requests_of(old), requests_of(new)
    return any(amount > 0 and before.get(name, 0) > after.get(name, 0) for name, amount in requests_of(pod).items())


REGISTRATIONS: Final = (
    Registration(ClusterEvent(POD, Action.DELETE | Action.POD_SCALE_DOWN), after_pod_event),
    Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_ALLOCATABLE), after_node_change),
)
