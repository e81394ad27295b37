"""Reading single fields: the right type or a finding, never an exception.

The one rule: a reader takes ``(value, path)`` and always returns something usable, so that one mistake does not hide the
next. Values that are equal are read once and shared (:meth:`Fields.shared`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec

from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.names import label_value_error, qualified_name_error
from scheduler_core.api.quantity import QuantityError, amount_of, parse_quantity, unit_of

T = TypeVar("T")

INT32: Final = 2**31
INT64: Final = 2**63
EMPTY: Final[Mapping[str, Any]] = {}

_RFC3339: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)")
_MISSING: Final = object()
_TYPE_NAMES: Final = {
    dict: "a map",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}

Value = Any
"""JSON as decoded: dict, list, str, int, float, bool or None."""


def type_name(value: Value) -> str:
    """What a person calls the type of a decoded value."""
    return _TYPE_NAMES.get(type(value), type(value).__name__)


def found(value: Value) -> str:
    """The offending value for a message: its type, and the value itself where it is short."""
    if isinstance(value, str):
        return f"text {value if len(value) <= 40 else value[:39] + '…'!r}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = str(value) if not isinstance(value, int) or abs(value) < 10**40 else "an enormous number"
        return f"the number {text}"
    return type_name(value) if not isinstance(value, bool) else str(value).lower()


class Fields:
    """Readers of fields over one :class:`Findings`, with what they have read before."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._shared: dict[tuple[object, bytes], Any] = {}
        self._amounts: dict[tuple[str, str], int] = {}
        self._fine: dict[tuple[str, str], int] = {}
        self._times: dict[str, int] = {}
        self.good_namespaces: set[str] = set()
        self.good_nodes: set[str] = set()

    def problem(self, path: Path | None, message: str) -> None:
        self.findings.problem(path, message)

    def invalid(self, path: Path | None, message: str) -> None:
        self.findings.invalid(path, message)

    def shared(self, read: Callable[[Value, Path | None], T], value: Value, path: Path | None) -> T:
        """``read(value, path)``, or what it gave for an equal value that was read without any finding."""
        try:
            key = (read.__name__, msgspec.json.encode(value))
        except (TypeError, ValueError, OverflowError, RecursionError):
            return read(value, path)
        known = self._shared.get(key, _MISSING)
        if known is not _MISSING:
            return known  # type: ignore[no-any-return]
        before = self.findings.count
        result = read(value, path)
        if self.findings.count == before:
            self._shared[key] = result
        return result

    def mapping(self, value: Value, path: Path | None) -> Mapping[str, Value]:
        """A map; null and absent are empty."""
        if type(value) is dict:
            return value
        if value is not None:
            self.problem(path, f"must be a map, not {found(value)}")
        return EMPTY

    def items(self, value: Value, path: Path | None) -> list[Value]:
        """A list; null and absent are empty."""
        if type(value) is list:
            return value
        if value is not None:
            self.problem(path, f"must be a list, not {found(value)}")
        return []

    def maps(self, value: Value, path: Path | None) -> Iterator[tuple[Mapping[str, Value], Path]]:
        """The maps of a list, each with its path; what is no map is reported and left out."""
        for index, item in enumerate(self.items(value, path)):
            here = (path, index)
            if type(item) is dict:
                yield item, here
            else:
                self.problem(here, f"must be a map, not {found(item)}")

    def text(self, owner: Mapping[str, Value], key: str, path: Path | None, default: str = "") -> str:
        """The text under ``key``; null and absent give the default."""
        value = owner.get(key)
        if type(value) is str:
            return value
        if value is not None:
            self.problem(
                (path, key),
                f"must be text, not {found(value)}: put it in quotes" if _scalar(value) else f"must be text, not {found(value)}",
            )
        return default

    def required_text(self, owner: Mapping[str, Value], key: str, path: Path | None) -> str:
        """As :meth:`text`, where empty is refused."""
        value = owner.get(key)
        if value is None or value == "":
            self.problem((path, key), "is required")
            return ""
        return self.text(owner, key, path)

    def choice(self, owner: Mapping[str, Value], key: str, path: Path | None, choices: tuple[str, ...], default: str = "") -> str:
        """Text that must be one of ``choices``; absent or empty gives the default, and no default means required."""
        value = self.text(owner, key, path)
        if value in choices:
            return value
        if value:
            self.problem((path, key), f"{value[:80]!r} is not supported: use {', '.join(choices)}")
        elif not default and (owner.get(key) is None or owner.get(key) == ""):
            self.problem((path, key), f"is required: use {', '.join(choices)}")
        return default or choices[0]

    def boolean(self, owner: Mapping[str, Value], key: str, path: Path | None) -> bool:
        value = owner.get(key)
        if type(value) is bool:
            return value
        if value is not None:
            self.problem((path, key), f"must be true or false, not {found(value)}")
        return False

    def integer(self, owner: Mapping[str, Value], key: str, path: Path | None, *, low: int = -INT32, high: int = INT32 - 1) -> int | None:
        """The integer under ``key`` within the bounds (both included), or None where there is none."""
        value = owner.get(key)
        if value is None:
            return None
        if type(value) is float and value.is_integer() and abs(value) < INT64:
            value = int(value)
        if type(value) is not int:
            self.problem((path, key), f"must be a whole number, not {found(value)}")
            return None
        if low <= value <= high:
            return value
        shown = value if abs(value) < 10**40 else "the number"
        self.invalid((path, key), f"{shown} is out of range: must be {low} to {high}")
        return None if self.findings.strict or abs(value) >= INT64 else value

    def strings(self, value: Value, path: Path | None) -> tuple[str, ...]:
        """A list of texts."""
        items = self.items(value, path)
        for index, item in enumerate(items):
            if type(item) is not str:
                self.problem((path, index), f"must be text, not {found(item)}")
        return tuple(item for item in items if type(item) is str)

    def string_map(self, value: Value, path: Path | None) -> dict[str, str]:
        """A map from text to text."""
        result = {}
        for key, item in self.mapping(value, path).items():
            if type(item) is str:
                result[key] = item
            elif item is None:
                result[key] = ""
            else:
                self.problem((path, key), f"must be text, not {found(item)}: put it in quotes")
        return result

    def labels(self, value: Value, path: Path | None) -> dict[str, str]:
        """Labels: keys and values are checked."""
        result = self.string_map(value, path)
        for key, item in result.items():
            error = qualified_name_error(key) or label_value_error(item)
            if error:
                self.problem((path, key), error)
        return result

    def timestamp(self, owner: Mapping[str, Value], key: str, path: Path | None) -> int | None:
        """RFC 3339 as whole seconds since the Unix epoch, or None."""
        value = owner.get(key)
        if value is None:
            return None
        if type(value) is str:
            known = self._times.get(value)
            if known is not None:
                return known
            seconds = _seconds(value)
            if seconds is not None:
                self._times[value] = seconds
                return seconds
        self.problem((path, key), f"must be a time such as 2026-03-01T00:15:27Z, not {found(value)}")
        return None

    def amount(self, name: str, value: Value, path: Path | None) -> int:
        """A quantity as the integer that the scheduler counts with: milli for ``cpu``, whole units for the rest."""
        if type(value) is str:
            known = self._amounts.get((name, value))
            if known is not None:
                return known
        text = quantity_text(value)
        if text is None:
            self.problem(path, f"must be a quantity such as 500m or 1Gi, not {found(value)}")
            return 0
        try:
            quantity = parse_quantity(text)
            amount = amount_of(quantity, milli=name == "cpu")
        except QuantityError as error:
            message = str(error)
            self.problem(path, message if message.startswith("'") else f"{text[:80]!r} {message}")
            return 0
        if amount < 0:
            self.problem(path, f"{text!r} is negative: must be 0 or more")
            return 0
        self._amounts[(name, text)] = amount
        if amount * unit_of(name) != quantity.nano:
            self._fine[(name, text)] = quantity.nano
        return amount

    def fine_amounts(self, value: Mapping[str, Value]) -> dict[str, int]:
        """Of amounts that were read, those that had to be rounded, in nano-units."""
        if not self._fine:
            return {}
        texts = {name: quantity_text(item) or "" for name, item in value.items()}
        return {name: self._fine[name, text] for name, text in texts.items() if (name, text) in self._fine}

    def amounts(self, value: Value, path: Path | None) -> dict[str, int]:
        """A ResourceList."""
        return {name: self.amount(name, item, (path, name)) for name, item in self.mapping(value, path).items()}


def quantity_text(value: Value) -> str | None:
    """The text of a quantity given as text or number; None for what can be neither."""
    if type(value) is str:
        return value.strip()
    if type(value) is int and abs(value) < 10**40:
        return str(value)
    if type(value) is float and abs(value) < 1e40:
        return repr(value)
    return None


def _scalar(value: Value) -> bool:
    return isinstance(value, int | float)


def _seconds(text: str) -> int | None:
    if not _RFC3339.fullmatch(text):
        return None
    try:
        return int(datetime.fromisoformat(text).astimezone(UTC).timestamp() // 1)
    except (ValueError, OverflowError):
        return None
