"""A very simple kubelet: a bound pod runs at once, a deleted one goes when its grace period is over.

The one rule: grace periods are counted in virtual time, and looked at every whole second.
"""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import Final, Protocol

from scheduler_core.api.objects import Condition, Pod

SECOND: Final = 1000
SCHEDULED: Final = Condition(type="PodScheduled", status="True")


class Clock(Protocol):
    """Virtual time."""

    @property
    def now(self) -> int:
        """Milliseconds since the start of the run."""

    @property
    def unix(self) -> int:
        """Unix time in whole seconds."""


class Kubelet:
    """Terminating pods by the time at which they go."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ends: dict[str, int] = {}
        self._due: list[tuple[int, str, int]] = []
        """(second at which it is looked at, pod, exact end), so that pods of one second go in order of name"""

    def started(self, pod: Pod) -> Pod:
        """The bound pod, running since this second."""
        return replace(pod, phase="Running", start_time=self._clock.unix)

    def terminate(self, pod: Pod) -> int:
        """The pod was deleted: it goes when its grace period is over; answers when, in milliseconds."""
        end = self._clock.now + pod.termination_grace_period_seconds * SECOND
        self._ends[pod.key] = end
        heapq.heappush(self._due, (-(-end // SECOND), pod.key, end))
        return end

    def expect(self, pod: Pod, end: int) -> None:
        """The pod was deleted before the run began: it goes at ``end``, in milliseconds."""
        self._ends[pod.key] = end
        heapq.heappush(self._due, (-(-end // SECOND), pod.key, end))

    def end_of(self, key: str) -> int | None:
        """When a terminating pod goes, in milliseconds."""
        return self._ends.get(key)

    def forget(self, key: str) -> None:
        """The pod is gone already."""
        self._ends.pop(key, None)

    def next_gone(self) -> str | None:
        """The next pod whose grace period is over; it is asked for once."""
        end = self.next_end()
        if end is None or end > self._clock.now:
            return None
        _, key, _ = heapq.heappop(self._due)
        del self._ends[key]
        return key

    def next_end(self) -> int | None:
        """When the next pod goes; None when none is terminating."""
        while self._due and self._ends.get(self._due[0][1]) != self._due[0][2]:
            heapq.heappop(self._due)
        return self._due[0][0] * SECOND if self._due else None
