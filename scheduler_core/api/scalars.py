"""What a plain YAML scalar means, as kubectl (sigs.k8s.io/yaml over go-yaml 2) reads it.

The one rule: YAML 1.1 words (yes, no, on, off) are true and false, but times and sexagesimals stay text, as in Go.
"""

from __future__ import annotations

import re
from typing import Any, Final

YAML: Final = "tag:yaml.org,2002:"
WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
}
NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
MAX_DIGITS: Final = 400

_NUMBER_START: Final = frozenset("0123456789+-.")
_DECIMAL: Final = re.compile(r"[-+]?(0|[1-9][0-9_]*)")
_BASED: Final = re.compile(r"([-+]?)(0x[0-9a-fA-F_]+|0b[01_]+|0o?[0-7_]+)")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def plain_value(text: str) -> Any:
    """The value of an unquoted scalar: None, bool, int, float or text."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _NUMBER_START or len(text) > MAX_DIGITS:
        return text
    if _DECIMAL.fullmatch(text):
        return int(text.replace("_", ""))
    based = _BASED.fullmatch(text)
    if based:
        return _based_int(based[1], based[2].replace("_", ""), text)
    if _FLOAT.fullmatch(text):
        value = float(text)
        return value if abs(value) < float("inf") else text
    return text


def key_text(text: str) -> str:
    """The text that an unquoted key becomes in JSON: ``yes`` is "true", ``1`` is "1"."""
    value = WORDS.get(text, text)
    if value is True or value is False:
        return "true" if value else "false"
    return "null" if value is None else text


def tagged_value(tag: str, text: str) -> tuple[Any, str]:
    """The value of a scalar with a tag, and what is wrong with it or ""."""
    kind = tag.removeprefix(YAML)
    if kind in ("str", "timestamp"):
        return text, ""
    if kind in ("int", "float", "bool", "null"):
        return plain_value(text), ""
    if kind == "binary":
        return "", "binary values are not taken"
    return text, f"the tag {tag[:80]!r} is not known"


def _based_int(sign: str, digits: str, text: str) -> Any:
    try:
        value = int(digits, 0) if digits[1:2] in ("x", "b", "o") else int(digits, 8)
    except ValueError:
        return text
    return -value if sign == "-" else value
