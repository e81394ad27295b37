"""Every case of every family is decided as kube-scheduler v1.34.1 decided it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scheduler_core.conformance import answer
from scheduler_core.framework import kept
from tests.conformance.compare import case_differences

FILES = sorted((Path(__file__).parent.parent / "data" / "conformance").glob("*.jsonl.gz"))


def cases_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def test_the_families_are_all_here() -> None:
    assert len(FILES) == 25
    assert sum(1 for path in FILES for _ in cases_of(path)) == 1318


@pytest.mark.parametrize("first_kept", [1, kept.FIRST_KEPT], ids=["kept at once", "kept as always"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.split(".")[0])
def test_every_case_is_decided_as_kube_scheduler_decides_it(path: Path, first_kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FIRST_KEPT", first_kept)
    wrong = {}
    for case in cases_of(path):
        expected = case.pop("expected")
        differences = case_differences(expected, answer(case))
        if differences:
            wrong[case["name"]] = differences[0]
    assert not wrong


def test_the_comparison_notices_every_kind_of_difference() -> None:
    with_preemption = next(case for case in cases_of(next(p for p in FILES if p.name.startswith("ties-single"))) if _preempts(case))
    expected = with_preemption["expected"]
    assert not case_differences(expected, expected)
    for spoil in (_another_victim, _another_pick, _another_reason):
        assert case_differences(expected, spoil(json.loads(json.dumps(expected))))


def _preempts(case: dict[str, Any]) -> bool:
    return bool(case["expected"]["cycles"][0].get("preemption", {}).get("candidates"))


def _another_victim(expected: dict[str, Any]) -> dict[str, Any]:
    next(iter(expected["cycles"][0]["preemption"]["candidates"].values()))["victims"].append("default/another")
    return expected


def _another_pick(expected: dict[str, Any]) -> dict[str, Any]:
    expected["cycles"][0]["preemption"]["picks"].append("another")
    return expected


def _another_reason(expected: dict[str, Any]) -> dict[str, Any]:
    expected["cycles"][0]["fitError"] += "?"
    return expected
