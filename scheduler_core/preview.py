"""What can be said of a scenario before it runs: what everything asks for, what each budget leaves, where waiting pods fit.

The one rule: it is the engine that says it: views come from the start of a run, refusals from the filters of the pod's profile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np

from scheduler_core.api.objects import Pod
from scheduler_core.api.scenario import Scenario
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.configuration import profiles_of
from scheduler_core.framework.interface import Profile
from scheduler_core.framework.runner import pre_filter
from scheduler_core.framework.status import Status
from scheduler_core.simulation.run import Simulation
from scheduler_core.trace.replay import Replay

MOST_PODS: Final = 60
"""Waiting pods that are held against the nodes."""
MOST_NODES: Final = 300
FINISHED: Final = ("Succeeded", "Failed")


def preview(scenario: Scenario) -> dict[str, Any]:
    """``{nodes, pods, budgets, fits}`` at the start of a run, before the first pod is tried.

    ``nodes`` and ``budgets`` are views as in docs/events.md, with ``requested`` and ``pods``; pods have ``requests``, ``qos``,
    ``priority``, ``preemption_policy`` and ``budgets``, the keys of those that cover them. ``fits`` is {pod: {node: {fits, plugin, reasons,
    short}}} of at most 60 waiting pods and 300 nodes; ``short`` has what is too much, in milli-CPU, bytes or units.
    """
    state = _start(scenario)
    covered: dict[str, list[str]] = {}
    for key, budget in state["budgets"].items():
        for pod in budget["pods"]:
            covered.setdefault(pod, []).append(key)
    return {
        "nodes": {name: _kept(view, ("allocatable", "requested", "pods")) for name, view in state["nodes"].items()},
        "pods": {
            key: {**_kept(view, ("requests", "qos", "priority", "preemption_policy", "node")), "budgets": covered.get(key, [])}
            for key, view in state["pods"].items()
        },
        "budgets": state["budgets"],
        "fits": _fits(scenario),
    }


def _start(scenario: Scenario) -> dict[str, Any]:
    """The state when everything given is there and nothing has happened yet."""
    replay = Replay()
    for event in Simulation(scenario, trace=False).events():
        if event.kind == "cycle.started" or event.t > 0:
            break
        replay.apply(event.document())
    return replay.document()


def _kept(view: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: view[name] for name in names}


def _fits(scenario: Scenario) -> dict[str, dict[str, Any]]:
    cluster = Cluster(scenario.objects)
    profiles = profiles_of(scenario.config, scenario.feature_gates).profiles
    waiting = [item for item in scenario.objects if isinstance(item, Pod) and not item.node_name and item.phase not in FINISHED]
    found = {}
    for pod in waiting[:MOST_PODS]:
        profile = profiles.get(pod.scheduler_name)
        if profile is not None:
            found[pod.key] = _fits_of(cluster, profile, cluster.info_of(pod))
    return found


def _fits_of(cluster: Cluster, profile: Profile, info: PodInfo) -> dict[str, Any]:
    """What the filters say of each node, and by how much it is too small."""
    pod_filter = pre_filter(profile, cluster, info)
    rows = np.arange(min(len(cluster), MOST_NODES))
    outcome = None if pod_filter.status is not None else pod_filter.run(rows)
    allowed = pod_filter.nodes
    answers = {}
    for row in rows.tolist():
        name = cluster.names[row]
        status = pod_filter.status if outcome is None else outcome.status(row)
        if outcome is not None and allowed is not None and name not in allowed:
            answers[name] = {"fits": False, "plugin": ", ".join(pod_filter.nodes_by), "reasons": [], "short": {}}
            continue
        answers[name] = _answer(status, _short(cluster, info, row))
    return answers


def _answer(status: Status | None, short: dict[str, int]) -> dict[str, Any]:
    if status is None or status.is_success:
        return {"fits": True, "plugin": "", "reasons": [], "short": {}}
    return {"fits": False, "plugin": status.plugin, "reasons": list(status.reasons), "short": short}


def _short(cluster: Cluster, info: PodInfo, row: int) -> dict[str, int]:
    """By how much the node is too small, by resource."""
    short: dict[str, int] = {}
    for name, amount in info.requests.items():
        column = cluster.resource_column(name)
        excess = int(cluster.requested[row, column]) + amount - int(cluster.allocatable[row, column])
        if amount > 0 and excess > 0:
            short[name] = excess
    return short
