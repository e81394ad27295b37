"""What is wrong with an input, in the language of the page. The engine says it in English; a catalogue has each of its texts with holes.

The one rule: what has no translation stays as it is; kube-scheduler's own messages stay in its words on purpose.
"""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, Final

from playground import wording

_FOLDER: Final = Path(__file__).resolve().parent
_MOST_CHARACTERS: Final = 1000
_DEEPEST: Final = 2
_Pattern = tuple[re.Pattern[str], str]


def said(message: str, lang: str | None = None) -> str:
    """The message in this language, that of the page when none is given."""
    lang = lang or wording.language()
    return message if lang == "en" or len(message) > _MOST_CHARACTERS else _translated(message, lang, _DEEPEST)


def document(problem: dict[str, Any], lang: str | None = None) -> dict[str, Any]:
    """A problem, ``{path, line, message}``, with its message in this language."""
    return {**problem, "message": said(problem["message"], lang)}


def catalogue(lang: str) -> dict[str, str]:
    """Every text with its translation; holes are ``{}``, in the same order in both."""
    found: dict[str, str] = json.loads((_FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def _translated(message: str, lang: str, deep: int) -> str:
    exact, patterns = _catalogue(lang)
    if message in exact:
        return exact[message]
    for pattern, translation in patterns:
        match = pattern.fullmatch(message)
        if match:
            holes = [_translated(each, lang, deep - 1) if deep else each for each in match.groups()]
            return "".join(chain.from_iterable(zip_longest(translation.split("{}"), holes, fillvalue="")))
    return message


@cache
def _catalogue(lang: str) -> tuple[dict[str, str], tuple[_Pattern, ...]]:
    """Texts without holes, and those with holes, the most telling ones first."""
    texts = catalogue(lang)
    holed = sorted((text for text in texts if "{}" in text), key=lambda text: -len(text.replace("{}", "")))
    patterns = tuple((re.compile(re.escape(text).replace(r"\{\}", "(.+?)"), re.DOTALL), texts[text]) for text in holed)
    return {text: each for text, each in texts.items() if "{}" not in text}, patterns
