"""The words of sharing: both languages complete, and every key that templates use exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HOLE = re.compile(r"\{\w+\}")


def catalogue(lang: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((ROOT / f"static/wording/sharing/{lang}.json").read_text(encoding="utf-8"))
    return found


def holes(entry: object) -> set[str]:
    return set(HOLE.findall(json.dumps(entry, ensure_ascii=False)))


def test_both_languages_say_the_same_with_the_same_holes() -> None:
    english, chinese = catalogue("en"), catalogue("zh-hans")
    assert list(english) == list(chinese)
    for key, entry in english.items():
        assert holes(chinese[key]) - {"{count}"} == holes(entry) - {"{count}"}, key


def test_every_word_that_a_template_of_sharing_asks_for_is_there() -> None:
    own = json.loads((ROOT / "static/wording/en.json").read_text(encoding="utf-8"))
    known = {*catalogue("en"), *own}
    for file in (ROOT / "templates/sharing").glob("*.html"):
        for key in re.findall(r"{% t '([\w.-]+)'", file.read_text(encoding="utf-8")):
            assert key in known or any(each.startswith(key) for each in known), f"{file.name}: {key}"
