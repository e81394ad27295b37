"""Bytes to text, and JSON to plain documents.

The one rule: whatever is no text or no JSON is said so with its line, and depth is checked before anybody recurses into it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.scalars import MAX_DIGITS
from scheduler_core.errors import InvalidInputError, Problem

BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


MAX_CONTAINERS: Final = 2_000_000
_ESCAPED_TROUBLE: Final = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_NUL: Final = re.compile(r"\\u0000")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The documents of a text and how it was written; ``text`` is kept to find lines in."""

    documents: tuple[Any, ...]
    text: str
    syntax: str
    """``yaml`` or ``json``."""


def decode_text(source: bytes | str) -> str:
    """The text of a source: UTF-8, or UTF-16 with its mark; raises :class:`InvalidInputError` for anything else."""
    if isinstance(source, str):
        text = source.removeprefix("\ufeff")
    else:
        text = _decoded(source)
    if "\x00" in text:
        raise invalid_text("the text is binary: it holds NUL bytes", text.count("\n", 0, text.index("\x00")) + 1)
    if not text.strip():
        raise invalid_text("the text is empty: paste Kubernetes objects as YAML or JSON", None)
    return text


def _decoded(source: bytes) -> str:
    for mark, encoding in BOMS:
        if source.startswith(mark):
            return _decode_as(source[len(mark) :], encoding)
    return _decode_as(source, "utf-8")


def _decode_as(source: bytes, encoding: str) -> str:
    try:
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise invalid_text(f"the text is not {encoding.upper()}: byte {error.start} cannot be read", line) from None


def invalid_text(message: str, line: int | None, *, too_large: bool = False) -> InvalidInputError:
    return InvalidInputError([Problem(path="", message=message, line=line)], too_large=too_large)


def looks_like_json(text: str) -> bool:
    """Whether a text begins as JSON does; YAML in flow style does too."""
    return text.lstrip()[:1] in ("{", "[")


def decode_json(text: str, *, depth: int) -> Decoded:
    """One or several JSON documents; raises :class:`InvalidInputError`. Duplicate keys are refused."""
    if text.count("{") + text.count("[") > MAX_CONTAINERS:
        raise invalid_text(f"the text holds more than {MAX_CONTAINERS} maps and lists", None, too_large=True)
    duplicates: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            duplicates.append(_first_repeated(items))
        return made

    decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_constant=_refuse_constant, parse_int=_json_int)
    documents, at, length = [], 0, len(text)
    try:
        while (at := _next_start(text, at)) < length:
            document, at = decoder.raw_decode(text, at)
            documents.append(document)
    except json.JSONDecodeError as error:
        raise invalid_text(f"the text is not JSON: {error.msg[:1].lower()}{error.msg[1:]} (column {error.colno})", error.lineno) from None
    except RecursionError:
        raise invalid_text(f"the text is nested deeper than {depth}", None) from None
    except _RefusedError as error:
        raise invalid_text(str(error), None) from None
    if duplicates:
        raise _duplicate_error(text, duplicates)
    _check_depth(documents, depth)
    _check_characters(documents, text)
    return Decoded(documents=tuple(documents), text=text, syntax="json")


class _RefusedError(Exception):
    """A constant or number that JSON of Kubernetes cannot hold."""


def _refuse_constant(name: str) -> Any:
    raise _RefusedError(f"{name} is not a number in JSON")


def _json_int(text: str) -> int:
    return int(text) if len(text) <= MAX_DIGITS else 10**MAX_DIGITS * (-1 if text[0] == "-" else 1)


def _next_start(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n":
        at += 1
    return at


def _first_repeated(items: list[tuple[str, Any]]) -> str:
    seen = set()
    for key, _ in items:
        if key in seen:
            return key
        seen.add(key)
    return ""


def _duplicate_error(text: str, keys: list[str]) -> InvalidInputError:
    from scheduler_core.api.lines import json_duplicates

    found = json_duplicates(text)
    problems = [Problem(path=path, message=f"the key {key[:80]!r} is there twice", line=line) for path, key, line in found]
    return InvalidInputError(problems or [Problem(path="", message=f"the key {keys[0][:80]!r} is there twice")])


def _check_depth(documents: list[Any], depth: int) -> None:
    level: list[Any] = list(documents)
    for _ in range(depth + 1):
        level = [item for value in level for item in _inside(value) if type(item) is dict or type(item) is list]
        if not level:
            return
    raise invalid_text(f"the text is nested deeper than {depth}", None)


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if type(value) is dict else value if type(value) is list else ()


def _check_characters(documents: list[Any], text: str) -> None:
    """Refuse escapes that stand for no character: NUL and halves of surrogate pairs."""
    if not _ESCAPED_TROUBLE.search(text):
        return
    for value in _texts(documents):
        if "\x00" in value:
            raise invalid_text("a text holds the character NUL", _line_of(text, _ESCAPED_NUL))
        if not value.isascii() and _SURROGATE.search(value):
            raise invalid_text("a text holds half a surrogate pair, which is no character", _line_of(text, _ESCAPED_TROUBLE))


def _texts(documents: list[Any]) -> Iterator[str]:
    """Every text in the documents, keys included."""
    waiting = list(documents)
    while waiting:
        value = waiting.pop()
        if type(value) is str:
            yield value
            continue
        if type(value) is dict:
            yield from value
        waiting.extend(_inside(value))


def _line_of(text: str, pattern: re.Pattern[str]) -> int | None:
    match = pattern.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else None
