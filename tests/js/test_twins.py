"""The reducer in the browser and the replay in Python are twins: the same state after every event of every log."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import scheduler_core as core
from playground import wording
from playground.scenarios import gallery_files
from tests.conftest import unavailable

ROOT = Path(__file__).resolve().parent.parent.parent
FOLD = ROOT / "tests" / "js" / "fold.mjs"
ACTS = ROOT / "tests" / "js" / "acts.mjs"
LOGS = ROOT / "tests" / "data" / "logs"
FILES = tuple(gallery_files.files())


def states_in_javascript(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The state after each event, folded by static/js/trace/reducer.js."""
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        unavailable("Node.js", "no node on PATH")
    done = subprocess.run([node, str(FOLD)], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=120)
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_twins(lines: list[str]) -> None:
    """Compare after every event."""
    replay = core.Replay()
    for line, theirs in zip(lines, states_in_javascript(lines), strict=True):
        event = json.loads(line)
        replay.apply(event)
        ours = json.loads(json.dumps(replay.document()))
        assert ours == theirs, f"after event {event['seq']}, {event['kind']} {event['path']}"


@cache
def log_of(slug: str) -> list[str]:
    """The log of a scenario of the gallery, or a golden log of tests/data/logs, as JSON lines."""
    if (golden := LOGS / f"{slug}.jsonl").exists():
        return golden.read_text(encoding="utf-8").splitlines()
    document = next(file.document for file in FILES if file.slug == slug)
    scenario = core.load(json.dumps(document)).scenario
    simulation = core.Simulation(scenario, limits=core.RunLimits(cycles=500))
    return [json.dumps(event.document()) for event in simulation.events()]


SLUGS = [*(file.slug for file in FILES), *sorted(path.stem for path in LOGS.glob("*.jsonl"))]


@pytest.mark.parametrize("slug", SLUGS)
def test_both_reducers_agree_after_every_event(slug: str) -> None:
    assert_twins(log_of(slug))


@pytest.mark.parametrize("slug", SLUGS)
def test_both_tell_the_same_second_act(slug: str) -> None:
    lines = log_of(slug)
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        unavailable("Node.js", "no node on PATH")
    done = subprocess.run([node, str(ACTS)], input="\n".join(lines), capture_output=True, text=True, check=True, timeout=120)
    act = core.SecondAct()
    assert [act.told(json.loads(line)) for line in lines] == [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_second_act_can_be_told_from_the_middle_on(slug: str) -> None:
    events = [json.loads(line) for line in log_of(slug)]
    whole = core.SecondAct()
    told = [whole.told(event) for event in events]
    for start in range(0, len(events), max(1, len(events) // 7)):
        act = core.SecondAct()
        for event in events[:start]:
            if event["kind"] in core.REMEMBERED and not (event["kind"] == "object.created" and '"nominated": null' in json.dumps(event)):
                act.told(event)
        assert [act.told(event) for event in events[start:]] == told[start:], f"from event {start + 1} on"


@pytest.mark.parametrize("slug", SLUGS)
def test_every_event_has_a_sentence_in_both_languages_and_leaves_no_hole_open(slug: str) -> None:
    for line in log_of(slug):
        message = json.loads(line)["message"]
        for lang in wording.LANGUAGES:
            assert message["id"] in wording.sentences(lang), message["id"]
            text = wording.say(message["id"], message["args"], lang=lang)
            assert not re.search(r"\{\w+\}", text), f"{message['id']} ({lang}): {text}"
