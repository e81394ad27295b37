"""The nodes as an extender without a node cache hands them back: their objects, and nothing of the pods and images on them.

The one rule: only scoring looks at it; everything else goes on with the whole cluster. Mirrors what the Filter of
pkg/scheduler/extender.go makes of the nodes in an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from scheduler_core.cluster.cluster import Cluster, PodIndex
from scheduler_core.cluster.row_columns import RowColumns


class EmptiedCluster(Cluster):
    """A view of a cluster on whose nodes no pod asks for anything; it is read only and short-lived."""

    shows_pods = False

    def __init__(self, whole: Cluster) -> None:
        self.__dict__.update(whole.__dict__)
        self._whole = whole
        self._static = {}
        self.resource_columns = dict(whole.resource_columns)
        self.nodes = [replace(node, images=()) for node in whole.nodes]
        self.requested = np.zeros_like(whole.requested)
        self.nonzero = np.zeros_like(whole.nonzero)
        self.pod_count = np.zeros_like(whole.pod_count)
        self.by_row = RowColumns()

    def index(self, kind: Callable[[Cluster], PodIndex]) -> Any:
        """That of the whole cluster: what PreScore counts over all nodes, it counts there."""
        return self._whole.index(kind)
