"""How events lie in the log: zstd of lines, one JSON text each. Lines go to viewers as they are, never decoded on the way.

The one rule: line k of a chunk is event ``first_seq + k``; JSON texts hold no line break.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
import zstandard

_LEVEL: Final = 3
_KIND: Final = b'"kind":"'
_PATH: Final = b'"path":"'
_AFTER_PATH: Final = b'","cause":'
_LARGEST: Final = 1 << 30
_encoder: Final = msgspec.json.Encoder()
_decoder: Final = msgspec.json.Decoder()


def encode(document: Any) -> bytes:
    """Compact JSON in UTF-8, keys in the order given."""
    return _encoder.encode(document)


def decode(line: bytes) -> Any:
    """What ``encode`` was given."""
    return _decoder.decode(line)


def kind_of(line: bytes) -> bytes:
    """The kind of an event's line, which is not decoded for it: seq, t, kind, path and cause stand first, in this order."""
    start = line.index(_KIND) + len(_KIND)
    return line[start : line.index(b'"', start)]


def path_of(line: bytes) -> bytes:
    """The path of an event's line as it is written in JSON; the line is not decoded for it."""
    start = line.index(_PATH) + len(_PATH)
    return line[start : line.index(_AFTER_PATH, start)]


def pack(lines: Iterable[bytes]) -> bytes:
    """The payload of a chunk."""
    return squeeze(b"\n".join(lines))


def unpack(payload: bytes | memoryview, *, skip: int = 0) -> list[bytes]:
    """The lines of a payload without the first ``skip``."""
    return inflate(payload).split(b"\n")[skip:]


def as_array(lines: Sequence[bytes]) -> bytes:
    """The JSON array of the events in ``lines``."""
    return b"[" + b",".join(lines) + b"]"


def squeeze(data: bytes) -> bytes:
    """zstd; small and quick enough for a commit every 50 ms."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


def size_of(payload: bytes | memoryview) -> int:
    """How long ``inflate`` of it is, without doing so."""
    return int(zstandard.frame_content_size(bytes(payload)))


def inflate(payload: bytes | memoryview) -> bytes:
    """The opposite of ``squeeze``; takes what a BinaryField gives (PostgreSQL gives a memoryview)."""
    return zstandard.ZstdDecompressor().decompress(bytes(payload), max_output_size=_LARGEST)
