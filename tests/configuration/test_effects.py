"""What settings do to a pod: the same cluster under one configuration and another."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import profiles_of
from scheduler_core.scheduler.cycle import CycleResult, Scheduler
from tests.extenders.clusters import Bench, node, pod

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def schedule(bench: Bench, profile: dict[str, Any], name: str = "new") -> CycleResult:
    configuration = profiles_of({"profiles": [profile]})
    (made,) = configuration.profiles.values()
    return Scheduler(bench.cluster, made).schedule(bench.pending[name])


def args(plugin: str, **settings: Any) -> dict[str, Any]:
    return {"pluginConfig": [{"name": plugin, "args": settings}]}


def disabled(point: str, *names: str) -> dict[str, Any]:
    return {"plugins": {point: {"disabled": [{"name": name} for name in names]}}}


def feasible(bench: Bench, result: CycleResult) -> list[str]:
    return [bench.cluster.names[row] for row in result.feasible.tolist()]


def hosts(bench: Bench, result: CycleResult) -> list[str]:
    return [bench.cluster.names[row] for row in result.hosts.tolist()]


def selecting(manifest: dict[str, Any], **labels: str) -> dict[str, Any]:
    manifest["spec"]["nodeSelector"] = labels
    return manifest


# ---- NodeAffinityArgs ------------------------------------------------------------------------------------------------------


def term(key: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": "In", "values": list(values)}]}


def test_added_affinity_binds_every_pod_beside_its_own() -> None:
    bench = Bench(
        node("n1", zone="a", disk="ssd"), node("n2", zone="a"), node("n3", zone="b"), selecting(pod("new"), disk="ssd"), pod("free")
    )
    added = args("NodeAffinity", addedAffinity={REQUIRED: {"nodeSelectorTerms": [term("zone", "a")]}})
    assert feasible(bench, schedule(bench, added)) == ["n1"]
    result = schedule(bench, added, "free")
    assert feasible(bench, result) == ["n1", "n2"]
    ((_, status),) = result.diagnosis.statuses
    assert (status.code.text, status.reasons) == (
        "UnschedulableAndUnresolvable",
        ("node(s) didn't match scheduler-enforced node affinity",),
    )


def test_added_preference_scores_nodes_for_a_pod_without_any() -> None:
    bench = Bench(node("n1", zone="a"), node("n2", zone="b"), pod("new"))
    added = args("NodeAffinity", addedAffinity={PREFERRED: [{"weight": 10, "preference": term("zone", "b")}]})
    assert hosts(bench, schedule(bench, {})) == ["n1", "n2"]
    assert hosts(bench, schedule(bench, added)) == ["n2"]


def test_an_empty_required_affinity_matches_no_node() -> None:
    bench = Bench(node("n1"), pod("new"))
    assert feasible(bench, schedule(bench, args("NodeAffinity", addedAffinity={REQUIRED: {"nodeSelectorTerms": []}}))) == []


# ---- NodeResourcesFitArgs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "fits"),
    [
        ({}, False),
        ({"ignoredResources": ["example.com/gpu"]}, True),
        ({"ignoredResourceGroups": ["example.com"]}, True),
        ({"ignoredResources": ["example.com/tpu"], "ignoredResourceGroups": ["example.org"]}, False),
    ],
)
def test_resources_that_are_ignored_need_not_be_there(settings: dict[str, Any], fits: bool) -> None:
    bench = Bench(node("n1"), pod("new", example_com__gpu="1"))
    assert bool(feasible(bench, schedule(bench, args("NodeResourcesFit", **settings)))) is fits


@pytest.mark.parametrize(
    ("strategy", "best"),
    [
        ({"type": "LeastAllocated"}, "n2"),
        ({"type": "MostAllocated"}, "n1"),
        (
            {
                "type": "RequestedToCapacityRatio",
                "requestedToCapacityRatio": {"shape": [{"utilization": 0, "score": 0}, {"utilization": 100, "score": 10}]},
            },
            "n1",
        ),
    ],
)
def test_the_strategy_says_whether_full_or_empty_nodes_are_better(strategy: dict[str, Any], best: str) -> None:
    bench = Bench(node("n1"), node("n2"), pod("old", cpu="2", on="n1"), pod("new"))
    profile = {**args("NodeResourcesFit", scoringStrategy=strategy), **disabled("score", "NodeResourcesBalancedAllocation")}
    assert hosts(bench, schedule(bench, profile)) == [best]


# ---- extension points apart --------------------------------------------------------------------------------------------------


def test_a_filter_disabled_lets_the_pod_anywhere() -> None:
    bench = Bench(node("n1", zone="a"), node("n2"), selecting(pod("new"), zone="a"))
    assert feasible(bench, schedule(bench, {})) == ["n1"]
    assert feasible(bench, schedule(bench, disabled("filter", "NodeAffinity"))) == ["n1", "n2"]


def test_no_filters_at_all_leave_every_node() -> None:
    bench = Bench(node("n1"), node("n2"), pod("new", cpu="100"))
    assert feasible(bench, schedule(bench, disabled("filter", "*"))) == ["n1", "n2"]


def test_node_affinity_filters_without_its_pre_filter() -> None:
    bench = Bench(node("n1", zone="a"), node("n2"), selecting(pod("new"), zone="a"))
    assert feasible(bench, schedule(bench, disabled("preFilter", "NodeAffinity"))) == ["n1"]


@pytest.mark.parametrize("plugin", ["NodeResourcesFit", "NodePorts", "InterPodAffinity", "PodTopologySpread"])
def test_a_filter_that_finds_nothing_to_read_ends_the_cycle(plugin: str) -> None:
    bench = Bench(node("n1"), pod("new"))
    result = schedule(bench, disabled("preFilter", plugin))
    assert result.error == f'running "{plugin}" filter plugin: error reading "PreFilter{plugin}" from cycleState: not found'


def test_a_filter_that_finds_nothing_to_read_is_not_reached_when_all_nodes_are_struck_before() -> None:
    bench = Bench(node("n1"), selecting(pod("new"), zone="a"))
    result = schedule(bench, disabled("preFilter", "NodeResourcesFit"))
    assert (result.error, feasible(bench, result)) == ("", [])


def test_a_score_that_finds_nothing_to_read_ends_the_cycle() -> None:
    bench = Bench(node("n1"), node("n2"), pod("new"))
    result = schedule(bench, disabled("preScore", "TaintToleration"))
    assert "TaintToleration" in result.error


def test_without_any_score_the_first_feasible_node_will_do() -> None:
    bench = Bench(node("n1"), node("n2"), pod("old", on="n1"), pod("new"))
    result = schedule(bench, disabled("score", "*"))
    assert feasible(bench, result) == ["n1"]
    assert hosts(bench, result) == ["n1"]


def test_pods_choose_their_profile_by_name() -> None:
    bench = Bench(node("n1"), node("n2"), pod("old", on="n1"), pod("new"))
    most = args("NodeResourcesFit", scoringStrategy={"type": "MostAllocated"})
    profiles = profiles_of({"profiles": [{"schedulerName": "default-scheduler"}, {"schedulerName": "packer", **most}]}).profiles
    found = {name: hosts(bench, Scheduler(bench.cluster, made).schedule(bench.pending["new"])) for name, made in profiles.items()}
    assert found == {"default-scheduler": ["n2"], "packer": ["n1"]}
