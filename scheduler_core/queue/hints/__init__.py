"""Which events every plugin asked for, and its hints for them. One file for each plugin.

The one rule: plugins are asked in the order of the profile, so that the plugin named as the one that decided is always the
same. Mirrors buildQueueingHintMap of pkg/scheduler/scheduler.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from scheduler_core.queue.events import ANY, NODE, Action, ClusterEvent
from scheduler_core.queue.hints import (
    default_preemption,
    inter_pod_affinity,
    node_affinity,
    node_name,
    node_ports,
    node_resources_fit,
    node_unschedulable,
    node_volume_limits,
    pod_topology_spread,
    scheduling_gates,
    taint_toleration,
    volume_binding,
    volume_restrictions,
    volume_zone,
)
from scheduler_core.queue.hints.registration import Hint, Registration, always

EXTENDER: Final = "Extender"
"""Stands among the rejectors of a pod that an extender refused: any event may help it."""

PLUGINS: Final[Mapping[str, tuple[Registration, ...]]] = {
    "SchedulingGates": scheduling_gates.REGISTRATIONS,
    "NodeUnschedulable": node_unschedulable.REGISTRATIONS,
    "NodeName": node_name.REGISTRATIONS,
    "TaintToleration": taint_toleration.REGISTRATIONS,
    "NodeAffinity": node_affinity.REGISTRATIONS,
    "NodePorts": node_ports.REGISTRATIONS,
    "NodeResourcesFit": node_resources_fit.REGISTRATIONS,
    "VolumeRestrictions": volume_restrictions.REGISTRATIONS,
    "NodeVolumeLimits": node_volume_limits.REGISTRATIONS,
    "VolumeBinding": volume_binding.REGISTRATIONS,
    "VolumeZone": volume_zone.REGISTRATIONS,
    "PodTopologySpread": pod_topology_spread.REGISTRATIONS,
    "InterPodAffinity": inter_pod_affinity.REGISTRATIONS,
    "DefaultPreemption": default_preemption.REGISTRATIONS,
}
"""In the default order of the plugins."""

_EVERYTHING: Final = Registration(ClusterEvent(ANY, Action.ALL))
_NODE_TAINT: Final = ClusterEvent(NODE, Action.NODE_TAINT)

Asked = tuple[tuple[str, Hint], ...]


class HintMap:
    """The registrations of every profile, by scheduler name."""

    def __init__(self, profiles: Mapping[str, Iterable[str]]) -> None:
        self._registered = {
            profile: tuple((plugin, entry) for plugin in plugins for entry in registrations_of(plugin))
            for profile, plugins in profiles.items()
        }
        self._of: dict[tuple[str, ClusterEvent], Asked] = {}
        self._concerns: dict[tuple[str, frozenset[str], ClusterEvent], bool] = {}

    def is_of_interest(self, event: ClusterEvent) -> bool:
        """Whether any plugin asked for it."""
        return event.is_wildcard or any(self.of(profile, event) for profile in self._registered)

    def of(self, profile: str, event: ClusterEvent) -> Asked:
        """The plugins that asked for the event, with their hints, in order."""
        found = self._of.get((profile, event))
        if found is None:
            registered = self._registered.get(profile, ())
            found = tuple((plugin, entry.hint or always) for plugin, entry in registered if entry.event.matches(event))
            self._of[profile, event] = found
        return found

    def concerns(self, profile: str, rejectors: frozenset[str], event: ClusterEvent) -> bool:
        """Whether one of the rejectors asked for the event."""
        key = (profile, rejectors, event)
        found = self._concerns.get(key)
        if found is None:
            found = event.is_wildcard or any(plugin in rejectors for plugin, _ in self.of(profile, event))
            self._concerns[key] = found
        return found

    def events_of(self, profile: str, plugin: str) -> tuple[ClusterEvent, ...]:
        """The events that a plugin asked for."""
        return tuple(entry.event for name, entry in self._registered.get(profile, ()) if name == plugin)


def registrations_of(plugin: str) -> tuple[Registration, ...]:
    """What a plugin registers; one that asks for new nodes but for no taints is told of every change of taints as well."""
    if plugin == EXTENDER:
        return (_EVERYTHING,)
    entries = PLUGINS.get(plugin, ())
    actions = [entry.event.action for entry in entries if entry.event.resource == NODE]
    if any(action & Action.ADD for action in actions) and not any(action & Action.NODE_TAINT for action in actions):
        return (*entries, Registration(_NODE_TAINT))
    return entries


__all__ = ["EXTENDER", "PLUGINS", "Hint", "HintMap", "Registration", "registrations_of"]
