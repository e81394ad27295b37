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
from scheduler_core.cluster.pods import NO_START, NOWHERE, PodInfo
from scheduler_core.framework.extender import Victims
from scheduler_core.framework.interface import BoolArray, IntArray
from scheduler_core.framework.outcome import Outcome
from scheduler_core.framework.runner import PodFilter
from scheduler_core.framework.status import Code, Status
from scheduler_core.preemption.budgets import BudgetBook
from scheduler_core.preemption.importance import importance_order
from scheduler_core.preemption.table import CandidateTable
from scheduler_core.scheduler.diagnosis import NodeStatuses

NO_VICTIMS: Final = Status(Code.UNRESOLVABLE, ("No preemption victims found for incoming pod",))
LEAST_CHUNK: Final = 256
"""Nodes with lower-priority pods filtered at once when only few candidates are still wanted; twice as many the next time."""

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
    worth_a_look = np.flatnonzero(_have_lower(found)[rows])
    clean = total = at = looked_at = 0
    least, stopped = LEAST_CHUNK, False
    while at < len(rows) and not stopped:
        looked_at += max(wanted - total, least)
        least *= 2
        end = int(worth_a_look[looked_at - 1]) + 1 if looked_at <= len(worth_a_look) else len(rows)
        bench = _Bench(found, rows[at:end], book, trace=trace)
        bench.run(most=max(wanted - total, 1))
        stopped = bench.stop_at(wanted - total, has_clean=clean > 0)
        bench.tell(statuses)
        total += int(bench.is_candidate.sum())
        clean += int((bench.is_candidate & (bench.violations == 0)).sum())
        at += len(bench.rows)
        benches.append(bench)
    checks = [check for bench in benches for check in bench.checks(statuses)] if trace else []
    return DryRun(_table(cluster, benches), statuses, at, stopped and at < len(rows), checks)


def _have_lower(found: PodFilter) -> BoolArray:
    """(nodes,) bool: rows with a pod of lower priority; the others are no candidates, and checking them costs nothing."""
    table = found.cluster.pods
    lower = table.row[(table.priority < found.pod.priority) & (table.row != NOWHERE)]
    have = np.zeros(len(found.cluster), np.bool_)
    have[lower] = True
    return have


def _table(cluster: Cluster, benches: Sequence[_Bench]) -> CandidateTable:
    """The candidates of all benches: those that break no budget first."""
    names: list[str] = []
    violations: list[IntArray] = []
    counts: list[IntArray] = []
    slots: list[IntArray] = []
    for with_violations in (False, True):
        for bench in benches:
            chosen = np.flatnonzero(bench.is_candidate & ((bench.violations > 0) == with_violations))
            if not len(chosen):
                continue
            names += [cluster.names[row] for row in bench.rows[chosen].tolist()]
            violations.append(bench.violations[chosen])
            counts.append(bench.victim_counts[chosen])
            slots.append(bench.victim_slots_of(chosen))
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
        places = self._cluster.slot_at[rows]
        where, place = np.nonzero((places != NOWHERE) & (table.priority[places] < found.pod.priority))
        slots = places[where, place]
        sorting = importance_order(table, slots, where)
        self.slots, self.where = slots[sorting], where[sorting]
        self.counts = np.bincount(self.where, minlength=len(rows))
        self.first = np.cumsum(self.counts) - self.counts
        self._book = book
        self.violating = np.zeros(len(self.slots), np.bool_)
        self.order = np.arange(len(self.slots))
        self.is_victim = np.zeros(len(self.slots), np.bool_)
        self.violations = np.zeros(len(rows), np.int64)
        self.is_candidate = np.zeros(len(rows), np.bool_)
        self.victim_slots = self.victim_where = self.victim_counts = np.zeros(0, np.int64)
        self._usages: list[IntArray] = []
        self._weights: list[IntArray] = []
        self._lifted = Outcome(np.zeros(len(rows), np.int32))
        self._passes: list[tuple[Rows, Rows, Outcome]] = []

    # ---- the dry run ---------------------------------------------------------------------------------------------

    def run(self, *, most: int) -> None:
        """Lift all lower-priority pods and filter; on the first ``most`` rows that fit, put them back one after another.

        The rows behind those are forgotten: the search may end before them.
        """
        open_ = np.flatnonzero(self.counts > 0)
        if not len(open_):
            return
        self._usages = self._found.usages(self.rows)
        self._weights = self._found.weights(self._cluster.batch(self.slots, self.rows[self.where]))
        for (_, state), usage, weight in zip(self._found.states, self._usages, self._weights, strict=True):
            if state.width and state.is_sum:
                usage[open_] -= np.add.reduceat(weight, self.first[open_])
            elif state.width:
                state.take_off(usage, self.where, weight)
        outcome = self._found.run_with_nominated(self.rows[open_], [usage[open_] for usage in self._usages])
        self._lifted.put(open_, outcome)
        fitting = open_[outcome.fits]
        if len(fitting) > most:
            fitting = fitting[:most]
            self._keep(int(fitting[-1]) + 1)
        self._split(fitting)
        self._reprieve(fitting[np.argsort(-self.counts[fitting], kind="stable")])
        self._conclude(fitting)

    def _split(self, positions: Rows) -> None:
        """On the rows that fit, find the pods whose eviction breaks a budget: they are put back first."""
        if not self._book:
            return
        infos = self._cluster.pods.infos
        for first, count in zip(self.first[positions].tolist(), self.counts[positions].tolist(), strict=True):
            pods = [infos[slot] for slot in self.slots[first : first + count].tolist()]
            self.violating[first : first + count] = self._book.violating(pods)
        if self.violating.any():
            self.order = np.lexsort((self.order, ~self.violating, self.where))

    def _reprieve(self, positions: Rows) -> None:
        """Put pods back one after another, on all positions at once; one is a victim where it leaves no fit.

        Positions come with the longest lists first, so that those that still have a k-th pod are always the first ones.
        """
        rows, counts, first = self.rows[positions], self.counts[positions], self.first[positions]
        usages = [usage[positions] for usage in self._usages]
        for k in range(int(counts.max(initial=0))):
            still = int(np.count_nonzero(counts > k))
            entries = self.order[first[:still] + k]
            outcome = self._put_back(rows[:still], [usage[:still] for usage in usages], entries)
            self.is_victim[entries[outcome.ids != 0]] = True
            if self._trace:
                self._passes.append((positions[:still], entries, outcome))

    def _put_back(self, rows: Rows, usages: Sequence[IntArray], entries: Rows) -> Outcome:
        """Put an entry on each row, in place, filter, and take it off again where the preemptor no longer fits."""
        every = np.arange(len(rows))
        ledgers = [
            (state, usage, weight[entries])
            for (_, state), usage, weight in zip(self._found.states, usages, self._weights, strict=True)
            if state.width
        ]
        for state, usage, weight in ledgers:
            if state.is_sum:
                usage += weight
            else:
                state.put_on(usage, every, weight)
        outcome = self._found.run_with_nominated(rows, usages)
        refused = np.flatnonzero(outcome.ids)
        for state, usage, weight in ledgers if len(refused) else ():
            if state.is_sum:
                usage[refused] -= weight[refused]
            else:
                state.take_off(usage, refused, weight[refused])
        return outcome

    def _conclude(self, fitting: Rows) -> None:
        entries = np.flatnonzero(self.is_victim)
        entries = self._by_importance(entries) if self.violating.any() else entries
        self.victim_slots, self.victim_where = self.slots[entries], self.where[entries]
        self.victim_counts = np.bincount(self.victim_where, minlength=len(self.counts))
        broken = np.bincount(self.where[self.is_victim & self.violating], minlength=len(self.counts))
        self.violations = broken[: len(self.rows)]
        self.is_candidate[fitting] = self.victim_counts[fitting] > 0

    def _by_importance(self, entries: Rows) -> Rows:
        """Victims of a node that lost pods of both groups are sorted anew, ties in the order in which they were asked."""
        where = self.where[entries]
        asked = np.empty(len(self.order), np.int64)
        asked[self.order] = np.arange(len(self.order))
        broken = np.bincount(self.where[self.violating], minlength=len(self.counts))
        is_mixed = ((broken > 0) & (broken < self.counts))[where]
        table = self._cluster.pods
        start = table.start[self.slots[entries]]
        rank = np.where(start == NO_START, -asked[entries], asked[entries])
        return entries[np.lexsort((np.where(is_mixed, rank, entries), start, -table.priority[self.slots[entries]], where))]

    # ---- what came of it -----------------------------------------------------------------------------------------

    def victim_slots_of(self, positions: Rows) -> Rows:
        """The victims of some positions, one after another."""
        if len(positions) == np.count_nonzero(self.victim_counts):
            return self.victim_slots
        wanted = np.zeros(len(self.counts), np.bool_)
        wanted[positions] = True
        return self.victim_slots[wanted[self.victim_where]]

    def stop_at(self, wanted: int, *, has_clean: bool) -> bool:
        """Forget the rows after the one with which the search has enough; whether there was one."""
        found = np.cumsum(self.is_candidate)
        clean = np.cumsum(self.is_candidate & (self.violations == 0)) if not has_clean else np.ones(len(self.rows))
        enough = np.flatnonzero((found >= wanted) & (clean > 0) & self.is_candidate)
        if not len(enough):
            return False
        self._keep(int(enough[0]) + 1)
        return True

    def _keep(self, count: int) -> None:
        """Forget the rows behind the first ``count``."""
        self.rows = self.rows[:count]
        self.is_candidate = self.is_candidate[:count]
        self.violations = self.violations[:count]

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
