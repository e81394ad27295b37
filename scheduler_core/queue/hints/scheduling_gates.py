"""SchedulingGates: a gated pod waits until its own gates are gone. Mirrors plugins/schedulinggates."""

from __future__ import annotations

from typing import Final

from scheduler_core.api.objects import Pod
from scheduler_core.queue.events import POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration


def after_gates_eliminated(pod: Pod, _old: Pod, new: Pod) -> bool:
    """Only the pod's own gates count."""
    return new.key == pod.key


REGISTRATIONS: Final = (Registration(ClusterEvent(POD, Action.POD_GATES_ELIMINATED), after_gates_eliminated),)
