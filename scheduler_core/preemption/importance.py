"""Which of two pods matters more: higher priority, then earlier start. Mirrors MoreImportantPod of pkg/scheduler/util.

A pod without a start time counts as started now, and each later question of the sort gets a later now: among such pods
upstream's insertion sort therefore turns their order around, and so do we.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Pod
from scheduler_core.cluster.pods import NO_START, PodInfo, PodTable


def start_of(pod: Pod) -> int:
    """The pod's start in seconds, NO_START when it has none."""
    return NO_START if pod.start_time is None else pod.start_time


def by_importance(pods: Sequence[PodInfo]) -> list[PodInfo]:
    """The pods, most important first."""

    def key(entry: tuple[int, PodInfo]) -> tuple[int, int, int]:
        place, info = entry
        start = start_of(info.pod)
        return -info.priority, start, -place if start == NO_START else place

    return [info for _, info in sorted(enumerate(pods), key=key)]


def importance_order(table: PodTable, slots: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """(pods,) indices that sort the slots by group and, inside a group, most important first."""
    start = table.start[slots]
    position = table.position[slots]
    tie = np.where(start == NO_START, -position, position)
    return np.lexsort((tie, start, -table.priority[slots], groups))
