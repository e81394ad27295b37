"""Events as sentences, out of the catalogues in ``messages/``; ``static/js/messages.js`` says the same on the page.

The one rule: what comes out is plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from scheduler_core.trace.second_act import SecondAct

LANGUAGES: Final = ("en", "zh-hans")

_PLACE: Final = re.compile(r"\{(\w+)\}")

Catalogue = Mapping[str, str | Mapping[str, str]]


@cache
def catalogue(language: str) -> Catalogue:
    """All messages of a language; raises KeyError for one that there is none of."""
    if language not in LANGUAGES:
        raise KeyError(language)
    text = (files("scheduler_core.trace") / "messages" / f"{language}.json").read_text("utf-8")
    found: Catalogue = json.loads(text)
    return found


def narrate(event: Mapping[str, Any], language: str = "en") -> str:
    """The sentence of an event document."""
    message = event["message"]
    return sentence(message["id"], message["args"], language)


def tell(event: Mapping[str, Any], act: SecondAct, language: str = "en") -> str:
    """The sentence of an event of a log that ``act`` follows: its part in the second act of a preemption where it has one."""
    message = act.told(event) or event["message"]
    return sentence(message["id"], message["args"], language)


def sentence(message_id: str, args: Mapping[str, Any], language: str = "en") -> str:
    """The sentence of a message id with its arguments put in; the id itself where there is no such message."""
    messages = catalogue(language)
    entry = messages.get(message_id) or messages.get(".".join(message_id.split(".")[:2]))
    if entry is None:
        return message_id
    text = entry if isinstance(entry, str) else entry["one" if args.get("count") == 1 else "other"]
    return _PLACE.sub(lambda place: _shown(messages, args[place[1]]) if place[1] in args else place[0], text)


def _shown(messages: Catalogue, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_shown(messages, item) for item in value)
    term = messages.get(f"term.{value}")
    return term if isinstance(term, str) else str(value)
