"""What changed, in order, for whoever keeps something that hangs on it.

The one rule: a reader remembers how far it has read; one that has fallen too far behind has to forget all that it kept.
"""

from __future__ import annotations

from typing import Final, Generic, TypeVar

MOST: Final = 65_536
"""Entries kept; with one more the journal starts anew."""

T = TypeVar("T")


class Journal(Generic[T]):
    """Entries since some beginning; ``end`` is the mark of a reader who has read everything."""

    def __init__(self) -> None:
        self._entries: list[T] = []
        self._begin = 0

    @property
    def end(self) -> int:
        """The mark behind the last entry."""
        return self._begin + len(self._entries)

    def note(self, entry: T) -> None:
        """The entry changed."""
        if len(self._entries) >= MOST:
            self.restart()
        self._entries.append(entry)

    def restart(self) -> None:
        """Everything changed: no mark of before is good any more."""
        self._begin = self.end + 1
        self._entries.clear()

    def since(self, mark: int) -> list[T] | None:
        """The entries behind the mark; None when everything may have changed."""
        return self._entries[mark - self._begin :] if mark >= self._begin else None
