"""Generators: one item of a scenario that stands for many nodes or pods.

The one rule: what a generator makes depends on nothing but itself and the number of the object, so it can be rolled out
anywhere and always gives the same objects. See docs/scenario.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Path, keys_of_text

KINDS: Final = ("Node", "Pod")
MAX_COUNT: Final = 50_000
INDEX: Final = "{i}"


def generated(fields: Fields, item: Mapping[str, Value], path: Path | None) -> Iterator[dict[str, Any]]:
    """The manifests that ``{generate: {kind, count, name, template, vary}}`` stands for."""
    at, raw = (path, "generate"), fields.mapping(item["generate"], (path, "generate"))
    kind = fields.choice(raw, "kind", at, KINDS)
    count = fields.integer(raw, "count", at, low=0, high=MAX_COUNT)
    name = fields.text(raw, "name", at, f"{kind.lower()}-{INDEX}")
    template = fields.mapping(raw.get("template"), (at, "template"))
    vary = fields.mapping(raw.get("vary"), (at, "vary"))
    if raw.get("count") is None:
        fields.problem((at, "count"), "is required: how many to make")
    if INDEX not in name and (count or 0) > 1:
        fields.problem((at, "name"), f"must hold {INDEX}, the number of the object, so that each has a name of its own")
        return
    varied = [(keys, values) for keys, values in _varied(fields, vary, (at, "vary")) if values]
    for number in range(count or 0):
        made = _numbered({"apiVersion": "v1", **template, "kind": kind}, number)
        for keys, values in varied:
            _put(made, keys, _numbered(values[number % len(values)], number))
        _put(made, ["metadata", "name"], name.replace(INDEX, str(number)))
        yield made


def _varied(fields: Fields, vary: Mapping[str, Value], path: Path) -> Iterator[tuple[list[str | int], list[Value]]]:
    for text, values in vary.items():
        yield keys_of_text(text), fields.items(values, (path, text))


def _numbered(value: Value, number: int) -> Any:
    if type(value) is str:
        return value.replace(INDEX, str(number)) if INDEX in value else value
    if type(value) is dict:
        return {key: _numbered(item, number) for key, item in value.items()}
    if type(value) is list:
        return [_numbered(item, number) for item in value]
    return value


def _put(owner: Any, keys: list[str | int], value: Value) -> None:
    """Put a value where the keys lead, making maps on the way; a way through anything else leads nowhere."""
    *way, last = keys or [""]
    for key in way:
        if type(owner) is dict:
            owner = owner.setdefault(key, {})
        else:
            owner = owner[key] if _has_index(owner, key) else None
    if type(owner) is dict or _has_index(owner, last):
        owner[last] = value


def _has_index(owner: Any, key: str | int) -> bool:
    return type(owner) is list and type(key) is int and key < len(owner)
