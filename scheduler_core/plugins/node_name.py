"""NodeName: a pod that names its node goes nowhere else. Mirrors plugins/nodename."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import ALWAYS_SKIP, FilterState, IndexArray, IntArray, PreFilterResult, Verdict, reject_rows
from scheduler_core.framework.status import Code

REASON: Final = "node(s) didn't match the requested node name"


@dataclass(frozen=True, slots=True)
class NodeName:
    """The plugin; it has no arguments."""

    name: str = "NodeName"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip when the pod names no node."""
        if not pod.pod.node_name:
            return ALWAYS_SKIP
        return PreFilterResult(_State(cluster.row_of.get(pod.pod.node_name, -1)), lasting=True)


class _State(FilterState):
    def __init__(self, row: int) -> None:
        self._row = row

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return reject_rows(np.asarray(rows) != self._row, Code.UNRESOLVABLE, REASON)
