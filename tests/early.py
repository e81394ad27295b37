"""A pytest plugin that is loaded before any other: starts a real Redis and points the settings at it.

The one rule: pytest-django reads the settings before any conftest is imported, so what settings read from the environment is
decided here. pyproject.toml names this module with ``-p``; run the tests as ``python -m pytest`` so that it is found.

The tests never touch servers that the caller's REDIS_URL or DATABASE_URL name: those variables are set aside.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from playground.launcher.embedded_redis import EmbeddedRedis

_folder = Path(tempfile.mkdtemp(prefix="playground-tests-"))
_redis = EmbeddedRedis(_folder / "redis")


def _start() -> None:
    for name in ("REDIS_URL", "DATABASE_URL", "ALLOWED_HOSTS", "PORT", "HOST"):
        os.environ.pop(name, None)
    os.environ["SECRET_KEY"] = "only-for-the-tests-" + "x" * 40
    os.environ["DEBUG"] = "0"
    os.environ["PLAYGROUND_STATE"] = str(_folder / "state")
    os.environ["REDIS_URL"] = _redis.start()


def _stop() -> None:
    _redis.stop()
    shutil.rmtree(_folder, ignore_errors=True)


# Processes that a test forks inherit this handler; only the one that started Redis may stop it.
_owner = os.getpid()
atexit.register(lambda: _stop() if os.getpid() == _owner else None)
_start()


def pytest_report_header() -> str:
    """One line at the top of the run: which server the tests talk to."""
    return f"redis: {_redis.kind} at port {_redis.port} (own server, private folder)"
