"""The objects as an API server holds them, and the changes that its watchers have yet to see.

The one rule: whoever changes an object does it here, and everybody else learns of it from the change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.api.objects import Condition, KubeObject, Node, Pod, PodDisruptionBudget, kind_of

CREATED = "created"
UPDATED = "updated"
DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Change:
    """One object before and after; ``verb`` is created, updated or deleted."""

    verb: str
    kind: str
    key: str
    old: Any
    new: Any


class World:
    """Objects by kind and key, in the order of their creation."""

    def __init__(self) -> None:
        self._objects: dict[str, dict[str, KubeObject]] = {}
        self._unseen: deque[Change] = deque()

    def __iter__(self) -> Iterator[KubeObject]:
        for objects in self._objects.values():
            yield from objects.values()

    def of_kind(self, kind: str) -> dict[str, Any]:
        """Every object of a kind by its key."""
        return self._objects.setdefault(kind, {})

    @property
    def pods(self) -> dict[str, Pod]:
        """By ``namespace/name``."""
        return self.of_kind("Pod")

    @property
    def nodes(self) -> dict[str, Node]:
        """By name."""
        return self.of_kind("Node")

    @property
    def budgets(self) -> dict[str, PodDisruptionBudget]:
        """By ``namespace/name``."""
        return self.of_kind("PodDisruptionBudget")

    def put(self, item: KubeObject) -> Change:
        """Create the object, or replace the one of its kind and name."""
        kind, key = kind_of(item), key_of(item)
        objects = self.of_kind(kind)
        old = objects.get(key)
        objects[key] = item
        return self._changed(Change(CREATED if old is None else UPDATED, kind, key, old, item))

    def remove(self, kind: str, key: str) -> Change | None:
        """Delete the object at once; None when there is none."""
        old = self.of_kind(kind).pop(key, None)
        return None if old is None else self._changed(Change(DELETED, kind, key, old, None))

    def update_pod(self, key: str, **fields: Any) -> Pod | None:
        """Change fields of a pod; None when it is gone."""
        pod = self.pods.get(key)
        if pod is None:
            return None
        changed = replace(pod, **fields)
        self.put(changed)
        return changed

    def set_condition(self, key: str, condition: Condition, **fields: Any) -> Pod | None:
        """Set a condition of a pod, and other fields with it; nothing happens when all of it holds already."""
        pod = self.pods.get(key)
        if pod is None:
            return None
        differs = any(getattr(pod, name) != value for name, value in fields.items())
        if condition in pod.conditions and not differs:
            return pod
        return self.update_pod(key, conditions=with_condition(pod.conditions, condition), **fields)

    def next_change(self) -> Change | None:
        """The oldest change that nobody has seen; None when all are seen."""
        return self._unseen.popleft() if self._unseen else None

    def _changed(self, change: Change) -> Change:
        self._unseen.append(change)
        return change


def key_of(item: KubeObject) -> str:
    """``namespace/name``, or the name of an object that has no namespace."""
    namespace = getattr(item, "namespace", "")
    return f"{namespace}/{item.name}" if namespace else item.name


def with_condition(conditions: tuple[Condition, ...], condition: Condition) -> tuple[Condition, ...]:
    """The conditions with one of them replaced, or added at the end."""
    if any(known.type == condition.type for known in conditions):
        return tuple(condition if known.type == condition.type else known for known in conditions)
    return (*conditions, condition)
