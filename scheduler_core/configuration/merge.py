"""Which plugins run at which extension point: the defaults, what a profile changes, and MultiPoint spread over the points.

The one rule: a specific extension point beats MultiPoint, and what is configured beats a default. Mirrors mergePlugins of
apis/config/v1/default_plugins.go and expandMultiPointPlugins of framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from scheduler_core.plugins.registry import DEFAULT_PLUGINS, POINTS, REGISTRY

MULTI_POINT: Final = "multiPoint"
ALL: Final = "*"

# kube-scheduler looks at the points in this order, so it is the first of them that an error names.
_EXPANSION: Final = (
    "preFilter",
    "filter",
    "postFilter",
    "reserve",
    "preScore",
    "score",
    "preBind",
    "bind",
    "postBind",
    "permit",
    "preEnqueue",
    "queueSort",
)

Report = Callable[[str, int, str], None]
"""Told of a mistake: extension point, index in its ``enabled``, message."""


@dataclass(frozen=True, slots=True)
class Enabled:
    """A plugin enabled by name; ``index`` is its place in the profile's own list, -1 for a default."""

    name: str
    weight: int = 0
    index: int = -1


@dataclass(frozen=True, slots=True)
class PluginSet:
    """Plugins enabled and disabled at one point; ``*`` disables all defaults."""

    enabled: tuple[Enabled, ...] = ()
    disabled: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True)
class Expanded:
    """The plugins of each extension point in the order in which they run, and the weight of each that scores."""

    points: Mapping[str, tuple[str, ...]]
    weights: Mapping[str, int]


def default_set(feature_gates: Mapping[str, bool]) -> PluginSet:
    """The default MultiPoint set."""
    without = set() if feature_gates.get("DynamicResourceAllocation", True) else {"DynamicResources"}
    return PluginSet(tuple(Enabled(plugin.name, plugin.weight) for plugin in DEFAULT_PLUGINS if plugin.name not in without))


def read_sets(plugins: Mapping[str, Any]) -> dict[str, PluginSet]:
    """The plugin sets of a profile, by extension point, as written."""
    return {point: _read_set(plugins.get(point, {})) for point in (*POINTS, MULTI_POINT)}


def _read_set(raw: Mapping[str, Any]) -> PluginSet:
    enabled = (Enabled(item.get("name", ""), item.get("weight", 0), index) for index, item in enumerate(raw.get("enabled", ())))
    return PluginSet(tuple(enabled), frozenset(item.get("name", "") for item in raw.get("disabled", ())))


def merged(defaults: PluginSet, custom: PluginSet) -> PluginSet:
    """The defaults with what the profile configures: a default configured anew keeps its place, the others come last."""
    replacing = {plugin.name: plugin for plugin in custom.enabled}
    kept: list[Enabled] = []
    replaced: set[int] = set()
    for plugin in () if ALL in custom.disabled else defaults.enabled:
        if plugin.name in custom.disabled:
            continue
        chosen = replacing.get(plugin.name, plugin)
        kept.append(chosen)
        replaced.add(chosen.index)
    kept += [plugin for plugin in custom.enabled if plugin.index not in replaced]
    return PluginSet(tuple(kept), custom.disabled)


def expand(sets: Mapping[str, PluginSet], defaults: PluginSet, report: Report) -> Expanded:
    """Spread MultiPoint over the points; mistakes are reported and left out."""
    multi = merged(defaults, sets[MULTI_POINT])
    multi = PluginSet(tuple(_existing(multi.enabled, sets, report)), multi.disabled)
    points = {point: _at_point(point, sets[point], multi.enabled, report) for point in _EXPANSION}
    return Expanded({point: points[point] for point in POINTS}, _weights((*sets["score"].enabled, *multi.enabled)))


def _existing(enabled: Sequence[Enabled], sets: Mapping[str, PluginSet], report: Report) -> list[Enabled]:
    first = next((point for point in _EXPANSION if ALL not in sets[point].disabled), _EXPANSION[0])
    kept = []
    for plugin in enabled:
        if plugin.name in REGISTRY:
            kept.append(plugin)
        else:
            report(MULTI_POINT, plugin.index, f'{interface_of(first)} "{plugin.name}" does not exist')
    return kept


def _at_point(point: str, own: PluginSet, multi: Sequence[Enabled], report: Report) -> tuple[str, ...]:
    """First what overrides MultiPoint, then the rest of MultiPoint, then what only this point has."""
    specific = _specific(point, own, report)
    if ALL in own.disabled:
        return tuple(specific)
    spread: list[str] = []
    overriding: set[str] = set()
    for plugin in multi:
        if point not in REGISTRY[plugin.name].points or plugin.name in own.disabled:
            continue
        if plugin.name in specific:
            overriding.add(plugin.name)
        elif plugin.name in spread:
            report(MULTI_POINT, plugin.index, f'plugin "{plugin.name}" already registered as "{interface_of(point)}"')
        else:
            spread.append(plugin.name)
    first = [name for name in specific if name in overriding]
    return (*first, *spread, *(name for name in specific if name not in overriding))


def _specific(point: str, own: PluginSet, report: Report) -> list[str]:
    names: list[str] = []
    for plugin in own.enabled:
        known = REGISTRY.get(plugin.name)
        if known is None:
            report(point, plugin.index, f'{interface_of(point)} "{plugin.name}" does not exist')
        elif point not in known.points:
            report(point, plugin.index, f'plugin "{plugin.name}" does not extend {interface_of(point)} plugin')
        elif plugin.name in names:
            report(point, plugin.index, f'plugin "{plugin.name}" already registered as "{interface_of(point)}"')
        else:
            names.append(plugin.name)
    return names


def _weights(plugins: Sequence[Enabled]) -> dict[str, int]:
    """The first weight said of a plugin counts; none, or 0, is 1."""
    weights: dict[str, int] = {}
    for plugin in plugins:
        weights.setdefault(plugin.name, plugin.weight or 1)
    return weights


def interface_of(point: str) -> str:
    """The name of upstream's interface of an extension point: ``PreFilterPlugin``."""
    return f"{point[0].upper()}{point[1:]}Plugin"
