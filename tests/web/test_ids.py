"""Ids: short, stable, harmless."""

from __future__ import annotations

from itertools import islice

from hypothesis import given, settings
from hypothesis import strategies as st

from playground import ids


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_an_id_is_short_stable_and_in_the_alphabet(content: bytes) -> None:
    names = list(islice(ids.candidates(ids.digest(b"key", content)), 5))
    assert names == list(islice(ids.candidates(ids.digest(b"key", content)), 5))
    assert len(names[0]) == ids.SHORTEST
    assert all(ids.is_id(name) and not ids.is_rude(name) for name in names)
    assert len(set(names)) == len(names)


def test_another_key_gives_other_ids() -> None:
    assert ids.digest(b"a", b"content") != ids.digest(b"b", b"content")


def test_digits_that_look_like_letters_are_read_as_letters() -> None:
    assert ids.is_rude("xxsh1txxxx")
    assert ids.is_rude("00a55qqqqq")
    assert not ids.is_rude("b2cgnrwyzn")


def test_run_ids_do_not_repeat() -> None:
    assert len({ids.random_id() for _ in range(500)}) == 500
