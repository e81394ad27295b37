"""TaintToleration: a node whose taints the pod tolerates now, or a new toleration, may help. Mirrors plugins/tainttoleration."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Node, Pod
from scheduler_core.api.tolerations import tolerates
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration


def after_node_change(pod: Pod, old: Node | None, new: Node) -> bool:
    """The node's taints kept the pod off before, and no longer do."""
    return (old is None or _is_kept_off(pod, old)) and not _is_kept_off(pod, new)


def after_pod_toleration_change(pod: Pod, _old: Pod, new: Pod) -> bool:
    """The pod itself got a toleration."""
    return new.key == pod.key


def _is_kept_off(pod: Pod, node: Node) -> bool:
    hard = (taint for taint in node.taints if taint.effect in ("NoSchedule", "NoExecute"))
    return any(not tolerates(pod.tolerations, taint) for taint in hard)


REGISTRATIONS: Final = (
    Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_TAINT), after_node_change),
    Registration(ClusterEvent(POD, Action.POD_TOLERATION), after_pod_toleration_change),
)
