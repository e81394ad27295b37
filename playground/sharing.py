"""Writes that links need: other titles, runs found or made for a scenario, logs made again, reports, what the operator takes away.

The one rule: a scenario never changes; whatever somebody edits is another scenario with this one as its parent.
"""

from __future__ import annotations

import time
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, IntegerField, Value, When
from django.utils import timezone

from playground import engine, ratelimit, selectors, services, uploads
from playground.clients import Client
from playground.models import FINAL, GalleryEntry, Report, Run, Scenario, Status
from playground.services import Saved

MOST_TITLE: Final = 200
MOST_SUMMARY: Final = 2_000
MOST_REASON: Final = 2_000
PATIENCE_SECONDS = 1.5
"""How long a page waits for a run that was just made."""
_USABLE: Final = (Status.QUEUED, Status.RUNNING, Status.FINISHED, Status.LIMIT)


def retitle(scenario: Scenario, *, title: str, summary: str, client: Client) -> Saved:
    """The scenario under another title: a new one, with this one as its parent. Raises InvalidInputError, TooManyError."""
    document = selectors.document(scenario)
    metadata: dict[str, Any] = {**(document.get("metadata") or {})}
    for key, text, most in (("title", title, MOST_TITLE), ("summary", summary, MOST_SUMMARY)):
        metadata.pop(key, None)
        if text.strip():
            metadata[key] = text.strip()[:most]
    return vary(scenario, {**document, "metadata": metadata}, client=client)


def vary(scenario: Scenario, document: dict[str, Any], *, client: Client) -> Saved:
    """Save a changed document of a scenario, as its fork. Raises InvalidInputError, TooManyError."""
    ratelimit.saves().check(client)
    parsed = uploads.parse(engine.canonical(document), limits=settings.LIMITS)
    return services.store_scenario(parsed, parent=scenario, client=client, count=lambda: ratelimit.saves().take(client))


def run_of(scenario: Scenario, *, client: Client) -> Run:
    """A run of the scenario: one that exists, of this engine if there is one, else a new one. Raises TooManyError."""
    of_this_engine = Case(When(engine=engine.version(), then=Value(0)), default=Value(1), output_field=IntegerField())
    runs = Run.objects.filter(scenario=scenario, status__in=_USABLE)
    found = runs.order_by(of_this_engine, "-log_dropped", "created").first()
    if found is None:
        return services.create_run(scenario, client=client)
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
            transaction.on_commit(lambda: services.hand_out(run.pk))
    run.refresh_from_db()
    return True


def report(scenario: Scenario, reason: str, *, client: Client) -> Report:
    """Note what somebody says against a scenario. Raises TooManyError."""
    ratelimit.reports().take(client)
    return Report.objects.create(scenario=scenario, reason=reason.strip()[:MOST_REASON], client=client.browser)


def take_away(scenario: Scenario, *, block: bool) -> bool:
    """The operator leaves a tombstone; ``block`` keeps the same content from coming back. False for one that the gallery shows."""
    if GalleryEntry.objects.filter(scenario=scenario).exists():
        return False
    with transaction.atomic():
        services.bury(scenario)
        if block:
            Scenario.objects.filter(pk=scenario.pk).update(blocked=timezone.now())
        scenario.reports.filter(handled__isnull=True).update(handled=timezone.now())
    return True


def settled(run: Run, *, seconds: float | None = None) -> Run:
    """The run, after waiting a moment for its end: what is small is over before anybody notices."""
    deadline = time.monotonic() + (PATIENCE_SECONDS if seconds is None else seconds)
    while not run.is_final and time.monotonic() < deadline:
        time.sleep(0.05)
        run.refresh_from_db()
    return run
