"""``manage.py load_gallery``: lay the files of playground/gallery into the database. The launcher does it at every start."""

from __future__ import annotations

from typing import Any

import yaml
from django.core.management.base import BaseCommand, CommandError

from playground.scenarios import gallery_files


class Command(BaseCommand):
    """Load the gallery; doing it again changes nothing."""

    help = "Load the scenarios of playground/gallery into the database"

    def handle(self, *args: Any, **options: Any) -> None:
        """Say how many there are, or which file is wrong."""
        try:
            count = gallery_files.load_all()
        except (ValueError, yaml.YAMLError) as error:
            raise CommandError(str(error)) from error
        if options["verbosity"]:
            self.stdout.write(f"{count} scenarios in the gallery")
