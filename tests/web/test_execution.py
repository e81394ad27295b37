"""The worker's side: the log, the lease, and what happens when a worker does not come to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from playground import chunks, engine, selectors
from playground.limits import Limits
from playground.models import Run, RunChunk, Status
from playground.runs import execution, handing_out

pytestmark = pytest.mark.django_db
Make = Callable[..., Run]


def lines(run: Run) -> list[bytes]:
    found = [line for chunk in RunChunk.objects.filter(run=run).order_by("first_seq") for line in chunks.unpack(chunk.payload)]
    assert [chunks.decode(line)["seq"] for line in found] == list(range(1, len(found) + 1))
    return found


class Killed(BaseException):
    """What kill -9 looks like from inside a test."""


def kill_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """The next simulation ends without a word after ``count`` events."""
    whole = engine.Session.events

    def cut(self: engine.Session) -> Iterator[tuple[int, str, bytes]]:
        for number, event in enumerate(whole(self)):
            if number == count:
                raise Killed
            yield event

    monkeypatch.setattr(engine.Session, "events", cut)
    monkeypatch.setattr(execution.Lease, "give_back", lambda self: None)


def test_the_log_of_a_run_is_complete_and_the_run_knows_its_end(finish: Make) -> None:
    run = finish("events:5000")
    assert run.status == Status.FINISHED
    assert run.last_seq == 5000 == len(lines(run))
    assert run.finished is not None
    assert run.seconds is not None


def test_the_first_event_is_stored_at_once_and_alone(finish: Make) -> None:
    run = finish("events:500")
    first = RunChunk.objects.filter(run=run).order_by("first_seq").first()
    assert (first.first_seq, first.last_seq) == (1, 1)
    assert RunChunk.objects.filter(run=run).count() < 20


@pytest.mark.parametrize("count", [0, 1, 2, 7, 99, 100])
def test_a_killed_worker_is_continued_and_the_log_is_the_same(
    finish: Make, queue: Make, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    whole = finish("events:100", "pause:0.001")
    run = queue("events:100", "pause:0.001")
    with monkeypatch.context() as patch:
        kill_after(patch, count)
        if count < 100:
            with pytest.raises(Killed):
                execution.execute(run.pk)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert execution.execute(run.pk) == "finished"
    assert lines(run) == lines(whole)


def test_a_run_in_other_hands_is_left_alone(queue: Make) -> None:
    run = queue("events:10")
    lease = execution.take_lease(run.pk)
    assert lease is not None
    assert execution.take_lease(run.pk) is None
    assert execution.execute(run.pk) == "not ours"


def test_whoever_lost_the_lease_writes_nothing_more(queue: Make) -> None:
    run = queue("events:10")
    old = execution.take_lease(run.pk)
    assert old is not None
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert execution.execute(run.pk) == "finished"
    with pytest.raises(execution.LeaseLostError):
        execution.Log(lease=old).add(1, b"{}")
    assert not old.renew()
    assert len(lines(run)) == 10


def test_a_task_for_a_finished_or_unknown_run_is_harmless(finish: Make) -> None:
    run = finish()
    assert execution.execute(run.pk) == "not ours"
    assert execution.execute("nothere0000000") == "not ours"


def test_a_run_that_meets_the_limit_of_cycles_is_an_answer(finish: Make) -> None:
    run = finish("events:100", "limit:20")
    assert run.status == Status.LIMIT
    assert [chunks.decode(line)["kind"] for line in lines(run)[-2:]] == ["run.limit_reached", "run.finished"]


def test_a_run_that_takes_too_long_ends_by_the_engines_own_events(finish: Make, settings) -> None:
    settings.LIMITS = replace(Limits(), run_seconds=0)
    run = finish("events:100")
    assert run.status == Status.LIMIT
    assert chunks.decode(lines(run)[-2])["data"] == {"limit": "seconds"}


def test_a_log_that_grows_too_large_ends_at_the_same_event_each_time(finish: Make, settings) -> None:
    settings.LIMITS = replace(Limits(), log_bytes=5000)
    first, second = finish("events:100"), finish("events:100")
    assert first.status == Status.LIMIT
    assert lines(first) == lines(second)
    assert chunks.decode(lines(first)[-2])["data"] == {"limit": "bytes"}


def test_our_mistake_fails_the_run_keeps_its_events_and_is_raised_at_the_door(queue: Make) -> None:
    run = queue("events:100", "raise:30", "pause:0.003")
    with pytest.raises(engine.EngineBugError):
        execution.execute(run.pk)
    run.refresh_from_db()
    assert run.status == Status.FAILED
    assert "EngineBugError" in run.error
    assert 1 <= run.last_seq == len(lines(run)) < 30


def test_a_run_that_kills_its_workers_is_given_up(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    run = queue("events:100")
    with monkeypatch.context() as patch:
        kill_after(patch, 1)
        for _ in range(execution.MOST_ATTEMPTS + 1):
            with pytest.raises(Killed):
                execution.execute(run.pk)
            Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert execution.execute(run.pk) == "not ours"
    run.refresh_from_db()
    assert run.status == Status.FAILED
    assert "again and again" in run.error


def test_a_run_that_comes_out_differently_is_not_gone_on_with(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    run = queue("events:100", "pause:0.001")
    with monkeypatch.context() as patch:
        kill_after(patch, 99)
        with pytest.raises(Killed):
            execution.execute(run.pk)
    Run.objects.filter(pk=run.pk).update(lease_until=timezone.now() - timedelta(seconds=1), log_digest="0" * 32)
    with pytest.raises(execution.UnrepeatableRunError):
        execution.execute(run.pk)
    run.refresh_from_db()
    assert run.status == Status.FAILED
    assert "differently" in run.error
    assert len(lines(run)) == run.last_seq


def test_another_engine_does_not_go_on_with_a_log(queue: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    run = queue("events:100")
    Run.objects.filter(pk=run.pk).update(status=Status.RUNNING, last_seq=5, engine="older", lease_until=timezone.now())
    assert execution.execute(run.pk) == "not ours"
    run.refresh_from_db()
    assert run.status == Status.FAILED


# -- the sweep --------------------------------------------------------------------------------------------------------
def forget(run: Run, **values: object) -> None:
    """Long ago."""
    then = timezone.now() - timedelta(minutes=1)
    Run.objects.filter(pk=run.pk).update(enqueued=then, **values)


def test_a_queued_run_that_the_broker_forgot_is_handed_out_again_once(queue: Make, unheard: list[str]) -> None:
    run = queue()
    assert handing_out.sweep() == 0
    forget(run)
    assert handing_out.sweep() == 1
    assert handing_out.sweep() == 0
    assert unheard == [run.pk]


def test_a_run_whose_worker_died_is_handed_out_again(queue: Make, unheard: list[str]) -> None:
    run = queue()
    forget(run, status=Status.RUNNING, lease_until=timezone.now() + timedelta(seconds=5))
    assert handing_out.sweep() == 0
    forget(run, lease_until=timezone.now() - timedelta(seconds=1))
    assert handing_out.hand_out_again(run.pk)
    assert unheard == [run.pk]


def test_nothing_is_handed_out_again_while_messages_wait(queue: Make, unheard: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run = queue()
    forget(run)
    monkeypatch.setattr("playground.runs.broker.waiting", lambda: 3)
    assert handing_out.sweep() == 0
    assert not handing_out.hand_out_again(run.pk)
    assert unheard == []


# -- reading the log --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cursor", [0, 1, 37, 99, 100, 500])
def test_the_log_after_any_cursor_has_no_gap_and_no_repeat(finish: Make, cursor: int) -> None:
    run = finish("events:100", "pause:0.002")
    part = selectors.log_after(run.pk, cursor)
    assert part is not None
    assert [chunks.decode(line)["seq"] for line in part.lines] == list(range(cursor + 1, 101))


def test_a_slice_is_bounded_but_never_empty_while_there_is_more(finish: Make) -> None:
    run = finish("events:300", "pause:0.002")
    cursor, reads = 0, 0
    while cursor < 300:
        part = selectors.log_after(run.pk, cursor, most_bytes=1)
        assert part is not None
        assert part.lines
        cursor, reads = part.end_seq, reads + 1
    assert reads == RunChunk.objects.filter(run=run).count() > 3
