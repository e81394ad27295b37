"""What the dry run found out about each row, in columns, kept from one preemptor to the next of its kind.

The one rule: what is known of a row follows from the question and from the row's own node, pods and nominations. It is forgotten when
one of those changes, and found out only when a search comes to the row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import PodDisruptionBudget
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import NO_START, NOWHERE, PodInfo, PodTable
from scheduler_core.framework.extender import Victims
from scheduler_core.framework.outcome import Outcome
from scheduler_core.framework.runner import PodFilter
from scheduler_core.framework.status import SUCCESS, Status
from scheduler_core.preemption.budgets import rows_of
from scheduler_core.preemption.importance import start_of
from scheduler_core.scheduler.diagnosis import NodeStatuses

UNKNOWN: Final = -1
REFUSED: Final = 0
VIOLATING: Final = 1
CLEAN: Final = 2
"""Kinds of rows: not asked yet, no candidate, a candidate that breaks a budget, one that breaks none."""

PDB_VIOLATIONS, TOP_PRIORITY, PRIORITY_SUM, VICTIM_COUNT, LATEST_START = range(5)
"""Ranks of a candidate, as the rules ask for them; the start is the earliest of the victims of the highest priority."""

MOST_KEPT: Final = 16
"""Kinds of preemptors for which rows are known, the least recently used go first."""
_ABOVE_ZERO: Final = 2**31
"""Added to each priority of a sum, so that more victims never make a lower one."""

Rows = NDArray[np.int64]


class KnownRows:
    """``kinds`` is (nodes,) int8; ``ranks`` (ranks, nodes) int64 and ``victims`` (nodes, most victims) int64, slots by importance,
    hold for candidates only; the statuses for the others."""

    def __init__(self, pods: PodTable, nodes: int) -> None:
        self._pods = pods
        self.kinds = np.full(nodes, UNKNOWN, np.int8)
        self.ranks = np.zeros((LATEST_START + 1, nodes), np.int64)
        self.victims = np.full((nodes, 4), NOWHERE, np.int64)
        self._status_ids = np.zeros(nodes, np.int32)
        self._distinct: list[Status] = [SUCCESS]
        self._ids: dict[Status, int] = {SUCCESS: 0}

    def forget(self, rows: Iterable[int]) -> None:
        """The rows are to be asked again."""
        self.kinds[list(rows)] = UNKNOWN

    def refuse(self, row: int, status: Status) -> None:
        """The row is no candidate."""
        self.kinds[row] = REFUSED
        self._status_ids[row] = self._id_of(status)

    def refuse_all(self, rows: Rows, outcome: Outcome) -> None:
        """Those of the rows that the outcome refuses are no candidates."""
        numbers = np.array([self._id_of(status) for status in outcome.statuses], np.int32)
        refused = outcome.ids != 0
        self.kinds[rows[refused]] = REFUSED
        self._status_ids[rows[refused]] = numbers[outcome.ids[refused]]

    def accept(self, row: int, victims: Sequence[PodInfo], violations: int) -> None:
        """The row is a candidate at the cost of these victims, most important first."""
        self._widen(len(victims))
        top = max(info.priority for info in victims)
        self.ranks[:, row] = (
            violations,
            victims[0].priority,
            sum(info.priority + _ABOVE_ZERO for info in victims),
            len(victims),
            min(start_of(info.pod) for info in victims if info.priority == top),
        )
        self.victims[row, : len(victims)] = [info.slot for info in victims]
        self.kinds[row] = VIOLATING if violations else CLEAN
        self._status_ids[row] = 0

    def accept_all(self, rows: Rows, violations: Rows, counts: Rows, slots: Rows) -> None:
        """The rows are candidates; ``slots`` are the victims of each in turn, ``counts`` how many."""
        if not len(rows):
            return
        self._widen(int(counts.max()))
        first = np.cumsum(counts) - counts
        where = np.repeat(np.arange(len(rows)), counts)
        priority, start = self._pods.priority[slots], self._pods.start[slots]
        highest = np.maximum.reduceat(priority, first)
        self.ranks[PDB_VIOLATIONS, rows] = violations
        self.ranks[TOP_PRIORITY, rows] = priority[first]
        self.ranks[PRIORITY_SUM, rows] = np.add.reduceat(priority + _ABOVE_ZERO, first)
        self.ranks[VICTIM_COUNT, rows] = counts
        self.ranks[LATEST_START, rows] = np.minimum.reduceat(np.where(priority == highest[where], start, NO_START), first)
        self.victims[rows[where], np.arange(len(slots)) - first[where]] = slots
        self.kinds[rows] = np.where(violations > 0, VIOLATING, CLEAN)
        self._status_ids[rows] = 0

    def victims_of(self, row: int) -> Victims:
        """The victims of a candidate."""
        infos = self._pods.infos
        slots = self.victims[row, : self.ranks[VICTIM_COUNT, row]].tolist()
        return Victims(tuple(infos[slot] for slot in slots), int(self.ranks[PDB_VIOLATIONS, row]))

    def statuses(self, rows: Rows) -> NodeStatuses:
        """Why those of the rows that are no candidates are none."""
        found = NodeStatuses(len(self.kinds))
        found.ids[rows] = self._status_ids[rows]
        found.distinct = self._distinct
        return found

    def _id_of(self, status: Status) -> int:
        number = self._ids.setdefault(status, len(self._distinct))
        if number == len(self._distinct):
            self._distinct.append(status)
        return number

    def _widen(self, count: int) -> None:
        width = self.victims.shape[1]
        if count > width:
            self.victims = np.pad(self.victims, ((0, 0), (0, max(count - width, width))), constant_values=NOWHERE)


@dataclass(slots=True)
class _Kept:
    """Known rows, and how far the cluster's journal was read for them."""

    known: KnownRows
    read: int


class KeptRows:
    """Known rows by kind of preemptor: its signature and priority.

    All are forgotten when an object at which plugins look changes; when a budget does, those with pods that it may cover.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._generation = -1
        self._budgets: frozenset[PodDisruptionBudget] = frozenset()
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()

    def heed(self, budgets: Iterable[PodDisruptionBudget]) -> None:
        """These are the budgets now."""
        now = frozenset(budgets)
        if self._kept and self._generation == self._cluster.node_generation:
            rows = rows_of(self._cluster, now ^ self._budgets)
            for kept in self._kept.values():
                kept.known.forget(rows)
        self._budgets = now

    def of(self, found: PodFilter) -> KnownRows | None:
        """What is known for pods like this one; None where a filter looks beyond the row, or nothing lasts."""
        if not found.is_kept:
            return None
        self._drop_outdated()
        key = (found.answers, found.pod.priority)
        kept = self._kept.get(key)
        changed = self._cluster.journal.since(kept.read) if kept is not None else None
        if kept is None or changed is None:
            kept = self._kept[key] = _Kept(KnownRows(self._cluster.pods, len(self._cluster)), 0)
        elif changed:
            kept.known.forget(set(changed))
        kept.read = self._cluster.journal.end
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return kept.known

    def _drop_outdated(self) -> None:
        if self._generation != self._cluster.node_generation:
            self._kept.clear()
            self._generation = self._cluster.node_generation
