"""NodeAffinity: a node that matches now and did not before may help. Mirrors plugins/nodeaffinity."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Node, Pod
from scheduler_core.api.selectors import node_selector_term_matches
from scheduler_core.queue.events import NODE, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration


def after_node_change(pod: Pod, old: Node | None, new: Node) -> bool:
    """The node meets the pod's selector and required affinity, newly."""
    return _matches(pod, new) and (old is None or not _matches(pod, old))


def _matches(pod: Pod, node: Node) -> bool:
    if any(node.labels.get(key) != value for key, value in pod.node_selector):
        return False
    terms = pod.required_node_affinity
    return terms is None or any(node_selector_term_matches(term, node.labels, node.name) for term in terms)


REGISTRATIONS: Final = (Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_LABEL), after_node_change),)
