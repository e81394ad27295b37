"""Reading what people upload: small documents here, large ones in a process of their own.

The one rule: parsing holds the interpreter's lock, so nothing large is parsed where sockets are served; and a parser that hangs is killed.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec

from playground import engine
from playground.engine import InvalidInputError, Parsed, Problem
from playground.limits import Limits

SMALL_BYTES: Final = 256 * 1024
MOST_SECONDS: Final = 60.0
_ROOT: Final = Path(__file__).resolve().parent.parent.parent
_places = threading.BoundedSemaphore(2)


class UploadCrashedError(Exception):
    """The process that parsed ended without an answer: our mistake, or the machine's."""


def parse(source: bytes, *, limits: Limits, make_missing_nodes: bool = False) -> Parsed:
    """The scenario in ``source``. Raises InvalidInputError, and UploadCrashedError when the parser itself broke."""
    if len(source) <= SMALL_BYTES:
        return engine.parse(source, limits=limits, make_missing_nodes=make_missing_nodes)
    with _places:
        answer = _ask({"source": source, "limits": asdict(limits), "make_missing_nodes": make_missing_nodes})
    if "problems" in answer:
        raise InvalidInputError(msgspec.convert(answer["problems"], list[Problem]), too_large=answer["too_large"])
    return msgspec.convert(answer["parsed"], Parsed)


def check(source: bytes, *, limits: Limits) -> dict[str, Any]:
    """What can be said of ``source`` (see engine.check). Raises InvalidInputError for what is too large, and UploadCrashedError."""
    if len(source) <= SMALL_BYTES:
        return engine.check(source, limits=limits)
    with _places:
        answer = _ask({"check": True, "source": source, "limits": asdict(limits)})
    if "checked" not in answer:
        raise InvalidInputError(msgspec.convert(answer["problems"], list[Problem]), too_large=answer["too_large"])
    checked: dict[str, Any] = answer["checked"]
    return checked


def _ask(question: dict[str, Any]) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "playground.scenarios.uploads"],
            input=msgspec.msgpack.encode(question),
            capture_output=True,
            cwd=_ROOT,
            timeout=MOST_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        problem = Problem(path="", message=f"The document takes longer than {MOST_SECONDS:.0f} s to read")
        raise InvalidInputError([problem], too_large=True) from error
    if done.returncode != 0:
        raise UploadCrashedError(f"exit code {done.returncode}: {done.stderr[-2000:].decode(errors='replace')}")
    answer: dict[str, Any] = msgspec.msgpack.decode(done.stdout)
    return answer


def main() -> None:
    """The other process: a question on standard input, the answer on standard output."""
    question = msgspec.msgpack.decode(sys.stdin.buffer.read())
    limits = Limits(**question["limits"])
    try:
        if "check" in question:
            answer: dict[str, Any] = {"checked": engine.check(question["source"], limits=limits)}
        else:
            answer = {"parsed": engine.parse(question["source"], limits=limits, make_missing_nodes=question["make_missing_nodes"])}
    except InvalidInputError as error:
        answer = {"problems": error.problems, "too_large": error.too_large}
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    main()
