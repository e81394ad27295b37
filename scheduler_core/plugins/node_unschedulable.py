"""NodeUnschedulable: a cordoned node takes only pods that tolerate it. Mirrors plugins/nodeunschedulable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.objects import Taint
from scheduler_core.api.tolerations import tolerates
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import (
    ALWAYS_SKIP,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    Verdict,
    reject_rows,
)
from scheduler_core.framework.status import Code

REASON: Final = "node(s) were unschedulable"
_TAINT: Final = Taint(key="node.kubernetes.io/unschedulable", effect="NoSchedule")


@dataclass(frozen=True, slots=True)
class NodeUnschedulable:
    """The plugin; it has no arguments."""

    name: str = "NodeUnschedulable"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip when no node is cordoned or the pod tolerates it."""
        cordoned = cluster.static(self.name, lambda: np.array([node.unschedulable for node in cluster.nodes], np.bool_))
        if not cordoned.any() or tolerates(pod.pod.tolerations, _TAINT):
            return ALWAYS_SKIP
        return PreFilterResult(_State(cordoned), lasting=True)


class _State(FilterState):
    def __init__(self, cordoned: BoolArray) -> None:
        self._cordoned = cordoned

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return reject_rows(self._cordoned[rows], Code.UNRESOLVABLE, REASON)
