"""PodTopologySpread: pods that a hard constraint counts, and nodes that make its domains, may help. Mirrors plugins/podtopologyspread."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Labels, Node, Pod, TopologySpreadConstraint
from scheduler_core.api.selectors import label_selector_matches
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration

Constraints = tuple[TopologySpreadConstraint, ...]


def after_pod_change(pod: Pod, old: Pod | None, new: Pod | None) -> bool:
    """A placed pod of the namespace, or the pod itself, came, went or changed so that a constraint counts it differently."""
    if any(other is not None and not _is_involved(pod, other) for other in (old, new)):
        return False
    constraints = _hard(pod)
    if old is not None and new is not None:
        return _after_update(pod, constraints, old, new)
    other = new or old
    return other is not None and any(_counts(pod, constraint, other.labels) for constraint in constraints)


def after_node_change(pod: Pod, old: Node | None, new: Node | None) -> bool:
    """A node that stands in every domain of the constraints came, went, or changed its labels or taints."""
    constraints = _hard(pod)
    before = old is not None and _stands_in(old, constraints)
    after = new is not None and _stands_in(new, constraints)
    if old is None or new is None or before != after:
        return before or after
    return after and (
        old.taints != new.taints or any(old.labels.get(c.topology_key) != new.labels.get(c.topology_key) for c in constraints)
    )


def _after_update(pod: Pod, constraints: Constraints, old: Pod, new: Pod) -> bool:
    if new.key == pod.key and new.tolerations != old.tolerations and any(c.node_taints_policy == "Honor" for c in constraints):
        return True
    if new.labels == old.labels:
        return False
    return any(_counts(pod, constraint, old.labels) != _counts(pod, constraint, new.labels) for constraint in constraints)


def _is_involved(pod: Pod, other: Pod) -> bool:
    return other.key == pod.key or (bool(other.node_name) and other.namespace == pod.namespace)


def _hard(pod: Pod) -> Constraints:
    return tuple(constraint for constraint in pod.spread_constraints if constraint.when_unsatisfiable == "DoNotSchedule")


def _counts(pod: Pod, constraint: TopologySpreadConstraint, labels: Labels) -> bool:
    same = all(key not in pod.labels or labels.get(key) == pod.labels[key] for key in constraint.match_label_keys)
    return same and label_selector_matches(constraint.selector, labels)


def _stands_in(node: Node, constraints: Constraints) -> bool:
    return all(constraint.topology_key in node.labels for constraint in constraints)


REGISTRATIONS: Final = (
    Registration(ClusterEvent(POD, Action.ADD | Action.POD_LABEL | Action.POD_TOLERATION | Action.DELETE), after_pod_change),
    Registration(ClusterEvent(NODE, Action.ADD | Action.DELETE | Action.NODE_LABEL | Action.NODE_TAINT), after_node_change),
)
