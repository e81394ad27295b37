"""What a run takes from the scenario's configuration and feature gates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scheduler_core.configuration import Configuration
from scheduler_core.framework.interface import Profile
from scheduler_core.queue.hints import EXTENDER
from scheduler_core.queue.scheduling_queue import QueueSettings
from scheduler_core.simulation.clock import SECOND

ASYNC_PREEMPTION: Final = "SchedulerAsyncPreemption"
POP_FROM_BACKOFF: Final = "SchedulerPopFromBackoffQ"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """What ends a run before it settles: scheduling cycles, and events (None for no limit)."""

    cycles: int = 20_000
    events: int | None = None


def queue_settings(configuration: Configuration, gates: Mapping[str, bool]) -> QueueSettings:
    """The queue's settings; seconds of a KubeSchedulerConfiguration become milliseconds."""
    return QueueSettings(
        initial_backoff_ms=configuration.pod_initial_backoff_seconds * SECOND,
        max_backoff_ms=configuration.pod_max_backoff_seconds * SECOND,
        pop_from_backoff=gates.get(POP_FROM_BACKOFF, True),
    )


def plugins_of(profile: Profile, *, extenders: bool) -> tuple[str, ...]:
    """The plugins of a profile that may reject a pod, in the order in which their hints are asked."""
    names = [*profile.points.get("preEnqueue", ()), *profile.filters, *(plugin.name for plugin in profile.pre_filters)]
    if extenders:
        names.append(EXTENDER)
    return tuple(dict.fromkeys(names))
