"""``manage.py sweep``: hand out again the runs that were forgotten. Workers do the same by themselves every two seconds."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from playground.runs import handing_out


class Command(BaseCommand):
    """Hand out again the runs that no worker has."""

    help = "Hand out again the runs that no worker has"

    def handle(self, *args: Any, **options: Any) -> None:
        """Say how many there were."""
        self.stdout.write(f"{handing_out.sweep()} runs handed out again")
