"""Step 2: the dry run on hypothetical rows. Mirrors DryRunPreemption and SelectVictimsOnNode.

The one rule: nothing is copied and nothing is changed. Ledgers of the potential nodes are taken, all lower-priority pods are
subtracted, the batch is filtered; then the k-th pod to reprieve of every node is put back at once and the batch filtered again,
and taken off where the preemptor no longer fits. So there are as many filter passes as the longest list of victims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import NO_START, PodInfo
from scheduler_core.framework.extender import Victims
from scheduler_core.framework.interface import BoolArray, FilterState, IntArray
from scheduler_core.framework.runner import Outcome, PodFilter
from scheduler_core.framework.status import Code, Status
from scheduler_core.preemption.budgets import BudgetBook
from scheduler_core.preemption.importance import importance_order
from scheduler_core.preemption.table import CandidateTable
from scheduler_core.scheduler.diagnosis import NodeStatuses

NO_VICTIMS: Final = Status(Code.UNRESOLVABLE, ("No preemption victims found for incoming pod",))
LEAST_CHUNK: Final = 16
"""Nodes filtered at once when only few candidates are still wanted."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ReprieveStep:
    """One pod put back: whether it may stay, and if not, what the filters said."""

    pod: PodInfo
    pdb_violating: bool
    reprieved: bool
    status: Status


@dataclass(slots=True)
class NodeCheck:
    """The dry run of one node, for the trace."""

    row: int
    status: Status | None = None
    """Why it is no candidate."""
    fits_without_victims: bool = False
    potential: list[PodInfo] = field(default_factory=list)
    violating: list[bool] = field(default_factory=list)
    steps: list[ReprieveStep] = field(default_factory=list)
    victims: Victims | None = None


@dataclass(slots=True)
class DryRun:
    """What the dry run found: rows checked in order, candidates among them, and why the others are none."""

    candidates: CandidateTable
    statuses: NodeStatuses
    checked: int = 0
    stopped_early: bool = False
    checks: list[NodeCheck] = field(default_factory=list)
    """Every step of every node; only with a trace."""


def dry_run(found: PodFilter, rows: Rows, book: BudgetBook, *, wanted: int, trace: bool) -> DryRun:
    """Check rows in order until enough candidates are found, one of them without a broken budget.

    ``rows`` is (nodes,) int64 already turned by the offset; ``trace`` keeps every reprieve step.
    """
    cluster = found.cluster
    statuses = NodeStatuses(len(cluster))
    benches: list[_Bench] = []
    clean = total = at = 0
    stopped = False
    while at < len(rows) and not stopped:
        bench = _Bench(found, rows[at : at + max(wanted - total, LEAST_CHUNK)], book, trace=trace)
        bench.run()
        stopped = bench.stop_at(wanted - total, has_clean=clean > 0)
        bench.tell(statuses)
        total += int(bench.is_candidate.sum())
        clean += int((bench.is_candidate & (bench.violations == 0)).sum())
        at += len(bench.rows)
        benches.append(bench)
    checks = [check for bench in benches for check in bench.checks(statuses)] if trace else []
    return DryRun(_table(cluster, benches), statuses, at, stopped and at < len(rows), checks)


def _table(cluster: Cluster, benches: Sequence[_Bench]) -> CandidateTable:
    """The candidates of all benches: those that break no budget first."""
    names: list[str] = []
    violations: list[IntArray] = []
    counts: list[IntArray] = []
    slots: list[IntArray] = []
    for with_violations in (False, True):
        for bench in benches:
            chosen = np.flatnonzero(bench.is_candidate & ((bench.violations > 0) == with_violations))
            names += [cluster.names[row] for row in bench.rows[chosen].tolist()]
            violations.append(bench.violations[chosen])
            counts.append(bench.victim_counts[chosen])
            slots.append(bench.victim_slots[np.isin(bench.victim_where, chosen)])
    nothing = np.zeros(0, np.int64)
    return CandidateTable(
        cluster.pods, names, np.concatenate([nothing, *violations]), np.concatenate([nothing, *counts]), np.concatenate([nothing, *slots])
    )


class _Bench:
    """Hypothetical rows with their lower-priority pods, sorted by row and importance: (entries,) columns.

    ``where`` is the position of an entry's row, ``violating`` whether its eviction breaks a budget, ``order`` the entries in the
    order of reprieve. After ``run``: ``is_victim`` by entry; ``violations`` and ``is_candidate`` by position.
    """

    def __init__(self, found: PodFilter, rows: Rows, book: BudgetBook, *, trace: bool) -> None:
        self._found = found
        self._cluster = found.cluster
        self._trace = trace
        self.rows = rows
        table = self._cluster.pods
        lists = [self._cluster.pods_on[row] for row in rows.tolist()]
        slots = np.array([slot for each in lists for slot in each], np.int64)
        where = np.repeat(np.arange(len(rows)), np.array([len(each) for each in lists], np.int64))
        lower = table.priority[slots] < found.pod.priority
        slots, where = slots[lower], where[lower]
        sorting = importance_order(table, slots, where)
        self.slots, self.where = slots[sorting], where[sorting]
        self.counts = np.bincount(self.where, minlength=len(rows))
        self.first = np.cumsum(self.counts) - self.counts
        self.violating = self._violating(book)
        entries = np.arange(len(self.slots))
        self.order = np.lexsort((entries, ~self.violating, self.where)) if self.violating.any() else entries
        self.is_victim = np.zeros(len(self.slots), np.bool_)
        self.violations = np.zeros(len(rows), np.int64)
        self.is_candidate = np.zeros(len(rows), np.bool_)
        self.victim_slots = self.victim_where = self.victim_counts = np.zeros(0, np.int64)
        self._usages: list[IntArray] = []
        self._weights: list[IntArray] = []
        self._lifted = Outcome(np.zeros(len(rows), np.int32))
        self._passes: list[tuple[Rows, Rows, Outcome]] = []

    # ---- the dry run ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Lift all lower-priority pods, filter, and put back one after another."""
        open_ = np.flatnonzero(self.counts > 0)
        if not len(open_):
            return
        self._usages = self._found.usages(self.rows)
        self._weights = self._found.weights(self._cluster.batch(self.slots, self.rows[self.where]))
        self._take_off(self.where, np.arange(len(self.slots)))
        outcome = self._filter(open_)
        self._lifted.put(open_, outcome)
        fitting = open_[outcome.fits]
        for k in range(int(self.counts[fitting].max(initial=0))):
            self._reprieve(fitting[self.counts[fitting] > k], k)
        self._conclude(fitting)

    def _reprieve(self, positions: Rows, k: int) -> None:
        """Put back the k-th pod in the order of reprieve on every position; it is a victim where that makes no fit."""
        entries = self.order[self.first[positions] + k]
        self._put_on(positions, entries)
        outcome = self._filter(positions)
        refused = ~outcome.fits
        self._take_off(positions[refused], entries[refused])
        self.is_victim[entries[refused]] = True
        if self._trace:
            self._passes.append((positions, entries, outcome))

    def _conclude(self, fitting: Rows) -> None:
        entries = np.flatnonzero(self.is_victim)
        entries = self._by_importance(entries) if self.violating.any() else entries
        self.victim_slots, self.victim_where = self.slots[entries], self.where[entries]
        self.victim_counts = np.bincount(self.victim_where, minlength=len(self.rows))
        self.violations = np.bincount(self.where[self.is_victim & self.violating], minlength=len(self.rows))
        self.is_candidate[fitting] = self.victim_counts[fitting] > 0

    def _by_importance(self, entries: Rows) -> Rows:
        """Victims of a node that lost pods of both groups are sorted anew, ties in the order in which they were asked."""
        where = self.where[entries]
        asked = np.empty(len(self.order), np.int64)
        asked[self.order] = np.arange(len(self.order))
        broken = np.bincount(self.where[self.violating], minlength=len(self.rows))
        is_mixed = ((broken > 0) & (broken < self.counts))[where]
        table = self._cluster.pods
        start = table.start[self.slots[entries]]
        rank = np.where(start == NO_START, -asked[entries], asked[entries])
        return entries[np.lexsort((np.where(is_mixed, rank, entries), start, -table.priority[self.slots[entries]], where))]

    def _violating(self, book: BudgetBook) -> BoolArray:
        violating = np.zeros(len(self.slots), np.bool_)
        if not book:
            return violating
        infos = self._cluster.pods.infos
        for first, count in zip(self.first.tolist(), self.counts.tolist(), strict=True):
            pods = [infos[slot] for slot in self.slots[first : first + count].tolist()]
            violating[first : first + count] = book.violating(pods)
        return violating

    # ---- ledgers -------------------------------------------------------------------------------------------------

    def _put_on(self, positions: Rows, entries: Rows) -> None:
        for state, usage, weight in self._ledgers():
            state.put_on(usage, positions, weight[entries])

    def _take_off(self, positions: Rows, entries: Rows) -> None:
        for state, usage, weight in self._ledgers():
            state.take_off(usage, positions, weight[entries])

    def _ledgers(self) -> list[tuple[FilterState, IntArray, IntArray]]:
        states = [state for _, state in self._found.states]
        return [entry for entry in zip(states, self._usages, self._weights, strict=True) if entry[0].width]

    def _filter(self, positions: Rows) -> Outcome:
        """Filter the hypothetical rows at the positions, nominated pods included."""
        return self._found.run_with_nominated(self.rows[positions], [usage[positions] for usage in self._usages])

    # ---- what came of it -----------------------------------------------------------------------------------------

    def stop_at(self, wanted: int, *, has_clean: bool) -> bool:
        """Forget the rows after the one with which the search has enough; whether there was one."""
        found = np.cumsum(self.is_candidate)
        clean = np.cumsum(self.is_candidate & (self.violations == 0)) if not has_clean else np.ones(len(self.rows))
        enough = np.flatnonzero((found >= wanted) & (clean > 0) & self.is_candidate)
        if not len(enough):
            return False
        self.rows = self.rows[: int(enough[0]) + 1]
        self.is_candidate = self.is_candidate[: len(self.rows)]
        self.violations = self.violations[: len(self.rows)]
        return True

    def tell(self, statuses: NodeStatuses) -> None:
        """Note why rows are no candidates."""
        kept = len(self.rows)
        statuses.put(self.rows, Outcome(self._lifted.ids[:kept], self._lifted.statuses))
        without = self.counts[:kept] == 0
        statuses.put(self.rows, Outcome(without.astype(np.int32), [NO_VICTIMS, NO_VICTIMS]))
        spared = ~self.is_candidate & ~without & (self._lifted.ids[:kept] == 0)
        for row in self.rows[spared].tolist():
            statuses.give(row, Status(Code.ERROR, (f'expected at least one victim pod on node "{self._cluster.names[row]}"',)))

    def checks(self, statuses: NodeStatuses) -> list[NodeCheck]:
        """The steps of every row kept, for the trace."""
        infos = self._cluster.pods.infos
        found = [NodeCheck(row, statuses.get(row)) for row in self.rows.tolist()]
        for position, check in enumerate(found):
            part = slice(int(self.first[position]), int(self.first[position] + self.counts[position]))
            check.potential = [infos[slot] for slot in self.slots[part].tolist()]
            check.violating = self.violating[part].tolist()
            check.fits_without_victims = bool(self.counts[position]) and not self._lifted.ids[position]
            if self.is_candidate[position]:
                gone = self.victim_slots[self.victim_where == position].tolist()
                check.victims = Victims(tuple(infos[slot] for slot in gone), int(self.violations[position]))
        for positions, entries, outcome in self._passes:
            for k, (position, entry) in enumerate(zip(positions.tolist(), entries.tolist(), strict=True)):
                if position < len(found):
                    status = outcome.status(k)
                    step = ReprieveStep(infos[self.slots[entry]], bool(self.violating[entry]), status.is_success, status)
                    found[position].steps.append(step)
        return found
