"""One hub for each run that somebody watches in this process: hears the bell, reads the log once, gives all viewers the same text.

The one rule: a viewer is nothing but a cursor. Whoever is slow, late or back again asks for what comes after its cursor; frames are
made once and shared, and a lost wake-up costs a second, never an event.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import structlog
from channels.layers import get_channel_layer
from django.db import close_old_connections

from playground import chunks, metrics, selectors
from playground.models import FINAL, Status
from playground.runs import handing_out, notify

POLL_SECONDS: Final = 1.0
_UNEASY_SECONDS: Final = 3.0
_FRAME_BYTES: Final = 512 * 1024
_KEPT_BYTES: Final = 8 * 1024 * 1024
_WORTH_DEFLATING: Final = 4096
_DEFLATE_LEVEL: Final = 1
_log = structlog.get_logger(__name__)
_threads: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="hub")
_T = TypeVar("_T")


@dataclass(slots=True, kw_only=True)
class Frame:
    """One message for viewers; their cursor is ``last_seq`` once they have it."""

    text: str
    last_seq: int
    _deflated: asyncio.Future[bytes] | None = None

    @property
    def is_worth_deflating(self) -> bool:
        """Whether it is long enough to be much shorter deflated."""
        return len(self.text) >= _WORTH_DEFLATING

    async def deflated(self) -> bytes:
        """The text as raw deflate: made once, when the first viewer asks for it, and shared by all."""
        if self._deflated is None:
            self._deflated = asyncio.get_running_loop().run_in_executor(_threads, _deflate, self.text)
        return await asyncio.shield(self._deflated)


def _deflate(text: str) -> bytes:
    stream = zlib.compressobj(_DEFLATE_LEVEL, wbits=-15)
    return stream.compress(text.encode()) + stream.flush()


class UnknownRunError(Exception):
    """There is no such run (any more)."""


class Hub:
    """What the viewers of one run share. Made by ``Hubs.follow``; lives as long as it has viewers."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        self.viewers = 0
        self.status: str = Status.QUEUED
        self.last_seq = 0
        self._frames: OrderedDict[int, Frame] = OrderedDict()
        self._kept = 0
        self._readings: dict[int, asyncio.Task[Frame | None]] = {}
        self._news = asyncio.Event()
        self._rung = asyncio.Event()
        self._opening = asyncio.Lock()
        self._tasks: list[asyncio.Task[None]] = []
        self._progress = time.monotonic()

    async def open(self) -> None:
        """Learn where the run stands; only the first viewer's call asks. Raises UnknownRunError."""
        async with self._opening:
            if not self._tasks:
                await self._read(0)  # most viewers begin there: the first frame is at hand
                self._tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._listen())]

    def close(self) -> None:
        """Stop watching."""
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    async def follow(self, after: int) -> AsyncIterator[Frame]:
        """Every event after the cursor ``after``, once and in order, until the run has ended. Raises UnknownRunError."""
        cursor = after
        while True:
            news = self._news
            if cursor < self.last_seq:
                frame = await self._frame_after(cursor)
                if frame is None:
                    await asyncio.sleep(POLL_SECONDS)
                    continue
                yield frame
                cursor = frame.last_seq
            elif self.status in FINAL:
                return
            else:
                await news.wait()

    # -- reading -------------------------------------------------------------------------------------------------
    async def _frame_after(self, cursor: int) -> Frame | None:
        kept = self._frames.get(cursor)
        if kept is not None:
            self._frames.move_to_end(cursor)
            return kept
        reading = self._readings.get(cursor)
        if reading is None:
            reading = self._readings[cursor] = asyncio.create_task(self._read(cursor))
            reading.add_done_callback(lambda _: self._readings.pop(cursor, None))
        try:
            return await asyncio.shield(reading)
        except UnknownRunError:
            raise
        except Exception as error:  # the database is away: the viewer waits for the next poll
            _log.warning("log_not_read", run=self.run_id, error=repr(error))
            return None

    async def _read(self, cursor: int) -> Frame | None:
        """Read the log after ``cursor``, keep the frame, tell the viewers what is new."""
        metrics.READS.inc()
        part = await _in_thread(lambda: selectors.log_after(self.run_id, cursor, most_bytes=_FRAME_BYTES))
        if part is None:
            raise UnknownRunError(self.run_id)
        frame = _frame(part)
        if frame is not None:
            self._keep(cursor, frame)
        self._learn(part)
        return frame

    def _learn(self, part: selectors.Slice) -> None:
        grew, changed = part.last_seq > self.last_seq, part.status != self.status
        is_stale = self.status in FINAL or part.last_seq < self.last_seq
        if is_stale or not (grew or changed):
            return
        self.last_seq, self.status = part.last_seq, part.status
        self._progress = time.monotonic()
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _keep(self, cursor: int, frame: Frame) -> None:
        if cursor in self._frames:
            return
        self._frames[cursor] = frame
        self._kept += len(frame.text)
        while self._kept > _KEPT_BYTES and len(self._frames) > 1:
            _, dropped = self._frames.popitem(last=False)
            self._kept -= len(dropped.text)

    # -- waking --------------------------------------------------------------------------------------------------
    async def _watch(self) -> None:
        """Look at the log when the bell rings, and once a second whether it rings or not."""
        while self.status not in FINAL:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rung.wait(), POLL_SECONDS)
            self._rung.clear()
            try:
                await self._read(self.last_seq)
                if time.monotonic() - self._progress > _UNEASY_SECONDS:
                    await _in_thread(lambda: handing_out.hand_out_again(self.run_id))
            except UnknownRunError:
                self.status = Status.FAILED
                self._news.set()
            except Exception as error:
                _log.warning("run_not_watched", run=self.run_id, error=repr(error))
                await asyncio.sleep(POLL_SECONDS)

    async def _listen(self) -> None:
        """Subscribe to the bell; while Redis is away the poll carries on alone."""
        has_said_so = False
        while self.status not in FINAL:
            try:
                await self._hear()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                if not has_said_so:
                    _log.warning("bell_not_reached", run=self.run_id, error=repr(error))
                has_said_so = True
                await asyncio.sleep(POLL_SECONDS)

    async def _hear(self) -> None:
        layer: Any = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add(notify.group(self.run_id), channel)
        try:
            while True:
                await layer.receive(channel)
                self._rung.set()
        finally:
            with contextlib.suppress(Exception):
                await layer.group_discard(notify.group(self.run_id), channel)


class Hubs:
    """All hubs of one event loop."""

    def __init__(self) -> None:
        self._hubs: dict[str, Hub] = {}
        self._ear: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def watching(self, run_id: str) -> AsyncIterator[Hub]:
        """The hub of a run, for as long as somebody is inside. Raises UnknownRunError."""
        if self._ear is None:
            self._ear = asyncio.create_task(_stay_subscribed())
        hub = self._hubs.get(run_id)
        if hub is None:
            hub = self._hubs[run_id] = Hub(run_id)
            metrics.HUBS.inc()
        hub.viewers += 1
        try:
            await hub.open()
            yield hub
        finally:
            hub.viewers -= 1
            if hub.viewers == 0 and self._hubs.get(run_id) is hub:
                del self._hubs[run_id]
                metrics.HUBS.dec()
                hub.close()


async def _stay_subscribed() -> None:
    """Keep one subscription for good: without any, the layer's receiver sleeps 100 ms at a time, and a first event waits for it."""
    layer: Any = get_channel_layer()
    while True:
        try:
            await layer.new_channel("ear.")
            return
        except Exception:
            await asyncio.sleep(POLL_SECONDS)


_of_loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Hubs] = weakref.WeakKeyDictionary()


def hubs() -> Hubs:
    """The hubs of the running event loop."""
    return _of_loops.setdefault(asyncio.get_running_loop(), Hubs())


def _frame(part: selectors.Slice) -> Frame | None:
    if not part.lines:
        return None
    text = b'{"type":"events","events":' + chunks.as_array(part.lines) + b"}"
    return Frame(text=text.decode(), last_seq=part.end_seq)


async def _in_thread(function: Callable[[], _T]) -> _T:
    def call() -> _T:
        close_old_connections()
        try:
            return function()
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, call)
