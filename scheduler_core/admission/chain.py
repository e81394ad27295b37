"""The steps of admission in their order, for every object that is there at the start and every one that comes later.

The one rule: a step takes an object and gives an object; it never looks at what a later step will do. What an API server has
stored already (it has a uid) goes only through those steps that leave such an object as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scheduler_core.admission.label_keys import merge_label_keys
from scheduler_core.admission.limit_range import LimitRanges
from scheduler_core.admission.priority import Priorities
from scheduler_core.admission.quota import Quotas
from scheduler_core.admission.storage_class import DefaultStorageClass
from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.objects import KubeObject, PersistentVolumeClaim, Pod
from scheduler_core.api.scenario import Operation, Scenario

Places = Sequence["Path | None"]


def admit(scenario: Scenario, places: Places, timeline_places: Places, findings: Findings) -> Scenario:
    """The scenario as an API server would have stored it; the places are the paths of its objects and operations.

    Where something is wrong already, only priorities are looked up, so that unknown classes are among the problems.
    """
    door = _Door(scenario.objects, places, findings)
    objects = tuple(door.admit(value, place) for value, place in zip(scenario.objects, places, strict=True))
    timeline = tuple(door.admit_operation(operation, place) for operation, place in zip(scenario.timeline, timeline_places, strict=True))
    return replace(scenario, objects=objects, timeline=timeline)


class _Door:
    """What admission knows of the cluster so far."""

    def __init__(self, objects: Sequence[KubeObject], places: Places, findings: Findings) -> None:
        self.is_broken = findings.problem_count > 0
        self.priorities = Priorities(objects, findings)
        self.storage_classes = DefaultStorageClass(objects)
        placed = () if self.is_broken else tuple(zip(objects, places, strict=True))
        self.limit_ranges = LimitRanges(placed, findings)
        self.quotas = Quotas(placed, findings)

    def admit(self, value: KubeObject, place: Path | None) -> KubeObject:
        if type(value) is PersistentVolumeClaim:
            return self.storage_classes.admit(value)
        if type(value) is not Pod:
            return value
        pod = self.priorities.admit(value, place)
        if self.is_broken:
            return pod
        if is_new(pod):
            pod = self.limit_ranges.admit(pod, place)
            self.quotas.admit(pod, place)
        return merge_label_keys(pod)

    def admit_operation(self, operation: Operation, place: Path | None) -> Operation:
        value = operation.object
        if value is None:
            return operation
        self.priorities.learn(value)
        self.storage_classes.learn(value)
        admitted = self.admit(value, (place, operation.verb))
        return operation if admitted is value else replace(operation, object=admitted)


def is_new(pod: Pod) -> bool:
    """Whether no API server has seen the pod: it has neither an identity nor a time nor a node."""
    return not pod.uid and pod.creation_timestamp is None and not pod.node_name
