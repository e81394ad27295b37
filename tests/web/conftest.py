"""What the tests of the web side share: a fake engine, scenarios that ask for events, and runs brought to their end in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client as Browser

from playground import engine
from playground.http.clients import Client, identify
from playground.models import Run, Scenario
from playground.runs import execution
from tests.web import fake_core

URL = "/api/v1"


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The web side is tested without the engine; tests/topology has the real one."""
    monkeypatch.setattr(engine, "core", fake_core)


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    """Nobody has saved anything this hour."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture(autouse=True)
def unheard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs handed to the workers: there are none, so the tests see the names."""
    handed: list[str] = []
    monkeypatch.setattr("playground.celery.app.send_task", lambda _name, arguments: handed.append(arguments[0]))
    return handed


@pytest.fixture
def someone() -> Client:
    """A client."""
    return identify(cookie=None, address="192.0.2.1", agent="test")


@pytest.fixture
def browser() -> Browser:
    """A client that reports what goes wrong as an answer, as a server does."""
    return Browser(raise_request_exception=False)


def scenario_text(*tags: str, title: str = "A scenario", **more: Any) -> bytes:
    """A document for the fake engine."""
    return json.dumps(
        {"apiVersion": "playground/v1", "kind": "Scenario", "metadata": {"title": title, "tags": list(tags)}, **more}
    ).encode()


@pytest.fixture
def save(db: None) -> Callable[..., Scenario]:
    """Save a scenario with these tags."""
    from playground.scenarios import saving

    def make(*tags: str, title: str = "A scenario", **more: Any) -> Scenario:
        parsed = engine.parse(scenario_text(*tags, title=title, **more), limits=engine.Limits())
        return saving.store_scenario(parsed).scenario

    return make


@pytest.fixture
def queue(save: Callable[..., Scenario], someone: Client) -> Callable[..., Run]:
    """A queued run of a scenario with these tags."""
    from playground.runs import starting

    return lambda *tags: starting.create_run(save(*tags), client=someone)


@pytest.fixture
def finish(queue: Callable[..., Run]) -> Callable[..., Run]:
    """A run brought to its end."""

    def make(*tags: str) -> Run:
        run = queue(*tags)
        execution.execute(run.pk)
        run.refresh_from_db()
        return run

    return make
