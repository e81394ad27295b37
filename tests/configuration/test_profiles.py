"""Which plugins a configuration makes run, in which order and with which weights: as kube-scheduler merges and expands them."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import profiles_of
from scheduler_core.framework.interface import Profile

FILTERS = (
    "NodeUnschedulable",
    "NodeName",
    "TaintToleration",
    "NodeAffinity",
    "NodePorts",
    "NodeResourcesFit",
    "VolumeRestrictions",
    "NodeVolumeLimits",
    "VolumeBinding",
    "VolumeZone",
    "PodTopologySpread",
    "InterPodAffinity",
)
WEIGHTS = {
    "TaintToleration": 3,
    "NodeAffinity": 2,
    "NodeResourcesFit": 1,
    "VolumeBinding": 1,
    "PodTopologySpread": 2,
    "InterPodAffinity": 2,
    "NodeResourcesBalancedAllocation": 1,
    "ImageLocality": 1,
}
MINIMUM = [{"name": "PrioritySort"}, {"name": "DefaultBinder"}]


def named(*names: str) -> list[dict[str, Any]]:
    """Plugins by name; ``Name=3`` gives a weight."""
    pairs = (name.partition("=") for name in names)
    return [{"name": name, "weight": int(weight)} if weight else {"name": name} for name, _, weight in pairs]


def profile_of(plugins: dict[str, Any], **gates: bool) -> Profile:
    return profiles_of({"profiles": [{"plugins": plugins}]}, gates).profiles["default-scheduler"]


def weights(profile: Profile) -> dict[str, int]:
    return {entry.plugin.name: entry.weight for entry in profile.scores}


def test_no_configuration_is_the_default_profile() -> None:
    configuration = profiles_of(None)
    (profile,) = configuration.profiles.values()
    assert profile.scheduler_name == "default-scheduler"
    assert profile.filters == FILTERS
    assert [plugin.name for plugin in profile.pre_filters] == list(FILTERS[3:])
    assert weights(profile) == WEIGHTS
    assert profile.points["preEnqueue"] == ("SchedulingGates", "DynamicResources", "DefaultPreemption")
    assert profile.points["postFilter"] == ("DynamicResources", "DefaultPreemption")
    assert (configuration.pod_initial_backoff_seconds, configuration.pod_max_backoff_seconds) == (1, 10)
    assert configuration.warnings == ()


@pytest.mark.parametrize("config", [{}, {"profiles": []}, {"profiles": [{}]}, {"profiles": None}])
def test_an_empty_configuration_is_the_default_one(config: dict[str, Any]) -> None:
    assert profiles_of(config) == profiles_of(None)


def test_without_its_gate_there_is_no_dynamic_resources_plugin() -> None:
    assert profile_of({}, DynamicResourceAllocation=False).points["postFilter"] == ("DefaultPreemption",)


# ---- one extension point -------------------------------------------------------------------------------------------------


def test_a_filter_that_is_disabled_does_not_filter_but_its_pre_filter_still_refuses() -> None:
    profile = profile_of({"filter": {"disabled": named("NodeAffinity")}})
    assert profile.filters == tuple(name for name in FILTERS if name != "NodeAffinity")
    assert "NodeAffinity" in [plugin.name for plugin in profile.pre_filters]


def test_all_scores_may_be_disabled() -> None:
    assert profile_of({"score": {"disabled": named("*")}}).scores == ()


def test_a_point_alone_has_what_is_named_there_once_its_defaults_are_disabled() -> None:
    profile = profile_of({"score": {"disabled": named("*"), "enabled": named("ImageLocality=7", "NodeAffinity")}})
    assert [(entry.plugin.name, entry.weight) for entry in profile.scores] == [("ImageLocality", 7), ("NodeAffinity", 1)]


def test_a_weight_given_at_score_beats_the_default_and_comes_first() -> None:
    profile = profile_of({"score": {"enabled": named("ImageLocality=5", "TaintToleration=9")}})
    assert [entry.plugin.name for entry in profile.scores][:3] == ["ImageLocality", "TaintToleration", "NodeAffinity"]
    assert weights(profile) == WEIGHTS | {"ImageLocality": 5, "TaintToleration": 9}


def test_no_weight_and_zero_are_one() -> None:
    assert weights(profile_of({"score": {"enabled": named("TaintToleration", "NodeAffinity=0")}}))["TaintToleration"] == 1
    assert weights(profile_of({"multiPoint": {"enabled": named("PodTopologySpread=0")}}))["PodTopologySpread"] == 1


def test_no_preemption_without_its_plugin_at_post_filter() -> None:
    assert profile_of({"postFilter": {"disabled": named("DefaultPreemption")}}).preemption is None
    assert profile_of({"preEnqueue": {"disabled": named("DefaultPreemption")}}).preemption is not None


# ---- MultiPoint ------------------------------------------------------------------------------------------------------------


def test_a_plugin_disabled_by_multi_point_runs_nowhere() -> None:
    profile = profile_of({"multiPoint": {"disabled": named("NodeAffinity")}})
    assert all("NodeAffinity" not in names for names in profile.points.values())


def test_a_plugin_disabled_by_multi_point_runs_where_a_point_enables_it() -> None:
    profile = profile_of({"multiPoint": {"disabled": named("NodeAffinity")}, "filter": {"enabled": named("NodeAffinity")}})
    assert [point for point, names in profile.points.items() if "NodeAffinity" in names] == ["filter"]
    assert profile.filters[-1] == "NodeAffinity"


def test_a_default_configured_anew_by_multi_point_keeps_its_place() -> None:
    profile = profile_of({"multiPoint": {"enabled": named("NodeAffinity=10")}})
    assert profile.filters == FILTERS
    assert weights(profile) == WEIGHTS | {"NodeAffinity": 10}


def test_a_default_disabled_and_enabled_by_multi_point_comes_last() -> None:
    profile = profile_of({"multiPoint": {"disabled": named("NodeName"), "enabled": named("NodeName")}})
    assert profile.filters == (*(name for name in FILTERS if name != "NodeName"), "NodeName")


def test_without_any_default_only_what_is_enabled_runs_in_the_order_given() -> None:
    enabled = named("NodeResourcesFit=4", "PrioritySort", "DefaultBinder", "NodeName")
    profile = profile_of({"multiPoint": {"disabled": named("*"), "enabled": enabled}})
    assert profile.filters == ("NodeResourcesFit", "NodeName")
    assert weights(profile) == {"NodeResourcesFit": 4}
    assert profile.preemption is None


def test_a_point_puts_first_what_overrides_multi_point_and_last_what_only_it_has() -> None:
    profile = profile_of(
        {
            "multiPoint": {"disabled": named("NodePorts")},
            "filter": {"enabled": named("NodePorts", "InterPodAffinity", "NodeName")},
        }
    )
    middle = tuple(name for name in FILTERS if name not in ("NodePorts", "InterPodAffinity", "NodeName"))
    assert profile.filters == ("InterPodAffinity", "NodeName", *middle, "NodePorts")


def test_the_weight_at_score_beats_that_of_multi_point() -> None:
    profile = profile_of({"multiPoint": {"enabled": named("NodeAffinity=10")}, "score": {"enabled": named("NodeAffinity=20")}})
    assert weights(profile)["NodeAffinity"] == 20


# ---- profiles ----------------------------------------------------------------------------------------------------------------


def test_each_profile_has_its_own_plugins_and_percentage() -> None:
    configuration = profiles_of(
        {
            "percentageOfNodesToScore": 30,
            "profiles": [
                {"schedulerName": "a", "percentageOfNodesToScore": 0},
                {"schedulerName": "b", "plugins": {"filter": {"disabled": named("*")}}},
            ],
        }
    )
    assert list(configuration.profiles) == ["a", "b"]
    assert configuration.profiles["a"].filters == FILTERS
    assert configuration.profiles["b"].filters == ()
    assert [p.percentage_of_nodes_to_score for p in configuration.profiles.values()] == [0, None]
    assert configuration.percentage_of_nodes_to_score == 30


def test_the_queue_waits_as_long_as_is_said() -> None:
    configuration = profiles_of({"podInitialBackoffSeconds": 3, "podMaxBackoffSeconds": 3})
    assert (configuration.pod_initial_backoff_seconds, configuration.pod_max_backoff_seconds) == (3, 3)
