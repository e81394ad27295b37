"""The Priority admission plugin: from the name of a class to a number.

The one rule: a number that a pod already has is kept, since an API server gave it when the pod was created. Mirrors
plugin/pkg/admission/priority/admission.go at 1.34.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.objects import KubeObject, Pod, PriorityClass
from scheduler_core.api.policies import SYSTEM_CLASSES

DEFAULT_PRIORITY: Final = 0


class Priorities:
    """The priority classes of a cluster, the two of the system included."""

    def __init__(self, objects: Iterable[KubeObject], findings: Findings) -> None:
        self.findings = findings
        self.classes = {name: PriorityClass(name=name, value=value) for name, value in SYSTEM_CLASSES.items()}
        self.default: PriorityClass | None = None
        for value in objects:
            self.learn(value)

    def learn(self, value: KubeObject) -> None:
        """Take note of a class that comes into being; of several global defaults the one with the lowest value counts."""
        if type(value) is not PriorityClass:
            return
        self.classes[value.name] = value
        if value.global_default and (self.default is None or value.value < self.default.value):
            self.default = value

    def admit(self, pod: Pod, path: Path | None) -> Pod:
        """The pod with its priority, class and preemption policy."""
        spec = (path, "spec")
        if pod.priority_class_name:
            chosen = self.classes.get(pod.priority_class_name)
            if chosen is None:
                return self._without_class(pod, spec)
        else:
            chosen = self.default if pod.priority is None else None
        if pod.priority is not None:
            self._compare(pod, chosen, spec)
            return pod
        value = chosen.value if chosen else DEFAULT_PRIORITY
        name = chosen.name if chosen else ""
        stated = "preemptionPolicy" in pod.manifest["spec"]
        policy = pod.preemption_policy if stated or chosen is None else chosen.preemption_policy
        if stated and chosen is not None and policy != chosen.preemption_policy:
            self.findings.problem(
                (spec, "preemptionPolicy"), f"must not differ from that of the priority class {name!r}: {chosen.preemption_policy}"
            )
        return _with(pod, priority=value, priority_class_name=name, preemption_policy=policy)

    def _without_class(self, pod: Pod, spec: Path) -> Pod:
        if pod.priority is None:
            self.findings.problem((spec, "priorityClassName"), f"no PriorityClass with name {pod.priority_class_name} was found")
        return pod

    def _compare(self, pod: Pod, chosen: PriorityClass | None, spec: Path) -> None:
        if chosen is not None and chosen.value != pod.priority:
            message = f"is {pod.priority}, but the class {chosen.name!r} has {chosen.value}: the pod keeps {pod.priority}"
            self.findings.warn((spec, "priority"), message)


def _with(pod: Pod, *, priority: int, priority_class_name: str, preemption_policy: str) -> Pod:
    spec: dict[str, Any] = {**pod.manifest["spec"], "priority": priority}
    if priority_class_name:
        spec["priorityClassName"] = priority_class_name
    if preemption_policy != "PreemptLowerPriority" or "preemptionPolicy" in spec:
        spec["preemptionPolicy"] = preemption_policy
    return replace(
        pod,
        priority=priority,
        priority_class_name=priority_class_name,
        preemption_policy=preemption_policy,
        manifest={**pod.manifest, "spec": spec},
    )
