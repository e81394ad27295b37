"""The real thing in a real browser: the launcher starts web, worker and Redis; Chromium opens the page.

The one rule: a test does what a person does, by the names that a person sees; it never waits by the clock.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.conftest import unavailable

ROOT = Path(__file__).resolve().parent.parent.parent
DUMP = ROOT / "tests" / "data" / "kubectl-get.yaml"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a playground of our own, started as `make run` starts it."""
    state = tmp_path_factory.mktemp("state")
    port = _free_port()
    kept = {name: value for name, value in os.environ.items() if name not in {"REDIS_URL", "DATABASE_URL", "DEBUG"}}
    log = (state / "server.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "playground.launcher"],
        cwd=ROOT,
        env={**kept, "PORT": str(port), "PLAYGROUND_STATE": str(state)},
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(address, process, state / "server.log")
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
        log.close()


def _wait_until_healthy(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"The playground did not start:\n{log.read_text(errors='replace')[-4000:]}", pytrace=False)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        unavailable("Chromium", "no chromium on PATH")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def context(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A person who has never been here, at a laptop, with motion reduced so that pictures stand still."""
    context = browser.new_context(base_url=site, viewport={"width": 1440, "height": 900}, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must not report an error of its own, nor a breach of its content policy."""
    page = context.new_page()
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "console", lambda line: troubles.append(line.text) if line.type == "error" and "Failed to load resource" not in line.text else None
    )
    yield page
    assert troubles == []


@pytest.fixture(scope="session")
def dump() -> str:
    """What kubectl printed about a real cluster: 5 nodes, 27 pods, 2 of them pending."""
    return DUMP.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def finished_run(browser: Browser, site: str, dump: str) -> str:
    """The path of a finished run of the dump."""
    context = browser.new_context(base_url=site)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("textbox", name="Manifests").fill(dump)
    page.get_by_role("button", name="Run").click()
    page.wait_for_url("**/r/*")
    page.get_by_text("finished", exact=True).wait_for()
    path = page.url.removeprefix(site).split("?")[0]
    context.close()
    return path
