"""YAML to plain documents, as kubectl reads it.

The one rule: nothing recurses and nothing grows beyond the text. libyaml gives events, and values are built from them on a stack of
our own, so depth, aliases and their expansion are counted before anything is made of them.
"""

from __future__ import annotations

from typing import Any, Final

import yaml

from scheduler_core.api.decode import Decoded, invalid_text
from scheduler_core.api.findings import MAX_FINDINGS, Path, text_of
from scheduler_core.api.scalars import key_text, plain_value, tagged_value
from scheduler_core.errors import InvalidInputError, Problem

MAX_VALUES: Final = 1_000_000
"""Values that a text may hold; a dump of the largest cluster taken has a third of them."""
MAX_EXPANSION: Final = 1_000_000
"""Values that aliases may stand for together, beyond those written."""


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
        raise invalid_text(f"the text is not YAML: {str(error).splitlines()[0][:200]}", None) from None
    except UnicodeEncodeError:
        raise invalid_text("the text holds half a surrogate pair, which is no character", None) from None
    if builder.problems:
        raise InvalidInputError(builder.problems)
    return Decoded(documents=tuple(builder.documents), text=text, syntax="yaml")


def _yaml_error(error: yaml.MarkedYAMLError, text: str) -> InvalidInputError:
    mark: Any = error.problem_mark or error.context_mark
    problem = error.problem or error.context or "it cannot be read"
    if mark and text[mark.index : mark.index + 1] == "\t":
        problem = "a tab stands where only spaces may indent"
    elif error.context and error.context != problem:
        problem = f"{problem} {error.context}"
    return invalid_text(f"the text is not YAML: {problem}", mark.line + 1 if mark else None)


class _Builder:
    """Builds plain values from libyaml's events."""

    def __init__(self, *, depth: int, aliases: int) -> None:
        self.max_depth = depth
        self.max_aliases = aliases
        self.documents: list[Any] = []
        self.problems: list[Problem] = []
        self._stack: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._open: set[str] = set()
        self._alias_count = 0
        self._expansion = 0

    def read(self, text: str) -> None:
        event: Any
        for number, event in enumerate(yaml.parse(text, Loader=yaml.CSafeLoader)):
            kind = type(event)
            if number > MAX_VALUES:
                raise invalid_text(f"the text holds more than {MAX_VALUES} values", event.start_mark.line + 1, too_large=True)
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

    def _problem(self, event: Any, message: str) -> None:
        if len(self.problems) < MAX_FINDINGS:
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
