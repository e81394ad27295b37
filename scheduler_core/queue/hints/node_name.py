"""NodeName: only a new node can have the name that a pod asks for. Mirrors plugins/nodename."""

from __future__ import annotations

from typing import Final

from scheduler_core.queue.events import NODE, Action, ClusterEvent
from scheduler_core.queue.hints.registration import Registration

REGISTRATIONS: Final = (Registration(ClusterEvent(NODE, Action.ADD)),)
