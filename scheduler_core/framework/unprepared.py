"""What happens to a filter whose PreFilter is disabled in the profile although it needs what PreFilter would have written.

The one rule: it fails where kube-scheduler fails, on the first node that reaches it, and with the same words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.framework.interface import FilterState, IndexArray, IntArray, PreFilterResult, PreScoreResult, Verdict
from scheduler_core.framework.status import PluginError, Status

if TYPE_CHECKING:
    from scheduler_core.cluster.cluster import Cluster
    from scheduler_core.cluster.pods import PodInfo


@dataclass(frozen=True, slots=True)
class WithoutState:
    """Stands in for a plugin whose Filter finds nothing to read."""

    name: str

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Never refuses by itself: the error comes with the first node."""
        return PreFilterResult(_Missing(self.name))


class _Missing(FilterState):
    def __init__(self, name: str) -> None:
        self._name = name

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        reading = f'error reading "PreFilter{self._name}" from cycleState: not found'
        raise PluginError(f'running "{self._name}" filter plugin: {reading}')


class Refusing(FilterState):
    """Refuses every row with one status: what a PreFilter that is disabled would have said of the pod itself."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return Verdict(np.ones(len(rows), np.int32), ((self._status.code, self._status.reasons),))


@dataclass(frozen=True, slots=True)
class WithoutScoreState:
    """Stands in for a plugin whose Score finds nothing to read."""

    name: str

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Always fails."""
        reading = f'error reading "PreScore{self.name}" from cycleState: not found'
        raise PluginError(f'running Score plugins: plugin "{self.name}" failed with: {reading}')
