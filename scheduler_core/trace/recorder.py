"""Turns what the engine did into numbered events.

The one rule: whoever records asks ``enabled`` first where preparing the facts costs something; nothing in the engine
decides by what was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.trace.condense import KINDS as CONDENSED_KINDS
from scheduler_core.trace.condense import condensed
from scheduler_core.trace.events import Event


class Recorder:
    """Collects events in order; ``now`` is the virtual time that the next ones carry."""

    enabled = True

    def __init__(self) -> None:
        self.now: float = 0.0
        self.last_seq = 0
        self._pending: list[Event] = []
        self._numbers: dict[str, int] = {}
        """of nodes: their places in the order of creation"""
        self._created = 0

    def record(
        self,
        kind: str,
        path: str,
        data: Mapping[str, Any],
        *,
        variant: str = "",
        args: Mapping[str, Any] | None = None,
        phase: str | None = None,
        cause: int | None = None,
    ) -> int:
        """Add an event and return its ``seq``; ``variant`` picks the message ``kind.variant`` of the catalogue."""
        self.last_seq += 1
        if kind in CONDENSED_KINDS:
            data = condensed(data, self._numbers)
        elif kind == "object.created" and data["kind"] == "Node":
            self._numbers[data["name"]] = self._created
            self._created += 1
        self._pending.append(
            Event(
                seq=self.last_seq,
                t=self.now,
                kind=kind,
                path=path,
                data=data,
                cause=cause,
                phase=phase,
                message_id=f"{kind}.{variant}" if variant else kind,
                message_args=args or {},
            )
        )
        return self.last_seq

    def drain(self) -> list[Event]:
        """The events recorded since the last call."""
        events, self._pending = self._pending, []
        return events


class SilentRecorder(Recorder):
    """Records nothing: for conformance, benchmarks and results without a trace."""

    enabled = False

    def record(
        self,
        kind: str,
        path: str,
        data: Mapping[str, Any],
        *,
        variant: str = "",
        args: Mapping[str, Any] | None = None,
        phase: str | None = None,
        cause: int | None = None,
    ) -> int:
        """Forget the event."""
        return 0
