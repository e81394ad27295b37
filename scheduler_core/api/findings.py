"""Findings: what is wrong or not modelled in an input, collected until everything has been read.

The one rule: a path is a chain of ``(parent, key)`` and becomes text only when something is found there, so that reading
good input costs nothing. Lines are added at the end, from the text (see :mod:`scheduler_core.api.lines`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from scheduler_core.errors import InvalidInputError, Problem

Path = tuple["Path | None", "str | int"]
"""``(parent, key)``; the root is None. A key is a name in a map or an index in a list."""

MAX_FINDINGS: Final = 100
"""How many problems, and how many warnings, are spelled out."""

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

_KEY: Final = re.compile(r"([^.\[\]]+)|\[([^\]]*)\]")

LineOf = Callable[[list["Path | None"]], Mapping["Path | None", int]]


def keys_of(path: Path | None) -> list[str | int]:
    """The keys from the root down."""
    keys: list[str | int] = []
    while path is not None:
        path, key = path
        keys.append(key)
    keys.reverse()
    return keys


def text_of(path: Path | None) -> str:
    """``items[3].spec.nodeSelector[disk.io/kind]``: the path as field errors of Kubernetes write it."""
    parts: list[str] = []
    for key in keys_of(path):
        plain = isinstance(key, str) and _PLAIN_KEY.fullmatch(key)
        parts.append(f".{key}" if plain else f"[{str(key)[:80]}]")
    return "".join(parts).removeprefix(".")


def keys_of_text(text: str) -> list[str | int]:
    """The keys of a path as :func:`text_of` writes it: joined by dots, ``[0]`` an index, brackets around keys that have dots."""
    keys: list[str | int] = []
    for plain, quoted in _KEY.findall(text):
        keys.append(int(quoted) if quoted.isdecimal() and len(quoted) < 6 else quoted or plain)
    return keys


class Findings:
    """Collects problems and warnings; :attr:`count` grows with each of either kind.

    ``strict`` findings hold an object to everything that an API server checks; others only to what must hold for it to be read.
    """

    def __init__(self, prefix: str = "", *, strict: bool = True) -> None:
        self.prefix = prefix
        self.strict = strict
        self.count = 0
        self.problem_count = 0
        self.too_large = False
        self._problems: list[tuple[Path | None, str]] = []
        self._warnings: list[tuple[Path | None, str]] = []
        self._warning_count = 0

    def problem(self, path: Path | None, message: str) -> None:
        """Something that cannot be read."""
        self.count += 1
        self.problem_count += 1
        if len(self._problems) < MAX_FINDINGS:
            self._problems.append((path, message))

    def invalid(self, path: Path | None, message: str) -> None:
        """Something that can be read but that an API server would refuse."""
        if self.strict:
            self.problem(path, message)

    def exceed(self, path: Path | None, message: str) -> None:
        """A problem of size."""
        self.too_large = True
        self.problem(path, message)

    def warn(self, path: Path | None, message: str) -> None:
        """Something that is kept or ignored although a real cluster would heed it."""
        self.count += 1
        self._warning_count += 1
        if len(self._warnings) < MAX_FINDINGS:
            self._warnings.append((path, message))

    def problems(self, line_of: LineOf | None = None) -> tuple[Problem, ...]:
        """All problems with their lines, in the order found, and ``and N more`` past the cap."""
        return self._finished(self._problems, self.problem_count, line_of)

    def warnings(self, line_of: LineOf | None = None) -> tuple[Problem, ...]:
        """All warnings, as :meth:`problems`."""
        return self._finished(self._warnings, self._warning_count, line_of)

    def raise_problems(self, line_of: LineOf | None = None) -> None:
        """Raise :class:`InvalidInputError` when there is any problem."""
        if self._problems:
            raise InvalidInputError(self.problems(line_of), too_large=self.too_large)

    def _finished(self, found: list[tuple[Path | None, str]], count: int, line_of: LineOf | None) -> tuple[Problem, ...]:
        lines = line_of([path for path, _ in found]) if line_of and found else {}
        finished = [Problem(path=self._joined(path), message=message, line=lines.get(path)) for path, message in found]
        if count > len(found):
            finished.append(Problem(path="", message=f"and {count - len(found)} more"))
        return tuple(finished)

    def _joined(self, path: Path | None) -> str:
        text = text_of(path)
        return f"{self.prefix}.{text}".removesuffix(".").replace(".[", "[") if self.prefix else text
