"""``make run`` as a person meets it: it starts, answers, comes back, and leaves nothing behind."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from playground.launcher.command import LaunchError, place_from

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0
STOP_SECONDS = 15.0


def until(holds: Callable[[], bool], seconds: float) -> bool:
    """Whether it holds before the time is over; asked all the while."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


def everyone(state: Path) -> dict[int, str]:
    """Command line by process id of every living process that was given this state folder, or works beside it.

    Both are asked, because a server may wipe its environment.
    """
    found = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            is_told = f"PLAYGROUND_STATE={state}".encode() in (process / "environ").read_bytes().split(b"\0")
            if is_told or (process / "cwd").readlink().is_relative_to(state.parent):
                found[int(process.name)] = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return found


class Started:
    """A launcher in a process of its own, with a state folder of its own; its words are kept."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.state = folder / "state"
        self.output = folder / "output"
        environment = {
            name: value for name, value in os.environ.items() if name not in {"REDIS_URL", "DATABASE_URL", "SECRET_KEY", "DEBUG"}
        }
        environment |= {"PORT": "0", "PLAYGROUND_STATE": str(self.state), "TMPDIR": str(folder), **variables}
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "playground.launcher", *arguments],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        """Everything written so far."""
        return self.output.read_text()

    def address(self) -> tuple[str, int]:
        """Host and port, once it says that it is ready."""
        assert until(lambda: "is ready" in self.said() or self.process.poll() is not None, START_SECONDS), self.said()
        found = re.search(r"http://([\d.]+):(\d+)", self.said())
        assert found, self.said()
        return found[1], int(found[2])

    def healthz(self) -> int:
        """The status of /healthz, 0 without an answer."""
        connection = http.client.HTTPConnection(*self.address(), timeout=5)
        try:
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            json.loads(answer.read())
            return answer.status
        except OSError:
            return 0
        finally:
            connection.close()

    def find(self, words: str) -> int:
        """The process id of the first process whose command line has these words (a regular expression)."""
        return min(pid for pid, command in everyone(self.state).items() if re.search(words, command))

    def end(self) -> None:
        """For the fixture: whatever happened, nothing stays."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
        for pid in everyone(self.state):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    started: list[Started] = []

    def make(*arguments: str, **variables: str) -> Started:
        folder = tmp_path / str(len(started))
        folder.mkdir()
        started.append(Started(folder, *arguments, **variables))
        return started[-1]

    yield make
    for each in started:
        each.end()


def test_it_starts_says_where_and_ctrl_c_leaves_nothing_behind(start: Callable[..., Started], tmp_path: Path) -> None:
    playground = start()
    assert playground.healthz() == 200
    commands = " ".join(everyone(playground.state).values())
    assert "uvicorn" in commands
    assert "celery" in commands
    assert re.search(r"broker +(Redis|Valkey) \d", playground.said())
    playground.process.send_signal(signal.SIGINT)
    assert playground.process.wait(STOP_SECONDS) == 0
    assert everyone(playground.state) == {}
    assert not list(tmp_path.glob("0/playground-*")), "the broker's folder is left"


def test_what_dies_is_started_again_and_a_killed_launcher_takes_all_with_it(start: Callable[..., Started]) -> None:
    playground = start()
    playground.address()
    for words in ("uvicorn", "celery", "redis-server|valkey-server"):
        os.kill(playground.find(words), signal.SIGKILL)
    assert until(lambda: playground.said().count("starting it again") == 3, 20), playground.said()
    assert until(lambda: playground.healthz() == 200, 30), playground.said()
    playground.process.kill()
    playground.process.wait()
    assert until(lambda: everyone(playground.state) == {}, STOP_SECONDS), everyone(playground.state)


def test_a_second_start_on_the_same_port_says_so_plainly(start: Callable[..., Started]) -> None:
    _, port = start().address()
    second = start(PORT=str(port))
    assert second.process.wait(START_SECONDS) == 1
    assert f"Port {port} on 127.0.0.1 is in use already" in second.said()
    assert "Traceback" not in second.said()


def test_without_a_redis_on_the_path_the_wheel_serves_and_is_called_valkey(start: Callable[..., Started], tmp_path: Path) -> None:
    playground = start(PATH=str(tmp_path / "nothing-here"))
    assert playground.healthz() == 200
    assert re.search(r"broker +Valkey \d", playground.said())


def test_a_given_redis_is_used_and_its_password_not_shown(start: Callable[..., Started], redis_url: str) -> None:
    playground = start(REDIS_URL=redis_url.removesuffix("/0") + "/3")
    assert playground.healthz() == 200
    password = re.search(r":([^@/]+)@", redis_url)
    assert password
    assert password[1] not in playground.said()
    assert not any(re.search("(redis|valkey)-server", command) for command in everyone(playground.state).values())


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"PORT": "http"}, "PORT='http' is not a port"),
        ({"PORT": "70000"}, "PORT='70000' is not a port"),
        ({"HOST": "192.0.2.1"}, "cannot be used"),
        ({"REDIS_URL": "redis://127.0.0.1:1/0"}, "The Redis that REDIS_URL names cannot be used"),
    ],
    ids=lambda value: str(value),
)
def test_what_cannot_start_says_why_in_one_line(start: Callable[..., Started], variables: dict[str, str], words: str) -> None:
    refused = start(**variables)
    assert refused.process.wait(START_SECONDS) == 1
    assert words in refused.said()
    assert "Traceback" not in refused.said()


@pytest.mark.parametrize("mode", ["web", "worker"])
def test_web_and_worker_apart_need_a_redis_to_meet_at(start: Callable[..., Started], mode: str) -> None:
    refused = start(mode)
    assert refused.process.wait(START_SECONDS) == 1
    assert f"`{mode}` alone needs REDIS_URL" in refused.said()


def test_the_address_is_loopback_8000_unless_told_otherwise() -> None:
    assert place_from({}).url == "http://127.0.0.1:8000"
    assert place_from({"HOST": "0.0.0.0", "PORT": "81"}).url == "http://127.0.0.1:81"
    assert place_from({"HOST": "::1"}).url == "http://[::1]:8000"
    assert place_from({"PORT": "0"}).port > 0
    with pytest.raises(LaunchError):
        place_from({"PORT": "-1"})
