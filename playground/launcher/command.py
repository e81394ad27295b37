"""Starts what a playground consists of, keeps it alive, and stops all of it: ``python -m playground.launcher [all|prepare|web|worker]``.

The one rule: it decides nothing about the application. It gives the processes an environment (REDIS_URL, where state lies) and the settings
read it; with REDIS_URL and DATABASE_URL given, the same processes run on real servers.

``web`` and ``worker`` become the server process itself: whoever starts them apart has something of its own that watches them.
"""

from __future__ import annotations

import argparse
import errno
import http.client
import os
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final, NoReturn

from playground.launcher.embedded_redis import EmbeddedRedis, NoRedisError, ask_kind
from playground.launcher.processes import Child

ROOT: Final = Path(__file__).resolve().parent.parent.parent
READY_SECONDS: Final = 60.0
MOST_RESTARTS: Final = 5
RESTART_WINDOW_SECONDS: Final = 60.0
STOP_SECONDS: Final = 6.0
_LOOK_SECONDS: Final = 0.2


class LaunchError(Exception):
    """Why the playground cannot start or go on, in words for the person at the terminal."""


class StopAskedError(BaseException):
    """Ctrl-C or SIGTERM; not an Exception, so that nothing on the way swallows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the playground listens. ``host`` and ``port`` as given to bind."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """The address to type into a browser on this machine."""
        return f"http://{_bracketed(self.reachable_host)}:{self.port}"

    @property
    def reachable_host(self) -> str:
        """Where this machine reaches it: the wildcard addresses are answered on loopback."""
        return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)


@dataclass(slots=True, kw_only=True)
class Launcher:
    """The processes of one playground. ``run`` returns the exit code once everything is stopped again."""

    environment: dict[str, str]
    place: Place
    state: Path
    children: list[Child] = field(default_factory=list)
    redis: EmbeddedRedis | None = None
    folder: Path | None = None
    restarts: dict[str, deque[float]] = field(default_factory=dict)

    def run(self) -> int:
        """Start everything, watch it, stop everything; 0 when Ctrl-C or SIGTERM asked for it. Raises LaunchError and NoRedisError."""
        try:
            self._start()
            self._watch()
        except StopAskedError:
            print("Stopping.", flush=True)
            return 0
        finally:
            self._stop()

    def _start(self) -> None:
        began = time.monotonic()
        require_free_port(self.place)
        broker = self._broker()
        self._prepare()
        for child in self._plan():
            self.children.append(child)
            child.start()
        self._wait_until_ready()
        self._announce(broker, time.monotonic() - began)

    def _broker(self) -> str:
        """Make sure there is a Redis; what to call it. Raises NoRedisError."""
        given = self.environment.get("REDIS_URL")
        if given:
            return f"{ask_kind(given)} at {_without_password(given)}"
        self.folder = Path(tempfile.mkdtemp(prefix="playground-"))
        self.redis = EmbeddedRedis(self.folder)
        self.environment["REDIS_URL"] = self.redis.start()
        return f"{self.redis.kind}, our own, on 127.0.0.1:{self.redis.port}"

    def _prepare(self) -> None:
        """Migrations and gallery, in a process of their own. Raises LaunchError when they fail."""
        child = Child("prepare", [sys.executable, "-m", "playground.launcher", "prepare"], environment=self.environment, cwd=ROOT)
        self.children.append(child)
        child.start()
        while not child.wait(_LOOK_SECONDS):
            pass
        self.children.remove(child)
        if child.reap() != 0:
            raise LaunchError("Preparing the database failed; the reason is above.")

    def _plan(self) -> Sequence[Child]:
        web = Child("web", web_command(self.place), environment=self.environment, cwd=ROOT)
        # An orphaned worker whose broker is gone hangs in its shutdown; killed outright, its pool ends with it. Tasks are repeatable.
        worker = Child("worker", worker_command(), environment=self.environment, cwd=ROOT, on_orphan=signal.SIGKILL)
        return web, worker

    def _wait_until_ready(self) -> None:
        """Wait for 200 from /healthz. Raises LaunchError."""
        deadline = time.monotonic() + READY_SECONDS
        last = "no answer"
        while time.monotonic() < deadline:
            self._revive()
            status, last = health(self.place)
            if status == 200:
                return
            time.sleep(_LOOK_SECONDS)
        raise LaunchError(f"The playground did not become ready within {READY_SECONDS:.0f} s. /healthz said: {last}")

    def _announce(self, broker: str, seconds: float) -> None:
        print(f"\nPreemption Playground is ready after {seconds:.1f} s.\n\n    {self.place.url}\n", flush=True)
        print(f"    broker    {broker}", flush=True)
        print(f"    database  {database_name(self.environment, self.state)}", flush=True)
        print("\nCtrl-C stops everything that was started here.", flush=True)

    def _watch(self) -> NoReturn:
        while True:
            time.sleep(_LOOK_SECONDS)
            self._revive()

    def _revive(self) -> None:
        """Start again what has died. Raises LaunchError when it keeps dying."""
        servers = [self.redis.child] if self.redis else []
        for child in [*servers, *self.children]:
            if child.has_ended():
                code = child.reap()
                self._count_restart(child.name, code)
                print(f"The {child.name} process ended ({_ending(code)}); starting it again.", file=sys.stderr, flush=True)
                child.start()

    def _count_restart(self, name: str, code: int) -> None:
        times = self.restarts.setdefault(name, deque())
        now = time.monotonic()
        while times and times[0] < now - RESTART_WINDOW_SECONDS:
            times.popleft()
        times.append(now)
        if len(times) > MOST_RESTARTS:
            raise LaunchError(f"The {name} process ended {len(times)} times within a minute ({_ending(code)}); giving up.")

    def _stop(self) -> None:
        """Ask all at once, web and worker first; what does not end in time is killed with everything it forked; Redis goes last."""
        for child in self.children:
            child.ask_to_stop()
        deadline = time.monotonic() + STOP_SECONDS
        for child in self.children:
            child.wait(max(0.0, deadline - time.monotonic()))
            child.reap()
        self.children.clear()
        if self.redis is not None:
            self.redis.stop()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


def web_command(place: Place) -> list[str]:
    """uvicorn, closing sockets with 1012 on SIGTERM (docs/dependencies.md has the measurements)."""
    return [
        *(sys.executable, "-m", "uvicorn", "playground.asgi:application"),
        *("--host", place.host, "--port", str(place.port)),
        *("--ws", "websockets-sansio", "--timeout-graceful-shutdown", "3"),
        # The hub encodes and deflates once for all viewers, permessage-deflate would do it for each; viewers never send anything.
        *("--ws-per-message-deflate", "false", "--ws-max-size", "65536"),
        *("--log-level", "warning", "--no-access-log", "--no-server-header"),
    ]


def worker_command() -> list[str]:
    """A Celery prefork worker: time limits are silently ignored by the other pools."""
    concurrency = str(max(2, min(4, os.cpu_count() or 2)))
    return [
        *(sys.executable, "-m", "celery", "--quiet", "-A", "playground.celery:app", "worker"),
        *("--pool", "prefork", "--concurrency", os.environ.get("WORKER_CONCURRENCY") or concurrency),
        *("--hostname", os.environ.get("WORKER_NAME") or f"playground-{os.getpid()}@%h", "--loglevel", "WARNING"),
        *("--without-gossip", "--without-mingle"),
    ]


def health(place: Place) -> tuple[int, str]:
    """Ask /healthz: the status (0 without an answer) and what it said."""
    connection = http.client.HTTPConnection(place.reachable_host, place.port, timeout=5.0)
    try:
        connection.request("GET", "/healthz", headers={"Host": f"{_bracketed(place.reachable_host)}:{place.port}"})
        answer = connection.getresponse()
        return answer.status, f"{answer.status} {answer.read(2000).decode(errors='replace')}"
    except (OSError, http.client.HTTPException) as error:
        return 0, f"no answer ({error})"
    finally:
        connection.close()


def require_free_port(place: Place) -> None:
    """Raises LaunchError when the port cannot be had."""
    other = f"Choose another one: PORT={place.port + 1 if 1023 < place.port < 65535 else 8001} make run"
    try:
        found = socket.getaddrinfo(place.host or None, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise LaunchError(f"HOST={place.host!r} is not an address of this machine ({error.strerror}).") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise LaunchError(f"Port {place.port} on {place.host} is in use already, perhaps by another playground. {other}") from error
        raise LaunchError(f"Port {place.port} on {place.host} cannot be used ({error.strerror}). {other}") from error


def place_from(environment: Mapping[str, str]) -> Place:
    """HOST and PORT, 127.0.0.1 and 8000 when not given; port 0 takes a free one. Raises LaunchError for what is not a port."""
    text = environment.get("PORT") or "8000"
    host = environment.get("HOST") or "127.0.0.1"
    if not (text.isascii() and text.isdigit() and int(text) <= 65535):
        raise LaunchError(f"PORT={text!r} is not a port: a whole number from 0 to 65535 is expected.")
    if int(text):
        return Place(host=host, port=int(text))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return Place(host=host, port=int(probe.getsockname()[1]))


def database_name(environment: Mapping[str, str], state: Path) -> str:
    """What to call the database, without its password."""
    url = environment.get("DATABASE_URL")
    return _without_password(url) if url else f"SQLite in {state}"


def prepare() -> int:
    """Bring database and gallery up to date in this process; the exit code."""
    import django
    from django.core.management import call_command

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("load_gallery", verbosity=0)
    return 0


def environment_for(state: Path) -> dict[str, str]:
    """What every process of the playground gets: our environment, completed."""
    environment = dict(os.environ)
    environment["PLAYGROUND_STATE"] = str(state)
    environment["PYTHONUNBUFFERED"] = "1"
    # Celery warns every root that a worker may run what others sent; ours takes tasks from a server with a password of its own.
    environment.setdefault("PYTHONWARNINGS", "ignore:You're running the worker with superuser privileges")
    environment.setdefault("DJANGO_SETTINGS_MODULE", "playground.settings")
    return environment


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code. What goes wrong is one plain message on standard error."""
    parser = argparse.ArgumentParser(prog="python -m playground.launcher", description="Start the Preemption Playground.")
    parser.add_argument("mode", nargs="?", default="all", choices=("all", "prepare", "web", "worker"))
    mode: str = parser.parse_args(arguments).mode
    if mode == "prepare":
        return prepare()
    state = Path(os.environ.get("PLAYGROUND_STATE") or ROOT / "var").resolve()
    try:
        place = place_from(os.environ)
        environment = environment_for(state)
        if mode != "all":
            become(mode, place, environment)
        _stop_on_signals()
        return Launcher(environment=environment, place=place, state=state).run()
    except (LaunchError, NoRedisError) as error:
        print(f"\n{error}", file=sys.stderr)
    except OSError as error:
        print(f"\nThe playground cannot start: {error}", file=sys.stderr)
    return 1


def become(mode: str, place: Place, environment: Mapping[str, str]) -> NoReturn:
    """Turn into the web server or the worker. Raises LaunchError when there is no REDIS_URL to meet at or the port is taken."""
    if not environment.get("REDIS_URL"):
        raise LaunchError(f"`{mode}` alone needs REDIS_URL: web and worker meet at that server.")
    if mode == "web":
        require_free_port(place)
    command = web_command(place) if mode == "web" else worker_command()
    os.chdir(ROOT)
    os.execve(command[0], command, dict(environment))


def _stop_on_signals() -> None:
    """The first Ctrl-C, SIGTERM or SIGHUP begins the end; later ones do not disturb it."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        for number in handled:
            signal.signal(number, signal.SIG_IGN)
        raise StopAskedError

    handled = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in handled:
        signal.signal(number, stop)


def _without_password(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}" if separator else url


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
