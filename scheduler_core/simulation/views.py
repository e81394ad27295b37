"""What the page draws of an object, as JSON values; ``docs/events.md`` has the form.

The one rule: a view is small, so that an event with one stays small.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from scheduler_core.api.objects import KubeObject, Node, Pod, PodDisruptionBudget
from scheduler_core.api.resources import qos_class, requests_of
from scheduler_core.api.selectors import selector_text

ZONES: Final = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")


def node_view(node: Node) -> dict[str, Any]:
    """The card of a node."""
    return {
        "name": node.name,
        "labels": dict(node.labels),
        "allocatable": dict(node.allocatable),
        "taints": [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in node.taints],
        "unschedulable": node.unschedulable,
        "zone": next((node.labels[label] for label in ZONES if label in node.labels), ""),
    }


def pod_view(pod: Pod, epoch: int) -> dict[str, Any]:
    """The chip of a pod; ``epoch`` is the Unix time of t = 0."""
    owner = next((owner for owner in pod.owners if owner.controller), pod.owners[0] if pod.owners else None)
    return {
        "key": pod.key,
        "namespace": pod.namespace,
        "name": pod.name,
        "uid": pod.uid,
        "labels": dict(pod.labels),
        "priority": pod.priority or 0,
        "priority_class": pod.priority_class_name,
        "preemption_policy": pod.preemption_policy,
        "requests": requests_of(pod),
        "node": pod.node_name or None,
        "nominated": pod.nominated_node_name or None,
        "phase": pod.phase,
        "start_time": None if pod.start_time is None else pod.start_time - epoch,
        "terminating": pod.deletion_timestamp is not None,
        "gates": list(pod.scheduling_gates),
        "grace": pod.termination_grace_period_seconds,
        "qos": qos_class(pod),
        "owner": None if owner is None else f"{owner.kind}/{owner.name}",
        "scheduler": pod.scheduler_name,
    }


def budget_view(budget: PodDisruptionBudget, covered: Iterable[Pod]) -> dict[str, Any]:
    """A budget, with the pods that it covers now."""
    return {
        "key": f"{budget.namespace}/{budget.name}",
        "selector_text": "" if budget.selector is None else selector_text(budget.selector),
        "allowed": budget.disruptions_allowed or 0,
        "min_available": budget.min_available,
        "max_unavailable": budget.max_unavailable,
        "pods": [pod.key for pod in covered],
    }


def view_of(item: KubeObject, covered: Iterable[Pod], epoch: int) -> dict[str, Any]:
    """The view of any object; empty for kinds that are not drawn. ``covered`` are the pods of a budget."""
    match item:
        case Node():
            return node_view(item)
        case Pod():
            return pod_view(item, epoch)
        case PodDisruptionBudget():
            return budget_view(item, covered)
    return {}
