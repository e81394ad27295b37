"""NodePorts: two pods on one node cannot hold the same host port. Mirrors plugins/nodeports.

The ledger has a column for each (protocol, address, port) held somewhere that collides with one the pod wants, 1 where it is held.
As upstream, a node remembers which ports are held but not how often: when one of two holders goes, the port counts as free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.framework.interface import ALWAYS_SKIP, FilterState, IndexArray, IntArray, PreFilterResult, Verdict, reject_rows
from scheduler_core.framework.status import Code

REASON: Final = "node(s) didn't have free ports for the requested pod ports"
_ANY: Final = "0.0.0.0"

HostPort = tuple[str, str, int]


class PortIndex:
    """Which rows hold which (protocol, port), by address."""

    def __init__(self, cluster: Cluster) -> None:
        self.held: dict[tuple[str, int], dict[str, set[int]]] = {}

    def added(self, info: PodInfo, row: int) -> None:
        """The row holds the pod's host ports."""
        for protocol, ip, port in info.host_ports:
            self.held.setdefault((protocol, port), {}).setdefault(ip, set()).add(row)

    def removed(self, info: PodInfo, row: int) -> None:
        """The row no longer holds them, whoever else did."""
        for protocol, ip, port in info.host_ports:
            self.held.get((protocol, port), {}).get(ip, set()).discard(row)


@dataclass(frozen=True, slots=True)
class NodePorts:
    """The plugin; it has no arguments."""

    name: str = "NodePorts"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip when the pod asks for no host port."""
        if not pod.host_ports:
            return ALWAYS_SKIP
        index: PortIndex = cluster.index(PortIndex)
        return PreFilterResult(_State(len(cluster), pod.host_ports, index))


class _State(FilterState):
    is_sum = False

    def __init__(self, nodes: int, wanted: tuple[HostPort, ...], index: PortIndex) -> None:
        self._wanted = wanted
        self._columns: dict[HostPort, int] = {}
        holders: list[set[int]] = []
        for protocol, ip, port in dict.fromkeys(wanted):
            for other, rows in index.held.get((protocol, port), {}).items():
                if _collide(ip, other) and self._columns.setdefault((protocol, other, port), len(holders)) == len(holders):
                    holders.append(rows)
            # a pod that comes later, such as a nominated one, may hold exactly what is wanted
            if self._columns.setdefault((protocol, ip, port), len(holders)) == len(holders):
                holders.append(set())
        self.width = len(holders) + 1
        self._held = np.zeros((nodes, self.width), np.int64)
        for column, rows in enumerate(holders):
            self._held[list(rows), column] = 1

    def usage(self, rows: IndexArray) -> IntArray:
        return self._held[rows]

    def weigh(self, pods: PodBatch) -> IntArray:
        weights = np.zeros((len(pods), self.width), np.int64)
        for k, info in enumerate(pods.infos):
            for held in info.host_ports:
                column = self._columns.get(held)
                if column is not None:
                    weights[k, column] = 1
                elif any(_same(mine, held) for mine in self._wanted):
                    weights[k, -1] = 1
        return weights

    def take_off(self, usage: IntArray, at: IndexArray, weights: IntArray) -> None:
        pods, columns = np.nonzero(weights)
        usage[at[pods], columns] = 0

    def put_on(self, usage: IntArray, at: IndexArray, weights: IntArray) -> None:
        pods, columns = np.nonzero(weights)
        usage[at[pods], columns] = 1

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return reject_rows(usage.max(axis=1) > 0, Code.UNSCHEDULABLE, REASON)


def _same(a: HostPort, b: HostPort) -> bool:
    return a[0] == b[0] and a[2] == b[2] and _collide(a[1], b[1])


def _collide(a: str, b: str) -> bool:
    return a == b or _ANY in (a, b)
