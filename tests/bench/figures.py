"""What is to be reached, and what kube-scheduler v1.34.1 reaches: the numbers that the measured ones are held against.

The one rule: a figure is named here once; parts only measure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

REFERENCE_LOOP_SECONDS: Final = 1.24
"""How long ten million steps of a plain loop took on the machine that kube-scheduler was measured on."""

KUBE_SCHEDULER: Final[Mapping[tuple[str, int], tuple[float, float]]] = {
    ("basic", 100): (2600, 2900),
    ("basic", 1000): (670, 790),
    ("basic", 5000): (690, 770),
    ("spread", 100): (1450, 1990),
    ("spread", 1000): (460, 530),
    ("spread", 5000): (320, 340),
    ("antiaffinity", 100): (1880, 2140),
    ("antiaffinity", 1000): (370, 380),
    ("antiaffinity", 5000): (230, 250),
    ("preempt", 100): (830, 950),
    ("preempt", 1000): (320, 360),
    ("preempt", 5000): (66, 73),
}
"""Pods a second of its own algorithm in process, in two measurements, by workload and nodes."""

RATIOS: Final[Mapping[int, tuple[float, float]]] = {100: (1, 3), 1000: (3, 8), 5000: (5, 30)}
"""At least, and aim, by nodes; the aim of ``preempt`` at 5,000 nodes is 20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table. ``least`` and ``aim`` are in ``unit`` (``×``: times kube-scheduler's); None where
    nothing was set. ``more`` is what else is worth knowing.
    """

    part: str
    what: str
    unit: str
    measured: float
    least: float | None = None
    aim: float | None = None
    is_better_high: bool = False
    more: str = ""

    @property
    def verdict(self) -> str:
        """``aim``, ``yes``, ``no``, or nothing where nothing was set."""
        if self._reaches(self.aim):
            return "aim"
        if self.least is None:
            return ""
        return "yes" if self._reaches(self.least) else "no"

    def _reaches(self, bound: float | None) -> bool:
        if bound is None:
            return False
        return self.measured >= bound if self.is_better_high else self.measured <= bound

    def document(self, when: datetime | None = None) -> dict[str, Any]:
        """As JSON values."""
        moment = (when or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%MZ")
        return {**asdict(self), "measured": _rounded(self.measured), "verdict": self.verdict, "when": moment}


def _rounded(number: float) -> float:
    """Three digits say all that a noisy machine knows."""
    if number == 0 or abs(number) >= 1000:
        return round(number)
    digits = 2 - len(str(int(abs(number)))) + 1
    return round(number, max(0, digits) if abs(number) >= 1 else 3)


def quantile(values: list[float], share: float) -> float:
    """The value that ``share`` of all do not exceed; of few values, the nearest one above."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: list[float]) -> float:
    """The middle one."""
    return quantile(values, 0.5)
