"""What the tests of sharing share: the real engine, a scenario whose budget decides, and its run."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

import scheduler_core
from playground import engine
from playground.http.clients import Client
from playground.limits import Limits
from playground.models import Run, Scenario
from playground.runs import execution, handing_out, starting
from playground.scenarios import gallery_files, saving

DOCUMENT = next(file.document for file in gallery_files.files() if file.slug == "26-pdb-beats-priority")


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real one, in place of the fake of tests/web."""
    monkeypatch.setattr(engine, "core", scheduler_core)
    monkeypatch.setattr(starting, "PATIENCE_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def worker(monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any) -> None:
    """Runs are carried out where they are handed out: at once, in this process."""
    monkeypatch.setattr(handing_out, "hand_out", execution.execute)


@pytest.fixture
def keep(db: None) -> Callable[..., Scenario]:
    """Save a document; ``parent`` as for ``saving.store_scenario``."""

    def make(document: dict[str, Any], **more: Any) -> Scenario:
        return saving.store_scenario(engine.parse(engine.canonical(document), limits=Limits()), **more).scenario

    return make


@pytest.fixture
def document() -> dict[str, Any]:
    """The scenario in which a budget beats priority; a copy, to be changed."""
    return copy.deepcopy(DOCUMENT)


@pytest.fixture
def scenario(keep: Callable[..., Scenario], document: dict[str, Any]) -> Scenario:
    """That scenario, saved."""
    return keep(document)


@pytest.fixture
def play(someone: Client) -> Callable[[Scenario], Run]:
    """Run a scenario to its end."""

    def make(scenario: Scenario) -> Run:
        run = starting.create_run(scenario, client=someone)
        execution.execute(run.pk)
        run.refresh_from_db()
        return run

    return make


@pytest.fixture
def run(play: Callable[[Scenario], Run], scenario: Scenario) -> Run:
    """Its run, over."""
    return play(scenario)
