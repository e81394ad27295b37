"""What scenarios of the gallery promise about moments, which a claim about the end of a run cannot say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.gallery.documents import FILES, document_of, events_of

Events = list[dict[str, Any]]


def _events(number: str) -> Events:
    return events_of(document_of(next(path for path in FILES if path.name.startswith(number))))


def _of(events: Events, kind: str) -> Events:
    return [event for event in events if event["kind"] == kind]


def _allowed(events: Events) -> list[int]:
    """What the only budget allows, each time that somebody says so."""
    told = [event["data"] for event in events if event["kind"] in ("object.created", "object.updated")]
    return [data["view"]["allowed"] for data in told if data["kind"] == "PodDisruptionBudget"]


def test_the_queue_takes_members_before_the_walk_in() -> None:
    order = [event["data"]["pod"] for event in _of(_events("05"), "cycle.started")]
    assert order == ["club/member-1", "club/member-2", "club/walk-in-1"]


def test_the_budget_of_the_drain_goes_down_and_up_and_is_never_overdrawn() -> None:
    allowed = _allowed(_events("31"))
    changes = [number for before, number in zip([None, *allowed], allowed, strict=False) if number != before]
    assert changes == [1, 0, 1, 0, 1]


def test_the_drain_deletes_pods_only_while_the_budget_allows_it() -> None:
    events = _events("31")
    before = [_allowed(events[: events.index(event)])[-1] for event in _of(events, "pod.terminating")]
    assert before == [1, 1]


def test_the_budget_spent_twice_is_told_too_late() -> None:
    events = _events("30")
    checks = [event for event in _of(events, "preemption.node_checked") if event["data"]["pod"] == "shop/checkout-2"]
    said = {event["data"]["node"]: event["data"]["pdb_violations"] for event in checks if event["data"]["victims"]}
    assert said["n2"] == 0
    assert _allowed(events)[-1] == 0


@pytest.mark.parametrize(("number", "first", "second"), [("39", "nominated", "victim_deleted"), ("40", "victim_deleted", "nominated")])
def test_a_victim_is_deleted_after_the_nomination_or_before_it(number: str, first: str, second: str) -> None:
    events = _events(number)
    (earlier,), (later,) = _of(events, f"preemption.{first}"), _of(events, f"preemption.{second}")
    assert earlier["seq"] < later["seq"]


def test_a_ghost_is_counted_for_lesser_pods_and_not_for_greater_ones() -> None:
    filtered = {event["data"]["pod"]: event["data"] for event in reversed(_of(_events("34"), "cycle.filtered"))}
    assert filtered["jobs/thumbs-1"]["with_nominated"] == {"n1": ["shop/checkout"]}
    assert filtered["ops/pager-1"]["with_nominated"] == {}


def test_sampling_looks_at_a_hundred_nodes_and_goes_on_from_there() -> None:
    first, second = (event["data"] for event in _of(_events("50"), "cycle.filtered"))
    assert (first["evaluated"], first["total"], first["start"], second["start"]) == (100, 120, 0, 100)


def test_the_reprieve_asks_protected_pods_first_and_then_by_importance() -> None:
    steps = {number: _of(_events(number), "preemption.node_checked")[0]["data"]["steps"] for number in ("15", "27", "28")}
    assert [step["pod"] for step in steps["15"]] == ["bank/ledger-1", "bank/mailer-1"]
    assert [(step["pod"], step["pdb_violating"]) for step in steps["27"]] == [("shop/search-1", True), ("shop/orders-1", False)]
    assert [(step["pod"], step["pdb_violating"]) for step in steps["28"]] == [("shop/search-2", True), ("shop/search-1", False)]
