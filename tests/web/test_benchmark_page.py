"""/docs/benchmark: what was measured, as a table and as curves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client as Browser

from playground.pages import benchmarks
from tests.bench.figures import Figure

pytestmark = pytest.mark.django_db


def _stored() -> dict[str, Any]:
    fast = Figure(part="engine", what="basic at 100 nodes", unit="×", measured=4.21, least=1, aim=3, is_better_high=True)
    slow = Figure(part="press", what="Run pressed: median", unit="ms", measured=412.3, least=300, aim=120, more="20 times")
    points = [{"at": 100, "cycles": 100, "mean_ms": 0.25}, {"at": 20_000, "cycles": 250, "mean_ms": 2.0}]
    machine = {"cpu": "Some CPU", "cores": 2, "memory_gib": 8.0, "system": "Linux", "python": "3.11.7", "loop_s": 0.6, "load": 0.1}
    figures = [fast.document(), slow.document()]
    return {
        "machine": machine,
        "date": "2026-11-21 03:00 UTC",
        "command": "make bench",
        "figures": figures,
        "curves": {"nodes": {"basic": points, "spread": points}, "pods": {"basic": [*points[:1], {**points[1], "at": 100_000}]}},
    }


def test_the_page_shows_every_figure_with_its_machine(browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "benchmark.json"
    path.write_text(json.dumps(_stored()))
    monkeypatch.setattr(benchmarks, "stored_at", lambda: path)
    text = browser.get("/docs/benchmark").content.decode()
    for expected in (
        "basic at 100 nodes",
        "4.21 ×",
        "100,000",
        "the aim",
        "412 ms",
        "not yet",
        "Some CPU, 2 cores",
        "make bench",
        "<polyline",
    ):
        assert expected in text


def test_without_a_measurement_the_page_says_so(browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(benchmarks, "stored_at", lambda: tmp_path / "none.json")
    assert "make bench" in browser.get("/docs/benchmark").content.decode()


def test_the_stored_measurement_can_be_shown(browser: Browser) -> None:
    assert browser.get("/docs/benchmark").status_code == 200
    assert browser.get("/docs/benchmark", headers={"Accept-Language": "zh-hans"}).status_code == 200


def test_a_curve_runs_over_the_whole_drawing_and_its_names_do_not_collide() -> None:
    curve, against_pods = benchmarks.of(_stored()).curves
    assert against_pods.across[-1].at == against_pods.right
    xs = [float(point.split(",")[0]) for point in curve.lines[0].points.split()]
    assert (xs[0], xs[-1]) == (curve.left, curve.right)
    assert abs(curve.lines[0].y - curve.lines[1].y) >= 14
