"""What people say against a scenario, and what the operator takes away.

The one rule: the gallery stays; everything else may go, and leaves a tombstone.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from playground.http import ratelimit
from playground.http.clients import Client
from playground.models import GalleryEntry, Report, Scenario
from playground.scenarios import saving

MOST_REASON: Final = 2_000


def report(scenario: Scenario, reason: str, *, client: Client) -> Report:
    """Note what somebody says against a scenario. Raises TooManyError."""
    ratelimit.reports().take(client)
    return Report.objects.create(scenario=scenario, reason=reason.strip()[:MOST_REASON], client=client.browser)


def take_away(scenario: Scenario, *, block: bool) -> bool:
    """The operator leaves a tombstone; ``block`` keeps the same content from coming back. False for one that the gallery shows."""
    if GalleryEntry.objects.filter(scenario=scenario).exists():
        return False
    with transaction.atomic():
        saving.bury(scenario)
        if block:
            Scenario.objects.filter(pk=scenario.pk).update(blocked=timezone.now())
        scenario.reports.filter(handled__isnull=True).update(handled=timezone.now())
    return True
