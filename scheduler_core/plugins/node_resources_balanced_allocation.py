"""NodeResourcesBalancedAllocation: prefers nodes whose resources are used evenly. Mirrors noderesources/balanced_allocation.go.

Fractions and their deviation are computed in upstream's order of operations: the results must be equal, not close.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster, selection
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import MAX_NODE_SCORE, NEVER_SCORES, BoolArray, IndexArray, IntArray, PreScoreResult

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeResourcesBalancedAllocation:
    """The plugin, with the resources of NodeResourcesBalancedAllocationArgs."""

    name: str = "NodeResourcesBalancedAllocation"
    resources: tuple[str, ...] = ("cpu", "memory")

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Skip a pod that asks for none of the resources: it unbalances nothing."""
        if not any(pod.requests.get(resource) for resource in self.resources):
            return NEVER_SCORES
        return PreScoreResult(_Score(cluster, pod, self.resources), lasting=True)


class _Score:
    looks_at_pods = True

    def __init__(self, cluster: Cluster, pod: PodInfo, resources: tuple[str, ...]) -> None:
        looked_at = [name for name in resources if pod.requests.get(name, 0) or name in ("cpu", "memory", "ephemeral-storage")]
        self._cluster = cluster
        columns = tuple(cluster.resource_column(name) for name in looked_at)
        self._columns = selection(columns)
        self._allocatable = cluster.allocatable_of(columns)
        self._asked = np.array([pod.requests.get(name, 0) for name in looked_at], np.int64)
        self._everywhere = all(cluster.is_everywhere(column) for column in columns)

    def raw(self, rows: IndexArray) -> IntArray:
        allocatable = self._allocatable[rows]
        requested = self._cluster.requested[rows][:, self._columns] + self._asked
        if self._everywhere and len(self._asked) == 2:
            fractions = np.minimum(requested / allocatable, 1.0)
            deviation: FloatArray = np.abs((fractions[:, 0] - fractions[:, 1]) / 2)
        else:
            there = allocatable != 0
            fractions = np.minimum(np.where(there, requested, 0) / np.where(there, allocatable, 1), 1.0)
            deviation = _deviation(fractions.T, there.T)
        return ((1 - deviation) * MAX_NODE_SCORE).astype(np.int64)

    def normalize(self, raw: IntArray) -> IntArray:
        return raw


def _deviation(fractions: FloatArray, present: BoolArray) -> FloatArray:
    """Standard deviation of the fractions that a row has, (rows,) float64; half the difference of two; both are (resources, rows)."""
    count = present.sum(axis=0)
    total = np.zeros(fractions.shape[1])
    for row in fractions:
        total = total + row
    mean = total / np.maximum(count, 1)
    squares = np.zeros(fractions.shape[1])
    for row, there in zip(fractions, present, strict=True):
        squares = squares + np.where(there, (row - mean) * (row - mean), 0.0)
    general = np.sqrt(squares / np.maximum(count, 1))
    # with two, the first minus the second: absent ones are zero and cancel out
    signs = np.where(np.cumsum(present, axis=0) == 1, 1.0, -1.0) * present
    two = np.abs((fractions * signs).sum(axis=0) / 2)
    return np.where(count == 2, two, np.where(count > 2, general, 0.0))
