"""Two runs beside each other, as a page shows them: where they part, what each says there, the steps around it, the elimination tables.

The one rule: whole runs are outlined, and only what is shown is decoded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from playground import presenters, selectors
from playground.models import Run
from playground.presenters import Sentence
from playground.sharing import aligning, comparing
from playground.sharing.aligning import Alignment, Outline

MOST_STEPS: Final = 400
_BEFORE: Final = 5
_MOST_OF_A_PICK: Final = 400
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """The first decision that differs: its row, and the fields of its data that do; None for a run that has no such step."""

    row: int
    path: str
    one: Event | None
    other: Event | None
    fields: tuple[comparing.Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A row in words."""

    path: str
    one: str
    other: str
    is_same: bool
    is_parting: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two runs, in the language of the page."""

    run: Run
    lang: str

    def event(self, seq: int) -> Event | None:
        """The event of a row; None where this run has no such step."""
        return selectors.events(self.run, after=seq - 1, limit=1)[0] if seq else None

    def said(self, seqs: Sequence[int]) -> dict[int, Sentence]:
        """What this run says at these events, which follow each other; 0 stands for none."""
        wanted = [seq for seq in seqs if seq]
        if not wanted:
            return {}
        events = selectors.events(self.run, after=wanted[0] - 1, limit=wanted[-1] - wanted[0] + 1)
        lines = presenters.sentences(events, lang=self.lang, act=selectors.second_act(self.run, wanted[0] - 1))
        return {event["seq"]: line for event, line in zip(events, lines, strict=True)}


def of(runs: Sequence[Run], *, lang: str) -> dict[str, Any]:
    """What the page needs of two runs that are over."""
    sides = [Side(run, lang) for run in runs]
    one, other = (aligning.outline(islice(selectors.lines(run), aligning.MOST_EVENTS)) for run in runs)
    rows = aligning.align(one, other)
    at = aligning.parting(one, other, rows)
    first = max(0, (at or 0) - _BEFORE)
    return {
        "rows": rows.stretches(),
        "parting": None if at is None else _parting(sides, rows, at),
        "said": ("", "") if at is None else tuple(_next_said(side, seqs, at) for side, seqs in zip(sides, rows.seqs, strict=True)),
        "steps": _steps(sides, rows, first, at),
        "step_count": len(rows),
        "first_step": first + 1,
        "tables": _tables(runs, one, other, rows),
        "is_cut": any(run.last_seq > aligning.MOST_EVENTS for run in runs),
        "most_events": f"{aligning.MOST_EVENTS:,}",
    }


def _parting(sides: Sequence[Side], rows: Alignment, at: int) -> Parting:
    one, other = (side.event(seq) for side, seq in zip(sides, rows[at][:2], strict=True))
    fields = tuple(comparing.fields_that_differ(one["data"], other["data"])) if one and other else ()
    shown = one or other or {}
    return Parting(row=at, path=shown["path"], one=one, other=other, fields=fields[: comparing.MOST_FIELDS])


def _next_said(side: Side, seqs: Sequence[int], row: int) -> str:
    """What a run does at a row; where it has no such step, what it does next instead."""
    seq = aligning.next_on(seqs, row)
    return side.said([seq])[seq].text if seq else ""


def _steps(sides: Sequence[Side], rows: Alignment, first: int, at: int | None) -> list[Step]:
    end = min(len(rows), first + MOST_STEPS)
    one, other = (side.said(seqs[first:end]) for side, seqs in zip(sides, rows.seqs, strict=True))
    return [_step(rows, index, one, other, is_parting=index == at) for index in range(first, end)]


def _step(rows: Alignment, index: int, one: Mapping[int, Sentence], other: Mapping[int, Sentence], *, is_parting: bool) -> Step:
    row = rows[index]
    left, right = one.get(row.one), other.get(row.other)
    shown = left or right
    return Step(
        path=shown.path if shown else "",
        one=left.text if left else "",
        other=right.text if right else "",
        is_same=row.is_same,
        is_parting=is_parting,
    )


def _tables(runs: Sequence[Run], one: Outline, other: Outline, rows: Alignment) -> list[comparing.Table]:
    picks = aligning.picks_to_show(one, other, rows, comparing.MOST_TABLES)
    left, right = (
        [event for first, last in spans for event in selectors.events(run, after=first - 1, limit=min(last - first + 1, _MOST_OF_A_PICK))]
        for run, spans in zip(runs, picks, strict=True)
    )
    return comparing.tables(left, right)
