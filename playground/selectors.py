"""Reads: every question that doors ask about scenarios, runs and logs.

The one rule: nothing here writes, and an id that cannot be one never reaches the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from playground import chunks, engine
from playground.ids import is_id
from playground.models import FINAL, GalleryEntry, Run, RunChunk, Scenario, Status

MOST_EVENTS: Final = 10_000
_SLICE_BYTES: Final = 4 * 1024 * 1024
_SLICE_CHUNKS: Final = 64
_SETUP: Final = b"setup/"
_NO_NOMINATION: Final = b'"nominated":null'
_REMEMBERED: Final = frozenset(kind.encode() for kind in engine.REMEMBERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """A part of a log after a cursor: ``lines`` are events ``first_seq`` … without a gap; where the run stood when it was read."""

    status: str
    last_seq: int
    first_seq: int
    lines: tuple[bytes, ...]

    @property
    def end_seq(self) -> int:
        """The seq of the last line; ``first_seq - 1`` when there is none."""
        return self.first_seq + len(self.lines) - 1

    @property
    def is_final(self) -> bool:
        """Whether the log will not grow any more."""
        return self.status in FINAL


def get_scenario(scenario_id: str) -> Scenario | None:
    """The scenario, or its tombstone (``is_deleted``), or None."""
    return Scenario.objects.filter(pk=scenario_id).first() if is_id(scenario_id) else None


def document_bytes(scenario: Scenario) -> bytes:
    """The Scenario document as canonical JSON."""
    return chunks.inflate(scenario.document)


def document(scenario: Scenario) -> dict[str, Any]:
    """The Scenario document."""
    decoded: dict[str, Any] = chunks.decode(document_bytes(scenario))
    return decoded


def gallery() -> list[GalleryEntry]:
    """The gallery in its order, each entry with its scenario."""
    return list(GalleryEntry.objects.select_related("scenario").defer("scenario__document").order_by("order", "slug"))


def get_run(run_id: str) -> Run | None:
    """The run with its scenario, or None."""
    return Run.objects.select_related("scenario").defer("scenario__document").filter(pk=run_id).first() if is_id(run_id) else None


def runs_in_progress(browser: str) -> int:
    """How many runs of this browser wait or run."""
    return Run.objects.filter(client=browser, status__in=(Status.QUEUED, Status.RUNNING)).count()


def log_after(run_id: str, cursor: int, *, most: int = MOST_EVENTS, most_bytes: int = _SLICE_BYTES) -> Slice | None:
    """The next events after ``cursor``, at most ``most``, and of whole chunks about ``most_bytes``; None for an unknown run.

    The run is read before the chunks: when it says final with ``last_seq`` n, every chunk up to n is there to be read.
    """
    if not is_id(run_id):
        return None
    found = Run.objects.filter(pk=run_id).values_list("status", "last_seq").first()
    if found is None:
        return None
    status, last_seq = found
    lines: list[bytes] = []
    if most and cursor < last_seq:
        _collect(lines, run_id, cursor, most=most, most_bytes=most_bytes)
    return Slice(status=status, last_seq=max(last_seq, cursor + len(lines)), first_seq=cursor + 1, lines=tuple(lines))


def _collect(lines: list[bytes], run_id: str, cursor: int, *, most: int, most_bytes: int) -> None:
    size = 0
    rows = RunChunk.objects.filter(run_id=run_id, last_seq__gt=cursor).order_by("last_seq").values_list("first_seq", "payload")
    for first_seq, payload in rows[:_SLICE_CHUNKS].iterator(chunk_size=4):
        size += chunks.size_of(payload)
        if lines and size > most_bytes:
            return
        found = chunks.unpack(payload, skip=max(0, cursor + 1 - first_seq))
        lines.extend(found[: most - len(lines)])
        if len(lines) == most:
            return


def lines(run: Run) -> Iterator[bytes]:
    """Every event so far as a line of JSON, without a line break; a part of the log at a time is in memory."""
    cursor = 0
    while True:
        part = log_after(run.pk, cursor)
        if part is None or not part.lines:
            return
        yield from part.lines
        cursor = part.end_seq


def events(run: Run, *, after: int = 0, limit: int = 1000) -> list[dict[str, Any]]:
    """Events after a seq, decoded, at most ``limit``."""
    found: list[dict[str, Any]] = []
    while len(found) < limit:
        part = log_after(run.pk, after + len(found), most=limit - len(found))
        if part is None or not part.lines:
            break
        found.extend(chunks.decode(line) for line in part.lines)
    return found


def state(run: Run, seq: int) -> dict[str, Any]:
    """The state after event ``seq`` (0: before the first)."""
    return _story(run, seq).state()


def result(run: Run) -> dict[str, Any]:
    """Placements, evicted and pending as the log has them so far."""
    return _story(run, run.last_seq).result()


def setup_end(run: Run) -> int:
    """The seq of the last event that only says what the cluster was given with; the first event when there is none."""
    cursor = 1
    while cursor < run.last_seq:
        part = log_after(run.pk, cursor)
        if part is None or not part.lines:
            break
        for seq, line in enumerate(part.lines, part.first_seq):
            if not chunks.path_of(line).startswith(_SETUP):
                return seq - 1
        cursor = part.end_seq
    return min(cursor, run.last_seq)


def second_act(run: Run, seq: int) -> engine.SecondAct:
    """What is remembered of the events up to ``seq`` for telling the second act of preemptions after it; most lines are never decoded."""
    act = engine.SecondAct()
    cursor = 0
    while cursor < seq:
        part = log_after(run.pk, cursor, most=seq - cursor)
        if part is None or not part.lines:
            break
        for line in part.lines:
            if _is_remembered(line):
                act.told(chunks.decode(line))
        cursor = part.end_seq
    return act


def _is_remembered(line: bytes) -> bool:
    kind = chunks.kind_of(line)
    return kind in _REMEMBERED and not (kind == b"object.created" and _NO_NOMINATION in line)


def _story(run: Run, seq: int) -> engine.Story:
    story = engine.Story()
    cursor = 0
    while cursor < seq:
        part = log_after(run.pk, cursor, most=seq - cursor)
        if part is None or not part.lines:
            break
        story.apply(part.lines)
        cursor = part.end_seq
    return story


def limits() -> Any:
    """The limits of this installation (playground.limits.Limits)."""
    return settings.LIMITS
