"""NodeResourcesFit: what a pod asks for must be free, and how full a node is makes its score. Mirrors plugins/noderesources/fit.go.

The ledger is what the pods on the node request of the resources that this pod asks for, then the number of pods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.resources import scored_requests_of
from scheduler_core.cluster.cluster import MEMORY, Cluster, selection
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.framework.interface import (
    MAX_NODE_SCORE,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Reason,
    RowLedger,
    Verdict,
)
from scheduler_core.framework.status import Code

TOO_MANY_PODS: Final = "Too many pods"
CROWDED: Final = 1
HOPELESS: Final = 2
FIRST_RESOURCE: Final = 4
"""Bits of a combination of reasons: no place for a pod, more than the node has at all, then one for each resource short."""
MOST_TABLED: Final = 10
"""Resources asked for up to which a table of all combinations is small."""
_NATIVE: Final = ("cpu", "memory", "ephemeral-storage")

Shape = tuple[tuple[int, int], ...]
"""Points (utilization 0..100, score 0..10) in rising order of utilization."""
Rate = Callable[[IntArray, IntArray], IntArray]
"""The score of what is requested in what is allocatable, elementwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringStrategy:
    """ScoringStrategy of NodeResourcesFitArgs: type, (resource, weight) pairs, and the shape for RequestedToCapacityRatio."""

    type: str = "LeastAllocated"
    resources: tuple[tuple[str, int], ...] = (("cpu", 1), ("memory", 1))
    shape: Shape = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResourcesFit:
    """The plugin, with NodeResourcesFitArgs."""

    name: str = "NodeResourcesFit"
    ignored_resources: frozenset[str] = frozenset()
    ignored_groups: frozenset[str] = frozenset()
    strategy: ScoringStrategy = ScoringStrategy()

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Never skipped: even a pod that asks for nothing takes one of the node's places."""
        asked = [(name, amount) for name, amount in pod.requests.items() if amount > 0 and not self._ignores(name)]
        return PreFilterResult(_State(cluster, asked), lasting=True)

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Never skipped."""
        return PreScoreResult(_Score(cluster, pod, self.strategy), lasting=True)

    def _ignores(self, resource: str) -> bool:
        if resource in _NATIVE or "/" not in resource:
            return False
        return resource in self.ignored_resources or resource.split("/", 1)[0] in self.ignored_groups


class _State(FilterState):
    def __init__(self, cluster: Cluster, asked: Sequence[tuple[str, int]]) -> None:
        self._cluster = cluster
        self._names = [name for name, _ in asked]
        columns = tuple(cluster.resource_column(name) for name in self._names)
        self._columns = selection(columns)
        self._allocatable = cluster.allocatable_of(columns)
        self._asked = [amount for _, amount in asked]
        self._amounts = np.array(self._asked, np.int64)
        self._bits = FIRST_RESOURCE << np.arange(len(asked))
        self.width = len(asked) + 1

    def usage(self, rows: IndexArray) -> IntArray:
        ledger = np.empty((len(rows), self.width), np.int64)
        ledger[:, :-1] = self._cluster.requested[rows][:, self._columns]
        ledger[:, -1] = self._cluster.pod_count[rows]
        return ledger

    def weigh(self, pods: PodBatch) -> IntArray:
        ledger = np.ones((len(pods), self.width), np.int64)
        ledger[:, :-1] = pods.table.requests[pods.slots][:, self._columns]
        return ledger

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        allocatable = self._allocatable[rows]
        insufficient = self._amounts > allocatable - usage[:, :-1]
        crowded = usage[:, -1] >= self._cluster.allowed_pods[rows]
        if not np.count_nonzero(insufficient) and not np.count_nonzero(crowded):
            return None
        hopeless = (self._amounts > allocatable).any(axis=1)
        return self._as_verdict(crowded * CROWDED + hopeless * HOPELESS + insufficient @ self._bits)

    def of_row(self, row: int, pods: PodBatch | None) -> RowLedger:
        cluster = self._cluster
        allocatable: list[int] = self._allocatable[row].tolist()
        places = cluster.allowed_pods.item(row)

        def refusal(ledger: Sequence[int]) -> Reason | None:
            combination = CROWDED if ledger[-1] >= places else 0
            for k, amount in enumerate(self._asked):
                if amount > allocatable[k] - ledger[k]:
                    combination |= FIRST_RESOURCE << k
            if not combination:
                return None
            hopeless = any(amount > most for amount, most in zip(self._asked, allocatable, strict=True))
            return self._reason(combination | HOPELESS * hopeless)

        usage = [*cluster.requested[row, self._columns].tolist(), cluster.pod_count.item(row)]
        if pods is None:
            return RowLedger(usage, [], refusal)
        return RowLedger(usage, [[*weight, 1] for weight in pods.table.requests[pods.slots][:, self._columns].tolist()], refusal)

    def _as_verdict(self, combinations: IntArray) -> Verdict | None:
        """``combinations`` is (rows,): one number for each combination of reasons, 0 where the pod fits. Few of them, many rows."""
        if len(self._names) > MOST_TABLED:
            distinct, which = np.unique(combinations, return_inverse=True)
            passes = int(distinct[0] == 0)
            return Verdict((which + (1 - passes)).astype(np.int32), [self._reason(int(value)) for value in distinct[passes:]])
        counts = np.bincount(combinations)
        counts[0] = 0
        found = np.flatnonzero(counts)
        place = np.zeros(len(counts), np.int32)
        place[found] = np.arange(1, len(found) + 1)
        return Verdict(place[combinations], [self._reason(value) for value in found.tolist()])

    def _reason(self, combination: int) -> Reason:
        reasons = [TOO_MANY_PODS] if combination & CROWDED else []
        reasons += [f"Insufficient {name}" for k, name in enumerate(self._names) if combination & (FIRST_RESOURCE << k)]
        return (Code.UNRESOLVABLE if combination & HOPELESS else Code.UNSCHEDULABLE, tuple(reasons))


class _Score:
    """Scores by the strategy; cpu and memory count a default where a container asks for nothing.

    Mirrors calculateResourceAllocatableRequest of resource_allocation.go.
    """

    looks_at_pods = True

    def __init__(self, cluster: Cluster, pod: PodInfo, strategy: ScoringStrategy) -> None:
        asked = scored_requests_of(pod.pod)
        scored = [(name, weight) for name, weight in strategy.resources if name in _NATIVE or asked.get(name, 0)]
        self._cluster = cluster
        columns = tuple(cluster.resource_column(name) for name, _ in scored)
        self._columns = selection(columns)
        self._allocatable = cluster.allocatable_of(columns)
        self._asked = np.array([asked.get(name, 0) for name, _ in scored], np.int64)
        self._weights = np.array([weight for _, weight in scored], np.int64)
        self._whole = sum(weight for _, weight in scored)
        self._defaulted = np.array([column <= MEMORY for column in columns], np.bool_)
        self._with_defaults = selection([column for column in columns if column <= MEMORY])
        self._all_defaulted = bool(self._defaulted.all())
        self._by_shape = strategy.type == "RequestedToCapacityRatio"
        self._everywhere = all(cluster.is_everywhere(column) for column in columns)
        self._rate = _rate_of(strategy)

    def raw(self, rows: IndexArray) -> IntArray:
        allocatable = self._allocatable[rows]
        requested = self._requested(rows) + self._asked
        if self._everywhere and self._whole and not self._by_shape:
            mean: IntArray = self._rate(requested, allocatable) @ self._weights // self._whole
            return mean
        there = allocatable != 0
        scores = np.where(there, self._rate(requested, np.where(there, allocatable, 1)), 0)
        counts = there & (scores > 0) if self._by_shape else there
        return _average(scores @ self._weights, counts @ self._weights, rounded=self._by_shape)

    def _requested(self, rows: IndexArray) -> IntArray:
        """What the pods on the rows request of the resources scored: (rows, resources) int64."""
        with_defaults: IntArray = self._cluster.nonzero[rows][:, self._with_defaults]
        if self._all_defaulted:
            return with_defaults
        requested: IntArray = self._cluster.requested[rows][:, self._columns]
        requested[:, self._defaulted] = with_defaults
        return requested

    def normalize(self, raw: IntArray) -> IntArray:
        return raw


def _average(total: IntArray, weights: IntArray, *, rounded: bool) -> IntArray:
    safe = np.where(weights == 0, 1, weights)
    if rounded:
        quotient = np.floor(total.astype(np.float64) / safe + 0.5).astype(np.int64)
    else:
        quotient = total // safe
    return np.where(weights == 0, 0, quotient)


def _least(requested: IntArray, allocatable: IntArray) -> IntArray:
    free: IntArray = np.maximum(allocatable - requested, 0)
    return free * MAX_NODE_SCORE // allocatable


def _most(requested: IntArray, allocatable: IntArray) -> IntArray:
    return np.minimum(requested, allocatable) * MAX_NODE_SCORE // allocatable


def _by_shape(shape: Shape) -> Rate:
    points = [(utilization, score * MAX_NODE_SCORE // 10) for utilization, score in shape]

    def rate(requested: IntArray, allocatable: IntArray) -> IntArray:
        utilization = np.where(requested > allocatable, 100, requested * 100 // allocatable)
        return _broken_line(points, utilization)

    return rate


def _broken_line(points: Sequence[tuple[int, int]], at: IntArray) -> IntArray:
    """The broken linear function through the points, with integer division truncating towards zero as in Go."""
    result = np.full(at.shape, points[-1][1], np.int64)
    for k in reversed(range(len(points))):
        inside = at <= points[k][0]
        if k == 0:
            value = np.full(at.shape, points[0][1], np.int64)
        else:
            (x0, y0), (x1, y1) = points[k - 1], points[k]
            rise = (y1 - y0) * (at - x0)
            value = y0 + np.sign(rise) * (np.abs(rise) // (x1 - x0))
        result = np.where(inside, value, result)
    return result


def _rate_of(strategy: ScoringStrategy) -> Rate:
    if strategy.type == "RequestedToCapacityRatio":
        return _by_shape(strategy.shape)
    return _most if strategy.type == "MostAllocated" else _least
