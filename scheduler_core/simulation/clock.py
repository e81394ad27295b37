"""Virtual time: whole milliseconds since the start of the run.

The one rule: only the loop moves the clock, and only forward.
"""

from __future__ import annotations

from typing import Final

SECOND: Final = 1000


class VirtualClock:
    """``now`` in milliseconds; ``epoch`` is the Unix time of the start, in seconds."""

    def __init__(self, epoch: int) -> None:
        self.now = 0
        self.epoch = epoch

    @property
    def seconds(self) -> float:
        """Seconds since the start of the run, as events carry them."""
        return self.now / SECOND

    @property
    def unix(self) -> int:
        """Unix time in whole seconds, as objects carry it."""
        return self.epoch + self.now // SECOND

    def advance_to(self, now: int) -> None:
        """Go forward to a time; a time in the past is left alone."""
        self.now = max(self.now, now)
