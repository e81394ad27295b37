"""Each scenario of the gallery shows what it claims, in both languages, and always the same."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from scheduler_core import canonical_json, holds, load
from tests.gallery.documents import FILES, document_of, events_of, outcome_of, scenario_of

TEXTS = ("claim", "watch", "question", "answer")
HAN = re.compile("[一-鿿]")
LONGEST = 320
"""Characters of a text: what still can be read aloud, and stands on a projected card."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_claim_of_the_gallery_holds(path: Path) -> None:
    document = document_of(path)
    outcome = outcome_of(document)
    assert document["expect"], "a scenario without a claim shows nothing"
    assert [expression for expression in document["expect"] if not holds(expression, outcome)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_scenario_says_what_it_shows_in_both_languages(path: Path) -> None:
    document = document_of(path)
    metadata, gallery = document["metadata"], document["gallery"]
    english = [metadata["title"], metadata["summary"], *(gallery[key] for key in TEXTS), gallery["group"]["en"]]
    chinese = [gallery["zh-hans"][key] for key in ("title", "summary", *TEXTS)] + [gallery["group"]["zh-hans"]]
    assert all(0 < len(text) <= LONGEST and not HAN.search(text) for text in english)
    assert all(0 < len(text) <= LONGEST and HAN.search(text) for text in chinese)
    assert gallery["level"] in (1, 2, 3)
    assert metadata["tags"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_gallery_scenario_loads_without_a_warning_and_runs_the_same_twice(path: Path) -> None:
    document = document_of(path)
    assert load(canonical_json(scenario_of(document))).warnings == ()
    assert events_of(document) == events_of(document)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_questions_and_answers_name_pods_and_nodes_that_exist(path: Path) -> None:
    document = document_of(path)
    known = set(_names(document))
    texts = [document["gallery"][key] for key in TEXTS] + [document["gallery"]["zh-hans"][key] for key in TEXTS]
    named = {
        name
        for text in texts
        for name in re.findall(r"\b(?:bank|bi|cad|club|data|edge|jobs|media|ml|ops|science|shop|web)/([a-z0-9-]+)", text)
    }
    assert named - known == set()


def test_no_two_scenarios_are_the_same_and_the_groups_stand_together() -> None:
    documents = [document_of(path) for path in FILES]
    titles = Counter(document["metadata"]["title"] for document in documents)
    chinese = Counter(document["gallery"]["zh-hans"]["title"] for document in documents)
    groups = [document["gallery"]["group"]["en"] for document in documents]
    changes = [group for before, group in zip(["", *groups], groups, strict=False) if group != before]
    assert max(titles.values()) == max(chinese.values()) == 1
    assert len(changes) == len(set(changes))


def _names(document: dict[str, object]) -> list[str]:
    loaded = load(canonical_json(scenario_of(document))).scenario
    return [item.name for item in loaded.objects] + [operation.name for operation in loaded.timeline]


def test_the_documents_list_every_scenario_and_the_workshop_uses_only_those() -> None:
    docs = FILES[0].parent.parent.parent / "docs"
    listed = re.findall(r"\(\.\./playground/gallery/([\w-]+)\.yaml\)", (docs / "gallery.md").read_text("utf-8"))
    used = re.findall(r"\(\.\./playground/gallery/([\w-]+)\.yaml\)", (docs / "workshop.md").read_text("utf-8"))
    assert listed == [path.stem for path in FILES]
    assert set(used) <= set(listed)


def test_the_claims_in_the_documents_are_those_of_the_files() -> None:
    text = (FILES[0].parent.parent.parent / "docs" / "gallery.md").read_text("utf-8")
    assert [path.stem for path in FILES if document_of(path)["gallery"]["claim"] not in text] == []
