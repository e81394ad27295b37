"""Large documents are read by another process; nobody sees the difference. These tests use the real parser."""

from __future__ import annotations

import dataclasses
import json
import subprocess

import pytest

import scheduler_core
from playground import engine
from playground.limits import Limits
from playground.scenarios import uploads


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real one."""
    monkeypatch.setattr(engine, "core", scheduler_core)


def nodes(count: int) -> bytes:
    allocatable = {"cpu": "4", "memory": "8Gi", "pods": "110"}
    items = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": f"n{k}"}, "status": {"allocatable": allocatable}} for k in range(count)
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}).encode()


def test_the_other_process_answers_as_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    text = nodes(20)
    here = uploads.parse(text, limits=Limits())
    monkeypatch.setattr(uploads, "SMALL_BYTES", 0)
    assert uploads.parse(text, limits=Limits()) == here


def test_problems_come_back_from_the_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SMALL_BYTES", 0)
    with pytest.raises(engine.InvalidInputError) as here:
        engine.parse(b"kind: [", limits=Limits())
    with pytest.raises(engine.InvalidInputError) as there:
        uploads.parse(b"kind: [", limits=Limits())
    assert there.value.problems == here.value.problems


def test_the_limits_of_this_installation_hold_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SMALL_BYTES", 0)
    with pytest.raises(engine.InvalidInputError):
        uploads.parse(nodes(20), limits=dataclasses.replace(Limits(), nodes=10))


def test_a_parser_that_hangs_is_a_problem_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("parse", 60)

    monkeypatch.setattr(uploads, "SMALL_BYTES", 0)
    monkeypatch.setattr(subprocess, "run", hang)
    with pytest.raises(engine.InvalidInputError) as refused:
        uploads.parse(b"x", limits=Limits())
    assert refused.value.too_large
