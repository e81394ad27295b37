"""Step 2: the search for nodes that could make room. Mirrors DryRunPreemption.

The one rule: rows are looked at in order until there are enough candidates; each is asked only when the search comes to it, and only
if it is not known already. A trace wants to see every step, so it asks every row.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import Victims
from scheduler_core.framework.runner import PodFilter
from scheduler_core.framework.status import Status
from scheduler_core.preemption.bench import Bench
from scheduler_core.preemption.budgets import BudgetBook
from scheduler_core.preemption.known import CLEAN, PDB_VIOLATIONS, REFUSED, UNKNOWN, VIOLATING, KnownRows, Rows
from scheduler_core.preemption.table import CandidateTable
from scheduler_core.preemption.walk import can_walk, walk
from scheduler_core.scheduler.diagnosis import NodeStatuses

LEAST_CHUNK: Final = 256
"""Rows looked at together when only few candidates are still wanted; twice as many the next time."""
TRIED_PER_CHUNK: Final = 8
"""Of so many rows of a chunk at least one is tried where more fit than are wanted: the search goes on while all break budgets."""
FEW_ROWS: Final = 8
"""Rows up to which walking them one by one is faster than a bench."""

_NO_ROWS: Final = np.zeros(0, np.int64)


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
    rows: Rows
    """The rows checked, in order."""
    known: KnownRows
    stopped_early: bool = False
    checks: list[NodeCheck] = field(default_factory=list)
    """Every step of every node; only with a trace."""

    @property
    def checked(self) -> int:
        """How many rows were checked."""
        return len(self.rows)

    @property
    def statuses(self) -> NodeStatuses:
        """Why rows are no candidates."""
        return self.known.statuses(self.rows)


def dry_run(found: PodFilter, rows: Rows, book: BudgetBook, known: KnownRows | None, *, wanted: int, trace: bool) -> DryRun:
    """Check rows in order until enough candidates are found, one of them without a broken budget.

    ``rows`` is (nodes,) int64 already turned by the offset; ``known`` is what is kept for preemptors like this one; ``trace`` keeps every
    reprieve step.
    """
    cluster = found.cluster
    search = _Search(found, book, None if trace else known, trace=trace)
    own = cluster.row_of.get(cluster.nominator.node_of(found.pod.key), -1)
    # a pod's own nomination counts for all pods but itself: what others found of that row is not for it, nor the other way round
    search.forget(own)
    candidates, at, stopped = search.run(rows, wanted)
    checks = search.checks(rows[:at])
    search.forget(own)
    return DryRun(CandidateTable.of_rows(cluster, search.known, candidates), rows[:at], search.known, stopped and at < len(rows), checks)


class _Search:
    """One pass over the rows."""

    def __init__(self, found: PodFilter, book: BudgetBook, known: KnownRows | None, *, trace: bool) -> None:
        self._found = found
        self._book = book
        self._is_kept = known is not None
        self.known = known or KnownRows(found.cluster.pods, len(found.cluster))
        self._benches: list[Bench] = []
        self._trace = trace

    def forget(self, row: int) -> None:
        """Have the row asked again; none when negative."""
        if row >= 0:
            self.known.forget((row,))

    def run(self, rows: Rows, wanted: int) -> tuple[Rows, int, bool]:
        """The candidates, those that break no budget first; how many rows were looked at; and whether that was enough."""
        hits: list[Rows] = []
        total = at = 0
        has_clean = is_enough = False
        least = LEAST_CHUNK
        while at < len(rows) and not is_enough:
            need = max(wanted - total, 1)
            chunk = rows[at : at + max(need, least)]
            kinds = self._kinds(chunk, max(need, least // TRIED_PER_CHUNK))
            least *= 2
            places = (kinds > REFUSED).nonzero()[0]
            clean = 0 if has_clean else _first_clean(kinds[places])
            last = max(need - 1, clean)
            has_clean = clean < len(places)
            is_enough = last < len(places)
            at += int(places[last]) + 1 if is_enough else len(kinds)
            places = places[: last + 1]
            hits.append(chunk[places])
            total += len(places)
        return self._clean_first(hits[0] if len(hits) == 1 else np.concatenate([_NO_ROWS, *hits])), at, is_enough

    def _kinds(self, chunk: Rows, most: int) -> NDArray[np.int8]:
        """The kinds of the rows, asked where they are not known; fewer where more than ``most`` of them fit."""
        kinds = self.known.kinds[chunk]
        unknown = (kinds == UNKNOWN).nonzero()[0]
        if not len(unknown):
            return kinds
        unknown = chunk[unknown]
        if self._is_kept:
            self._ask(unknown[: max(most, LEAST_CHUNK)])
        else:
            self._try(unknown, most)
        kinds = self.known.kinds[chunk]
        left = (kinds == UNKNOWN).nonzero()[0]
        return kinds[: left[0]] if len(left) else kinds

    def _ask(self, rows: Rows) -> None:
        """Find out about all of the rows: what this search does not need, the next one will."""
        if len(rows) > FEW_ROWS or not can_walk(self._found):
            self._try(rows, len(rows))
            return
        for row in rows.tolist():
            walk(self._found, row, self._book, self.known)

    def _try(self, rows: Rows, most: int) -> None:
        """Find out about the rows, but only about the first ``most`` that fit."""
        bench = Bench(self._found, rows, self._book)
        bench.run(most=most)
        bench.tell(self.known)
        if self._trace:
            self._benches.append(bench)

    def _clean_first(self, rows: Rows) -> Rows:
        if not self._book:
            return rows
        violations = self.known.ranks[PDB_VIOLATIONS, rows]
        return np.concatenate([rows[violations == 0], rows[violations > 0]]) if violations.any() else rows

    def checks(self, rows: Rows) -> list[NodeCheck]:
        """The steps of every row, for the trace."""
        found: dict[int, NodeCheck] = {}
        statuses = self.known.statuses(rows)
        for bench in self._benches:
            checks = [NodeCheck(row, statuses.get(row)) for row in bench.rows.tolist()]
            for position, check in enumerate(checks):
                check.fits_without_victims = bool(bench.counts[position]) and not bench.lifted.ids[position]
                for info, violating in bench.potential(position):
                    check.potential.append(info)
                    check.violating.append(violating)
                if self.known.kinds[check.row] >= VIOLATING:
                    check.victims = self.known.victims_of(check.row)
            for position, info, violating, status in bench.reprieves():
                checks[position].steps.append(ReprieveStep(info, violating, status.is_success, status))
            found.update((check.row, check) for check in checks)
        return [found[row] for row in rows.tolist()] if self._trace else []


def _first_clean(kinds: NDArray[np.int8]) -> int:
    """The place of the first candidate that breaks no budget; behind the last where all do."""
    clean = int(kinds.argmax()) if len(kinds) else 0
    return clean if len(kinds) and kinds[clean] == CLEAN else len(kinds)
