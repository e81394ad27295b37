"""Ten thousand saves of random scenarios: no collision, no lost document, the same content never twice."""

from __future__ import annotations

import json
import random

import pytest

from playground import chunks, ids
from playground.engine import Parsed
from playground.models import Scenario
from playground.scenarios import saving

SAVES = 10_000


def random_document(dice: random.Random) -> bytes:
    """Canonical JSON of a small scenario; some come out the same, on purpose."""
    pods = [{"name": f"p{dice.randrange(40)}", "priority": dice.randrange(50)} for _ in range(dice.randrange(1, 3))]
    return json.dumps({"kind": "Scenario", "objects": pods, "seed": dice.randrange(4)}, sort_keys=True, separators=(",", ":")).encode()


def parsed(document: bytes) -> Parsed:
    """As the engine would give it."""
    return Parsed(document=document, title="", summary="", tags=(), counts={}, warnings=(), missing_nodes=())


@pytest.mark.slow
@pytest.mark.django_db
def test_ten_thousand_saves_lose_nothing_and_keep_nothing_twice() -> None:
    dice = random.Random(20_261_121)
    documents = [random_document(dice) for _ in range(SAVES)]
    names: dict[bytes, str] = {}
    for document in documents:
        saved = saving.store_scenario(parsed(document))
        assert saved.created == (document not in names)
        assert names.setdefault(document, saved.scenario.pk) == saved.scenario.pk
    assert 5_000 < len(names) < SAVES
    assert len(set(names.values())) == len(names) == Scenario.objects.count()
    stored = {pk: chunks.inflate(document) for pk, document in Scenario.objects.values_list("pk", "document")}
    assert stored == {name: document for document, name in names.items()}
    assert all(ids.is_id(name) and not ids.is_rude(name) and name[-1].isalnum() for name in names.values())


@pytest.mark.django_db
def test_when_ten_characters_are_taken_an_eleventh_tells_them_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    real = ids.candidates
    monkeypatch.setattr(ids, "candidates", lambda digest: (name if len(name) > 10 else "0000000000" for name in real(digest)))
    first, second, again = (saving.store_scenario(parsed(text)).scenario.pk for text in (b"{}", b'{"a":1}', b'{"a":1}'))
    assert first == "0000000000"
    assert len(second) == 11
    assert second == again
