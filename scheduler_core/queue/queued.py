"""A pod on its way through the queue, with what the queue remembers of its attempts.

The one rule: only the queue writes to it. Mirrors framework.QueuedPodInfo.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scheduler_core.api.objects import Pod

if TYPE_CHECKING:
    from scheduler_core.queue.events import ClusterEvent


@dataclass(slots=True, eq=False)
class QueuedPod:
    """A pending pod; times are milliseconds of virtual time."""

    pod: Pod
    key: str
    timestamp: int
    """When it last entered the queue."""
    attempts: int = 0
    unschedulable_count: int = 0
    """How many attempts plugins rejected."""
    consecutive_errors: int = 0
    """How many attempts in a row ended in an error."""
    unschedulable_plugins: set[str] = field(default_factory=set)
    pending_plugins: set[str] = field(default_factory=set)
    gating_plugin: str = ""
    gating_message: str = ""
    gating_events: tuple[ClusterEvent, ...] = ()
    backoff_expiration: int | None = None
    """Cached until the next attempt."""
    popped_from: str = ""

    @property
    def priority(self) -> int:
        """The pod's priority; 0 where none was resolved."""
        return self.pod.priority or 0

    @property
    def is_gated(self) -> bool:
        """Whether a PreEnqueue plugin keeps it out."""
        return self.gating_plugin != ""

    @property
    def rejectors(self) -> frozenset[str]:
        """The plugins that rejected it, for good or pending."""
        return frozenset(self.unschedulable_plugins | self.pending_plugins)


def order_of(queued: QueuedPod) -> tuple[int, int]:
    """PrioritySort: higher priority first, then whoever queued earlier."""
    return (-queued.priority, queued.timestamp)


def key_of(queued: QueuedPod) -> str:
    """``namespace/name``."""
    return queued.key
