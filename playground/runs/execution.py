"""The worker's side of a run: holds the lease, simulates, writes the log.

The one rule: the log grows only by compare-and-set on ``last_seq`` under our lease, so a second worker on the same run is harmless.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.db.models import F, Q
from django.utils import timezone

from playground import chunks, engine, selectors
from playground.models import Run, RunChunk, Status
from playground.runs import extender_http, notify

LEASE_SECONDS: Final = 6.0
RENEW_SECONDS: Final = 1.5
MOST_ATTEMPTS: Final = 5
"""How often a run may be taken up without a single new event before it is given up: it may be what kills the workers."""

_FIRST_EVENTS: Final = 1
_CHUNK_SECONDS: Final = 0.05
_CHUNK_EVENTS: Final = 2_000
_CHUNK_BYTES: Final = 512 * 1024
_log = structlog.get_logger(__name__)


class UnrepeatableRunError(Exception):
    """The same scenario gave other events than those in the log, after which we were to go on."""


class LeaseLostError(Exception):
    """Somebody else has the run, or it is gone. Not a failure: that somebody completes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write to a run's log, for a few seconds at a time. ``stored`` events were there when it was taken, with this digest."""

    run_id: str
    owner: str
    stored: int
    digest: str

    def renew(self) -> bool:
        """Whether it is still ours."""
        mine = Run.objects.filter(pk=self.run_id, lease_owner=self.owner, status=Status.RUNNING)
        return mine.update(lease_until=_lease_end()) == 1

    def give_back(self) -> None:
        """Let the next worker have it at once."""
        Run.objects.filter(pk=self.run_id, lease_owner=self.owner, status=Status.RUNNING).update(lease_until=timezone.now())


def execute(run_id: str) -> str:
    """Bring a run to its end, from wherever it stands; what became of it, in a word. Raises what the engine raises, after noting it."""
    lease = take_lease(run_id)
    if lease is None:
        return "not ours"
    began = time.monotonic()
    log = Log(lease=lease)
    try:
        with _kept(lease):
            return _simulate(lease, log, began)
    except LeaseLostError:
        return "lost"
    except DatabaseError:
        with contextlib.suppress(DatabaseError):
            lease.give_back()
        raise
    except BaseException as error:
        _end_badly(lease, log, error, seconds=time.monotonic() - began)
        raise


def take_lease(run_id: str) -> Lease | None:
    """Take the run when it waits or when its lease has run out; None when it is in other hands, over or gone."""
    now = timezone.now()
    owner = secrets.token_hex(12)
    free = Q(status=Status.QUEUED) | Q(status=Status.RUNNING, lease_until__lt=now)
    taken = Run.objects.filter(free, pk=run_id).update(
        status=Status.RUNNING, lease_owner=owner, lease_until=_lease_end(), attempts=F("attempts") + 1
    )
    if taken != 1:
        return None
    run = Run.objects.get(pk=run_id)
    lease = Lease(run_id=run_id, owner=owner, stored=run.last_seq, digest=run.log_digest)
    if run.attempts > MOST_ATTEMPTS:
        _finish(lease, Status.FAILED, seconds=0.0, error="The worker was lost again and again at this point of the run")
        return None
    if run.last_seq and run.engine != engine.version():
        _finish(lease, Status.FAILED, seconds=0.0, error=f"The engine changed from {run.engine} to {engine.version()} during the run")
        return None
    Run.objects.filter(pk=run_id, lease_owner=owner).update(engine=engine.version(), started=run.started or now)
    return lease


def _simulate(lease: Lease, log: Log, began: float) -> str:
    run = Run.objects.select_related("scenario").get(pk=lease.run_id)
    session = engine.Session(selectors.document_bytes(run.scenario), cycles=settings.LIMITS.cycles, transport=extender_http.transport())
    deadline = began + settings.LIMITS.run_seconds
    status, has_stopped, size = Status.FINISHED, False, 0
    for seq, kind, line in session.events():
        size += len(line)
        if kind == "run.limit_reached":
            status = Status.LIMIT
        log.add(seq, line, may_flush=not has_stopped)
        if not has_stopped and status is not Status.LIMIT:
            has_stopped = _stop_at_limit(session, deadline, size)
    log.close(status, seconds=time.monotonic() - began)
    return status.value


def _stop_at_limit(session: engine.Session, deadline: float, size: int) -> bool:
    """Whether the run has met a limit of ours. From there on nothing is flushed before the end: another attempt has another clock."""
    limits = settings.LIMITS
    if time.monotonic() > deadline:
        session.stop("seconds", limits.run_seconds)
        return True
    if size > limits.log_bytes:
        session.stop("bytes", limits.log_bytes)
        return True
    return False


@dataclass(slots=True, kw_only=True)
class Log:
    """Events on their way into chunks: the first at once, so that something shows; then what came in about 50 ms."""

    lease: Lease
    lines: list[bytes] = field(default_factory=list)
    size: int = 0
    stored: int = field(init=False)
    chunks: int = 0
    flushed: float = field(default_factory=time.monotonic)
    digest: hashlib.blake2b = field(default_factory=lambda: hashlib.blake2b(digest_size=16))

    def __post_init__(self) -> None:
        self.stored = self.lease.stored

    def add(self, seq: int, line: bytes, *, may_flush: bool = True) -> None:
        """Take the next event; those in the log already are only compared.

        Raises LeaseLostError when it could not be stored because the run is in other hands, UnrepeatableRunError.
        """
        self.digest.update(line)
        if seq <= self.lease.stored:
            self._compare(seq)
            return
        self.lines.append(line)
        self.size += len(line)
        if may_flush and self._is_due():
            self._store(self._grow)

    def close(self, status: Status, *, seconds: float) -> None:
        """Store the rest together with the run's end."""
        self._store(lambda: _finish(self.lease, status, seconds=seconds, before=self.stored, grown=self._grown()))

    def _compare(self, seq: int) -> None:
        if seq == self.lease.stored and self.digest.hexdigest() != self.lease.digest:
            raise UnrepeatableRunError(f"The first {seq} events of the run came out differently this time")

    def _is_due(self) -> bool:
        if self.chunks == 0 and len(self.lines) >= _FIRST_EVENTS:
            return True
        if len(self.lines) >= _CHUNK_EVENTS or self.size >= _CHUNK_BYTES:
            return True
        return time.monotonic() - self.flushed >= _CHUNK_SECONDS

    def _grow(self) -> bool:
        mine = Run.objects.filter(pk=self.lease.run_id, lease_owner=self.lease.owner, status=Status.RUNNING, last_seq=self.stored)
        return mine.update(**self._grown(), lease_until=_lease_end(), attempts=0) == 1

    def _grown(self) -> dict[str, Any]:
        return {"last_seq": self.stored + len(self.lines), "log_digest": self.digest.hexdigest()}

    def _store(self, compare_and_set: Callable[[], bool]) -> None:
        with transaction.atomic():
            if not compare_and_set():
                raise LeaseLostError(self.lease.run_id)
            if self.lines:
                RunChunk.objects.create(
                    run_id=self.lease.run_id,
                    first_seq=self.stored + 1,
                    last_seq=self.stored + len(self.lines),
                    payload=chunks.pack(self.lines),
                )
        self.stored += len(self.lines)
        self.lines, self.size, self.chunks = [], 0, self.chunks + 1
        self.flushed = time.monotonic()
        notify.ring(self.lease.run_id)


def _finish(
    lease: Lease, status: Status, *, seconds: float, error: str = "", before: int | None = None, grown: Mapping[str, Any] | None = None
) -> bool:
    """Whether the run was still ours to end, with ``before`` events when that is given; ``grown`` are the columns of its log."""
    mine = Run.objects.filter(pk=lease.run_id, lease_owner=lease.owner, status=Status.RUNNING)
    if before is not None:
        mine = mine.filter(last_seq=before)
    return mine.update(status=status, finished=timezone.now(), seconds=seconds, error=error[:500], **(grown or {})) == 1


def _end_badly(lease: Lease, log: Log, error: BaseException, *, seconds: float) -> None:
    """Keep the events so far and say what went wrong: too slow is a limit, everything else our failure."""
    from celery.exceptions import SoftTimeLimitExceeded

    if not isinstance(error, Exception):  # the process is told to stop: somebody else goes on
        lease.give_back()
        return
    _log.error("run_failed", run=lease.run_id, after=log.stored, error=repr(error))
    if isinstance(error, SoftTimeLimitExceeded):
        _finish(lease, Status.LIMIT, seconds=seconds, error="One step took longer than a run may take")
    else:
        _finish(lease, Status.FAILED, seconds=seconds, error=f"{type(error).__name__}: {error}")
    notify.ring(lease.run_id)


@contextlib.contextmanager
def _kept(lease: Lease) -> Iterator[None]:
    """Renew the lease beside the simulation: a single step of it may take longer than a lease."""
    is_over = threading.Event()

    def renew() -> None:
        try:
            while not is_over.wait(RENEW_SECONDS):
                with contextlib.suppress(DatabaseError):
                    if not lease.renew():
                        return
        finally:
            connections.close_all()

    keeper = threading.Thread(target=renew, name="lease", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        is_over.set()
        keeper.join(timeout=RENEW_SECONDS)


def _lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=LEASE_SECONDS)
