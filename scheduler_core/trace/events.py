"""What happened, as frozen facts in the past tense; ``docs/events.md`` lists every kind.

The one rule: an event carries message ids and values, never prose, so that one log reads in every language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One decision or fact of a run; ``t`` is virtual seconds, ``cause`` the ``seq`` of the event that led here."""

    seq: int
    t: float
    kind: str
    path: str
    data: Mapping[str, Any]
    cause: int | None = None
    phase: str | None = None
    message_id: str = ""
    message_args: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The event as JSON values, in the form of the contract."""
        return {
            "seq": self.seq,
            "t": self.t,
            "kind": self.kind,
            "path": self.path,
            "cause": self.cause,
            "phase": self.phase,
            "message": {"id": self.message_id or self.kind, "args": dict(self.message_args)},
            "data": dict(self.data),
        }
