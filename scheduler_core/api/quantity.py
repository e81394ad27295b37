"""resource.Quantity: amounts as Kubernetes writes, reads and rounds them.

The one rule: no floating point. An amount is an integer of nano-units, as fine as upstream keeps it; what the scheduler
compares is rounded up from there. Mirrors k8s.io/apimachinery/pkg/api/resource (quantity.go, suffix.go) at 1.34.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

MAX_AMOUNT: Final = 2**63 - 1
NANO: Final = 10**9
MICRO: Final = 10**6
MAX_LENGTH: Final = 128
"""Characters; upstream has no such limit, but no honest amount is longer."""
MAX_EXPONENT: Final = 40

BINARY_SUFFIXES: Final = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
DECIMAL_SUFFIXES: Final = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}

_SPLIT: Final = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(.*)", re.DOTALL)
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]{1,19})")


class QuantityError(ValueError):
    """The text is no quantity; the message quotes it and says why."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount in nano-units with the family of suffixes that it was written in."""

    nano: int
    format: Format = "DecimalSI"

    def value(self) -> int:
        """Whole units, rounded away from zero, as ``Quantity.Value()``."""
        return _away_from_zero(self.nano, NANO)

    def milli_value(self) -> int:
        """Thousandths, rounded away from zero, as ``Quantity.MilliValue()``."""
        return _away_from_zero(self.nano, MICRO)

    def __str__(self) -> str:
        return format_quantity(self)


def parse_quantity(text: str) -> Quantity:
    """Read ``500m``, ``1.5Gi``, ``1e3`` ...; anything finer than a nano-unit is rounded away from zero.

    Raises :class:`QuantityError`. As upstream, amounts with a binary suffix are capped at 2^63-1; others are kept as they
    are, and :func:`amount_of` refuses those that no scheduler could count.
    """
    if len(text) > MAX_LENGTH:
        raise QuantityError(f"'{text[:20]}…' is longer than any quantity ({len(text)} characters)")
    match = _SPLIT.fullmatch(text)
    assert match is not None
    sign, whole, fraction, suffix = match.groups(default="")
    if not whole and not fraction:
        raise QuantityError(f"{text!r} is not a quantity: write a number with a suffix such as 500m or 1Gi")
    nano, form = _scaled(text, int(whole + fraction), len(fraction), suffix)
    return Quantity(-nano if sign == "-" else nano, form)


def amount_of(quantity: Quantity, *, milli: bool) -> int:
    """The int64 that the scheduler counts with: milli-units for CPU, whole units for the rest. Raises :class:`QuantityError`."""
    amount = quantity.milli_value() if milli else quantity.value()
    if -MAX_AMOUNT <= amount <= MAX_AMOUNT:
        return amount
    raise QuantityError(f"is out of range: the largest amount is {MAX_AMOUNT}{'m' if milli else ''}")


def unit_of(name: str) -> int:
    """The nano-units of what a resource is counted in: a thousandth of a CPU, and one of everything else."""
    return MICRO if name == "cpu" else NANO


def amount_text(name: str, amount: int) -> str:
    """An amount of a resource, in what it is counted in, as kubectl shows it: ``500m`` of CPU, ``1Gi`` of memory."""
    form: Format = "BinarySI" if name in ("memory", "storage", "ephemeral-storage") else "DecimalSI"
    return format_quantity(Quantity(amount * unit_of(name), form))


def format_quantity(quantity: Quantity) -> str:
    """The canonical text: no fraction, the largest suffix that loses nothing, in the family of the quantity."""
    if quantity.nano == 0:
        return "0"
    if quantity.format == "BinarySI" and quantity.nano % NANO == 0 and abs(quantity.nano) >= 1024 * NANO:
        return _format_binary(quantity.nano // NANO)
    return _format_decimal(quantity.nano, exponent_form=quantity.format == "DecimalExponent")


def _scaled(text: str, digits: int, places: int, suffix: str) -> tuple[int, Format]:
    if suffix in BINARY_SUFFIXES:
        nano = _away_from_zero((digits << BINARY_SUFFIXES[suffix]) * NANO, _power(places))
        return min(nano, MAX_AMOUNT * NANO), "BinarySI" if nano >= NANO or nano == 0 else "DecimalSI"
    if suffix in DECIMAL_SUFFIXES:
        return _shifted(digits, 9 + DECIMAL_SUFFIXES[suffix] - places), "DecimalSI"
    match = _EXPONENT.fullmatch(suffix)
    if match is None:
        raise QuantityError(f"{text!r} has the unknown suffix {suffix!r}")
    exponent = int(match[1])
    if exponent > MAX_EXPONENT and digits:
        raise QuantityError(f"{text!r} is out of range: the exponent {exponent} is too large")
    return _shifted(digits, max(9 + exponent - places, -9 * MAX_LENGTH)), "DecimalExponent"


def _shifted(digits: int, places: int) -> int:
    if places >= 0:
        return digits * _power(min(places, 9 + MAX_EXPONENT))
    return _away_from_zero(digits, _power(-places))


def _power(exponent: int) -> int:
    return int(10**exponent)


def _away_from_zero(amount: int, unit: int) -> int:
    return -(-amount // unit) if amount >= 0 else amount // unit


def _format_binary(units: int) -> str:
    for suffix, power in reversed(BINARY_SUFFIXES.items()):
        if units % (1 << power) == 0:
            return f"{units >> power}{suffix}"
    return str(units)


def _format_decimal(nano: int, *, exponent_form: bool) -> str:
    exponent = -9
    while nano % 1000 == 0 and (exponent < 18 or exponent_form):
        nano //= 1000
        exponent += 3
    if exponent_form:
        return f"{nano}e{exponent}" if exponent else str(nano)
    suffix = next(text for text, power in DECIMAL_SUFFIXES.items() if power == exponent)
    return f"{nano}{suffix}"
