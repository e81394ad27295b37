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
_NODES: Final = (100, 20_000)
_GRID: Final = (100, 1000, 10_000)


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
    """Milliseconds for a cycle against nodes, both on logarithmic axes; ``rows`` has the same as a table, the first row is its head."""

    lines: tuple[Line, ...]
    across: tuple[Mark, ...]
    up: tuple[Mark, ...]
    rows: tuple[tuple[str, ...], ...]
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
    curve: Curve | None


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
        ("Python", str(here["python"])),
        ("command", str(stored["command"])),
    )
    return Report(machine=machine, rows=tuple(map(_row, stored["figures"])), curve=_curve(stored["curve"]) if stored["curve"] else None)


def _row(figure: Mapping[str, Any]) -> Row:
    unit = figure["unit"]
    least, aim = ("" if figure[name] is None else f"{figure[name]:,g} {unit}" for name in ("least", "aim"))
    measured = f"{figure['measured']:,g} {unit}"
    return Row(what=figure["what"], least=least, aim=aim, measured=measured, verdict=figure["verdict"], more=figure["more"])


def _curve(stored: Mapping[str, Sequence[Mapping[str, float]]]) -> Curve:
    costs = [point["mean_ms"] for points in stored.values() for point in points]
    low, high = 10 ** math.floor(math.log10(min(costs))), 10 ** math.ceil(math.log10(max(costs)))

    def across(nodes: float) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * _share(nodes, *_NODES), 1)

    def up(cost: float) -> float:
        return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * _share(cost, low, high), 1)

    lines = []
    for name, points in stored.items():
        places = [(across(point["nodes"]), up(point["mean_ms"])) for point in points]
        lines.append(Line(name=name, points=" ".join(f"{x},{y}" for x, y in places), x=places[-1][0] + 8, y=places[-1][1] + 4))
    powers = [10.0**k for k in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    return Curve(
        lines=_apart(lines),
        across=tuple(Mark(at=across(nodes), text=f"{nodes:,}") for nodes in _GRID),
        up=tuple(Mark(at=up(power), text=f"{power:g} ms") for power in powers),
        rows=_rows(stored),
    )


def _rows(stored: Mapping[str, Sequence[Mapping[str, float]]]) -> tuple[tuple[str, ...], ...]:
    sizes = [int(point["nodes"]) for point in next(iter(stored.values()))]
    head = ("", *(f"{size:,}" for size in sizes))
    return (head, *((name, *(f"{point['mean_ms']:.3g}" for point in points)) for name, points in stored.items()))


def _apart(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Names that would lie on each other are moved down."""
    moved: list[Line] = []
    for line in sorted(lines, key=lambda each: each.y):
        y = max(line.y, moved[-1].y + 14) if moved else line.y
        moved.append(Line(name=line.name, points=line.points, x=line.x, y=y))
    return tuple(moved)


def _share(value: float, low: float, high: float) -> float:
    return (math.log10(value) - math.log10(low)) / (math.log10(high) - math.log10(low))
