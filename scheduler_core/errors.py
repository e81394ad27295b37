"""The tree of errors: a user's mistakes with path and line on one side, our own outside of it.

The one rule: everything that a user may cause is a :class:`SchedulerCoreError`; an :class:`EngineBugError` is not, so that
no handler for bad input ever swallows it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_PROBLEMS = 5
"""How many problems the text of an :class:`InvalidInputError` spells out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong (or, as a warning, not modelled): where, what, and on which line, counted from 1."""

    path: str
    message: str
    line: int | None = None

    def document(self) -> dict[str, str | int | None]:
        """The ``{path, line, message}`` of the API."""
        return {"path": self.path, "line": self.line, "message": self.message}

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        line = f" (line {self.line})" if self.line is not None else ""
        return f"{where}{self.message}{line}"


class SchedulerCoreError(Exception):
    """The root of all errors that a user may cause."""


class InvalidInputError(SchedulerCoreError):
    """Input that cannot be used, with every problem found in it; ``too_large`` says that a size was the problem."""

    def __init__(self, problems: Iterable[Problem], *, too_large: bool = False) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        self.too_large = too_large
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [str(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        hidden = len(self.problems) - len(lines)
        return "\n".join([*lines, f"and {hidden} more"] if hidden else lines)


class EngineBugError(Exception):
    """A mistake of ours: an invariant of the engine does not hold. Never caught together with bad input."""
