"""Reads the environment: the only place that says how a variable's text becomes a value.

The one rule: a value that cannot be read stops the start with the variable's name, never with a default taken in silence.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"", "0", "false", "no", "off"})


def text(name: str, default: str = "") -> str:
    """The variable without surrounding white space; ``default`` when it is not set or empty."""
    return os.environ.get(name, "").strip() or default


def number(name: str, default: int) -> int:
    """A whole number, at least 0. Raises ImproperlyConfigured for anything else."""
    value = text(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit()):
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number")
    return int(value)


def flag(name: str, *, default: bool = False) -> bool:
    """1/true/yes/on or 0/false/no/off. Raises ImproperlyConfigured for anything else."""
    value = text(name).lower()
    if name not in os.environ:
        return default
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={value!r} is neither true nor false")


def names(name: str, default: tuple[str, ...] = ()) -> list[str]:
    """A list separated by commas."""
    found = [part.strip() for part in os.environ.get(name, "").split(",")]
    return [part for part in found if part] or list(default)


def kept_secret(file: Path) -> str:
    """The key in ``file``, made on the first start; only its owner may read it. Two processes that start at once get the same one."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        mine = file.with_name(f".{file.name}.{secrets.token_hex(6)}")
        mine.touch(mode=0o600, exist_ok=False)
        mine.write_text(secrets.token_urlsafe(50))
        try:
            os.link(mine, file)
        finally:
            mine.unlink()
    return file.read_text().strip()
