"""The gallery's files, and what running them comes to.

The one rule: a file is read anew for every test, so a test may change what it was given.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import yaml

from scheduler_core import Outcome, Replay, canonical_json, load, simulate

FOLDER: Final = Path(__file__).parent.parent.parent / "playground" / "gallery"
FILES: Final = sorted(FOLDER.glob("*.yaml"))
BESIDE: Final = ("gallery", "expect")
"""Keys of a file that are no part of its scenario."""


def document_of(path: Path) -> dict[str, Any]:
    """The whole file."""
    content: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return content


def scenario_of(document: dict[str, Any]) -> dict[str, Any]:
    """The file without what stands beside its scenario."""
    return {key: value for key, value in document.items() if key not in BESIDE}


def events_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every event of the scenario's run."""
    return [event.document() for event in simulate(load(canonical_json(scenario_of(document))).scenario)]


def outcome_of(document: dict[str, Any]) -> Outcome:
    """What expectations may ask of the scenario's run."""
    events = events_of(document)
    return Outcome(events, Replay(events).result())
