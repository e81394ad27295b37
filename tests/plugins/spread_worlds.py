"""Nodes, pods and clusters for the tests of spreading and affinity, in as few words as possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from scheduler_core.api.objects import KubeObject, LabelSelector, Node, Pod, PodAffinityTerm, Requirement
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.framework.interface import FilterPlugin, FilterState, ScorePlugin

HOST = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
APP = LabelSelector(match_labels=(("app", "web"),))
EVERYTHING = LabelSelector()


def node(name: str, zone: str | None = None, **fields: Any) -> Node:
    """A node with its host name as label, and a zone unless that is None."""
    labels = {HOST: name} | ({} if zone is None else {ZONE: zone}) | fields.pop("labels", {})
    return Node(name=name, labels=labels, **fields)


def pod(name: str, on: str = "", labels: Mapping[str, str] | None = None, **fields: Any) -> Pod:
    """A pod of the application web, on a node or pending."""
    return Pod(name=name, node_name=on, labels={"app": "web"} if labels is None else labels, **fields)


def selector(**labels: str) -> LabelSelector:
    """A selector of exact labels."""
    return LabelSelector(match_labels=tuple(labels.items()))


def expression(key: str, operator: str, *values: str) -> LabelSelector:
    """A selector of one expression."""
    return LabelSelector(match_expressions=(Requirement(key=key, operator=operator, values=values),))


def term(key: str = ZONE, matching: LabelSelector | None = APP, **fields: Any) -> PodAffinityTerm:
    """A term of pod affinity or anti-affinity."""
    return PodAffinityTerm(topology_key=key, selector=matching, **fields)


def filtered(plugin: FilterPlugin, objects: Iterable[KubeObject], incoming: Pod) -> dict[str, str]:
    """The reason for each node that the plugin refuses; empty as well when it skips."""
    cluster = Cluster(objects)
    state = plugin.pre_filter(cluster, cluster.info_of(incoming)).state
    return {} if state is None else reasons(cluster, state)


def reasons(cluster: Cluster, state: FilterState) -> dict[str, str]:
    """The reason for each node that the state refuses."""
    rows = np.arange(len(cluster))
    verdict = state.actual_verdict(rows)
    if verdict is None:
        return {}
    return {cluster.names[row]: verdict.reasons[k - 1][1][0] for row, k in enumerate(verdict.ids.tolist()) if k}


def scored(plugin: ScorePlugin, objects: Iterable[KubeObject], incoming: Pod, names: Iterable[str] | None = None) -> dict[str, int] | None:
    """The normalised score of each node, or of some; None when the plugin skips."""
    cluster = Cluster(objects)
    rows = np.array([cluster.row_of[name] for name in names or cluster.names])
    state = plugin.pre_score(cluster, cluster.info_of(incoming), rows).state
    if state is None:
        return None
    return dict(zip([cluster.names[row] for row in rows], state.normalize(state.raw(rows)).tolist(), strict=True))
