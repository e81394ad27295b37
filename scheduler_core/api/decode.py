"""Bytes to plain documents: YAML and JSON as people paste them, with every limit that keeps reading them quick.

The one rule: nothing recurses and nothing grows beyond the text. YAML comes as events from libyaml and is built on a stack of
our own, so depth, aliases and their expansion are counted before anything is made of them.
"""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any, Final

import yaml

from scheduler_core.api.findings import Path, text_of
from scheduler_core.api.scalars import MAX_DIGITS, key_text, plain_value, tagged_value
from scheduler_core.errors import InvalidInputError, Problem

MAX_EXPANSION: Final = 1_000_000
"""Values that aliases may stand for together, beyond those written."""
BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


_ESCAPED_TROUBLE: Final = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_ESCAPED_NUL: Final = re.compile(r"\\u0000")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """The documents of a text and how it was written; ``text`` is kept to find lines in."""

    documents: tuple[Any, ...]
    text: str
    syntax: str
    lines: tuple[int, ...]
    """The line on which each document begins, counted from 1."""


def decode_text(source: bytes | str) -> str:
    """The text of a source: UTF-8, or UTF-16 with its mark; raises :class:`InvalidInputError` for anything else."""
    if isinstance(source, str):
        text = source.removeprefix("\ufeff")
    else:
        text = _decoded(source)
    if "\x00" in text:
        raise _invalid("the text is binary: it holds NUL bytes", text.count("\n", 0, text.index("\x00")) + 1)
    if not text.strip():
        raise _invalid("the text is empty: paste Kubernetes objects as YAML or JSON", None)
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
        raise _invalid(f"the text is not {encoding.upper()}: byte {error.start} cannot be read", line) from None


def _invalid(message: str, line: int | None, *, too_large: bool = False) -> InvalidInputError:
    return InvalidInputError([Problem(path="", message=message, line=line)], too_large=too_large)


def looks_like_json(text: str) -> bool:
    """Whether a text begins as JSON does; YAML in flow style does too."""
    return text.lstrip()[:1] in ("{", "[")


def decode_json(text: str, *, depth: int) -> Decoded:
    """One or several JSON documents; raises :class:`InvalidInputError`. Duplicate keys are refused."""
    duplicates: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            duplicates.append(_first_repeated(items))
        return made

    decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_constant=_refuse_constant, parse_int=_json_int)
    documents, lines, at, length = [], [], 0, len(text)
    try:
        while (at := _next_start(text, at)) < length:
            lines.append(text.count("\n", 0, at) + 1 if at else 1)
            document, at = decoder.raw_decode(text, at)
            documents.append(document)
    except json.JSONDecodeError as error:
        raise _invalid(f"the text is not JSON: {error.msg[:1].lower()}{error.msg[1:]} (column {error.colno})", error.lineno) from None
    except RecursionError:
        raise _invalid(f"the text is nested deeper than {depth}", None) from None
    except _RefusedError as error:
        raise _invalid(str(error), None) from None
    if duplicates:
        raise _duplicate_error(text, duplicates)
    _check_depth(documents, depth)
    _check_characters(documents, text)
    return Decoded(documents=tuple(documents), text=text, syntax="json", lines=tuple(lines))


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
        inner: list[Any] = []
        for value in level:
            if type(value) is dict:
                inner.extend(item for item in value.values() if type(item) is dict or type(item) is list)
            elif type(value) is list:
                inner.extend(item for item in value if type(item) is dict or type(item) is list)
        if not inner:
            return
        level = inner
    raise _invalid(f"the text is nested deeper than {depth}", None)


def _check_characters(documents: list[Any], text: str) -> None:
    """Refuse escapes that stand for no character: NUL and halves of surrogate pairs."""
    if not _ESCAPED_TROUBLE.search(text):
        return
    written = json.dumps(documents, ensure_ascii=False)
    if "\\u0000" in written:
        raise _invalid("a text holds the character NUL", _line_of(text, _ESCAPED_NUL))
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:
        raise _invalid("a text holds half a surrogate pair, which is no character", _line_of(text, _ESCAPED_TROUBLE)) from None


def _line_of(text: str, pattern: re.Pattern[str]) -> int | None:
    match = pattern.search(text)
    return text.count("\n", 0, match.start()) + 1 if match else None


class _Frame:
    """A map or list that is being built."""

    __slots__ = ("anchor", "depth", "is_merge", "key", "merges", "size", "value")

    def __init__(self, value: dict[str, Any] | list[Any], anchor: str | None) -> None:
        self.value = value
        self.anchor = anchor
        self.key: str | None = None
        self.merges: list[dict[str, Any]] = []
        self.is_merge = False
        self.size = 1
        self.depth = 1


def decode_yaml(text: str, *, depth: int, aliases: int) -> Decoded:
    """The documents of a YAML stream; raises :class:`InvalidInputError` with the line of what is wrong."""
    builder = _Builder(depth=depth, aliases=aliases)
    try:
        builder.read(text)
    except yaml.MarkedYAMLError as error:
        raise _yaml_error(error, text) from None
    except yaml.YAMLError as error:
        raise _invalid(f"the text is not YAML: {str(error).splitlines()[0][:200]}", None) from None
    except UnicodeEncodeError:
        raise _invalid("the text holds half a surrogate pair, which is no character", None) from None
    if builder.problems:
        raise InvalidInputError(builder.problems)
    return Decoded(documents=tuple(builder.documents), text=text, syntax="yaml", lines=tuple(builder.lines))


def _yaml_error(error: yaml.MarkedYAMLError, text: str) -> InvalidInputError:
    mark: Any = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it cannot be read"
    if mark and text[mark.index : mark.index + 1] == "\t":
        problem = "a tab stands where only spaces may indent"
    elif error.context and error.context != problem:
        problem = f"{problem} {error.context}"
    return _invalid(f"the text is not YAML: {problem}", mark.line + 1 if mark else None)


class _Builder:
    """Builds plain values from libyaml's events."""

    def __init__(self, *, depth: int, aliases: int) -> None:
        self.max_depth = depth
        self.max_aliases = aliases
        self.documents: list[Any] = []
        self.lines: list[int] = []
        self.problems: list[Problem] = []
        self._stack: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._open: set[str] = set()
        self._alias_count = 0
        self._expansion = 0

    def read(self, text: str) -> None:
        event: Any
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind is yaml.MappingStartEvent:
                self._begin({}, event)
            elif kind is yaml.SequenceStartEvent:
                self._begin([], event)
            elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._end(event)
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentStartEvent:
                self._anchors.clear()
                self.lines.append(event.start_mark.line + 1)

    def _problem(self, event: Any, message: str) -> None:
        if len(self.problems) < 100:
            keys = [frame.key if type(frame.value) is dict else len(frame.value) for frame in self._stack]
            path: Path | None = None
            for key in keys:
                path = path if key is None else (path, key)
            self.problems.append(Problem(path=text_of(path), message=message, line=event.start_mark.line + 1))

    def _stop(self, event: Any, message: str) -> InvalidInputError:
        return InvalidInputError([*self.problems, Problem(path="", message=message, line=event.start_mark.line + 1)])

    def _begin(self, value: dict[str, Any] | list[Any], event: Any) -> None:
        if len(self._stack) >= self.max_depth:
            raise self._stop(event, f"the text is nested deeper than {self.max_depth}")
        if self._stack and type(self._stack[-1].value) is dict and self._stack[-1].key is None:
            raise self._stop(event, "a map or list cannot be a key")
        if event.tag is not None and event.tag not in ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq", "!"):
            self._problem(event, f"the tag {event.tag[:80]!r} is not known")
        if event.anchor is not None:
            self._open.add(event.anchor)
        self._stack.append(_Frame(value, event.anchor))

    def _end(self, event: Any) -> None:
        frame = self._stack.pop()
        for merged in frame.merges:
            for key, item in merged.items():
                frame.value.setdefault(key, item)  # type: ignore[union-attr]
        if frame.anchor is not None:
            self._open.discard(frame.anchor)
            self._anchors[frame.anchor] = (frame.value, frame.size, frame.depth)
        self._add(frame.value, frame.size, frame.depth, event)

    def _scalar(self, event: Any) -> None:
        frame = self._stack[-1] if self._stack else None
        if frame is not None and type(frame.value) is dict and frame.key is None:
            self._key(frame, event)
            return
        value = event.value
        if event.tag is not None and event.tag != "!":
            value, error = tagged_value(event.tag, value)
            if error:
                self._problem(event, error)
        elif event.implicit[0]:
            value = plain_value(value)
        elif "\x00" in value:
            self._problem(event, "holds the character NUL")
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, 1, 0)
        self._add(value, 1, 0, event)

    def _key(self, frame: _Frame, event: Any) -> None:
        plain = event.implicit[0] and event.tag is None
        key = key_text(event.value) if plain else event.value
        if event.anchor is not None:
            self._anchors[event.anchor] = (key, 1, 0)
        frame.is_merge = plain and key == "<<"
        frame.key = key
        if not frame.is_merge and key in frame.value:
            self._problem(event, f"the key {key[:80]!r} is there twice")
        if "\x00" in key:
            self._problem(event, "a key holds the character NUL")
        frame.size += 1

    def _alias(self, event: Any) -> None:
        self._alias_count += 1
        if self._alias_count > self.max_aliases:
            raise self._stop(event, f"the text uses more than {self.max_aliases} aliases")
        if event.anchor in self._open:
            raise self._stop(event, f"the alias *{event.anchor[:40]} stands inside of what it refers to")
        if event.anchor not in self._anchors:
            raise self._stop(event, f"the alias *{event.anchor[:40]} refers to nothing before it")
        value, size, depth = self._anchors[event.anchor]
        self._expansion += size
        if self._expansion > MAX_EXPANSION:
            raise self._stop(event, f"the aliases of the text stand for more than {MAX_EXPANSION} values")
        if len(self._stack) + depth > self.max_depth:
            raise self._stop(event, f"the text is nested deeper than {self.max_depth}")
        frame = self._stack[-1] if self._stack else None
        if frame is not None and type(frame.value) is dict and frame.key is None:
            if type(value) is not str:
                raise self._stop(event, "only text can be a key")
            frame.key, frame.is_merge = value, False
            return
        self._add(value, size, depth, event)

    def _add(self, value: Any, size: int, depth: int, event: Any) -> None:
        if not self._stack:
            self.documents.append(value)
            return
        frame = self._stack[-1]
        frame.size += size
        frame.depth = max(frame.depth, depth + 1)
        if type(frame.value) is list:
            frame.value.append(value)
            return
        key, frame.key = frame.key or "", None
        if frame.is_merge:
            self._merge(frame, value, event)
        else:
            frame.value[key] = value  # type: ignore[call-overload]

    def _merge(self, frame: _Frame, value: Any, event: Any) -> None:
        merged = value if type(value) is list else [value]
        if any(type(item) is not dict for item in merged):
            self._problem(event, "only maps can be merged by <<")
            return
        frame.merges.extend(merged)
