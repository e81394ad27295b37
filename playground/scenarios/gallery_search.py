"""Searching the gallery: words, topic, level and language of the texts, as GET parameters.

The one rule: every word must be found somewhere in what a card says, in either language, or in its tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from playground import wording
from playground.models import GalleryEntry

LEVELS: Final = ("1", "2", "3")
MOST_WORDS: Final = 12
_TEXTS: Final = ("title", "summary", "claim", "watch", "question", "answer", "group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What is asked for; every part may be empty."""

    words: str = ""
    tag: str = ""
    level: str = ""
    texts: str = ""

    def __bool__(self) -> bool:
        return bool(self.words or self.tag or self.level or self.texts)


def of_query(query: Mapping[str, str]) -> Search:
    """The search in a query string; values that cannot be are left out."""
    level, texts = query.get("level", ""), query.get("texts", "")
    return Search(
        words=query.get("q", "").strip()[:200],
        tag=query.get("tag", "")[:60],
        level=level if level in LEVELS else "",
        texts=texts if texts in wording.LANGUAGES else "",
    )


def find(entries: Iterable[GalleryEntry], search: Search) -> list[GalleryEntry]:
    """The entries that fit, in their order."""
    asked = search.words.casefold().split()[:MOST_WORDS]
    return [each for each in entries if _fits(each, search) and all(word in _text(each) for word in asked)]


def tags(entries: Iterable[GalleryEntry]) -> list[tuple[str, int]]:
    """Every tag with the number of its scenarios, by name."""
    return sorted(Counter(tag for each in entries for tag in each.scenario.tags).items())


def _fits(entry: GalleryEntry, search: Search) -> bool:
    beside = _beside(entry)
    if search.tag and search.tag not in entry.scenario.tags:
        return False
    if search.level and str(beside.get("level", "")) != search.level:
        return False
    return not search.texts or search.texts == "en" or isinstance(beside.get(search.texts), Mapping)


def _beside(entry: GalleryEntry) -> Mapping[str, Any]:
    found = (entry.document or {}).get("gallery")
    return found if isinstance(found, Mapping) else {}


def _text(entry: GalleryEntry) -> str:
    beside = _beside(entry)
    sources: Sequence[Mapping[str, Any]] = [beside, *(each for each in beside.values() if isinstance(each, Mapping))]
    said = [str(source.get(name, "")) for source in sources for name in _TEXTS]
    return " ".join([entry.slug, entry.scenario.title, entry.scenario.summary, *entry.scenario.tags, *said]).casefold()
