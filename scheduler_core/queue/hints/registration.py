"""What a plugin registers with the queue: an event and the hint that says whether it may help a pod that it rejected.

The one rule: a hint is a pure function of the waiting pod and the object before and after; None stands for "always".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scheduler_core.api.objects import Pod
from scheduler_core.queue.events import ClusterEvent

Hint = Callable[[Pod, Any, Any], bool]
"""(waiting pod, object before or None, object after or None) -> whether to try the pod again."""


@dataclass(frozen=True, slots=True)
class Registration:
    """An event that a plugin asks to be told of."""

    event: ClusterEvent
    hint: Hint | None = None


def always(_pod: Pod, _old: Any, _new: Any) -> bool:
    """The hint of a registration without one."""
    return True


def never(_pod: Pod, _old: Any, _new: Any) -> bool:
    """The hint of a plugin that wants its event for another reason than to be retried."""
    return False
