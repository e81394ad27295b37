"""NodePorts: two pods on one node cannot hold the same host port. Mirrors plugins/nodeports.

The ledger has one column: how many host ports of pods on the node collide with the pod's.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.framework.interface import SKIP, FilterState, IndexArray, IntArray, PreFilterResult, Verdict, reject_rows
from scheduler_core.framework.status import Code

REASON: Final = "node(s) didn't have free ports for the requested pod ports"
_ANY: Final = "0.0.0.0"  # noqa: S104 - the wildcard address of a host port, nothing listens here

HostPort = tuple[str, str, int]


class PortIndex:
    """Which rows hold which (protocol, port), with the address and how many pods hold it."""

    def __init__(self, cluster: Cluster) -> None:
        self.held: dict[tuple[str, int], dict[tuple[int, str], int]] = defaultdict(lambda: defaultdict(int))

    def added(self, info: PodInfo, row: int) -> None:
        """Count the pod's host ports."""
        for protocol, ip, port in info.host_ports:
            self.held[protocol, port][row, ip] += 1

    def removed(self, info: PodInfo, row: int) -> None:
        """Stop counting them."""
        for protocol, ip, port in info.host_ports:
            holders = self.held[protocol, port]
            holders[row, ip] -= 1
            if not holders[row, ip]:
                del holders[row, ip]


@dataclass(frozen=True, slots=True)
class NodePorts:
    """The plugin; it has no arguments."""

    name: str = "NodePorts"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip when the pod asks for no host port."""
        if not pod.host_ports:
            return SKIP
        index: PortIndex = cluster.index(PortIndex)
        collisions = np.zeros((len(cluster), 1), np.int64)
        for protocol, ip, port in pod.host_ports:
            for (row, other), count in index.held.get((protocol, port), {}).items():
                if _collide(ip, other):
                    collisions[row, 0] += count
        return PreFilterResult(_State(pod.host_ports, collisions))


class _State(FilterState):
    width = 1

    def __init__(self, wanted: tuple[HostPort, ...], collisions: IntArray) -> None:
        self._wanted = wanted
        self._collisions = collisions

    def usage(self, rows: IndexArray) -> IntArray:
        return self._collisions[rows]

    def weigh(self, pods: PodBatch) -> IntArray:
        counts = [sum(_same(mine, other) for mine in self._wanted for other in info.host_ports) for info in pods.infos]
        return np.asarray(counts, np.int64).reshape(-1, 1)

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return reject_rows(usage[:, 0] > 0, Code.UNSCHEDULABLE, REASON)


def _same(a: HostPort, b: HostPort) -> bool:
    return a[0] == b[0] and a[2] == b[2] and _collide(a[1], b[1])


def _collide(a: str, b: str) -> bool:
    return a == b or _ANY in (a, b)
