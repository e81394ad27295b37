"""The disruption controller's arithmetic: how many pods of a budget may go. Mirrors pkg/controller/disruption.

The one rule: a budget whose status was given starts as given, and is computed from the first change of a pod that it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from scheduler_core.api.objects import OwnerReference, Pod, PodDisruptionBudget, Workload
from scheduler_core.api.selectors import is_empty, label_selector_matches

Scale = Callable[[str, OwnerReference], int | None]
"""(namespace, owner) -> how many pods the owner wants, None when it is unknown."""


class DisruptionController:
    """Budgets, the pods each covers, and which of them have to be computed anew."""

    def __init__(self, scale_of: Scale) -> None:
        self._scale_of = scale_of
        self._budgets: dict[str, PodDisruptionBudget] = {}
        self._members: dict[str, dict[str, Pod]] = {}
        self._given: set[str] = set()
        self._dirty: dict[str, None] = {}
        self._seen: dict[str, tuple[int | None, frozenset[str]]] = {}
        """what was last said of each: the number allowed, and the pods covered"""

    def budget_changed(self, key: str, budget: PodDisruptionBudget | None, pods: Iterable[Pod]) -> None:
        """A person created, changed or deleted a budget."""
        self._given.discard(key)
        self._seen.pop(key, None)
        if budget is None:
            self._budgets.pop(key, None)
            self._members.pop(key, None)
            self._dirty.pop(key, None)
            return
        self._budgets[key] = budget
        self._members[key] = {pod.key: pod for pod in pods if covers(budget, pod)}
        if budget.disruptions_allowed is not None:
            self._given.add(key)
        self._dirty[key] = None

    def pod_changed(self, key: str, pod: Pod | None) -> None:
        """A pod came, changed or went."""
        for name, budget in self._budgets.items():
            members = self._members[name]
            if pod is not None and covers(budget, pod):
                members[key] = pod
            elif members.pop(key, None) is None:
                continue
            self._dirty[name] = None
            if budget.min_available is not None or budget.max_unavailable is not None:
                self._given.discard(name)

    def covered_by(self, key: str) -> list[Pod]:
        """The pods that a budget covers now."""
        return list(self._members.get(key, {}).values())

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to compute."""
        return not self._dirty

    def reconcile(self) -> list[PodDisruptionBudget]:
        """Compute what may have changed; answers with the budgets of which the number or the pods did change."""
        dirty, self._dirty = self._dirty, {}
        return [self._budgets[key] for key in dirty if self._has_changed(key)]

    def _has_changed(self, key: str) -> bool:
        budget, pods = self._budgets[key], self._members[key]
        if key not in self._given:
            allowed = disruptions_allowed(budget, pods.values(), self._scale_of)
            if allowed != budget.disruptions_allowed:
                budget = self._budgets[key] = replace(budget, disruptions_allowed=allowed)
        seen = (budget.disruptions_allowed, frozenset(pods))
        if self._seen.get(key) == seen:
            return False
        self._seen[key] = seen
        return True


def covers(budget: PodDisruptionBudget, pod: Pod) -> bool:
    """Whether the budget counts the pod; an empty selector counts every pod of its namespace."""
    if budget.namespace != pod.namespace or budget.selector is None or budget.selector_error:
        return False
    return is_empty(budget.selector) or label_selector_matches(budget.selector, pod.labels)


def disruptions_allowed(budget: PodDisruptionBudget, pods: Iterable[Pod], scale_of: Scale) -> int:
    """How many of the pods may be evicted now."""
    listed = [pod for pod in pods if pod.phase not in ("Succeeded", "Failed")]
    expected, desired = _expected_and_desired(budget, listed, scale_of)
    healthy = sum(is_healthy(pod) for pod in listed)
    return max(healthy - desired, 0) if expected > 0 else 0


def is_healthy(pod: Pod) -> bool:
    """Whether the pod counts as available: it runs, is ready as far as it says, and is not on its way out."""
    if pod.deletion_timestamp is not None or not pod.node_name or pod.phase not in ("Running", "Pending"):
        return False
    ready = next((condition.status for condition in pod.conditions if condition.type == "Ready"), None)
    return ready == "True" if ready is not None else pod.phase == "Running"


def _expected_and_desired(budget: PodDisruptionBudget, pods: list[Pod], scale_of: Scale) -> tuple[int, int]:
    """(pods that there should be, pods that must stay healthy)."""
    if budget.max_unavailable is not None:
        expected = _expected_scale(pods, scale_of)
        return expected, max(expected - _scaled(budget.max_unavailable, expected), 0)
    if budget.min_available is None:
        return len(pods), 0
    if isinstance(budget.min_available, int):
        return len(pods), budget.min_available
    expected = _expected_scale(pods, scale_of)
    return expected, _scaled(budget.min_available, expected)


def _expected_scale(pods: list[Pod], scale_of: Scale) -> int:
    """What the owners of the pods want together; pods without a controller do not count."""
    owned: dict[tuple[str, str, str], tuple[OwnerReference, int]] = {}
    for pod in pods:
        owner = next((owner for owner in pod.owners if owner.controller), None)
        if owner is None:
            continue
        key = (pod.namespace, owner.kind, owner.name)
        owned[key] = (owner, owned.get(key, (owner, 0))[1] + 1)
    total = 0
    for (namespace, _, _), (owner, count) in owned.items():
        scale = scale_of(namespace, owner)
        total += count if scale is None else scale
    return total


def _scaled(value: int | str, total: int) -> int:
    """A number as it is, a percentage of the total rounded up."""
    if isinstance(value, int):
        return value
    digits = value.removesuffix("%")
    return -(-int(digits) * total // 100) if digits.isdigit() else 0


def scale_in(workloads: Callable[[str], Mapping[str, Workload]]) -> Scale:
    """Scales by the workloads that are known; a ReplicaSet's is its own, not its Deployment's."""

    def scale_of(namespace: str, owner: OwnerReference) -> int | None:
        found = workloads(owner.kind).get(f"{namespace}/{owner.name}")
        return None if found is None else found.replicas

    return scale_of
