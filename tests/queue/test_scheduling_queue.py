"""Where a pod waits and what moves it on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scheduler_core.api.objects import Node, Toleration
from scheduler_core.queue.events import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE,
    NODE_ADD,
    Action,
    ClusterEvent,
    node_changes,
    pod_changes,
)
from scheduler_core.queue.nominator import Nominating
from tests.queue.queues import FIT, Bench, pod

BIG = Node(name="n", allocatable={"cpu": 8000, "pods": 110})
SMALL = Node(name="n", allocatable={"cpu": 500, "pods": 110})
PLACED = pod("placed", node_name="n")


def test_higher_priority_goes_first_then_whoever_came_first() -> None:
    bench = Bench()
    bench.add(pod("low"), pod("high", 10))
    bench.now = 1
    bench.add(pod("late", 10))
    assert bench.popped() == ["high", "late", "low"]


@pytest.mark.parametrize(
    ("attempts", "seconds"),
    [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (9, 10)],
)
def test_backoff_doubles_from_one_second_to_ten(attempts: int, seconds: int) -> None:
    bench = Bench(pop_from_backoff=False)
    bench.add(pod("a"))
    for _ in range(attempts):
        bench.fail(FIT)
        bench.now += 60_000
        if _ < attempts - 1:
            bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    bench.now -= 60_000
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.where("a") == "backoff"
    queued = bench.queue.get("default/a")
    assert queued is not None and bench.queue.backoff.end_of(queued) == bench.now + 1000 * seconds
    bench.now += 1000 * seconds
    bench.queue.flush_backoff()
    assert bench.where("a") == "backoff"  # the instant at which it ends still counts
    bench.now += 1
    bench.queue.flush_backoff()
    assert bench.where("a") == "active"


def test_a_waiting_pod_skips_backoff_that_is_over() -> None:
    bench = Bench(pop_from_backoff=False)
    bench.add(pod("a"))
    assert bench.fail(FIT) == "unschedulable"
    bench.now = 5000
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.told[-1] == ("a", "unschedulable", "active", "AssignedPodDelete", FIT)


def test_a_pod_that_backs_off_is_popped_when_nothing_else_is_there() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.where("a") == "backoff"
    assert bench.popped() == ["a"]


def test_with_the_gate_off_it_is_not() -> None:
    bench = Bench(pop_from_backoff=False)
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.popped() == []


def test_a_pod_that_failed_by_an_error_always_waits_out_its_backoff() -> None:
    bench = Bench()
    bench.add(pod("a"))
    assert bench.fail() == "backoff"
    assert bench.popped() == []
    bench.now = 2000
    bench.queue.flush_backoff()
    assert bench.popped() == ["a"]


def test_pods_of_one_second_leave_backoff_by_priority() -> None:
    bench = Bench()
    bench.add(pod("a"), pod("b", 5))
    bench.now = 100
    bench.fail(FIT)
    bench.now = 900
    bench.fail(FIT)
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.popped() == ["b", "a"]


def test_an_event_during_the_attempt_is_not_lost() -> None:
    bench = Bench()
    bench.add(pod("a"))
    queued = bench.queue.pop()
    assert queued is not None
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    queued.unschedulable_plugins = {FIT}
    assert bench.queue.add_unschedulable(queued) == "backoff"
    assert bench.told[-1] == ("a", "scheduling", "backoff", "ScheduleAttemptFailure", FIT)


def test_an_event_before_the_attempt_does_not_count() -> None:
    bench = Bench()
    bench.add(pod("a"), pod("b"))
    first = bench.queue.pop()
    assert first is not None
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.fail(FIT) == "unschedulable"


def test_a_hint_that_says_no_leaves_the_pod_and_is_told() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.queue.move_all(NODE_ADD, None, SMALL)
    assert bench.where("a") == "unschedulable"
    assert bench.skips == [("a", "NodeAdd", (FIT,))]
    bench.queue.move_all(NODE_ADD, None, BIG)
    assert bench.where("a") == "backoff"


def test_an_event_that_its_plugins_did_not_ask_for_says_nothing() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.queue.move_all(ASSIGNED_POD_ADD, None, PLACED)
    assert bench.where("a") == "unschedulable" and not bench.skips


def test_a_pod_that_an_extender_refused_is_moved_by_anything() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail("Extender")
    bench.queue.move_all(ASSIGNED_POD_ADD, None, PLACED)
    assert bench.where("a") == "backoff"


def test_five_minutes_without_an_event_are_enough() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.now = 300_000
    bench.queue.flush_unschedulable()
    assert bench.where("a") == "unschedulable"
    assert bench.queue.next_flush() == 330_000
    bench.now = 330_000
    bench.queue.flush_unschedulable()
    assert bench.told[-1] == ("a", "unschedulable", "active", "UnschedulableTimeout", "")


def test_a_gated_pod_waits_until_its_gates_are_gone() -> None:
    bench = Bench()
    gated = pod("a", scheduling_gates=("example.com/wait",))
    bench.add(gated)
    assert bench.where("a") == "gated"
    bench.queue.move_all(NODE_ADD, None, BIG)
    assert bench.where("a") == "gated"
    bench.queue.update(gated, replace(gated, scheduling_gates=()))
    assert bench.told[-1] == ("a", "gated", "active", "UnscheduledPodSchedulingGatesEliminated", "SchedulingGates")


def test_a_preemption_under_way_keeps_the_pod_out() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.closed.add("default/a")
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.where("a") == "gated"
    bench.closed.clear()
    bench.now = 60_000
    bench.queue.move_all(ASSIGNED_POD_DELETE, PLACED, None)
    assert bench.where("a") == "active"


def test_activating_a_pod_puts_it_first_in_line_at_once() -> None:
    bench = Bench()
    bench.add(pod("a"))
    bench.fail(FIT)
    bench.queue.activate("default/a")
    assert bench.told[-1] == ("a", "unschedulable", "active", "ForceActivate", "")


def test_activating_a_pod_in_flight_counts_when_it_comes_back() -> None:
    bench = Bench()
    bench.add(pod("a"), pod("b"))
    queued = bench.queue.pop()
    assert queued is not None
    bench.queue.activate(queued.key)
    queued.unschedulable_plugins = {FIT}
    assert bench.queue.add_unschedulable(queued) == "backoff"


def test_a_new_toleration_moves_the_pod_itself() -> None:
    bench = Bench()
    old = pod("a")
    bench.add(old, pod("b"))
    bench.fail("TaintToleration")
    bench.fail("TaintToleration")
    bench.now = 60_000
    bench.queue.update(old, replace(old, tolerations=(Toleration(operator="Exists"),)))
    assert (bench.where("a"), bench.where("b")) == ("active", "unschedulable")


def test_deleting_a_pod_takes_it_out_wherever_it_is() -> None:
    bench = Bench()
    bench.add(pod("a"), pod("b"), pod("c", 9))
    bench.fail(FIT)
    for name in "abc":
        bench.queue.delete(f"default/{name}")
    assert bench.popped() == [] and bench.where("c") is None


def test_a_nomination_outlives_updates_that_do_not_mention_it() -> None:
    bench = Bench()
    old = pod("a")
    bench.add(old)
    bench.fail(FIT)
    bench.nominator.add(old, Nominating("n"))
    new = replace(old, labels={"x": "y"})
    bench.queue.update(old, new)
    assert bench.nominator.node_of("default/a") == "n"
    bench.queue.update(replace(new, nominated_node_name="n"), new)
    assert bench.nominator.node_of("default/a") == ""


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (SMALL, BIG, ["NodeAllocatableChange"]),
        (BIG, replace(BIG, labels={"a": "b"}), ["NodeLabelChange"]),
        (replace(BIG, unschedulable=True), BIG, ["NodeTaintChange"]),
        (BIG, replace(BIG, unschedulable=True), []),
        (BIG, replace(BIG, annotations={"a": "b"}), ["NodeAnnotationChange"]),
    ],
)
def test_a_node_update_is_as_specific_as_it_can_be(before: Node, after: Node, names: list[str]) -> None:
    assert [event.name for event in node_changes(before, after)] == names


def test_a_pod_update_is_specific_or_general() -> None:
    old = pod("a", cpu=1000)
    assert [event.name for event in pod_changes(old, pod("a", cpu=500))] == ["UnscheduledPodScaledDown"]
    assert [event.name for event in pod_changes(old, replace(old, phase="Running", node_name="n"))] == ["AssignedPodUpdate"]


def test_a_registration_matches_the_same_or_something_narrower() -> None:
    wide = ClusterEvent(NODE, Action.ADD | Action.UPDATE)
    assert wide.matches(ClusterEvent(NODE, Action.NODE_LABEL))
    assert not ClusterEvent(NODE, Action.NODE_LABEL).matches(ClusterEvent(NODE, Action.UPDATE))
    assert not wide.matches(ClusterEvent(NODE, Action.DELETE))
