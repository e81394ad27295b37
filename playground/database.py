"""Connections to PostgreSQL are pooled in web processes, where every request has a thread of its own.

The one rule: workers have no pool. They fork, and a pool does not survive that.
"""

from __future__ import annotations

from typing import Any

from django.db import connections

from playground import environment


def pool_connections() -> None:
    """Give the default database a pool. Called once, before the first connection is made; SQLite needs none."""
    config: dict[str, Any] = connections.settings["default"]
    if config["ENGINE"] == "django.db.backends.postgresql":
        config["OPTIONS"]["pool"] = {"min_size": 1, "max_size": environment.number("DATABASE_POOL_SIZE", 16), "timeout": 10}
