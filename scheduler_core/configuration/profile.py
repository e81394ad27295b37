"""A profile out of enabled plugins and their settings.

The one rule: a plugin is made once for each profile, however many points it runs at. Mirrors NewFramework of
framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from scheduler_core.configuration.merge import Expanded
from scheduler_core.framework.interface import FilterPlugin, Profile, WeightedScore
from scheduler_core.framework.unprepared import WithoutScoreState, WithoutState
from scheduler_core.plugins.registry import REGISTRY, make_plugin

# These read what they need in Filter or Score when PreFilter or PreScore left nothing; the others fail.
_FILTERS_UNPREPARED: Final = frozenset({"NodeAffinity", "NodeVolumeLimits", "VolumeZone"})
_SCORES_UNPREPARED: Final = frozenset(
    {"ImageLocality", "NodeAffinity", "NodeResourcesBalancedAllocation", "NodeResourcesFit", "VolumeBinding"}
)


def build_profile(name: str, expanded: Expanded, settings: Mapping[str, Mapping[str, Any]], percentage: int | None) -> Profile:
    """The profile with every plugin made; what has no code of its own here appears in ``points`` only."""
    points = expanded.points
    needed = {plugin for listed in points.values() for plugin in listed}
    made = {plugin: _make(plugin, settings.get(plugin, {})) for plugin in needed if plugin != "DefaultPreemption"}
    preparing = [made[plugin] for plugin in points["preFilter"] if made[plugin] is not None]
    filters = tuple(plugin for plugin in points["filter"] if made[plugin] is not None)
    return Profile(
        scheduler_name=name,
        pre_filters=tuple(preparing),
        unprepared=tuple(_unprepared(filters, points["preFilter"], made)),
        filters=filters,
        scores=tuple(_scores(expanded, made)),
        preemption=settings["DefaultPreemption"]["args"] if "DefaultPreemption" in points["postFilter"] else None,
        percentage_of_nodes_to_score=percentage,
        points=points,
    )


def _make(plugin: str, settings: Mapping[str, Any]) -> Any:
    return make_plugin(plugin, settings)


def _unprepared(filters: Sequence[str], preparing: Sequence[str], made: Mapping[str, Any]) -> list[FilterPlugin]:
    """The filters that run without their PreFilter."""
    found: list[FilterPlugin] = []
    for plugin in filters:
        if plugin in preparing:
            continue
        reads = "preFilter" in REGISTRY[plugin].points and plugin not in _FILTERS_UNPREPARED
        found.append(WithoutState(plugin) if reads else made[plugin])
    return found


def _scores(expanded: Expanded, made: Mapping[str, Any]) -> list[WeightedScore]:
    scores: list[WeightedScore] = []
    for plugin in expanded.points["score"]:
        if made[plugin] is None:
            continue
        prepared = plugin in expanded.points["preScore"] or plugin in _SCORES_UNPREPARED
        scores.append(WeightedScore(made[plugin] if prepared else WithoutScoreState(plugin), expanded.weights[plugin]))
    return scores
