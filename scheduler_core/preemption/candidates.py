"""Step 2: the dry run on hypothetical rows. Mirrors DryRunPreemption and SelectVictimsOnNode.

The one rule: nothing is copied and nothing is changed. Ledgers of the potential nodes are taken, all lower-priority pods are
subtracted, the batch is filtered; then the k-th most important pod of every node is put back at once and the batch filtered
again, and taken off where the preemptor no longer fits. So there are as many filter passes as the longest list of victims.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import Victims
from scheduler_core.framework.interface import FilterState, IntArray
from scheduler_core.framework.runner import Outcome, PodFilter
from scheduler_core.framework.status import Code, Status
from scheduler_core.preemption.budgets import BudgetBook
from scheduler_core.preemption.importance import by_importance, importance_order

NO_VICTIMS: Final = Status(Code.UNRESOLVABLE, ("No preemption victims found for incoming pod",))


@dataclass(frozen=True, slots=True)
class ReprieveStep:
    """One pod put back: whether it may stay, and if not, what the filters said."""

    pod: PodInfo
    pdb_violating: bool
    reprieved: bool
    status: Status


@dataclass(slots=True)
class NodeCheck:
    """The dry run of one node."""

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
    """The nodes checked in order, and whether the search stopped before all were."""

    checks: list[NodeCheck] = field(default_factory=list)
    stopped_early: bool = False

    @property
    def candidates(self) -> dict[int, Victims]:
        """Victims by row: nodes that break no budget first."""
        found = [check for check in self.checks if check.victims is not None]
        found.sort(key=lambda check: check.victims is not None and check.victims.pdb_violations > 0)
        return {check.row: check.victims for check in found if check.victims is not None}

    @property
    def statuses(self) -> dict[int, Status]:
        """Why each other node checked is no candidate, by row."""
        return {check.row: check.status for check in self.checks if check.status is not None}


def dry_run(found: PodFilter, rows: NDArray[np.int64], book: BudgetBook, *, wanted: int, trace: bool) -> DryRun:
    """Check rows in order until enough candidates are found, one of them without a broken budget.

    ``rows`` is (nodes,) int64 already turned by the offset; ``trace`` keeps every reprieve step.
    """
    result = DryRun()
    clean = total = 0
    at = 0
    while at < len(rows):
        chunk = rows[at : at + max(wanted - total, 16)]
        at += len(chunk)
        for check in _check(found, chunk, book, trace=trace):
            result.checks.append(check)
            if check.victims is None:
                continue
            total += 1
            clean += check.victims.pdb_violations == 0
            if clean and total >= wanted:
                result.stopped_early = len(result.checks) < len(rows)
                return result
    return result


def _check(found: PodFilter, rows: NDArray[np.int64], book: BudgetBook, *, trace: bool) -> list[NodeCheck]:
    bench = _Bench(found, rows)
    checks = [NodeCheck(int(row)) for row in rows]
    for position in np.flatnonzero(bench.counts == 0).tolist():
        checks[position].status = NO_VICTIMS
    open_ = np.flatnonzero(bench.counts > 0)
    if not len(open_):
        return checks
    bench.lift()
    outcome = bench.filter(open_)
    for k, position in enumerate(open_.tolist()):
        check = checks[position]
        check.potential = bench.pods(position)
        check.violating = book.violating(check.potential) if book else [False] * len(check.potential)
        if outcome.ids[k]:
            check.status = outcome.status(k)
        else:
            check.fits_without_victims = True
    fitting = open_[outcome.fits]
    if len(fitting):
        _reprieve(bench, checks, fitting, trace=trace)
    return checks


class _Bench:
    """The ledgers of hypothetical rows, and their lower-priority pods sorted by row and importance."""

    def __init__(self, found: PodFilter, rows: NDArray[np.int64]) -> None:
        self._found = found
        self._cluster: Cluster = found.cluster
        self.rows = rows
        table = self._cluster.pods
        slots = np.array([slot for row in rows.tolist() for slot in self._cluster.pods_on[row]], np.int64)
        lengths = np.array([len(self._cluster.pods_on[row]) for row in rows.tolist()], np.int64)
        where = np.repeat(np.arange(len(rows)), lengths)
        lower = table.priority[slots] < found.pod.priority
        slots, where = slots[lower], where[lower]
        order = importance_order(table, slots, where)
        self.slots, self.where = slots[order], where[order]
        self.counts = np.bincount(self.where, minlength=len(rows))
        self.first = np.concatenate(([0], np.cumsum(self.counts)))[:-1]
        self.usages: list[IntArray] = []
        self.weights: list[IntArray] = []

    def lift(self) -> None:
        """Take all lower-priority pods off."""
        self.usages = self._found.usages(self.rows)
        self.weights = self._found.weights(self._cluster.batch(self.slots, self.rows[self.where]))
        for state, usage, weight in self._ledgers():
            state.take_off(usage, self.where, weight)

    def put_back(self, positions: NDArray[np.int64], entries: NDArray[np.int64]) -> None:
        """Put one pod back on each of the positions."""
        for state, usage, weight in self._ledgers():
            state.put_on(usage, positions, weight[entries])

    def take_off(self, positions: NDArray[np.int64], entries: NDArray[np.int64]) -> None:
        """Take one pod off each of the positions."""
        for state, usage, weight in self._ledgers():
            state.take_off(usage, positions, weight[entries])

    def _ledgers(self) -> list[tuple[FilterState, IntArray, IntArray]]:
        states = [state for _, state in self._found.states]
        return [entry for entry in zip(states, self.usages, self.weights, strict=True) if entry[0].width]

    def filter(self, positions: NDArray[np.int64]) -> Outcome:
        """Filter the hypothetical rows at the positions, nominated pods included."""
        return self._found.run_with_nominated(self.rows[positions], [usage[positions] for usage in self.usages])

    def pods(self, position: int) -> list[PodInfo]:
        """The lower-priority pods of a position, most important first."""
        first = int(self.first[position])
        infos = self._cluster.pods.infos
        return [infos[slot] for slot in self.slots[first : first + int(self.counts[position])].tolist()]


def _reprieve(bench: _Bench, checks: Sequence[NodeCheck], positions: NDArray[np.int64], *, trace: bool) -> None:
    """Put pods back one at a time, those that break a budget first, each group by importance."""
    orders = {p: _reprieve_order(bench, checks[p], p) for p in positions.tolist()}
    victims: dict[int, list[int]] = {p: [] for p in orders}
    for k in range(max(len(order) for order in orders.values())):
        here = np.array([p for p, order in orders.items() if len(order) > k], np.int64)
        entries = np.array([orders[p][k] for p in here.tolist()], np.int64)
        bench.put_back(here, entries)
        outcome = bench.filter(here)
        refused = ~outcome.fits
        bench.take_off(here[refused], entries[refused])
        for position, entry in zip(here[refused].tolist(), entries[refused].tolist(), strict=True):
            victims[position].append(entry)
        if trace:
            _note_steps(bench, checks, here, entries, outcome)
    for position, gone in victims.items():
        _conclude(bench, checks[position], position, gone)


def _reprieve_order(bench: _Bench, check: NodeCheck, position: int) -> list[int]:
    first = int(bench.first[position])
    entries = range(len(check.violating))
    return [first + k for k in entries if check.violating[k]] + [first + k for k in entries if not check.violating[k]]


def _note_steps(
    bench: _Bench, checks: Sequence[NodeCheck], positions: NDArray[np.int64], entries: NDArray[np.int64], outcome: Outcome
) -> None:
    for k, (position, entry) in enumerate(zip(positions.tolist(), entries.tolist(), strict=True)):
        check = checks[position]
        place = entry - int(bench.first[position])
        status = outcome.status(k)
        check.steps.append(ReprieveStep(check.potential[place], check.violating[place], status.is_success, status))


def _conclude(bench: _Bench, check: NodeCheck, position: int, gone: Sequence[int]) -> None:
    places = [entry - int(bench.first[position]) for entry in gone]
    if not places:
        name = bench._cluster.names[check.row]
        check.status = Status(Code.ERROR, (f'expected at least one victim pod on node "{name}"',))
        return
    pods = [check.potential[place] for place in places]
    if any(check.violating) and not all(check.violating):
        pods = by_importance(pods)
    check.victims = Victims(tuple(pods), sum(check.violating[place] for place in places))
