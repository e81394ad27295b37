"""NodeResourcesBalancedAllocation: prefers nodes whose resources are used evenly. Mirrors noderesources/balanced_allocation.go.

Fractions and their deviation are computed in upstream's order of operations: the results must be equal, not close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
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
    def __init__(self, cluster: Cluster, pod: PodInfo, resources: tuple[str, ...]) -> None:
        self._cluster = cluster
        self._pod = pod
        self._resources = resources

    def raw(self, rows: IndexArray) -> IntArray:
        cluster = self._cluster
        fractions: list[FloatArray] = []
        present: list[BoolArray] = []
        for resource in self._resources:
            asked = self._pod.requests.get(resource, 0)
            if asked == 0 and resource not in ("cpu", "memory", "ephemeral-storage"):
                continue
            column = cluster.resource_column(resource)
            allocatable = cluster.allocatable[rows, column]
            requested = cluster.requested[rows, column] + asked
            there = allocatable != 0
            if not cluster.is_everywhere(column):
                allocatable, requested = np.where(there, allocatable, 1), np.where(there, requested, 0)
            fractions.append(np.minimum(requested / allocatable, 1.0))
            present.append(there)
        if not fractions:
            return np.full(len(rows), MAX_NODE_SCORE, np.int64)
        return ((1 - _deviation(fractions, present)) * MAX_NODE_SCORE).astype(np.int64)

    def normalize(self, raw: IntArray) -> IntArray:
        return raw


def _deviation(fractions: Sequence[FloatArray], present: Sequence[BoolArray]) -> FloatArray:
    """Standard deviation of the fractions present, (rows,) float64; half the difference where there are two."""
    if len(fractions) == 2 and present[0].all() and present[1].all():
        half: FloatArray = np.abs((fractions[0] - fractions[1]) / 2)
        return half
    return _general_deviation(np.array(fractions), np.array(present))


def _general_deviation(fractions: FloatArray, present: BoolArray) -> FloatArray:
    """The same for any number of resources, some of which a node may not have: both (resources, rows)."""
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
