"""Each scenario of the gallery shows what it claims, in both languages, and always the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from scheduler_core import Outcome, Replay, canonical_json, holds, load, simulate

FOLDER = Path(__file__).parent.parent.parent / "playground" / "gallery"
FILES = sorted(FOLDER.glob("*.yaml"))
TEXTS = ("claim", "watch", "question", "answer")


def _document(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content


def _events(path: Path) -> list[dict[str, Any]]:
    document = {key: value for key, value in _document(path).items() if key not in ("gallery", "expect")}
    return [event.document() for event in simulate(load(canonical_json(document)).scenario)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_claim_of_the_gallery_holds(path: Path) -> None:
    expressions = _document(path)["expect"]
    events = _events(path)
    outcome = Outcome(events, Replay(events).result())
    assert expressions, "a scenario without a claim shows nothing"
    assert [expression for expression in expressions if not holds(expression, outcome)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_says_what_it_shows_in_both_languages(path: Path) -> None:
    document = _document(path)
    gallery = document["gallery"]
    assert document["metadata"]["title"] and document["metadata"]["summary"]
    assert all(gallery[key] for key in (*TEXTS, "level", "group"))
    assert all(gallery["zh-hans"][key] for key in (*TEXTS, "title", "summary"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_gallery_scenario_loads_without_a_warning_and_runs_the_same_twice(path: Path) -> None:
    document = {key: value for key, value in _document(path).items() if key not in ("gallery", "expect")}
    assert load(canonical_json(document)).warnings == ()
    assert _events(path) == _events(path)
