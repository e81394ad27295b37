"""``manage.py retention``: drop the logs of old runs, and scenarios when the settings say so. Workers do the same once an hour."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from playground.runs import retention


class Command(BaseCommand):
    """Drop what is old by RETENTION_LOG_DAYS and RETENTION_SCENARIO_DAYS."""

    help = "Drop the logs of old runs (they are made again on demand), and old scenarios when that is configured"

    def handle(self, *args: Any, **options: Any) -> None:
        """Say how much went."""
        dropped = retention.run_all()
        self.stdout.write(f"{dropped.logs} logs dropped, {dropped.scenarios} scenarios deleted")
