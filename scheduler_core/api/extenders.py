"""Extenders and their canned answers: that every field has the type it must have.

The one rule: an extender is kept as written; the shapes here only promise its readers that no field surprises them. A shape is
data: a type, a list of one shape, a map of known keys, a map from any key, or a range of integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.fields import Fields, Value, found
from scheduler_core.api.findings import Path


@dataclass(frozen=True, slots=True)
class Between:
    """An integer within bounds, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map from any text to values of one shape."""

    shape: Any


WEIGHT: Final = Between(0, 2**31 - 1)
EXTENDER: Final = {
    "name": str,
    "nodeCacheCapable": bool,
    "ignorable": bool,
    "weight": WEIGHT,
    "filter": {"failed": MapOf(str), "failedAndUnresolvable": MapOf(str), "error": str},
    "prioritize": MapOf(Between(-(2**31), 2**31 - 1)),
    "preempt": {"drop": [str], "empty": [str], "status": Between(0, 599)},
    "bind": {"error": str},
}


def read_extenders(fields: Fields, value: Value, path: Path | None) -> tuple[Mapping[str, Any], ...]:
    """Extenders with their canned answers, as written, once they have been checked."""
    extenders = []
    names = set()
    for item, here in fields.maps(value, path):
        check_shape(fields, {key: answer for key, answer in item.items() if key != "managedResources"}, EXTENDER, here)
        _check_managed(fields, item.get("managedResources"), (here, "managedResources"))
        name = fields.required_text(item, "name", here)
        if name in names:
            fields.problem((here, "name"), f"repeats the extender {name[:80]!r}")
        names.add(name)
        extenders.append(item)
    return tuple(extenders)


def _check_managed(fields: Fields, value: Value, path: Path) -> None:
    """Resources by name, or as ``{name, ignoredByScheduler}``."""
    for index, item in enumerate(fields.items(value, path)):
        if type(item) is dict:
            check_shape(fields, item, {"name": str, "ignoredByScheduler": bool}, (path, index))
            fields.required_text(item, "name", (path, index))
        elif type(item) is not str:
            fields.problem((path, index), f"must be the name of a resource, not {found(item)}")


def check_shape(fields: Fields, value: Value, shape: Any, path: Path | None) -> None:
    """Report whatever in a value does not have the shape; null and absent are always right."""
    if value is None:
        return
    if isinstance(shape, dict):
        _check_map(fields, value, shape, path)
    elif isinstance(shape, list):
        for index, item in enumerate(fields.items(value, path)):
            _check_item(fields, item, shape[0], (path, index))
    elif isinstance(shape, MapOf):
        for key, item in fields.mapping(value, path).items():
            _check_item(fields, item, shape.shape, (path, key))
    elif isinstance(shape, Between):
        _check_between(fields, value, shape, path)
    elif type(value) is not shape:
        fields.problem(path, f"must be {'text' if shape is str else 'true or false'}, not {found(value)}")


def _check_item(fields: Fields, item: Value, shape: Any, path: Path) -> None:
    if item is None:
        fields.problem(path, "must not be null")
    check_shape(fields, item, shape, path)


def _check_map(fields: Fields, value: Value, shape: Mapping[str, Any], path: Path | None) -> None:
    for key, item in fields.mapping(value, path).items():
        if key in shape:
            check_shape(fields, item, shape[key], (path, key))
        else:
            fields.findings.warn((path, key), f"unknown field {key[:80]!r}: ignored")


def _check_between(fields: Fields, value: Value, shape: Between, path: Path | None) -> None:
    if type(value) is not int:
        fields.problem(path, f"must be a whole number, not {found(value)}")
    elif not shape.low <= value <= shape.high:
        shown = value if abs(value) < 10**40 else "the number"
        fields.problem(path, f"{shown} is out of range: must be {shape.low} to {shape.high}")
