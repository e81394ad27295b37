"""Writes on the request's side: scenarios, runs, and handing runs to the workers.

The one rule: what is promised is in the database before anybody is told; the broker may forget, the database may not.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from kombu.exceptions import OperationalError

from playground import broker, chunks, engine, ids, metrics, ratelimit, selectors, uploads
from playground.clients import Client
from playground.engine import InvalidInputError, Parsed, Problem
from playground.models import GalleryEntry, Run, Scenario, Status

ASK_AGAIN_SECONDS: Final = 5.0
"""How long a run may wait without a sign of life before it is handed out again."""
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A scenario that was saved, or that existed already (``created`` is false, and no ``owner_token``)."""

    scenario: Scenario
    created: bool
    counts: Mapping[str, int]
    warnings: tuple[Problem, ...]
    missing_nodes: tuple[str, ...]
    owner_token: str | None = None


# -- scenarios --------------------------------------------------------------------------------------------------------
def create_scenario(source: bytes, *, client: Client, parent: Scenario | None = None, make_missing_nodes: bool = False) -> Saved:
    """Save what somebody pasted. Raises InvalidInputError, TooManyError; malformed and known content does not count as a save."""
    ratelimit.saves().check(client)
    with metrics.PARSE_SECONDS.time():
        parsed = uploads.parse(source, limits=settings.LIMITS, make_missing_nodes=make_missing_nodes)
    return store_scenario(parsed, parent=parent, client=client, count=lambda: ratelimit.saves().take(client))


def store_scenario(parsed: Parsed, *, parent: Scenario | None = None, client: Client | None = None, count: Any = None) -> Saved:
    """Save a parsed scenario under the shortest free name of its content; ``count`` is called before something new is stored."""
    digest = ids.digest(settings.SECRET_KEY.encode(), parsed.document)
    known = Scenario.objects.filter(digest=digest).first()
    if known is not None and not known.is_deleted:
        return _saved(parsed, known)
    if known is not None and known.blocked:
        raise _invalid("", "The operator of this playground took this content away; it cannot be saved again")
    if count is not None:
        count()
    token = secrets.token_urlsafe(24)
    scenario = _revive(known, parsed, token) if known else _insert(parsed, digest, parent, token, client)
    metrics.SAVES.inc()
    is_mine = scenario.owner_token_hash == _token_hash(token)
    return _saved(parsed, scenario, owner_token=token if is_mine else None)


def delete_scenario(scenario: Scenario, owner_token: str) -> bool:
    """Leave a tombstone, when the token is the owner's and no gallery needs it. Its runs go with it."""
    if not is_owner(scenario, owner_token):
        return False
    if GalleryEntry.objects.filter(scenario=scenario).exists():
        return False
    bury(scenario)
    return True


def is_owner(scenario: Scenario, owner_token: str) -> bool:
    """Whether the token is the one that was given when the scenario was made."""
    kept = scenario.owner_token_hash
    return bool(owner_token) and bool(kept) and secrets.compare_digest(kept or "", _token_hash(owner_token))


def bury(scenario: Scenario) -> None:
    """Leave the tombstone of a scenario: its name and its digest. Its runs go with it."""
    empty = {"document": b"", "title": "", "summary": "", "tags": [], "warnings": [], "counts": {}, "deleted": timezone.now()}
    with transaction.atomic():
        Scenario.objects.filter(pk=scenario.pk).update(**empty)
        Run.objects.filter(scenario=scenario).delete()


def _saved(parsed: Parsed, scenario: Scenario, *, owner_token: str | None = None) -> Saved:
    return Saved(
        scenario=scenario,
        created=owner_token is not None,
        counts=parsed.counts,
        warnings=parsed.warnings,
        missing_nodes=parsed.missing_nodes,
        owner_token=owner_token,
    )


def _insert(parsed: Parsed, digest: bytes, parent: Scenario | None, token: str, client: Client | None) -> Scenario:
    for name in ids.candidates(digest):
        try:
            with transaction.atomic():
                return Scenario.objects.create(
                    id=name,
                    digest=digest,
                    parent=parent,
                    owner_token_hash=_token_hash(token),
                    client=client.browser if client else "",
                    **_columns(parsed),
                )
        except IntegrityError:
            same = Scenario.objects.filter(digest=digest).first()
            if same is not None:  # somebody saved the same content a moment ago
                return same
    raise engine.EngineBugError("No name is left for a scenario")


def _revive(tombstone: Scenario, parsed: Parsed, token: str) -> Scenario:
    columns = {**_columns(parsed), "deleted": None, "owner_token_hash": _token_hash(token)}
    Scenario.objects.filter(pk=tombstone.pk, deleted__isnull=False).update(**columns)
    return Scenario.objects.get(pk=tombstone.pk)


def _columns(parsed: Parsed) -> dict[str, Any]:
    return {
        "document": chunks.squeeze(parsed.document),
        "title": parsed.title[:300],
        "summary": parsed.summary,
        "tags": list(parsed.tags),
        "counts": dict(parsed.counts),
        "warnings": [each.document() for each in parsed.warnings[:1000]],
    }


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# -- runs -------------------------------------------------------------------------------------------------------------
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
    scenario = store_scenario(parsed, parent=run.scenario, client=client).scenario
    return _queue(Run(id=ids.random_id(), scenario=scenario, client=client.browser, continues=run, after_seq=event["seq"]))


def _require_room(client: Client) -> None:
    ratelimit.runs().check(client)
    most = settings.LIMITS.runs_at_once
    if selectors.runs_in_progress(client.browser) >= most:
        raise ratelimit.TooManyError(f"At most {most} runs at once are possible from here; wait until one has ended.", retry_after=5)


def _queue(run: Run) -> Run:
    run.save(force_insert=True)
    transaction.on_commit(lambda: hand_out(run.pk))
    return run


def hand_out(run_id: str) -> None:
    """Tell the workers. When the broker is away, the sweep tells them later: the run stays queued in the database."""
    from playground.tasks import execute_run

    try:
        execute_run.apply_async((run_id,))
    except (OperationalError, OSError) as error:
        _log.warning("broker_away", run=run_id, error=type(error).__name__)


def hand_out_again(run_id: str) -> bool:
    """Hand a run out again when it shows no sign of life; whether it was. Of many who ask at the same time, one does it."""
    if broker.waiting():  # nothing is forgotten, the workers are just busy: what waits there, or comes after it, will be run
        return False
    return _hand_out_again(run_id)


def sweep() -> int:
    """Hand out again every run that was forgotten: by a worker that died, or by a broker that lost its memory. How many there were."""
    quiet = list(Run.objects.filter(_forgotten()).order_by("enqueued").values_list("pk", flat=True)[:200])
    if not quiet or broker.waiting():
        return 0
    return sum(_hand_out_again(run_id) for run_id in quiet)


def _hand_out_again(run_id: str) -> bool:
    now = timezone.now()
    if Run.objects.filter(_forgotten(), pk=run_id).update(enqueued=now) != 1:
        return False
    _log.info("run_handed_out_again", run=run_id)
    hand_out(run_id)
    return True


def _forgotten() -> Q:
    """Nobody has it, and it was handed out a while ago."""
    now = timezone.now()
    is_free = Q(status=Status.QUEUED) | Q(status=Status.RUNNING, lease_until__lt=now)
    return is_free & Q(enqueued__lt=now - timedelta(seconds=ASK_AGAIN_SECONDS))


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
