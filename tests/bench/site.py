"""A playground of our own to measure: the processes that ``make run`` starts, with limits wide enough for measuring.

The one rule: everything embedded, in a folder of its own; nothing of it is left behind.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playground.launcher.command import Place, environment_for, health, place_from, web_command, worker_command
from playground.launcher.embedded_redis import EmbeddedRedis
from playground.launcher.processes import Child

ROOT = Path(__file__).resolve().parents[2]
WIDE = {
    "MAX_SAVES_PER_HOUR": "100000",
    "MAX_RUNS_PER_HOUR": "100000",
    "MAX_RUNS_AT_ONCE": "1000",
    "MAX_SOCKETS_PER_ADDRESS": "5000",
    "MAX_JSON_BYTES": str(64 * 2**20),
    "MAX_CYCLES": "100000",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A running playground. ``worker`` may be started later than the rest."""

    place: Place
    worker: Child

    @property
    def address(self) -> str:
        """Its origin."""
        return self.place.url

    def socket(self, run: str, *, frames: str = "") -> str:
        """The address of a run's WebSocket."""
        return f"ws://{self.place.reachable_host}:{self.place.port}/ws/runs/{run}/?after=0" + (f"&frames={frames}" if frames else "")

    def ask(self, path: str, body: Any = None) -> Any:
        """The decoded answer of the API; errors of HTTP are raised."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def save(self, document: Any) -> str:
        """The id of the saved scenario."""
        return str(self.ask("/api/v1/scenarios", document)["id"])

    def start(self, scenario: str) -> str:
        """The id of a new run."""
        return str(self.ask("/api/v1/runs", {"scenario": scenario})["id"])

    def finish(self, run: str, *, seconds: float = 120) -> dict[str, Any]:
        """The run, once it has ended. Raises TimeoutError."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found: dict[str, Any] = self.ask(f"/api/v1/runs/{run}")
            if found["status"] not in {"queued", "running"}:
                return found
            time.sleep(0.05)
        raise TimeoutError(f"run {run} has not ended after {seconds} s")

    def wait_until_ready(self, wanted: int = 200) -> None:
        """Wait for that status from /healthz (503: all but the worker). Raises RuntimeError."""
        deadline = time.monotonic() + 60
        status, said = 0, ""
        while time.monotonic() < deadline:
            status, said = health(self.place)
            if status == wanted:
                return
            time.sleep(0.1)
        raise RuntimeError(f"the playground did not start: {said}")


@contextmanager
def site(*, worker: bool = True) -> Iterator[Site]:
    """A playground, without its worker if asked: the caller starts that. Raises RuntimeError when it does not start."""
    with tempfile.TemporaryDirectory(prefix="playground-bench-") as folder:
        redis = EmbeddedRedis(Path(folder) / "redis")
        environment = {**environment_for(Path(folder) / "state"), **WIDE, "REDIS_URL": redis.start(), "LOG_LEVEL": "ERROR"}
        for name in ("DATABASE_URL", "DEBUG", "HOST"):
            environment.pop(name, None)
        place = place_from({"PORT": "0"})
        web = Child("web", web_command(place), environment=environment, cwd=ROOT)
        found = Site(place=place, worker=Child("worker", worker_command(), environment=environment, cwd=ROOT))
        try:
            _prepare(environment)
            web.start()
            if worker:
                found.worker.start()
            found.wait_until_ready(200 if worker else 503)
            yield found
        finally:
            found.worker.stop()
            web.stop()
            redis.stop()


def _prepare(environment: dict[str, str]) -> None:
    child = Child("prepare", [sys.executable, "-m", "playground.launcher", "prepare"], environment=environment, cwd=ROOT)
    child.start()
    if not child.wait(60) or child.reap() != 0:
        raise RuntimeError("preparing the database failed")
