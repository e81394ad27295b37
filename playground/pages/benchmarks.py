"""What /docs/benchmark shows of docs/benchmark.json: the table, and how the cost of a cycle grows, as lines of a drawing.

The one rule: measuring is tests/bench's; this only reads, and a file that is not there is an empty page, not an error.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings

WIDTH: Final = 640
HEIGHT: Final = 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 110, 16, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of the table; bounds and figure as texts with their unit."""

    what: str
    least: str
    aim: str
    measured: str
    verdict: str
    more: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One workload in the drawing: ``points`` for a polyline, and where its name stands."""

    name: str
    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A line of the grid: ``at`` in the drawing, and what is written beside it."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Milliseconds for a cycle against nodes or pods, both on logarithmic axes; ``rows`` has the same as a list of points."""

    axis: str
    lines: tuple[Line, ...]
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """(workload, (how many, milliseconds) for each point)"""
    view_box: str = f"0 0 {WIDTH} {HEIGHT}"
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = HEIGHT - _BOTTOM
    label_y: int = HEIGHT - _BOTTOM + 18
    title_y: int = HEIGHT - 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything measured, and on what."""

    machine: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    curves: tuple[Curve, ...]


def report() -> Report | None:
    """docs/benchmark.json, or None when nothing was measured."""
    path = stored_at()
    return of(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None


def stored_at() -> Path:
    """The file that ``make bench`` writes."""
    return Path(settings.BASE_DIR) / "docs" / "benchmark.json"


def of(stored: Mapping[str, Any]) -> Report:
    """The report of a stored document."""
    here = stored["machine"]
    machine = (
        ("date", str(stored["date"])),
        ("processor", f"{here['cpu']}, {here['cores']} cores, {here['memory_gib']} GiB"),
        ("ten million steps of a plain loop", f"{here['loop_s']} s"),
        ("load when it began", str(here["load"])),
        ("Python", str(here["python"])),
        ("command", str(stored["command"])),
    )
    return Report(
        machine=machine,
        rows=tuple(map(_row, stored["figures"])),
        curves=tuple(_curve(axis, lines) for axis, lines in stored["curves"].items()),
    )


def _row(figure: Mapping[str, Any]) -> Row:
    unit = figure["unit"]
    least, aim = ("" if figure[name] is None else f"{figure[name]:,g} {unit}" for name in ("least", "aim"))
    measured = f"{figure['measured']:,g} {unit}"
    return Row(what=figure["what"], least=least, aim=aim, measured=measured, verdict=figure["verdict"], more=figure["more"])


def _curve(axis: str, stored: Mapping[str, Sequence[Mapping[str, float]]]) -> Curve:
    costs = [point["mean_ms"] for points in stored.values() for point in points]
    sizes = [point["at"] for points in stored.values() for point in points]
    low, high = _decade_below(min(costs)), 10 ** math.ceil(math.log10(max(costs)))

    def across(size: float) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * _share(size, min(sizes), max(sizes)), 1)

    def up(cost: float) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * _share(cost, low, high), 1)

    lines = []
    for name, points in stored.items():
        places = [(across(point["at"]), up(point["mean_ms"])) for point in points]
        lines.append(Line(name=name, points=" ".join(f"{x},{y}" for x, y in places), x=places[-1][0] + 8, y=places[-1][1] + 4))
    return Curve(
        axis=axis,
        lines=_apart(lines),
        across=tuple(Mark(at=across(size), text=f"{size:,.0f}") for size in _powers(min(sizes), max(sizes))),
        up=tuple(Mark(at=up(cost), text=f"{cost:g} ms") for cost in _powers(low, high)),
        rows=tuple((name, tuple((f"{point['at']:,}", f"{point['mean_ms']:.3g}") for point in points)) for name, points in stored.items()),
    )


def _decade_below(value: float) -> float:
    return 10.0 ** math.floor(math.log10(value))


def _powers(low: float, high: float) -> list[float]:
    """The powers of ten from ``low`` to ``high``."""
    exponents = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    return [10.0**exponent for exponent in exponents]


def _apart(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Names that would lie on each other are moved down."""
    moved: list[Line] = []
    for line in sorted(lines, key=lambda each: each.y):
        y = max(line.y, moved[-1].y + 14) if moved else line.y
        moved.append(Line(name=line.name, points=line.points, x=line.x, y=y))
    return tuple(moved)


def _share(value: float, low: float, high: float) -> float:
    return (math.log10(value) - math.log10(low)) / (math.log10(high) - math.log10(low))
