"""The run as text: complete, in both languages, a part at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client as Browser

from playground import selectors
from playground.models import Run, Scenario
from playground.runs import transcript
from playground.scenarios import gallery_files

ELSEWHERE = next(file.document for file in gallery_files.files() if file.slug == "33-nominated-is-not-bound")


@pytest.fixture
def elsewhere(keep: Callable[..., Scenario], play: Callable[[Scenario], Run]) -> Run:
    """A run whose preemptor lands elsewhere than nominated."""
    return play(keep(ELSEWHERE))


def texts(run: Run, **more: Any) -> list[str]:
    """The lines of a part."""
    return [line.text for line in transcript.of(run, **{"seq": 0, "step": "", "lang": "en", **more}).lines]


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", ["comes back, attempt 2", "lands on n2, not on n1", "It was evicted for shop/checkout"]), ("zh-hans", ["第 2 次", "n2", "n1"])],
)
def test_what_comes_after_the_nomination_is_told(elsewhere: Run, lang: str, said: list[str]) -> None:
    story = "\n".join(texts(elsewhere, lang=lang))
    for each in said:
        assert each in story


def test_the_part_around_a_step_tells_the_same_as_the_whole(elsewhere: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = texts(elsewhere)
    monkeypatch.setattr(transcript, "LINES", 5)
    given = selectors.setup_end(elsewhere)
    parts, after = [], None
    while True:
        part = transcript.of(elsewhere, seq=0, step="", lang="en", asked=after)
        parts += [line.text for line in part.lines]
        if part.later is None:
            break
        assert part.later == (given if after is None else after) + 5
        after = part.later
    assert parts == whole


def test_objects_as_given_are_one_sentence_unless_a_link_names_one(elsewhere: Run) -> None:
    assert texts(elsewhere)[0].startswith("The cluster as given")
    assert not any("was created" in text for text in texts(elsewhere))
    event = selectors.events(elsewhere, after=1, limit=1)[0]
    assert any("was created" in text for text in texts(elsewhere, seq=event["seq"], step=event["path"]))


def test_the_named_step_says_why_and_when(browser: Browser, elsewhere: Run) -> None:
    event = next(each for each in selectors.events(elsewhere) if each["kind"] == "cycle.selected")
    lines = transcript.of(elsewhere, seq=event["seq"], step=event["path"], lang="en").lines
    here = next(line for line in lines if line.here)
    assert "A nomination is a claim, not a binding" in here.why
    assert [line.at for line in lines if line.at] == ["0", "5", "10", "40", "90"]
    text = browser.get(f"/r/{elsewhere.pk}?step={event['path']}&lang=en").content.decode()
    assert "A nomination is a claim, not a binding" in text.split("<noscript>")[-1]
