"""InterPodAffinity: pods that meet the affinity, pods that no longer offend the anti-affinity, and nodes of their topologies may help.

Mirrors plugins/interpodaffinity.
"""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import LabelSelector, Node, Pod, PodAffinityTerm, Requirement
from scheduler_core.api.selectors import label_selector_matches
from scheduler_core.queue.events import NODE, POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration

Terms = tuple[PodAffinityTerm, ...]


def after_pod_change(pod: Pod, old: Pod | None, new: Pod | None) -> bool:
    """A placed pod came or changed so that it meets the affinity, or went or changed so that it no longer offends."""
    if any(other is not None and not other.node_name for other in (old, new)):
        return False
    if old is None:
        return new is not None and _meets_all(pod, pod.required_affinity, new)
    if new is None:
        return _meets_all(pod, pod.required_anti_affinity, old)
    if not _meets_all(pod, pod.required_affinity, old) and _meets_all(pod, pod.required_affinity, new):
        return True
    return _meets_all(pod, pod.required_anti_affinity, old) and not _meets_all(pod, pod.required_anti_affinity, new)


def after_node_change(pod: Pod, _old: Node | None, new: Node) -> bool:
    """The node stands in a topology of one of the terms."""
    return any(term.topology_key in new.labels for term in (*pod.required_affinity, *pod.required_anti_affinity))


def _meets_all(pod: Pod, terms: Terms, other: Pod) -> bool:
    """Whether the other pod matches every one of the terms, of which there must be some."""
    return bool(terms) and all(_meets(pod, term, other) for term in terms)


def _meets(pod: Pod, term: PodAffinityTerm, other: Pod) -> bool:
    if not _covers_namespace(pod, term, other.namespace):
        return False
    return label_selector_matches(_selector(pod, term), other.labels)


def _covers_namespace(pod: Pod, term: PodAffinityTerm, namespace: str) -> bool:
    # the hint knows no labels of namespaces, so a selector counts only when it selects all of them
    selects_all = term.namespace_selector is not None and term.namespace_selector == LabelSelector()
    if selects_all or namespace in term.namespaces:
        return True
    return not term.namespaces and term.namespace_selector is None and namespace == pod.namespace


def _selector(pod: Pod, term: PodAffinityTerm) -> LabelSelector | None:
    keys = [(key, "In") for key in term.match_label_keys] + [(key, "NotIn") for key in term.mismatch_label_keys]
    merged = tuple(Requirement(key=key, operator=operator, values=(pod.labels[key],)) for key, operator in keys if key in pod.labels)
    if not merged or term.selector is None:
        return term.selector
    own = term.selector
    return LabelSelector(match_labels=own.match_labels, match_expressions=(*own.match_expressions, *merged))


REGISTRATIONS: Final = (
    Registration(ClusterEvent(POD, Action.ADD | Action.POD_LABEL | Action.DELETE), after_pod_change),
    Registration(ClusterEvent(NODE, Action.ADD | Action.NODE_LABEL), after_node_change),
)
