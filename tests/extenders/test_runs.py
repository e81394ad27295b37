"""A whole run with an HTTP extender: the worker's door injects the transport, and nothing is asked without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from playground import engine
from playground.runs.extender_hosts import Allowed
from playground.runs.extender_http import HttpTransport
from tests.extenders.clusters import node, pod
from tests.extenders.server import ExtenderServer, as_json


@pytest.fixture
def server() -> Iterator[ExtenderServer]:
    with ExtenderServer().running() as running:
        yield running


def events(server: ExtenderServer, transport: HttpTransport | None, **extender: Any) -> list[dict[str, Any]]:
    """The events of a run of one pod on three nodes."""
    config = {"extenders": [{"urlPrefix": server.url, "weight": 1, "nodeCacheCapable": True, **extender}]}
    objects = [node("n1"), node("n2"), node("n3"), pod("new")]
    document = {"apiVersion": "playground/v1", "kind": "Scenario", "objects": objects, "config": config, "seed": 1}
    session = engine.Session(engine.canonical(document), cycles=100, transport=transport)
    return [json.loads(line) for _, _, line in session.events()]


def allowed(server: ExtenderServer) -> HttpTransport:
    return HttpTransport(allowed=Allowed.parse([f"127.0.0.1:{server.port}"]), seconds=2, answer_bytes=10_000)


def of_kind(found: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event["data"] for event in found if event["kind"] == kind]


def test_a_run_asks_the_extender_and_follows_it(server: ExtenderServer) -> None:
    server.answers["/filter"] = as_json({"NodeNames": ["n2", "n3"], "FailedNodes": {"n1": "not this one"}})
    server.answers["/prioritize"] = as_json([{"Host": "n3", "Score": 10}])
    server.answers["/bind"] = as_json({})
    verbs = {"filterVerb": "filter", "prioritizeVerb": "prioritize", "bindVerb": "bind"}
    found = events(server, allowed(server), **verbs)
    assert [data["node"] for data in of_kind(found, "pod.bound")] == ["n3"]
    assert [path for path, _ in server.asked] == ["/filter", "/prioritize", "/bind"]
    assert of_kind(found, "cycle.scored")[0]["scores"]["n3"][f"extender/{server.url}"] == 100


def test_without_a_transport_no_extender_is_asked(server: ExtenderServer) -> None:
    found = events(server, None, filterVerb="filter")
    assert len(of_kind(found, "pod.bound")) == 1
    assert server.asked == []


def test_an_extender_that_may_not_be_asked_fails_the_cycle(server: ExtenderServer) -> None:
    elsewhere = HttpTransport(allowed=Allowed.parse(["extender.example.com"]), seconds=2, answer_bytes=10_000)
    (failed, *_) = of_kind(events(server, elsewhere, filterVerb="filter"), "cycle.failed")
    assert failed["reason"] == "SchedulerError"
    assert "is not among the hosts that extenders may have here" in failed["message"]
    assert server.asked == []
