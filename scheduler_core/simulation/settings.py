"""What a run takes from the scenario's configuration and feature gates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.framework.interface import Profile
from scheduler_core.queue.hints import EXTENDER
from scheduler_core.queue.scheduling_queue import QueueSettings

ASYNC_PREEMPTION: Final = "SchedulerAsyncPreemption"
POP_FROM_BACKOFF: Final = "SchedulerPopFromBackoffQ"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """What ends a run before it settles: scheduling cycles, and events (None for no limit)."""

    cycles: int = 20_000
    events: int | None = None


def queue_settings(config: Mapping[str, Any] | None, gates: Mapping[str, bool]) -> QueueSettings:
    """The queue's settings; seconds of a KubeSchedulerConfiguration become milliseconds."""
    given = config or {}
    return QueueSettings(
        initial_backoff_ms=_milliseconds(given.get("podInitialBackoffSeconds"), 1),
        max_backoff_ms=_milliseconds(given.get("podMaxBackoffSeconds"), 10),
        pop_from_backoff=gates.get(POP_FROM_BACKOFF, True),
    )


def plugins_of(profile: Profile, *, extenders: bool) -> tuple[str, ...]:
    """The plugins of a profile that may reject a pod, in the order in which their hints are asked."""
    names = ["SchedulingGates", *profile.filters, *(plugin.name for plugin in profile.pre_filters)]
    if profile.preemption is not None:
        names.append("DefaultPreemption")
    if extenders:
        names.append(EXTENDER)
    return tuple(dict.fromkeys(names))


def _milliseconds(seconds: Any, default: int) -> int:
    return int((default if seconds is None else seconds) * 1000)
