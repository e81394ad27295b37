"""NodeAffinity: node selectors and node affinity, required and preferred. Mirrors plugins/nodeaffinity."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Final

import numpy as np

from scheduler_core.api.objects import Node, NodeSelectorTerm, PreferredNodeTerm
from scheduler_core.api.selectors import node_selector_term_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.eligible_nodes import required_nodes
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import (
    ALWAYS_SKIP,
    NEVER_SCORES,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Verdict,
)
from scheduler_core.framework.normalize import default_normalize
from scheduler_core.framework.status import Code, Status

REASON: Final = "node(s) didn't match Pod's node affinity/selector"
REASON_ENFORCED: Final = "node(s) didn't match scheduler-enforced node affinity"
REASON_CONFLICT: Final = "pod affinity terms conflict"

Terms = tuple[NodeSelectorTerm, ...]


@dataclass(frozen=True, slots=True)
class NodeAffinity:
    """The plugin, with the affinity that NodeAffinityArgs adds to every pod."""

    name: str = "NodeAffinity"
    added_required: Terms | None = None
    added_preferred: tuple[PreferredNodeTerm, ...] = field(default=())

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip without any selector; where every term names nodes, only those are looked at."""
        spec = pod.pod
        if self.added_required is None and not spec.node_selector and spec.required_node_affinity is None:
            return ALWAYS_SKIP
        state = _State(required_nodes(cluster, spec), self._enforced(cluster))
        nodes = _named_nodes(spec.required_node_affinity)
        if nodes is not None and not nodes:
            return PreFilterResult(status=Status(Code.UNRESOLVABLE, (REASON_CONFLICT,)))
        return PreFilterResult(state, nodes=nodes, lasting=True)

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Skip when nothing is preferred."""
        preferred = self.added_preferred + pod.pod.preferred_node_affinity
        if not preferred:
            return NEVER_SCORES
        return PreScoreResult(_Score(cluster.static((self.name, preferred), lambda: _preference(cluster, preferred))))

    def _enforced(self, cluster: Cluster) -> BoolArray | None:
        terms = self.added_required
        if terms is None:
            return None
        return cluster.static((self.name, "enforced", terms), lambda: np.array([_any(terms, n) for n in cluster.nodes], np.bool_))


class _State(FilterState):
    def __init__(self, matching: BoolArray | None, enforced: BoolArray | None) -> None:
        self._matching = matching
        self._enforced = enforced

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        ids = np.zeros(len(rows), np.int32)
        if self._matching is not None:
            ids[~self._matching[rows]] = 1
        if self._enforced is not None:
            ids = np.where(self._enforced[rows], ids, 2).astype(np.int32)
        if not ids.any():
            return None
        return Verdict(ids, ((Code.UNRESOLVABLE, (REASON,)), (Code.UNRESOLVABLE, (REASON_ENFORCED,))))


class _Score:
    looks_at_pods = False

    def __init__(self, weights: IntArray) -> None:
        self._weights = weights

    def raw(self, rows: IndexArray) -> IntArray:
        return self._weights[rows]

    def normalize(self, raw: IntArray) -> IntArray:
        return default_normalize(raw)


def _any(terms: Terms, node: Node) -> bool:
    return any(node_selector_term_matches(term, node.labels, node.name) for term in terms)


def _named_nodes(terms: Terms | None) -> frozenset[str] | None:
    """The nodes that the terms name by metadata.name; None when some term names none."""
    if terms is None:
        return None
    union: frozenset[str] = frozenset()
    for term in terms:
        named = [frozenset(r.values) for r in term.match_fields if r.key == "metadata.name" and r.operator == "In"]
        if not named:
            return None
        union |= reduce(lambda left, right: left & right, named)
    return union


def _preference(cluster: Cluster, preferred: tuple[PreferredNodeTerm, ...]) -> IntArray:
    total = np.zeros(len(cluster), np.int64)
    for entry in preferred:
        if entry.weight:
            total += entry.weight * np.array([_any((entry.term,), node) for node in cluster.nodes], np.int64)
    return total
