"""Many real WebSocket clients in one process: ``python -m tests.bench.viewers --count 200 ws://…`` prints a JSON line when all
are connected, and one when all are done.

The one rule: every event that every viewer gets is checked: none lost, none twice, none out of order. Equal frames are read once.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import resource
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

DEADLINE_SECONDS = 120


@dataclass(slots=True)
class Frames:
    """What frames say: (type, first seq, last seq). Each text is decoded once, however many get it."""

    known: dict[bytes, tuple[str, int, int]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def read(self, frame: str | bytes) -> tuple[str, int, int]:
        """The type and the range of a frame; a gap inside it is a fault. Binary ones are raw deflate."""
        raw = frame.encode() if isinstance(frame, str) else frame
        key = hashlib.blake2b(raw, digest_size=16).digest()
        found = self.known.get(key)
        if found is None:
            text = raw if isinstance(frame, str) else zlib.decompress(raw, wbits=-15)
            found = self.known[key] = self._decode(msgspec.json.decode(text))
        return found

    def _decode(self, message: dict[str, Any]) -> tuple[str, int, int]:
        seqs = [event["seq"] for event in message.get("events", ())]
        if seqs and seqs != list(range(seqs[0], seqs[0] + len(seqs))):
            self.faults.append(f"a frame with the events {seqs[:3]} to {seqs[-1]} has a gap")
        return message["type"], seqs[0] if seqs else 0, seqs[-1] if seqs else message.get("last_seq", 0)


@dataclass(slots=True)
class Crowd:
    """What all viewers found together. ``first`` is when a seq first reached anybody; ``lag`` how much later it reached somebody else."""

    frames: Frames = field(default_factory=Frames)
    first: dict[int, float] = field(default_factory=dict)
    lags: list[float] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)
    events: int = 0
    bytes: int = 0
    last_seq: int = 0
    open: int = 0
    expected: int = 0

    async def watch(self, address: str, opened: asyncio.Semaphore) -> None:
        """Be one viewer, from event 1 to the end."""
        cursor = 0
        try:
            async with opened:
                socket = await connect(address, max_size=None, open_timeout=60, ping_interval=None, compression=None)
            self.open += 1
            if self.open == self.expected:
                print(json.dumps({"open": self.open}), flush=True)
            async with socket:
                async for text in socket:
                    kind, first, last = self.frames.read(text)
                    now = time.time()
                    self.bytes += len(text)
                    if kind == "events":
                        cursor = self._take(cursor, first, last, now)
                    elif kind == "end":
                        self._end(cursor, last, now)
                        return
            self.frames.faults.append(f"a socket closed after event {cursor}, before the end")
        except (OSError, WebSocketException, TimeoutError) as error:
            self.frames.faults.append(f"after event {cursor}: {error!r}")

    def _take(self, cursor: int, first: int, last: int, now: float) -> int:
        if first != cursor + 1:
            self.frames.faults.append(f"event {first} came after event {cursor}")
        self.events += last - first + 1
        self.lags.append(now - self.first.setdefault(last, now))
        return last

    def _end(self, cursor: int, last: int, now: float) -> None:
        if cursor != last:
            self.frames.faults.append(f"the end says {last} events; {cursor} came")
        self.last_seq = max(self.last_seq, last)
        self.ended.append(now)


async def crowd(address: str, count: int) -> dict[str, Any]:
    """Watch with ``count`` viewers; what they saw, as JSON values."""
    found, opened = Crowd(expected=count), asyncio.Semaphore(50)
    began = time.time()
    try:
        async with asyncio.timeout(DEADLINE_SECONDS):
            await asyncio.gather(*(found.watch(address, opened) for _ in range(count)))
    except TimeoutError:
        found.frames.faults.append(f"not all viewers were done after {DEADLINE_SECONDS} s")
    return {
        "viewers": count,
        "ended": len(found.ended),
        "last_seq": found.last_seq,
        "events": found.events,
        "bytes": found.bytes,
        "frames": len(found.frames.known),
        "began": began,
        "first_end": min(found.ended, default=0.0),
        "last_end": max(found.ended, default=0.0),
        "lag_s": max(found.lags, default=0.0),
        "faults": found.frames.faults[:20],
        "fault_count": len(found.frames.faults),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """The command; two JSON lines."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.viewers")
    parser.add_argument("address")
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_args(arguments)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, args.count + 200)), hard))
    print(json.dumps(asyncio.run(crowd(args.address, args.count))))


if __name__ == "__main__":
    main()
