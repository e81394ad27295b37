"""What extenders may do to a cycle, to the candidates of a preemption, and to a binding."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import profiles_of
from scheduler_core.extenders import extenders_of, ignored_resources
from scheduler_core.framework.extender import Victims
from scheduler_core.preemption.extenders import PreemptionExtenderError, call_extenders
from scheduler_core.scheduler.binding import bind_by_extenders
from scheduler_core.scheduler.cycle import CycleResult, Scheduler
from tests.extenders.clusters import Bench, node, pod


def schedule(bench: Bench, *extenders: dict[str, Any], name: str = "new", config: dict[str, Any] | None = None) -> CycleResult:
    profile = profiles_of(config, ignored_resources=ignored_resources(extenders)).profiles["default-scheduler"]
    return Scheduler(bench.cluster, profile, extenders_of(extenders)).schedule(bench.pending[name])


def feasible(bench: Bench, result: CycleResult) -> list[str]:
    return [bench.cluster.names[row] for row in result.feasible.tolist()]


def reasons(bench: Bench, result: CycleResult) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    return {bench.cluster.names[row]: (s.code.text, s.plugin, s.reasons) for row, s in result.diagnosis.statuses}


@pytest.fixture
def bench() -> Bench:
    return Bench(node("n1"), node("n2"), node("n3", cpu="500m"), pod("old", on="n1"), pod("new", priority=5))


# ---- filter --------------------------------------------------------------------------------------------------------


def test_an_extender_strikes_nodes_with_its_own_words(bench: Bench) -> None:
    result = schedule(bench, {"name": "e", "filter": {"failed": {"n1": "no"}, "failedAndUnresolvable": {"n2": "never"}}})
    assert feasible(bench, result) == []
    assert reasons(bench, result) == {
        "n1": ("Unschedulable", "", ("no",)),
        "n2": ("UnschedulableAndUnresolvable", "", ("never",)),
        "n3": ("UnschedulableAndUnresolvable", "NodeResourcesFit", ("Insufficient cpu",)),
    }
    assert result.fit_error == "0/3 nodes are available: 1 Insufficient cpu, 1 never, 1 no."
    assert "Extender" in result.diagnosis.plugins


def test_what_an_extender_says_replaces_what_was_known_of_a_node(bench: Bench) -> None:
    result = schedule(bench, {"name": "e", "filter": {"failed": {"n3": "no", "n9": "unknown"}}})
    assert reasons(bench, result) == {"n3": ("Unschedulable", "", ("no",))}
    assert feasible(bench, result) == ["n1", "n2"]


def test_never_beats_no_when_an_extender_says_both(bench: Bench) -> None:
    result = schedule(bench, {"name": "e", "filter": {"failed": {"n1": "no"}, "failedAndUnresolvable": {"n1": "never"}}})
    assert reasons(bench, result)["n1"] == ("UnschedulableAndUnresolvable", "", ("never",))


def test_the_next_extender_is_not_asked_once_no_node_is_left(bench: Bench) -> None:
    all_struck = {"name": "a", "filter": {"failed": {"n1": "no", "n2": "no"}}}
    result = schedule(bench, all_struck, {"name": "b", "filter": {"error": "broken"}})
    assert result.error == ""
    assert [call.extender for call in result.extender_calls] == ["a"]


def test_a_broken_extender_ends_the_cycle_unless_it_may_be_ignored(bench: Bench) -> None:
    broken = {"name": "e", "filter": {"error": "broken"}}
    assert schedule(bench, broken).error == "broken"
    result = schedule(bench, {**broken, "ignorable": True})
    assert (result.error, feasible(bench, result)) == ("", ["n1", "n2"])
    assert "Extender" not in result.diagnosis.plugins


def test_nodes_handed_back_as_objects_are_scored_as_if_empty() -> None:
    bench = Bench(node("n1"), node("n2"), pod("big", cpu="3", on="n1"), pod("new"))
    passing = {"name": "e", "filter": {}}
    whole = schedule(bench, {**passing, "nodeCacheCapable": True}).scores
    bare = schedule(bench, passing).scores
    assert whole is not None
    assert bare is not None
    assert whole.columns().weighted["NodeResourcesFit"].tolist() == [37, 81]
    assert bare.columns().weighted["NodeResourcesFit"].tolist() == [81, 81]


# ---- prioritize ------------------------------------------------------------------------------------------------------


def test_scores_are_weighted_and_stretched_to_a_hundred(bench: Bench) -> None:
    result = schedule(bench, {"name": "e", "weight": 3, "nodeCacheCapable": True, "prioritize": {"n1": 10, "n3": 5}})
    assert result.extender_scores["e"].tolist() == [300, 0]
    assert [bench.cluster.names[row] for row in result.hosts.tolist()] == ["n1"]


def test_a_score_past_64_bits_wraps_round(bench: Bench) -> None:
    result = schedule(bench, {"name": "e", "weight": 2**31 - 1, "nodeCacheCapable": True, "prioritize": {"n1": 2**31 - 1}})
    assert result.extender_scores["e"].tolist() == [((2**31 - 1) ** 2 * 10 + 2**63) % 2**64 - 2**63, 0]


# ---- managed resources -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "struck"), [("plain", False), ("special", True)])
def test_an_extender_hears_only_of_pods_that_ask_for_what_it_manages(name: str, struck: bool) -> None:
    bench = Bench(node("n1"), pod("plain"), pod("special", example_com__gpu="1"))
    managing = {
        "name": "e",
        "managedResources": [{"name": "example.com/gpu", "ignoredByScheduler": True}],
        "filter": {"failed": {"n1": "no"}},
    }
    assert (feasible(bench, schedule(bench, managing, name=name)) == []) is struck


def test_the_scheduler_looks_at_a_managed_resource_unless_told_to_ignore_it() -> None:
    bench = Bench(node("n1"), pod("special", example_com__gpu="1"))
    managing = {"name": "e", "managedResources": ["example.com/gpu"], "filter": {}}
    result = schedule(bench, managing, name="special")
    assert reasons(bench, result) == {"n1": ("UnschedulableAndUnresolvable", "NodeResourcesFit", ("Insufficient example.com/gpu",))}


# ---- preempt -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def candidates() -> tuple[Bench, dict[str, Victims]]:
    bench = Bench(node("n1"), node("n2"), pod("a", on="n1"), pod("b", on="n2"), pod("new", priority=5))
    return bench, {"n1": Victims((bench.bound("a"),), 0), "n2": Victims((bench.bound("b"),), 1)}


def test_each_extender_sees_what_the_one_before_left(candidates: tuple[Bench, dict[str, Victims]]) -> None:
    bench, before = candidates
    extenders = extenders_of([{"name": "e", "preempt": {"drop": ["n1"]}}, {"name": "silent"}, {"name": "f", "preempt": {}}])
    left, calls = call_extenders(extenders, bench.pending["new"], before, bench.pods_on)
    assert left == {"n2": before["n2"]}
    assert [(call.extender, list(call.before), list(call.after)) for call in calls] == [("e", ["n1", "n2"], ["n2"]), ("f", ["n2"], ["n2"])]


def test_nobody_is_asked_once_no_candidate_is_left(candidates: tuple[Bench, dict[str, Victims]]) -> None:
    bench, before = candidates
    extenders = extenders_of([{"name": "e", "preempt": {"drop": ["n1", "n2"]}}, {"name": "f", "preempt": {"status": 500}}])
    left, calls = call_extenders(extenders, bench.pending["new"], before, bench.pods_on)
    assert (left, [call.extender for call in calls]) == ({}, ["e"])


FATAL = {
    "a status but 200": ({"status": 500}, "failed preempt with extender at URL e/preempt, code 500"),
    "a node without victims": ({"empty": ["n2"]}, 'expected at least one victim pod on node "n2"'),
}


@pytest.mark.parametrize("case", FATAL)
def test_a_failing_extender_ends_preemption_and_its_call_is_told(case: str, candidates: tuple[Bench, dict[str, Victims]]) -> None:
    bench, before = candidates
    rule, message = FATAL[case]
    with pytest.raises(PreemptionExtenderError) as caught:
        call_extenders(extenders_of([{"name": "e", "preempt": rule}]), bench.pending["new"], before, bench.pods_on)
    assert str(caught.value) == message
    assert [(call.error, call.ignored) for call in caught.value.calls] == [(message, False)]


def test_an_ignorable_extender_loses_its_say_or_the_nodes_without_victims(candidates: tuple[Bench, dict[str, Victims]]) -> None:
    bench, before = candidates
    failing = extenders_of([{"name": "e", "ignorable": True, "preempt": {"status": 503}}])
    left, calls = call_extenders(failing, bench.pending["new"], before, bench.pods_on)
    assert (left, calls[0].ignored, calls[0].after) == (before, True, before)
    emptying = extenders_of([{"name": "e", "ignorable": True, "preempt": {"empty": ["n1"]}}])
    left, calls = call_extenders(emptying, bench.pending["new"], before, bench.pods_on)
    assert (left, calls[0].without_victims) == ({"n2": before["n2"]}, ("n1",))


# ---- bind ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extenders", "bound_by"),
    [
        ([{"name": "e"}], None),
        ([{"name": "e", "bind": {}}], ("e", "")),
        ([{"name": "e", "bind": {"error": "no"}}], ("e", "no")),
        ([{"name": "e", "bind": {"error": "no"}, "ignorable": True}], None),
        ([{"name": "e", "bind": {"error": "no"}, "ignorable": True}, {"name": "f", "bind": {}}], ("f", "")),
        ([{"name": "e", "bind": {}, "managedResources": ["example.com/gpu"]}], None),
    ],
)
def test_the_first_extender_that_binds_decides(extenders: list[dict[str, Any]], bound_by: tuple[str, str] | None, bench: Bench) -> None:
    binding = bind_by_extenders(extenders_of(extenders), bench.pending["new"], "n1")
    assert (binding and (binding.extender, binding.error)) == bound_by
