"""Which of two pods matters more: higher priority, then earlier start. Mirrors MoreImportantPod of pkg/scheduler/util.

The one rule: pods that matter the same come out in the order in which upstream's sort leaves them, since the first of them are the first
to be spared. A pod without a start time counts as started now, and each later question of the sort gets a later now, so that among such
pods the one asked about is always the more important: a few of them are turned around.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Pod
from scheduler_core.cluster.pods import NO_START, PodInfo, PodTable
from scheduler_core.preemption.pattern_sort import INSERTED, sort_as_go

_Entry = tuple[int, int, int]
"""(priority, start, place)"""


def start_of(pod: Pod) -> int:
    """The pod's start in seconds, NO_START when it has none."""
    return NO_START if pod.start_time is None else pod.start_time


def by_importance(pods: Sequence[PodInfo]) -> list[PodInfo]:
    """The pods, most important first."""
    return [pods[place] for place in _sorted([(info.priority, start_of(info.pod), place) for place, info in enumerate(pods)])]


def importance_order(table: PodTable, slots: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """(pods,) indices that sort the slots by group and, inside a group, most important first.

    The pods of a group are those of one node, some or all of them.
    """
    start, priority, position = table.start[slots], table.priority[slots], table.position[slots]
    tie = np.where(start == NO_START, -position, position)
    order: NDArray[np.int64] = np.lexsort((tie, start, -priority, groups))
    for part in _large_parts_with_ties(groups[order], priority[order], start[order]):
        places = order[part][position[order[part]].argsort()]
        entries = zip(priority[places].tolist(), start[places].tolist(), range(len(places)), strict=True)
        order[part] = places[_sorted(list(entries))]
    return order


def _large_parts_with_ties(groups: NDArray[np.int64], priority: NDArray[np.int64], start: NDArray[np.int64]) -> list[slice]:
    """Where the groups stand in whose sort ties do not simply stay in order; the pods stand in order of group and importance."""
    if len(groups) <= INSERTED:
        return []
    is_other = groups[1:] != groups[:-1]
    is_tie = (priority[1:] == priority[:-1]) & (start[1:] == start[:-1]) & ~is_other
    firsts = np.concatenate([[0], is_other.nonzero()[0] + 1])
    ends = np.append(firsts[1:], len(groups))
    ties = np.add.reduceat(np.append(is_tie, False), firsts, dtype=np.int64)
    chosen = (ties > 0) & (ends - firsts > INSERTED)
    return [slice(first, end) for first, end in zip(firsts[chosen].tolist(), ends[chosen].tolist(), strict=True)]


def _sorted(entries: list[_Entry]) -> list[int]:
    """The places, most important first."""
    if len(entries) > INSERTED:
        sort_as_go(entries, _is_more_important)
    else:
        entries.sort(key=lambda entry: (-entry[0], entry[1], -entry[2] if entry[1] == NO_START else entry[2]))
    return [place for _, _, place in entries]


def _is_more_important(one: _Entry, other: _Entry) -> bool:
    if one[0] != other[0]:
        return one[0] > other[0]
    return one[1] < other[1] or one[1] == NO_START == other[1]
