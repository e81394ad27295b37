"""Pods that wait for something to change, grouped by the plugins that rejected them.

The one rule: an event that none of a group's plugins cares about costs nothing, however large the group.
Mirrors backend/queue/unschedulable_pods.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from scheduler_core.queue.queued import QueuedPod

Group = tuple[str, frozenset[str]]
"""A scheduler name and the plugins that rejected the pod."""


class UnschedulablePods:
    """Pods by key, gated ones too."""

    def __init__(self) -> None:
        self._pods: dict[str, QueuedPod] = {}
        self._group_of: dict[str, Group] = {}
        self._groups: dict[Group, dict[str, QueuedPod]] = {}

    def __len__(self) -> int:
        return len(self._pods)

    def __contains__(self, key: str) -> bool:
        return key in self._pods

    def __iter__(self) -> Iterator[QueuedPod]:
        return iter(list(self._pods.values()))

    def get(self, key: str) -> QueuedPod | None:
        """The pod of that key."""
        return self._pods.get(key)

    def add(self, queued: QueuedPod) -> None:
        """Put the pod in, or in the group that its rejectors make now."""
        self.delete(queued.key)
        group = (queued.pod.scheduler_name, queued.rejectors)
        self._pods[queued.key] = queued
        self._group_of[queued.key] = group
        self._groups.setdefault(group, {})[queued.key] = queued

    def delete(self, key: str) -> QueuedPod | None:
        """Take the pod out; None when it is not here."""
        queued = self._pods.pop(key, None)
        if queued is None:
            return None
        group = self._group_of.pop(key)
        members = self._groups[group]
        del members[key]
        if not members:
            del self._groups[group]
        return queued

    def groups(self) -> list[tuple[Group, list[QueuedPod]]]:
        """Every group with its pods, as they stand now."""
        return [(group, list(members.values())) for group, members in self._groups.items()]
