"""From paths to lines, for texts in which something was found.

The one rule: good input never pays for this; only when there is something to say is the text read again, and then only the
paths in question are followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import yaml

from scheduler_core.api.decode import Decoded
from scheduler_core.api.findings import Path, keys_of, text_of
from scheduler_core.api.scalars import key_text

Keys = tuple["str | int", ...]

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:\n]|[^\s\[\]{},:"]+')


def lines_of(decoded: Decoded, paths: Iterable[Path | None], *, numbered: bool) -> Mapping[Path | None, int]:
    """The line of each path, counted from 1; of its nearest parent where the path itself is not in the text.

    ``numbered`` says that the paths begin with ``documents[i]``, which is so when the text has several documents.
    """
    wanted = {path: _document_keys(path, numbered=numbered) for path in paths}
    known = _known_lines(decoded, {keys[:length] for keys in wanted.values() for length in range(len(keys) + 1)})
    lines = {}
    for path, keys in wanted.items():
        while keys not in known and len(keys) > 1:
            keys = keys[:-1]
        if keys in known:
            lines[path] = known[keys]
    return lines


def _document_keys(path: Path | None, *, numbered: bool) -> Keys:
    keys = tuple(keys_of(path))
    if numbered:
        return keys[1:] if keys[:1] == ("documents",) else (0, *keys)
    return (0, *keys)


def _known_lines(decoded: Decoded, wanted: set[Keys]) -> dict[Keys, int]:
    positions = _yaml_positions(decoded.text) if decoded.syntax == "yaml" else _json_positions(decoded.text)
    known: dict[Keys, int] = {}
    last = _last_items(wanted)
    for keys, line in positions:
        if keys in wanted and keys not in known:
            known[keys] = line
            if len(known) == len(wanted):
                break
        if keys[:-1] in last and type(keys[-1]) is int and keys[-1] > last[keys[:-1]]:
            del last[keys[:-1]]
            if not last and all(one in known or _list_of(one) for one in wanted):
                break
    return known


def _last_items(wanted: set[Keys]) -> dict[Keys, int]:
    """For each outermost list in which something is wanted, the last item in question: nothing after it needs to be read."""
    last: dict[Keys, int] = {}
    for keys in wanted:
        owner = _list_of(keys)
        if owner:
            last[owner] = max(last.get(owner, 0), int(keys[len(owner)]))
    return last


def _list_of(keys: Keys) -> Keys:
    """The outermost list, the documents apart, that the keys lead into; empty where there is none."""
    place = next((place for place, key in enumerate(keys) if place and type(key) is int), 0)
    return keys[:place]


def _yaml_positions(text: str) -> Iterator[tuple[Keys, int]]:
    """(keys, line) of every value, document number first, in the order of the text."""
    stack: list[list[Any]] = [["documents", -1]]
    keys: list[str | int] = []
    event: Any
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        kind = type(event)
        if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            stack.pop()
            keys.pop()
            continue
        if kind not in (yaml.ScalarEvent, yaml.AliasEvent, yaml.MappingStartEvent, yaml.SequenceStartEvent):
            continue
        owner = stack[-1]
        if owner[0] == "map" and owner[1] is None:
            owner[1] = _event_key(event)
            yield (*keys, str(owner[1])), event.start_mark.line + 1
            continue
        if owner[0] == "map":
            key, owner[1] = owner[1], None
        else:
            owner[1] += 1
            key = owner[1]
            yield (*keys, key), event.start_mark.line + 1
        if kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            keys.append(key)
            stack.append(["map", None] if kind is yaml.MappingStartEvent else ["list", -1])


def _event_key(event: Any) -> str:
    if type(event) is not yaml.ScalarEvent:
        return ""
    return key_text(event.value) if event.implicit[0] else str(event.value)


def _json_positions(text: str) -> Iterator[tuple[Keys, int]]:
    """As :func:`_yaml_positions`, for JSON that has been read without an error."""
    stack: list[list[Any]] = [["documents", -1, False]]
    keys: list[str | int] = []
    line = 1
    for match in _TOKEN.finditer(text):
        token = match[0]
        owner = stack[-1]
        if token == "\n":
            line += 1
        elif token in "]}":
            stack.pop()
            keys.pop()
        elif token == ",":
            owner[2] = False
        elif token == ":":
            owner[2] = True
        elif owner[0] == "map" and not owner[2]:
            owner[1] = _unquoted(token)
            yield (*keys, owner[1]), line
        else:
            if owner[0] != "map":
                owner[1] += 1
                yield (*keys, owner[1]), line
            if token in "[{":
                keys.append(owner[1])
                stack.append(["map", None, False] if token == "{" else ["list", -1, False])


def _unquoted(token: str) -> str:
    if "\\" not in token:
        return token[1:-1]
    import json

    return str(json.loads(token, strict=False))


def json_duplicates(text: str) -> list[tuple[str, str, int]]:
    """(path, key, line) of each key that a JSON map has twice, at most 100 of them."""
    seen: set[Keys] = set()
    found: list[tuple[str, str, int]] = []
    for keys, line in _json_positions(text):
        if keys in seen and len(found) < 100:
            path: Path | None = None
            for key in keys[1:]:
                path = (path, key)
            found.append((text_of(path), str(keys[-1]), line))
        seen.add(keys)
    return found
