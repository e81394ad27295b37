"""Optimistic binding: what is undone when it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.api import scenario_from_document
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.extenders.rules import RuleExtender
from scheduler_core.framework.extender import ExtenderError
from scheduler_core.simulation.run import Simulation
from scheduler_core.trace.replay import Replay
from tests.simulation.stories import Story, node, pod


class Binder(RuleExtender):
    """An extender that binds, and fails the first times."""

    failures = 2

    @property
    def binds(self) -> bool:
        return True

    def is_interested(self, pod: PodInfo) -> bool:
        return True

    def bind(self, pod: PodInfo, node: str) -> None:
        if Binder.failures:
            Binder.failures -= 1
            raise ExtenderError("the binder is away")


def run(extender: Any, objects: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    scenario = scenario_from_document({"objects": list(objects)})
    return [event.document() for event in Simulation(scenario, extenders=(extender,)).events()]


def test_a_bind_that_fails_is_undone_and_tried_again_after_a_backoff() -> None:
    Binder.failures = 2
    events = run(Binder(name="binder"), [node("n"), pod("a")])
    failed = [event for event in events if event["kind"] == "pod.bind_failed"]
    assert [event["data"]["error"] for event in failed] == ["the binder is away"] * 2
    causes = [event["data"]["reason"] for event in events if event["kind"] == "cycle.failed"]
    assert causes == ["SchedulerError"] * 2
    (bound,) = (event for event in events if event["kind"] == "pod.bound")
    assert bound["t"] == 5.0  # one second, seen at two; then two seconds, seen at five
    state = Replay(events).document()
    assert state["nodes"]["n"]["pods"] == ["default/a"]


def test_room_that_a_failed_bind_held_is_free_for_others() -> None:
    Binder.failures = 1
    events = run(Binder(name="binder"), [node("n", "1"), pod("a", priority=5), pod("b")])
    order = [event["data"]["pod"] for event in events if event["kind"] == "pod.bound"]
    assert order == ["default/b", "default/a"]  # and then the higher pod, tried again, evicts the lower one


def test_a_node_has_room_for_the_pods_assumed_on_it_before_they_are_bound() -> None:
    story = Story([node("n", "2"), *(pod(f"p{k}") for k in range(3))])
    assert len(story.of("pod.assumed")) == 2
    assert len(story.result["pending"]) == 1
