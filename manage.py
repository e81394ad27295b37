"""Django's command line: ``python manage.py <command>``."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command named on the command line with our settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
