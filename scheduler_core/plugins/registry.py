"""Every plugin that a KubeSchedulerConfiguration may name: where it runs, with which weight, and how it is made.

The one rule: only this module knows all plugins; they know nothing of each other. Mirrors plugins/registry.go and
apis/config/v1/default_plugins.go at 1.34.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.plugins.image_locality import ImageLocality
from scheduler_core.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.plugins.node_affinity import NodeAffinity
from scheduler_core.plugins.node_name import NodeName
from scheduler_core.plugins.node_ports import NodePorts
from scheduler_core.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from scheduler_core.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.plugins.node_unschedulable import NodeUnschedulable
from scheduler_core.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.plugins.taint_toleration import TaintToleration
from scheduler_core.plugins.volume_binding import VolumeBinding
from scheduler_core.plugins.volume_restrictions import VolumeRestrictions
from scheduler_core.plugins.volume_zone import VolumeZone

POINTS: Final = (
    "preEnqueue",
    "queueSort",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
)
"""The extension points, as a configuration names them."""

_FILTER: Final = frozenset({"preFilter", "filter"})
_SCORE: Final = frozenset({"preScore", "score"})
_FILTER_AND_SCORE: Final = _FILTER | _SCORE


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A plugin as the registry knows it.

    ``make`` builds it from its settings, the fields of its dataclass; None where the plugin has no code of its own here: queue
    sorting, gates, preemption and binding belong to other parts of the engine. ``weight`` is its default weight, 0 for none.
    """

    name: str
    points: frozenset[str]
    make: Callable[..., Any] | None = None
    weight: int = 0
    modelled: bool = True


# In the order of the default MultiPoint set.
DEFAULT_PLUGINS: Final = (
    Registered(name="SchedulingGates", points=frozenset({"preEnqueue"})),
    Registered(name="PrioritySort", points=frozenset({"queueSort"})),
    Registered(name="NodeUnschedulable", points=frozenset({"filter"}), make=NodeUnschedulable),
    Registered(name="NodeName", points=frozenset({"filter"}), make=NodeName),
    Registered(name="TaintToleration", points=_SCORE | {"filter"}, make=TaintToleration, weight=3),
    Registered(name="NodeAffinity", points=_FILTER_AND_SCORE, make=NodeAffinity, weight=2),
    Registered(name="NodePorts", points=_FILTER, make=NodePorts),
    Registered(name="NodeResourcesFit", points=_FILTER_AND_SCORE, make=NodeResourcesFit, weight=1),
    Registered(name="VolumeRestrictions", points=_FILTER, make=VolumeRestrictions),
    Registered(name="NodeVolumeLimits", points=_FILTER, make=NodeVolumeLimits),
    Registered(name="VolumeBinding", points=_FILTER_AND_SCORE | {"reserve", "preBind"}, make=VolumeBinding),
    Registered(name="VolumeZone", points=_FILTER, make=VolumeZone),
    Registered(name="PodTopologySpread", points=_FILTER_AND_SCORE, weight=2, make=PodTopologySpread),
    Registered(name="InterPodAffinity", points=_FILTER_AND_SCORE, weight=2, make=InterPodAffinity),
    # Before DefaultPreemption: it is better to give back a claim than to evict a pod.
    Registered(
        name="DynamicResources",
        points=_FILTER | {"preEnqueue", "postFilter", "reserve", "preBind"},
        modelled=False,
    ),
    Registered(name="DefaultPreemption", points=frozenset({"preEnqueue", "postFilter"})),
    Registered(name="NodeResourcesBalancedAllocation", points=_SCORE, make=NodeResourcesBalancedAllocation, weight=1),
    Registered(name="ImageLocality", points=frozenset({"score"}), make=ImageLocality, weight=1),
    Registered(name="DefaultBinder", points=frozenset({"bind"})),
)

REGISTRY: Final[Mapping[str, Registered]] = {plugin.name: plugin for plugin in DEFAULT_PLUGINS}
"""By name."""

REMOVED: Final = ("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits")
"""Plugins that a configuration of this version may no longer enable."""


def make_plugin(name: str, settings: Mapping[str, Any] | None = None) -> Any:
    """The plugin with its settings; None where the registry knows no code for it. Raises KeyError for an unknown name."""
    make = REGISTRY[name].make
    return None if make is None else make(**(settings or {}))
