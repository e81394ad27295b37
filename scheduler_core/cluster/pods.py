"""Pods as rows of a table: what every plugin asks of many pods at once stands in columns.

The one rule: a pod keeps its slot for as long as the cluster knows it, placed or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Pod, Resources

NO_START: Final = np.iinfo(np.int64).max
"""The start time of a pod that has none: it counts as started just now."""
NOWHERE: Final = -1
UNSIGNED: Final = -1


@dataclass(slots=True, eq=False)
class PodInfo:
    """A pod with what scheduling asks of it again and again, computed once. Mirrors framework.PodInfo."""

    pod: Pod
    key: str
    priority: int
    requests: Resources
    nonzero: tuple[int, int]
    """Requests for scoring: (milli-CPU, bytes), with a default where a container asks for nothing."""
    host_ports: tuple[tuple[str, str, int], ...] = ()
    """(protocol, host IP, host port) of every declared host port."""
    slot: int = NOWHERE
    row: int = NOWHERE
    signature: int = UNSIGNED
    """A number that pods share whom plugins answer alike; UNSIGNED for a pod of its own kind, and for pods on nodes."""

    @property
    def is_terminating(self) -> bool:
        """Whether the pod was deleted and is still there."""
        return self.pod.deletion_timestamp is not None


@dataclass(frozen=True, slots=True)
class PodBatch:
    """Pods beside rows: ``slots`` and ``rows`` are (pods,) integers; a row need not be where the pod is."""

    table: PodTable
    slots: NDArray[np.int64]
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.slots)

    @property
    def infos(self) -> list[PodInfo]:
        """The pods, in order."""
        infos = self.table.infos
        return [infos[slot] for slot in self.slots.tolist()]


class PodTable:
    """Columns over slots; a slot is given again only after its pod is forgotten."""

    def __init__(self, resources: int) -> None:
        self.infos: list[PodInfo] = []
        self.requests = np.zeros((16, resources), np.int64)
        """(slots, resources) int64"""
        self.nonzero = np.zeros((16, 2), np.int64)
        """(slots, 2) int64: milli-CPU, bytes"""
        self.priority = np.zeros(16, np.int64)
        self.start = np.full(16, NO_START, np.int64)
        """(slots,) int64: seconds, or NO_START"""
        self.row = np.full(16, NOWHERE, np.int64)
        """(slots,) int64: where the pod is, or NOWHERE"""
        self.position = np.zeros(16, np.int64)
        """(slots,) int64: place in its node's list of pods"""
        self.terminating = np.zeros(16, np.bool_)
        self._free: list[int] = []

    def __iter__(self) -> Iterator[PodInfo]:
        return (info for info in self.infos if info.slot != NOWHERE)

    def allocate(self, info: PodInfo, columns: Sequence[tuple[int, int]]) -> None:
        """Give the pod a slot; ``columns`` are its requests as (column, amount)."""
        slot = self._free.pop() if self._free else len(self.infos)
        if slot == len(self.infos):
            self.infos.append(info)
            if slot >= len(self.priority):
                self._grow(2 * slot)
        else:
            self.infos[slot] = info
        info.slot = slot
        self.requests[slot] = 0
        for column, amount in columns:
            self.requests[slot, column] = amount
        self.nonzero[slot] = info.nonzero
        self.priority[slot] = info.priority
        self.start[slot] = NO_START if info.pod.start_time is None else info.pod.start_time
        self.row[slot] = NOWHERE
        self.terminating[slot] = info.is_terminating

    def release(self, info: PodInfo) -> None:
        """Forget the pod; its slot may be given to another."""
        if info.slot == NOWHERE:
            return
        self.row[info.slot] = NOWHERE
        self._free.append(info.slot)
        info.slot = NOWHERE

    def widen(self, resources: int) -> None:
        """Make room for more resource columns."""
        extra = resources - self.requests.shape[1]
        self.requests = np.pad(self.requests, ((0, 0), (0, extra)))

    def _grow(self, size: int) -> None:
        extra = size - len(self.priority)
        self.requests = np.pad(self.requests, ((0, extra), (0, 0)))
        self.nonzero = np.pad(self.nonzero, ((0, extra), (0, 0)))
        self.priority = np.pad(self.priority, (0, extra))
        self.start = np.pad(self.start, (0, extra), constant_values=NO_START)
        self.row = np.pad(self.row, (0, extra), constant_values=NOWHERE)
        self.position = np.pad(self.position, (0, extra))
        self.terminating = np.pad(self.terminating, (0, extra))
