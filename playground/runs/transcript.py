"""The run as text, for who has no JavaScript: the story from its beginning, or around a step, a part at a time.

The one rule: how the cluster was given is one sentence; its objects are listed only where a link names one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from playground import presenters, selectors
from playground.models import Run
from playground.presenters import Sentence

LINES: Final = 400
BEFORE: Final = 20
"""How many lines stand before the one that a link names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A part of the story; ``earlier`` and ``later`` are what to ask for next, None at the ends; ``here`` is the sentence of the step."""

    lines: tuple[Sentence, ...]
    here: str
    earlier: int | None
    later: int | None


def of(run: Run, *, seq: int, step: str, lang: str, asked: int | None = None) -> Transcript:
    """The part after event ``asked``, else with the event ``seq`` that the step names (0 for none)."""
    given = selectors.setup_end(run)
    start = _start(run, seq, given, asked)
    events = selectors.events(run, after=start, limit=LINES)
    if start == given:
        events = [*selectors.events(run, limit=1), *events]
    lines = presenters.sentences(events, lang=lang, step=step, act=selectors.second_act(run, start))
    return Transcript(
        lines=tuple(lines),
        here=presenters.sentence_here(lines),
        earlier=max(0, start - LINES) if start and start != given else None,
        later=start + LINES if run.last_seq > start + LINES else None,
    )


def _start(run: Run, seq: int, given: int, asked: int | None) -> int:
    if asked is not None and asked > given:
        return min(asked, run.last_seq)
    if 1 < seq <= given:
        return max(0, seq - BEFORE)
    return seq - BEFORE if asked is None and seq > given + LINES else given
