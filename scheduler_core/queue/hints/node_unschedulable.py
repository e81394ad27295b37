"""NodeUnschedulable: a node that is uncordoned, or a toleration for cordoned nodes, may help. Mirrors plugins/nodeunschedulable."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Node, Pod, Taint
from scheduler_core.api.tolerations import tolerates
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration

UNSCHEDULABLE: Final = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")


def after_node_change(_pod: Pod, old: Node | None, new: Node) -> bool:
    """The node is new and open, or open again."""
    return not new.unschedulable and (old is None or old.unschedulable)


def after_pod_toleration_change(pod: Pod, _old: Pod, new: Pod) -> bool:
    """The pod itself now tolerates cordoned nodes."""
    return new.key == pod.key and tolerates(new.tolerations, UNSCHEDULABLE)


REGISTRATIONS: Final = (
    Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_TAINT), after_node_change),
    Registration(ClusterEvent(POD, Action.POD_TOLERATION), after_pod_toleration_change),
)
