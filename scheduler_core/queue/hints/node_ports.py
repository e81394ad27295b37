"""NodePorts: a pod that goes and held a port the waiting pod wants, or any new node, may help. Mirrors plugins/nodeports."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Pod
from scheduler_core.api.resources import host_ports_of
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration

_ANY: Final = "0.0.0.0"


def after_pod_deleted(pod: Pod, old: Pod, _new: None) -> bool:
    """The pod that goes was placed or nominated, and one of its host ports collides with one that is wanted."""
    if not old.node_name and not old.nominated_node_name:
        return False
    wanted = host_ports_of(pod)
    return any(_collide(mine, other) for other in host_ports_of(old) for mine in wanted)


def _collide(a: tuple[str, str, int], b: tuple[str, str, int]) -> bool:
    return a[0] == b[0] and a[2] == b[2] and (a[1] == b[1] or _ANY in (a[1], b[1]))


REGISTRATIONS: Final = (
    Registration(ClusterEvent(POD, Action.DELETE), after_pod_deleted),
    Registration(ClusterEvent(NODE, Action.ADD)),
)
