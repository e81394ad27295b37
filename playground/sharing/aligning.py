"""Two runs as one list of steps, however long they are: of each event only two numbers are kept, and its line is never decoded.

The one rule: runs are aligned by the paths of their steps, because the same decision has the same path in every run.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Final, NamedTuple

from playground import chunks
from playground.runs.moments import cycle_of

MOST_EVENTS: Final = 200_000
"""Of each run that a page compares."""
_GIVEN: Final = (b"run.", b"object.")
_OF_A_PICK: Final = frozenset({b"preemption.rule_applied", b"preemption.picked", b"preemption.candidates_finished"})


@dataclass(slots=True, kw_only=True)
class Outline:
    """A run, event by event: what names the step (``keys``), what was decided (``essences``), whether it was only given.

    ``picks`` are the events of best picks, with their cycles.
    """

    keys: array[int] = field(default_factory=lambda: array("Q"))
    essences: array[int] = field(default_factory=lambda: array("Q"))
    given: bytearray = field(default_factory=bytearray)
    picks: list[tuple[int, str]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.keys)


class Row(NamedTuple):
    """One step of both runs: the seq on either side, 0 where that run has no such step."""

    one: int
    other: int
    is_same: bool


@dataclass(slots=True, kw_only=True)
class Alignment(Sequence[Row]):
    """All rows, in an order that keeps both runs' as far as they agree."""

    one: array[int] = field(default_factory=lambda: array("I"))
    other: array[int] = field(default_factory=lambda: array("I"))
    same: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self.same)

    def __getitem__(self, index: int) -> Row:  # type: ignore[override]  # nobody slices it
        return Row(self.one[index], self.other[index], bool(self.same[index]))

    @property
    def seqs(self) -> tuple[array[int], array[int]]:
        """The seqs of both sides, row by row."""
        return self.one, self.other

    def add(self, one: int, other: int, *, is_same: bool) -> None:
        """The next row."""
        self.one.append(one)
        self.other.append(other)
        self.same.append(is_same)

    def stretches(self) -> list[tuple[int, int, int]]:
        """The rows for a page, as ``(one, other, count)``: both sides, where they are not 0, count on together."""
        found: list[list[int]] = []
        for one, other in zip(self.one, self.other, strict=True):
            if found and _goes_on(found[-1], one, other):
                found[-1][2] += 1
            else:
                found.append([one, other, 1])
        return [(one, other, count) for one, other, count in found]


def _goes_on(stretch: list[int], one: int, other: int) -> bool:
    first_one, first_other, count = stretch
    return one == (first_one + count if first_one else 0) and other == (first_other + count if first_other else 0)


def outline(lines: Iterable[bytes]) -> Outline:
    """The outline of a log."""
    found = Outline()
    seen: dict[int, int] = {}
    for seq, line in enumerate(lines, 1):
        kind, path, essence = _parts(line)
        key = _number(path)
        times = seen[key] = seen.get(key, 0) + 1  # paths are numbered where one comes twice
        found.keys.append(key if times == 1 else _number(path + b"#%d" % times))
        found.essences.append(_number(essence))
        found.given.append(kind.startswith(_GIVEN))
        if kind in _OF_A_PICK:
            found.picks.append((seq, cycle_of(path.decode())))
    return found


def _parts(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Kind, path and essence of ``{"seq":…,"t":…,"kind":…,"path":…,"cause":…,"phase":…,"message":…,"data":…}``.

    The essence is what makes two decisions the same: all but when, and as the how-manieth event, and because of which one.
    """
    kind, path = chunks.kind_of(line), chunks.path_of(line)
    return kind, path, kind + line[line.index(b',"phase":', len(kind) + len(path)) :]


def _number(text: bytes) -> int:
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def align(one: Outline, other: Outline) -> Alignment:
    """Both runs as one list of steps."""
    left, right = one.keys, other.keys
    at_left, at_right = ({key: index for index, key in enumerate(keys)} for keys in (left, right))
    rows = Alignment()
    i = j = 0
    while i < len(left) or j < len(right):
        ahead_right = at_right.get(left[i], -1) - j if i < len(left) else -1
        ahead_left = at_left.get(right[j], -1) - i if j < len(right) else -1
        if ahead_right == 0:
            rows.add(i + 1, j + 1, is_same=one.essences[i] == other.essences[j])
            i, j = i + 1, j + 1
        elif i < len(left) and (j >= len(right) or ahead_right < 0 or 0 <= ahead_left <= ahead_right):
            rows.add(i + 1, 0, is_same=False)
            i += 1
        else:
            rows.add(0, j + 1, is_same=False)
            j += 1
    return rows


def parting(one: Outline, other: Outline, rows: Alignment) -> int | None:
    """The row of the first decision in which the runs differ; None when they decide the same. What was given is no decision."""
    for index, (left, right, is_same) in enumerate(rows):
        if not is_same and not (one.given[left - 1] if left else other.given[right - 1]):
            return index
    return None


def picks_to_show(one: Outline, other: Outline, rows: Alignment, most: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The best picks worth showing, those that differ first: for each run the ``(first, last)`` seq of each."""
    alike = bytearray(len(one) + 1), bytearray(len(other) + 1)
    for left, right, is_same in rows:
        alike[0][left] = alike[1][right] = is_same
    spans: list[dict[str, tuple[int, int]]] = [{}, {}]
    differing: set[str] = set()
    for side, run in enumerate((one, other)):
        for seq, cycle in run.picks:
            spans[side][cycle] = (spans[side].get(cycle, (seq, seq))[0], seq)
            if not alike[side][seq]:
                differing.add(cycle)
    order = sorted({**spans[0], **spans[1]}, key=lambda cycle: (cycle not in differing, int(cycle[1:] or 0)))[:most]
    return [spans[0][cycle] for cycle in order if cycle in spans[0]], [spans[1][cycle] for cycle in order if cycle in spans[1]]


def next_on(seqs: Sequence[int], row: int) -> int:
    """The first seq of one side at or after a row; 0 when nothing follows."""
    return next(_not_zero(seqs, row), 0)


def _not_zero(seqs: Sequence[int], row: int) -> Iterator[int]:
    return (seqs[index] for index in range(row, len(seqs)) if seqs[index])
