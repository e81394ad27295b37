"""Which pods are nominated to which node. Mirrors backend/queue/nominator.go.

The one rule: a pod is nominated to one node at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.pods import NOWHERE, PodInfo


@dataclass(frozen=True, slots=True)
class NominatedColumns:
    """Every nomination to a node of the table: ``rows``, ``slots`` and ``priorities`` are (nominations,) int64."""

    rows: NDArray[np.int64]
    slots: NDArray[np.int64]
    priorities: NDArray[np.int64]


class Nominator:
    """Nominations in the order in which they were made; ``changed`` is told of every node that gets or loses one."""

    def __init__(self, changed: Callable[[str], None] | None = None) -> None:
        self._on: dict[str, dict[str, PodInfo]] = {}
        self._node_of: dict[str, str] = {}
        self._columns: tuple[int, NominatedColumns] | None = None
        """as of a generation of the nodes; forgotten with every change of a nomination"""
        self._changed = changed

    def __bool__(self) -> bool:
        return bool(self._node_of)

    def add(self, info: PodInfo, node: str) -> None:
        """Nominate the pod to the node, taking it from where it was nominated before."""
        there = self._on.get(node, {})
        if there.get(info.key) is info and next(reversed(there)) == info.key:
            # nothing changes but the order of nodes
            if len(there) == 1:
                self._on[node] = self._on.pop(node)
            return
        self.delete(info.key)
        self._note(node)
        self._on.setdefault(node, {})[info.key] = info
        self._node_of[info.key] = node

    def delete(self, key: str) -> None:
        """Forget the pod's nomination, if any."""
        node = self._node_of.pop(key, None)
        if node is None:
            return
        self._note(node)
        pods = self._on[node]
        del pods[key]
        if not pods:
            del self._on[node]

    def node_of(self, key: str) -> str:
        """The node to which the pod is nominated, "" for none."""
        return self._node_of.get(key, "")

    def on(self, node: str) -> list[PodInfo]:
        """The pods nominated to the node, oldest nomination first."""
        return list(self._on.get(node, {}).values())

    def nodes(self) -> list[str]:
        """The nodes that have nominated pods."""
        return list(self._on)

    def items(self) -> list[tuple[str, str]]:
        """(pod, node) for every nomination."""
        return list(self._node_of.items())

    def info_of(self, key: str) -> PodInfo | None:
        """The pod as it was nominated; None when it is not."""
        return self._on.get(self._node_of.get(key, ""), {}).get(key)

    def columns(self, row_of: Mapping[str, int], generation: int) -> NominatedColumns:
        """The nominations as columns, older ones first; ``generation`` is that of the nodes to which ``row_of`` belongs."""
        if self._columns is not None and self._columns[0] == generation:
            return self._columns[1]
        found = [(row_of[node], self._on[node][key]) for key, node in self._node_of.items() if row_of.get(node, NOWHERE) != NOWHERE]
        columns = NominatedColumns(
            np.array([row for row, _ in found], np.int64),
            np.array([info.slot for _, info in found], np.int64),
            np.array([info.priority for _, info in found], np.int64),
        )
        self._columns = (generation, columns)
        return columns

    def _note(self, node: str) -> None:
        self._columns = None
        if self._changed is not None:
            self._changed(node)
