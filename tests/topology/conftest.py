"""The topology of several machines as plain processes: PostgreSQL, Redis, two web processes, two workers.

The one rule: nothing here reaches into the processes; the tests ask over HTTP and WebSocket, and kill.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from playground.launcher.command import Place, place_from, web_command, worker_command
from playground.launcher.embedded_redis import EmbeddedRedis
from playground.launcher.processes import Child

ROOT = Path(__file__).resolve().parents[2]
READY_SECONDS = 60.0
QUIET_SECONDS = 60.0


class Web:
    """One web process."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.place: Place = place_from({"PORT": "0"})
        self.child = Child("web", web_command(self.place), environment=environment, cwd=ROOT)

    def ask(self, path: str, body: Any = None) -> Any:
        """The decoded answer; errors of HTTP are raised."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        request = urllib.request.Request(self.place.url + path, data=data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def is_ready(self) -> bool:
        """Whether all parts answer."""
        with suppress(urllib.error.URLError, OSError):
            return bool(self.ask("/healthz")["status"] == "ok")
        return False

    def watch(self, run: str, after: int = 0) -> Iterator[dict[str, Any]]:
        """Events from the socket, up to the end or until the socket breaks. Raises TimeoutError when nothing comes."""
        address = f"ws://{self.place.host}:{self.place.port}/ws/runs/{run}/?after={after}"
        with suppress(ConnectionClosed, ConnectionError), connect(address, max_size=None, open_timeout=10) as socket:
            while True:
                said = json.loads(socket.recv(timeout=QUIET_SECONDS))
                yield from said.get("events", ())
                if said["type"] == "end":
                    return


class Playground:
    """All of it. ``webs`` and ``workers`` may be killed and started again."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.redis = EmbeddedRedis(folder / "redis")
        self.environment = {
            **os.environ,
            "DATABASE_URL": database_url,
            "REDIS_URL": self.redis.start(),
            "SECRET_KEY": "only-for-the-topology-" + "x" * 40,
            "PLAYGROUND_STATE": str(folder / "state"),
            "MAX_RUNS_AT_ONCE": "100",
            "WORKER_CONCURRENCY": "1",
            "LOG_LEVEL": "WARNING",
        }
        self.webs = [Web(self.environment) for _ in range(2)]
        self.workers = [Child(f"worker{k}", _worker(k), environment=self.environment, cwd=ROOT) for k in range(2)]

    def start(self) -> None:
        """Migrate, start everything, wait until it is ready."""
        manage = Child("migrate", [sys.executable, "manage.py", "migrate", "-v0"], environment=self.environment, cwd=ROOT)
        manage.start()
        assert manage.wait(60)
        assert manage.reap() == 0
        for child in (*(web.child for web in self.webs), *self.workers):
            child.start()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Every web process says that every part answers."""
        deadline = time.monotonic() + READY_SECONDS
        while not all(web.is_ready() for web in self.webs):
            assert time.monotonic() < deadline, "the playground did not become ready"
            time.sleep(0.2)

    def stop(self) -> None:
        """Stop everything."""
        children = [*(web.child for web in self.webs), *self.workers]
        for child in children:
            child.ask_to_stop()
        for child in children:
            child.stop(6)
        self.redis.stop()


def kill(child: Child) -> None:
    """kill -9, with everything it forked."""
    assert child.pid is not None
    os.killpg(child.pid, signal.SIGKILL)
    child.reap()


def _worker(number: int) -> list[str]:
    command = worker_command()
    command[command.index("--hostname") + 1] = f"worker-{number}-{os.getpid()}@%h"
    return command


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory, postgresql_url: str) -> Iterator[Playground]:
    """A playground on real servers."""
    started = Playground(tmp_path_factory.mktemp("topology"), postgresql_url)
    try:
        started.start()
        yield started
    finally:
        started.stop()
