"""Pods that wait out a backoff: one second, doubling to ten.

The one rule: pods that failed by an error wait apart from pods that plugins rejected, and only the latter may be popped
early. Mirrors backend/queue/backoff_queue.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from scheduler_core.queue.heap import KeyedHeap
from scheduler_core.queue.queued import QueuedPod, key_of, order_of

ORDERING_WINDOW_MS: Final = 1000
"""Pods whose backoff ends in the same window are ordered as in the active queue."""


class BackoffQueue:
    """Two heaps by the end of backoff; times are milliseconds of virtual time."""

    def __init__(self, *, initial_ms: int, max_ms: int, windows: bool) -> None:
        self._initial_ms = initial_ms
        self._max_ms = max_ms
        self._windows = windows
        order = self._window_order if windows else self._exact_order
        self._rejected: KeyedHeap[QueuedPod] = KeyedHeap(key_of, order)
        self._errors: KeyedHeap[QueuedPod] = KeyedHeap(key_of, self._exact_order)

    def __len__(self) -> int:
        return len(self._rejected) + len(self._errors)

    def __contains__(self, key: str) -> bool:
        return key in self._rejected or key in self._errors

    def __iter__(self) -> Iterator[QueuedPod]:
        yield from self._rejected.in_order()
        yield from self._errors.in_order()

    def get(self, key: str) -> QueuedPod | None:
        """The pod of that key."""
        return self._rejected.get(key) or self._errors.get(key)

    def add(self, queued: QueuedPod) -> None:
        """Let the pod wait, apart if nothing but an error sent it back."""
        here, there = (self._rejected, self._errors) if queued.rejectors else (self._errors, self._rejected)
        here.add(queued)
        there.delete(queued.key)

    def refresh(self, queued: QueuedPod) -> None:
        """The pod's object changed: put it in its place again."""
        for heap in (self._rejected, self._errors):
            if queued.key in heap:
                heap.add(queued)

    def delete(self, key: str) -> QueuedPod | None:
        """Take the pod out; None when it is not here."""
        return self._rejected.delete(key) or self._errors.delete(key)

    def pop(self) -> QueuedPod | None:
        """The rejected pod whose turn comes first, before its backoff is over."""
        return self._rejected.pop()

    def pop_completed(self, now: int) -> list[QueuedPod]:
        """Take out every pod whose backoff is over."""
        completed = []
        for heap in (self._rejected, self._errors):
            while (first := heap.peek()) is not None and not self.is_backing_off(first, now):
                heap.pop()
                completed.append(first)
        return completed

    def is_backing_off(self, queued: QueuedPod, now: int) -> bool:
        """Whether the pod still has to wait; in the window in which its backoff ends it has."""
        return self.end_of(queued) >= self._align(now)

    def end_of(self, queued: QueuedPod) -> int:
        """When the pod's backoff ends; a time in the past for a pod that never failed."""
        count = queued.consecutive_errors or queued.unschedulable_count
        if count == 0 or self._max_ms == 0:
            return -ORDERING_WINDOW_MS
        if queued.backoff_expiration is None:
            queued.backoff_expiration = self._align(queued.timestamp + self._duration(count))
        return queued.backoff_expiration

    def flush_of(self, queued: QueuedPod) -> int:
        """The whole second at which the pod will be found to have waited long enough."""
        return (self.end_of(queued) // ORDERING_WINDOW_MS + 1) * ORDERING_WINDOW_MS

    def next_flush(self) -> int | None:
        """The first second at which a pod comes out; None when none waits."""
        firsts = [first for heap in (self._rejected, self._errors) if (first := heap.peek()) is not None]
        return min((self.flush_of(first) for first in firsts), default=None)

    def _duration(self, count: int) -> int:
        return min(self._initial_ms << min(count - 1, 30), self._max_ms)

    def _align(self, time: int) -> int:
        return time - time % ORDERING_WINDOW_MS if self._windows else time

    def _exact_order(self, queued: QueuedPod) -> tuple[int, ...]:
        return (self.end_of(queued),)

    def _window_order(self, queued: QueuedPod) -> tuple[int, ...]:
        return (self.end_of(queued), *order_of(queued))
