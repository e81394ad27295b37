"""What stands in a query string, as values.

The one rule: anybody can write anything there; what is not a number is none.
"""

from __future__ import annotations

from typing import Final

_MOST_DIGITS: Final = 9


def whole_number(text: str) -> int | None:
    """The number in ``text``, written in plain digits and not larger than a log can be; else None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else None
