"""Pods whose turn it is, and those being scheduled right now with what has happened since they were taken out.

The one rule: an event is kept for as long as a pod taken out before it is still being scheduled, and no longer.
Mirrors backend/queue/active_queue.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scheduler_core.queue.events import ClusterEvent
from scheduler_core.queue.heap import KeyedHeap
from scheduler_core.queue.queued import QueuedPod, key_of, order_of


@dataclass(frozen=True, slots=True)
class Happening:
    """An event with the object before and after it."""

    event: ClusterEvent
    old: Any = None
    new: Any = None


class InFlight:
    """The pods being scheduled, and the events since the oldest of them was taken out."""

    def __init__(self) -> None:
        self._happenings: list[Happening] = []
        self._dropped = 0
        self._since: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._since)

    def __contains__(self, key: str) -> bool:
        return key in self._since

    def begin(self, key: str) -> None:
        """The pod was taken out to be scheduled."""
        self._since[key] = self._dropped + len(self._happenings)

    def record(self, happening: Happening) -> None:
        """Remember the event for the pods in flight, if there are any."""
        if self._since:
            self._happenings.append(happening)

    def since(self, key: str) -> list[Happening]:
        """What happened since the pod was taken out."""
        return self._happenings[self._since[key] - self._dropped :]

    def done(self, key: str) -> None:
        """The pod is no longer being scheduled; calling it again does nothing."""
        if self._since.pop(key, None) is None:
            return
        oldest = next(iter(self._since.values()), self._dropped + len(self._happenings))
        del self._happenings[: oldest - self._dropped]
        self._dropped = oldest


class ActiveQueue:
    """Pods in order of priority, then of the time at which they queued."""

    def __init__(self) -> None:
        self._heap: KeyedHeap[QueuedPod] = KeyedHeap(key_of, order_of)

    def __len__(self) -> int:
        return len(self._heap)

    def __contains__(self, key: str) -> bool:
        return key in self._heap

    def __iter__(self) -> Iterator[QueuedPod]:
        return iter(self._heap.in_order())

    def get(self, key: str) -> QueuedPod | None:
        """The pod of that key."""
        return self._heap.get(key)

    def add(self, queued: QueuedPod) -> None:
        """Put the pod in, or in its new place."""
        self._heap.add(queued)

    def pop(self) -> QueuedPod | None:
        """Take the first pod out."""
        return self._heap.pop()

    def delete(self, key: str) -> QueuedPod | None:
        """Take the pod out; None when it is not here."""
        return self._heap.delete(key)
