"""Writes of runs on the request's side: a new one, one that goes on from another, one that exists already and is found again.

The one rule: what is promised is in the database before anybody is told; the broker may forget, the database may not.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, IntegerField, Value, When
from django.utils import timezone

from playground import engine, ids, selectors
from playground.engine import InvalidInputError, Parsed, Problem
from playground.http import ratelimit
from playground.http.clients import Client
from playground.models import FINAL, Run, Scenario, Status
from playground.runs import handing_out
from playground.scenarios import saving, uploads

PATIENCE_SECONDS = 1.5
"""How long a page waits for a run that was just made."""
_USABLE: Final = (Status.QUEUED, Status.RUNNING, Status.FINISHED, Status.LIMIT)


def create_run(scenario: Scenario, *, client: Client) -> Run:
    """A new run, queued. Raises TooManyError."""
    _require_room(client)
    ratelimit.runs().take(client)
    return _queue(Run(id=ids.random_id(), scenario=scenario, client=client.browser))


def continue_run(run: Run, operations: Sequence[Mapping[str, Any]], *, client: Client, after_seq: int | None = None) -> Run:
    """A new run of a scenario with these operations at the end of its timeline, right after event ``after_seq`` (default: the last one).

    The engine is a pure function of the scenario and the operations lie after that event's time, so the new run's events are
    equal up to it. Raises InvalidInputError, TooManyError.
    """
    _require_room(client)
    event = _event_to_continue_after(run, after_seq)
    parsed = _with_operations(selectors.document(run.scenario), operations, at=_moment_after(event["t"]))
    ratelimit.runs().take(client)
    scenario = saving.store_scenario(parsed, parent=run.scenario, client=client).scenario
    return _queue(Run(id=ids.random_id(), scenario=scenario, client=client.browser, continues=run, after_seq=event["seq"]))


def _require_room(client: Client) -> None:
    ratelimit.runs().check(client)
    most = settings.LIMITS.runs_at_once
    if selectors.runs_in_progress(client.browser) >= most:
        raise ratelimit.TooManyError("refused.at_once", most=most, retry_after=5)


def _queue(run: Run) -> Run:
    run.save(force_insert=True)
    transaction.on_commit(lambda: handing_out.hand_out(run.pk))
    return run


# -- runs that exist --------------------------------------------------------------------------------------------------
def run_of(scenario: Scenario, *, client: Client) -> Run:
    """A run of the scenario: one that exists, of this engine if there is one, else a new one. Raises TooManyError."""
    of_this_engine = Case(When(engine=engine.version(), then=Value(0)), default=Value(1), output_field=IntegerField())
    runs = Run.objects.filter(scenario=scenario, status__in=_USABLE)
    found = runs.order_by(of_this_engine, "-log_dropped", "created").first()
    if found is None:
        return create_run(scenario, client=client)
    wake(found)
    return found


def wake(run: Run) -> bool:
    """Make the events of a run again when they were dropped; whether that was needed. ``run`` is brought up to date."""
    if run.log_dropped is None:
        return False
    now = timezone.now()
    empty = {"status": Status.QUEUED, "last_seq": 0, "log_digest": "", "engine": "", "started": None, "finished": None, "seconds": None}
    with transaction.atomic():
        dropped = Run.objects.filter(pk=run.pk, status__in=FINAL, log_dropped__isnull=False)
        if dropped.update(**empty, attempts=0, lease_owner="", lease_until=None, enqueued=now, log_dropped=None) == 1:
            transaction.on_commit(lambda: handing_out.hand_out(run.pk))
    run.refresh_from_db()
    return True


def settled(run: Run, *, seconds: float | None = None) -> Run:
    """The run, after waiting a moment for its end: what is small is over before anybody notices."""
    deadline = time.monotonic() + (PATIENCE_SECONDS if seconds is None else seconds)
    while not run.is_final and time.monotonic() < deadline:
        time.sleep(0.05)
        run.refresh_from_db()
    return run


# -- continuing -------------------------------------------------------------------------------------------------------
def _event_to_continue_after(run: Run, after_seq: int | None) -> dict[str, Any]:
    if run.status in {Status.FAILED, Status.LIMIT}:
        raise _invalid("", f"The run ended as {run.status}; it cannot be continued")
    wanted = run.last_seq if after_seq is None else after_seq
    if not 1 <= wanted <= run.last_seq:
        raise _invalid("after_seq", f"is {wanted}; the run has the events 1 to {run.last_seq}")
    event = selectors.events(run, after=wanted - 1, limit=1)[0]
    if event["kind"] in engine.FINAL_KINDS:
        return _event_to_continue_after(run, wanted - 1)
    return event


def _moment_after(seconds: float) -> float:
    """Strictly later, by a thousandth of a second, so that everything that happens at that moment has happened."""
    return round(seconds + 0.001, 3) if round(seconds + 0.001, 3) > seconds else seconds + 0.001


def _with_operations(document: dict[str, Any], operations: Sequence[Mapping[str, Any]], *, at: float) -> Parsed:
    timeline = [*document.get("timeline", ())]
    before = len(timeline)
    until = document.get("until")
    changed = {**document, "timeline": [*timeline, *(_timed(each, at) for each in operations)]}
    if until is not None and until <= at:
        del changed["until"]
    try:
        return uploads.parse(engine.canonical(changed), limits=settings.LIMITS)
    except InvalidInputError as error:
        raise InvalidInputError([_seen_from_outside(each, before) for each in error.problems]) from error


def _timed(operation: Mapping[str, Any], at: float) -> dict[str, Any]:
    """At that moment, or when the operation says so itself, if that is later."""
    given = operation.get("at")
    return {**operation, "at": given if isinstance(given, int | float) and given > at else at}


def _seen_from_outside(problem: Problem, before: int) -> Problem:
    """Problems name a place in the timeline; whoever sent the operations knows their place in the list sent."""
    head, bracket, rest = problem.path.partition("timeline[")
    number, closing, tail = rest.partition("]")
    if head or not bracket or not number.isdigit():
        return problem
    return Problem(path=f"operations[{int(number) - before}{closing}{tail}", message=problem.message)


def _invalid(path: str, message: str) -> InvalidInputError:
    return InvalidInputError([Problem(path=path, message=message)])
