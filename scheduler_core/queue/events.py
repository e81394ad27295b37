"""What can happen in a cluster that may help a waiting pod: the resource and what was done to it.

The one rule: an event that happens is as specific as can be, and a registration matches it when it is the same or wider.
Mirrors pkg/scheduler/framework/events.go and the ClusterEvent of k8s.io/kube-scheduler/framework.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import Final

from scheduler_core.api.objects import Node, Pod
from scheduler_core.api.resources import requests_of


class Action(IntFlag):
    """What was done; the bits and their order are upstream's, because matching compares them as numbers."""

    ADD = 1 << 0
    DELETE = 1 << 1
    NODE_ALLOCATABLE = 1 << 2
    NODE_LABEL = 1 << 3
    NODE_TAINT = 1 << 4
    NODE_CONDITION = 1 << 5
    NODE_ANNOTATION = 1 << 6
    POD_LABEL = 1 << 7
    POD_SCALE_DOWN = 1 << 8
    POD_TOLERATION = 1 << 9
    POD_GATES_ELIMINATED = 1 << 10
    POD_CLAIM = 1 << 11
    UPDATE = (1 << 12) - (1 << 2)
    ALL = (1 << 12) - 1


ANY: Final = "*"
POD: Final = "Pod"
ASSIGNED_POD: Final = "AssignedPod"
UNSCHEDULED_POD: Final = "UnscheduledPod"
NODE: Final = "Node"

_ACTION_NAMES: Final = {
    Action.ADD: "Add",
    Action.DELETE: "Delete",
    Action.UPDATE: "Update",
    Action.ALL: "All",
    Action.NODE_ALLOCATABLE: "AllocatableChange",
    Action.NODE_LABEL: "LabelChange",
    Action.NODE_TAINT: "TaintChange",
    Action.NODE_CONDITION: "ConditionChange",
    Action.NODE_ANNOTATION: "AnnotationChange",
    Action.POD_LABEL: "LabelChange",
    Action.POD_SCALE_DOWN: "ScaledDown",
    Action.POD_TOLERATION: "TolerationChange",
    Action.POD_GATES_ELIMINATED: "SchedulingGatesEliminated",
    Action.POD_CLAIM: "GeneratedResourceClaimChange",
}


@dataclass(frozen=True, slots=True)
class ClusterEvent:
    """A resource and an action; ``label`` names the special events that are no change of an object."""

    resource: str
    action: Action
    label: str = ""

    @property
    def name(self) -> str:
        """What the page and the log call it, such as AssignedPodDelete or NodeAllocatableChange."""
        return self.label or f"{self.resource}{_ACTION_NAMES[self.action]}"

    @property
    def is_wildcard(self) -> bool:
        """Whether the event concerns every pod, whatever rejected it."""
        return self.resource == ANY and self.action == Action.ALL

    def matches(self, happened: ClusterEvent) -> bool:
        """Whether a registration for this event covers the one that happened."""
        if self.is_wildcard:
            return True
        return _covers(self.resource, happened.resource) and bool(self.action & happened.action) and happened.action <= self.action


def _covers(registered: str, happened: str) -> bool:
    if registered in (ANY, happened):
        return True
    return registered == POD and happened in (ASSIGNED_POD, UNSCHEDULED_POD)


POD_ADD: Final = ClusterEvent(UNSCHEDULED_POD, Action.ADD, "PodAdd")
POD_UPDATE: Final = ClusterEvent(UNSCHEDULED_POD, Action.UPDATE)
ASSIGNED_POD_ADD: Final = ClusterEvent(ASSIGNED_POD, Action.ADD)
ASSIGNED_POD_DELETE: Final = ClusterEvent(ASSIGNED_POD, Action.DELETE)
NODE_ADD: Final = ClusterEvent(NODE, Action.ADD)
NODE_DELETE: Final = ClusterEvent(NODE, Action.DELETE)
UNSCHEDULABLE_TIMEOUT: Final = ClusterEvent(ANY, Action.ALL, "UnschedulableTimeout")
FORCE_ACTIVATE: Final = ClusterEvent(ANY, Action.ALL, "ForceActivate")

SCHEDULE_ATTEMPT_FAILURE: Final = "ScheduleAttemptFailure"
BACKOFF_COMPLETE: Final = "BackoffComplete"


def pod_changes(old: Pod, new: Pod) -> list[ClusterEvent]:
    """The specific events that an update of a pod amounts to, or the general one."""
    resource = ASSIGNED_POD if new.node_name else UNSCHEDULED_POD
    actions = [
        action
        for action, changed in (
            (Action.POD_LABEL, old.labels != new.labels),
            (Action.POD_SCALE_DOWN, _scaled_down(old, new)),
            (Action.POD_GATES_ELIMINATED, bool(old.scheduling_gates) and not new.scheduling_gates),
            (Action.POD_TOLERATION, len(old.tolerations) != len(new.tolerations)),
        )
        if changed
    ]
    return [ClusterEvent(resource, action) for action in actions or [Action.UPDATE]]


def _scaled_down(old: Pod, new: Pod) -> bool:
    if old.containers is new.containers and old.init_containers is new.init_containers and old.pod_requests is new.pod_requests:
        return False
    after = requests_of(new)
    return any(after.get(name, -1) < amount for name, amount in requests_of(old).items())


def node_changes(old: Node, new: Node) -> list[ClusterEvent]:
    """The specific events that an update of a node amounts to; none when scheduling cannot care."""
    changes = (
        (Action.NODE_TAINT, old.unschedulable and not new.unschedulable),
        (Action.NODE_ALLOCATABLE, old.allocatable != new.allocatable),
        (Action.NODE_LABEL, old.labels != new.labels),
        (Action.NODE_TAINT, old.taints != new.taints),
        (Action.NODE_CONDITION, _conditions(old) != _conditions(new)),
        (Action.NODE_ANNOTATION, old.annotations != new.annotations),
    )
    return [ClusterEvent(NODE, action) for action, changed in changes if changed]


def _conditions(node: Node) -> dict[str, str]:
    return {condition.type: condition.status for condition in node.conditions}
