"""What is thrown away, and when: the logs of old runs, which can be made again; scenarios only when the operator says so.

The one rule: dropping a log loses nothing that a link names; the next visitor makes it again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from redis import RedisError

from playground.models import Run, RunChunk, Scenario, Status
from playground.scenarios import saving

PART: Final = 200
EVERY_SECONDS: Final = 3600
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """How much went: logs of runs, and scenarios that nobody ran for the time that the operator set."""

    logs: int
    scenarios: int


def run_all(now: datetime | None = None) -> Dropped:
    """Drop what is old by the settings; 0 days means never."""
    now = now or timezone.now()
    return Dropped(logs=_drop_logs(now, settings.RETENTION_LOG_DAYS), scenarios=_drop_scenarios(now, settings.RETENTION_SCENARIO_DAYS))


def run_if_due() -> Dropped | None:
    """The same, once an hour for all workers together."""
    try:
        if not cache.add("retention:done", 1, timeout=EVERY_SECONDS):
            return None
    except RedisError:
        return None
    dropped = run_all()
    if dropped.logs or dropped.scenarios:
        _log.info("retention", logs=dropped.logs, scenarios=dropped.scenarios)
    return dropped


def drop_log(run: Run, now: datetime) -> bool:
    """Drop the events of a run that is over, and note by which engine they were."""
    with transaction.atomic():
        over = Run.objects.filter(pk=run.pk, status__in=(Status.FINISHED, Status.LIMIT), log_dropped__isnull=True)
        if over.update(log_dropped=now, first_engine=run.first_engine or run.engine, last_seq=0) != 1:
            return False
        RunChunk.objects.filter(run_id=run.pk).delete()
    return True


def _drop_logs(now: datetime, days: int) -> int:
    if days <= 0:
        return 0
    old = Run.objects.filter(status__in=(Status.FINISHED, Status.LIMIT), log_dropped__isnull=True, finished__lt=now - timedelta(days=days))
    count = 0
    while part := list(old[:PART]):
        count += sum(drop_log(run, now) for run in part)
    return count


def _drop_scenarios(now: datetime, days: int) -> int:
    """Those that nobody saved or ran since, that are no parent of one that stays, and that the gallery does not show."""
    if days <= 0:
        return 0
    since = now - timedelta(days=days)
    idle = Scenario.objects.filter(deleted__isnull=True, created__lt=since, gallery_entries__isnull=True)
    idle = idle.exclude(Q(runs__created__gte=since) | Q(runs__finished__gte=since))
    count = 0
    while part := list(idle.defer("document")[:PART]):
        for scenario in part:
            saving.bury(scenario)
        count += len(part)
    return count
