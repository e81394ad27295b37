"""The page's own words in both languages, from ``static/wording/*.json``: the same files that the browser reads.

The one rule: everything that comes out is plain text; escaping is the template's.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.utils import translation

LANGUAGES: Final = ("en", "zh-hans")
Entry: TypeAlias = str | dict[str, str]
_TERM_ARGUMENTS: Final = frozenset({"rule", "to", "from", "limit"})


def language() -> str:
    """The language of the current request, one of LANGUAGES."""
    current = (translation.get_language() or "en").lower()
    return "zh-hans" if current.startswith("zh") else "en"


def wording(lang: str) -> dict[str, Entry]:
    """The words of the page."""
    return _read("static/wording", lang)


def editor_wording(lang: str) -> dict[str, Entry]:
    """The words that only the editor needs."""
    return _read("static/wording/editor", lang)


def sentences(lang: str) -> dict[str, Entry]:
    """The sentences of events: id -> text, or {one, other}."""
    return _read("scheduler_core/trace/messages", lang)


def say(key: str, args: dict[str, Any] | None = None, *, lang: str | None = None) -> str:
    """The text of a key with its arguments; the key itself when it is unknown."""
    lang = lang or language()
    values = args or {}
    entry = _entry(key, lang)
    if entry is None:
        entry = editor_wording(lang).get(key)
    if entry is None:
        entry = sentences(lang).get(key, sentences(lang).get(".".join(key.split(".")[:2]), key))
    return _filled(_chosen(entry, values.get("count")), values, lang)


def _entry(key: str, lang: str) -> Entry | None:
    """The page's own words first, then those that single pages add in folders of their own."""
    for catalogue in (wording(lang), *(_read(folder, lang) for folder in _folders())):
        entry = catalogue.get(key, catalogue.get(".".join(key.split(".")[:2])))
        if entry is not None:
            return entry
    return None


@cache
def _folders() -> tuple[str, ...]:
    root = settings.BASE_DIR / "static" / "wording"
    return tuple(
        f"static/wording/{each.name}" for each in sorted(root.iterdir()) if all((each / f"{lang}.json").is_file() for lang in LANGUAGES)
    )


def _chosen(entry: Entry, count: Any) -> str:
    if isinstance(entry, str):
        return entry
    return entry["one" if count == 1 else "other"]


def _filled(text: str, values: dict[str, Any], lang: str) -> str:
    for name, value in values.items():
        text = text.replace("{" + name + "}", _written(name, value, lang))
    return text


def _written(name: str, value: Any, lang: str) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value)
    term = sentences(lang).get(f"term.{value}") if name in _TERM_ARGUMENTS else None
    return term if isinstance(term, str) else str(value)


@cache
def _read_kept(folder: str, lang: str) -> dict[str, Entry]:
    found: dict[str, Entry] = json.loads((settings.BASE_DIR / folder / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def _read(folder: str, lang: str) -> dict[str, Entry]:
    if settings.DEBUG:
        _read_kept.cache_clear()
    return _read_kept(folder, lang)
