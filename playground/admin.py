"""The operator's pages under /admin/, only when ADMIN=1: find scenarios, read reports, remove, block.

The one rule: nothing is edited here; what is taken away leaves a tombstone.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from playground.models import Report, Run, Scenario
from playground.scenarios import moderation


class _LookOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Nothing can be added, changed or deleted by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only to choose an action from the list; every field is shown, not edited."""
        return obj is None

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: rows that links name stay."""
        return False


@admin.register(Scenario)
class ScenarioAdmin(_LookOnly):
    """Find by id, title or text of the summary."""

    list_display = ("id", "title", "created", "deleted", "blocked", "link")
    list_filter = ("created", "deleted", "blocked")
    search_fields = ("id", "title", "summary")
    fields = ("id", "title", "summary", "tags", "counts", "parent", "created", "deleted", "blocked")
    readonly_fields = fields
    actions = ("remove", "block")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scenario]:
        """Without the documents: they may be large."""
        return super().get_queryset(request).defer("document")

    @admin.display(description="page")
    def link(self, scenario: Scenario) -> SafeString:
        """To the page of the scenario."""
        return format_html('<a href="{}">open</a>', reverse("scenario", args=[scenario.pk]))

    @admin.action(description="Remove (a tombstone stays)", permissions=["view"])
    def remove(self, request: HttpRequest, chosen: QuerySet[Scenario]) -> None:
        """Leave tombstones; the same content may be saved again."""
        self._take_away(request, chosen, block=False)

    @admin.action(description="Remove and block (the same content cannot be saved again)", permissions=["view"])
    def block(self, request: HttpRequest, chosen: QuerySet[Scenario]) -> None:
        """Leave tombstones for good."""
        self._take_away(request, chosen, block=True)

    def _take_away(self, request: HttpRequest, chosen: QuerySet[Scenario], *, block: bool) -> None:
        done = sum(moderation.take_away(scenario, block=block) for scenario in chosen)
        self.message_user(request, f"{done} removed", messages.SUCCESS)
        if done < len(chosen):
            self.message_user(request, f"{len(chosen) - done} are shown by the gallery and stay", messages.WARNING)


@admin.register(Run)
class RunAdmin(_LookOnly):
    """Runs and how they ended."""

    list_display = ("id", "scenario", "status", "last_seq", "engine", "seconds", "created")
    list_filter = ("status", "created")
    search_fields = ("id", "scenario__id", "error")
    fields = ("id", "scenario", "status", "last_seq", "engine", "error", "created", "finished", "seconds", "log_dropped")
    readonly_fields = fields


@admin.register(Report)
class ReportAdmin(_LookOnly):
    """What people say against scenarios, the newest first."""

    list_display = ("created", "scenario", "reason", "handled")
    list_filter = ("handled", "created")
    search_fields = ("scenario__id", "reason")
    fields = ("scenario", "reason", "created", "handled")
    readonly_fields = fields
    actions = ("mark_handled", "remove_and_block")

    @admin.action(description="Mark as handled", permissions=["view"])
    def mark_handled(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        """Nothing is wrong with the scenario, or it is gone already."""
        chosen.filter(handled__isnull=True).update(handled=timezone.now())

    @admin.action(description="Remove and block the scenario", permissions=["view"])
    def remove_and_block(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        """Leave tombstones for good; the reports count as handled."""
        for report in chosen.select_related("scenario"):
            moderation.take_away(report.scenario, block=True)
