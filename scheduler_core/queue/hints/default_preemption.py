"""DefaultPreemption: gates a pod whose preemption is under way; victims that go are for other plugins to judge.

Mirrors plugins/defaultpreemption.
"""

from __future__ import annotations

from typing import Final

from scheduler_core.queue.events import POD, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration, never

REGISTRATIONS: Final = (Registration(ClusterEvent(POD, Action.DELETE), never),)
