"""What happens after the decision: graces, nominations, gates, budgets, operations and limits."""

from __future__ import annotations

from itertools import pairwise

import pytest

from scheduler_core.api import scenario_from_document
from scheduler_core.simulation.run import Simulation
from scheduler_core.trace.codec import encode_event
from tests.simulation.stories import Story, budget, create, delete, node, pod, update

FULL = [node("n"), pod("low", "3", on="n")]
NO_POP = {"featureGates": {"SchedulerPopFromBackoffQ": False}}
SYNC = {"featureGates": {"SchedulerAsyncPreemption": False}}


def test_a_pod_that_fits_is_bound_at_once() -> None:
    story = Story([node("n"), pod("a")])
    assert story.bound("a") == (0.0, "n")
    assert [event["kind"] for event in story.events][:2] == ["run.started", "object.created"]
    assert story.events[-1]["data"]["reason"] == "settled"


def test_a_preemptor_waits_for_the_grace_of_its_victim() -> None:
    story = Story([*FULL, pod("high", "3", priority=10)])
    assert story.of("preemption.victim_deleted")[0]["data"]["victim"] == "default/low"
    assert story.of("pod.gone")[0]["t"] == 30.0
    assert story.bound("high") == (30.0, "n")
    assert story.result == {"placements": {"default/high": "n"}, "evicted": ["default/low"], "pending": {}}


def test_a_victim_without_grace_goes_at_once() -> None:
    story = Story([node("n"), pod("low", "3", on="n", grace=0), pod("high", "3", priority=10)])
    assert story.bound("high") == (0.0, "n")
    assert not story.of("pod.terminating")


def test_a_nominated_pod_may_land_elsewhere() -> None:
    story = Story([*FULL, pod("high", "3", priority=10)], [create(5, node("other"))])
    assert story.of("preemption.nominated", "high")[0]["data"]["node"] == "n"
    assert story.bound("high") == (5.001, "other")


def test_a_nomination_is_stolen_by_a_higher_pod() -> None:
    # a budget of two pods: the second preemptor has to evict one more, and clears the nomination of the first
    objects = [node("n"), pod("low", "2", on="n"), pod("lower", "2", on="n", priority=-1), pod("first", "2", priority=10)]
    story = Story(objects, [create(5, pod("second", "4", priority=20))])
    assert [event["data"]["cleared"] for event in story.of("preemption.nomination_cleared")] == ["default/first"]
    assert story.bound("second") is not None
    assert "default/first" in story.result["pending"]


def test_synchronous_preemption_ends_the_same_way() -> None:
    objects = [*FULL, pod("high", "3", priority=10)]
    assert Story(objects, **SYNC).result == Story(objects).result


def test_a_victim_that_never_goes_keeps_the_preemptor_nominated() -> None:
    objects = [node("n"), pod("low", "3", on="n", grace=10**6), pod("high", "3", priority=10)]
    story = Story(objects, until=120)
    assert story.bound("high") is None
    assert story.replay.nominations == {"default/high": "n"}
    assert story.events[-1]["t"] == 120 and story.events[-1]["data"]["reason"] == "until"


def test_preemption_policy_never_waits_like_everybody_else() -> None:
    story = Story([*FULL, pod("high", "3", priority=10, preemptionPolicy="Never")])
    assert story.result["pending"]["default/high"].endswith("not eligible due to preemptionPolicy=Never.")


def test_a_lifted_gate_lets_the_pod_in() -> None:
    gated = pod("a", schedulingGates=[{"name": "example.com/wait"}])
    story = Story([node("n"), gated], [update(7, pod("a"))])
    assert story.moves("a") == [(0.0, "gated", "PodAdd"), (7.001, "active", "UnscheduledPodSchedulingGatesEliminated")]
    assert story.bound("a") == (7.001, "n")


def test_backoff_grows_from_one_second_to_ten() -> None:
    # a pod that goes twice a second asks for another attempt whenever the backoff is over
    churn = [delete(k / 2 + 0.2, "Pod", f"x{k}") for k in range(120)]
    small = [pod(f"x{k}", "1m", on="n", grace=0) for k in range(120)]
    story = Story([node("n", "4"), *small, pod("big", "4500m")], churn, **NO_POP)
    attempts = [event["t"] for event in story.of("cycle.started", "big")]
    assert [round(b - a) for a, b in pairwise(attempts)][:7] == [2, 3, 5, 9, 11, 11, 11]
    ends = [event["data"]["until"] - event["t"] for event in story.of("queue.moved", "big") if event["data"]["to"] == "backoff"]
    assert max(ends) <= 11


def test_a_hint_that_skips_is_told() -> None:
    story = Story([*FULL, pod("big", "4")], [create(3, node("tiny", "1"))])
    skipped = story.of("queue.skipped", "big")
    assert [(event["data"]["event"], event["data"]["plugins"]) for event in skipped] == [("NodeAdd", ["NodeResourcesFit"])]


def test_a_cordon_keeps_pods_off_until_it_is_lifted() -> None:
    story = Story([node("n", unschedulable=True), pod("a")], [update(9, node("n"))])
    assert story.bound("a") == (9.001, "n")


def test_a_node_that_is_lost_takes_its_pods_with_it() -> None:
    story = Story([*FULL, node("other")], [delete(3, "Node", "n")])
    assert story.of("pod.gone")[0]["data"]["pod"] == "default/low"
    assert "default/low" not in story.replay.pods


def test_a_deleted_pending_pod_is_gone_at_once() -> None:
    story = Story([*FULL, pod("big", "4")], [delete(4, "Pod", "big")])
    assert "default/big" not in story.replay.pods
    assert story.replay.queues["unschedulable"] == {}


def test_a_budget_without_a_status_is_counted_and_recounted() -> None:
    objects = [node("n", "8"), *(pod(f"w{k}", on="n", labels={"app": "web"}) for k in range(3)), budget("web", "web", minAvailable=1)]
    story = Story(objects, [delete(5, "Pod", "w0")])
    assert [event["data"]["view"]["allowed"] for event in story.of("object.created") if event["data"]["kind"] == "PodDisruptionBudget"] == [
        2
    ]
    assert story.replay.budgets["default/web"]["allowed"] == 1
    assert story.replay.budgets["default/web"]["pods"] == ["default/w1", "default/w2"]


def test_a_priority_class_counts_for_pods_of_the_timeline() -> None:
    gold = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "gold"}, "value": 1000}
    late = pod("late", "3", priorityClassName="gold")
    del late["spec"]["priority"]
    story = Story([*FULL, gold], [create(2, late)])
    assert story.of("cycle.started", "late")[0]["data"]["priority"] == 1000
    assert story.result["evicted"] == ["default/low"]


def test_without_nodes_pods_wait_for_one() -> None:
    story = Story([pod("a")], [create(50, node("n"))])
    assert story.of("cycle.failed", "a")[0]["data"]["message"] == "no nodes available to schedule pods"
    assert story.bound("a") is not None


def test_a_scheduler_that_is_not_ours_leaves_the_pod_alone() -> None:
    story = Story([node("n"), pod("a", schedulerName="other")])
    assert not story.of("queue.moved") and not story.of("cycle.started")


def test_too_many_cycles_end_the_run_with_an_answer() -> None:
    story = Story([node("n"), *(pod(f"p{k}", "100m") for k in range(20))], cycles=7)
    assert [event["kind"] for event in story.events[-2:]] == ["run.limit_reached", "run.finished"]
    assert story.events[-2]["data"] == {"limit": "cycles", "value": 7}
    assert story.events[-1]["data"]["reason"] == "limit"


def test_whoever_watches_may_stop_a_run_between_two_events() -> None:
    simulation = Simulation(scenario_from_document({"objects": [node("n"), pod("a"), pod("b")]}))
    kinds = []
    for event in simulation.events():
        kinds.append(event.kind)
        if event.kind == "cycle.started":
            simulation.stop("seconds")
    assert kinds[-2:] == ["run.limit_reached", "run.finished"]
    assert kinds.count("cycle.started") == 1


def test_a_later_operation_changes_nothing_of_what_came_before() -> None:
    objects = [*FULL, pod("high", "3", priority=10)]
    before = [encode_event(event) for event in Story(objects, until=12).events]
    after = [encode_event(event) for event in Story(objects, [create(12, node("other"))], until=12).events]
    assert before[:-1] == after[: len(before) - 1]


def test_paths_are_the_names_of_decisions_and_never_repeat() -> None:
    story = Story([*FULL, pod("high", "3", priority=10), pod("big", "4")], [create(3, node("tiny", "1")), delete(40, "Pod", "high")])
    paths = [event["path"] for event in story.events]
    assert len(set(paths)) == len(paths)
    assert [event["seq"] for event in story.events] == list(range(1, len(paths) + 1))


def test_every_cause_is_an_earlier_event() -> None:
    story = Story([*FULL, pod("high", "3", priority=10)], [create(3, node("tiny", "1"))])
    assert all(event["cause"] is None or event["cause"] < event["seq"] for event in story.events)
    started = story.of("cycle.started", "high")
    assert all(event["cause"] is not None for event in started)


@pytest.mark.parametrize("until", [0, 5, 31])
def test_a_run_ends_when_it_was_told_to(until: int) -> None:
    story = Story([*FULL, pod("high", "3", priority=10)], until=until)
    assert story.events[-1]["t"] == until
    assert (story.bound("high") is not None) == (until >= 30)
