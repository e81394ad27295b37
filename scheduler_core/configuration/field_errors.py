"""The sentences of field errors, as kube-scheduler prints them after the path. Mirrors apimachinery's util/validation/field."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

SHOWN: Final = 200
"""Characters of a value that a message shows."""


def shown(value: Any) -> str:
    """A value as a field error shows it: text in quotes, everything else as JSON; what is long is cut short."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def invalid(value: Any, detail: str) -> str:
    """The value cannot stand here."""
    return f"Invalid value: {shown(value)}: {detail}"


def required(detail: str = "") -> str:
    """Something is missing."""
    return f"Required value: {detail}" if detail else "Required value"


def forbidden(detail: str) -> str:
    """Something must not be set."""
    return f"Forbidden: {detail}"


def duplicate(value: Any) -> str:
    """The value stands elsewhere already."""
    return f"Duplicate value: {shown(value)}"


def not_supported(value: Any, choices: Iterable[str]) -> str:
    """The value is none of those allowed."""
    return f"Unsupported value: {shown(value)}: supported values: {', '.join(shown(choice) for choice in choices)}"
