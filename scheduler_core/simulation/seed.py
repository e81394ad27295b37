"""All chance of a run comes out of its seed, here and nowhere else.

The one rule: this is the only module of the engine that imports ``random``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random


class Seed:
    """Independent streams of numbers by name, so that one more question in one place changes nothing elsewhere."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def draw(self, name: str) -> Callable[[int], int]:
        """A stream: each call with n answers a number from 0 to n - 1."""
        stream = Random(f"{self._seed}/{name}")
        return stream.randrange
