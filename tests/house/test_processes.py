"""Children end when they should, and the embedded Redis is ours alone."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from playground.launcher.embedded_redis import EmbeddedRedis, NoRedisError, ask_kind
from playground.launcher.processes import Child


def is_alive(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def child(*arguments: str, folder: Path) -> Child:
    return Child("test", [sys.executable, *arguments], environment=os.environ, cwd=folder)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[EmbeddedRedis]:
    made = EmbeddedRedis(tmp_path / "redis")
    made.start()
    yield made
    made.stop()


def test_stopping_a_child_ends_what_it_forked(tmp_path: Path) -> None:
    script = f"import os, time\npid = os.fork()\nopen({str(tmp_path / 'pid')!r}, 'a').write(f'{{os.getpid()}}\\n')\ntime.sleep(60)"
    parent = child("-c", script, folder=tmp_path)
    parent.start()
    while not (tmp_path / "pid").exists() or (tmp_path / "pid").read_text().count("\n") < 2:
        time.sleep(0.01)
    pids = [int(line) for line in (tmp_path / "pid").read_text().split()]
    parent.stop(2.0)
    deadline = time.monotonic() + 3
    while any(map(is_alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_alive, pids))


def test_a_child_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    script = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); open('ready', 'w'); time.sleep(60)"
    stubborn = child("-c", script, folder=tmp_path)
    stubborn.start()
    pid = stubborn.pid
    while not (tmp_path / "ready").exists():
        time.sleep(0.01)
    stubborn.stop(0.2)
    assert pid is not None
    assert not is_alive(pid)


def test_the_exit_code_and_the_signal_are_told_apart(tmp_path: Path) -> None:
    ended = child("-c", "raise SystemExit(3)", folder=tmp_path)
    ended.start()
    assert ended.wait(10)
    assert ended.reap() == 3
    killed = child("-c", "import os; os.kill(os.getpid(), 9)", folder=tmp_path)
    killed.start()
    assert killed.wait(10)
    assert killed.reap() == -signal.SIGKILL


def test_a_stopped_child_can_be_stopped_again_and_started_again(tmp_path: Path) -> None:
    again = child("-c", "pass", folder=tmp_path)
    again.stop()
    again.start()
    again.stop()
    again.stop()
    assert again.has_ended()


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels do not tell a child that its parent died")
def test_a_child_dies_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    script = (
        "import os, sys, time, pathlib\nfrom playground.launcher.processes import Child\n"
        "c = Child('x', [sys.executable, '-c', 'import time; time.sleep(60)'], environment=os.environ, cwd=pathlib.Path('.'))\n"
        "c.start()\nprint(c.pid, flush=True)\ntime.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).resolve().parents[2]
    ) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert is_alive(pid)
        parent.kill()
    deadline = time.monotonic() + 5
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_alive(pid)


def test_the_embedded_redis_answers_only_who_knows_its_password(server: EmbeddedRedis) -> None:
    with redis.Redis.from_url(server.url) as client:
        assert client.ping()
    with redis.Redis(port=server.port) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()


def test_the_embedded_redis_listens_on_loopback_only(server: EmbeddedRedis) -> None:
    with redis.Redis.from_url(server.url) as client:
        assert client.config_get("bind")["bind"] == "127.0.0.1"
    with socket.create_connection(("127.0.0.1", server.port), timeout=2):
        pass


def test_the_embedded_redis_writes_nothing_to_the_disk_and_hides_its_folder(server: EmbeddedRedis, tmp_path: Path) -> None:
    with redis.Redis.from_url(server.url) as client:
        client.set("key", "value")
        assert client.config_get("save")["save"] == ""
        assert client.config_get("appendonly")["appendonly"] == "no"
    assert (tmp_path / "redis").stat().st_mode & 0o077 == 0
    assert (tmp_path / "redis/redis.conf").stat().st_mode & 0o077 == 0
    assert {file.name for file in (tmp_path / "redis").iterdir()} <= {"redis.conf", "log"}


def test_a_server_says_itself_what_it_is(server: EmbeddedRedis) -> None:
    assert ask_kind(server.url) == server.kind
    assert server.kind.split()[0] in {"Redis", "Valkey"}


def test_a_server_that_is_not_there_is_said_in_words() -> None:
    with pytest.raises(NoRedisError, match="REDIS_URL names cannot be used"):
        ask_kind("redis://127.0.0.1:1/0")
    with pytest.raises(NoRedisError, match="REDIS_URL names cannot be used"):
        ask_kind("nonsense")
