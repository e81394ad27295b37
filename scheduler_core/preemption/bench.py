"""The dry run of many nodes at once, on hypothetical rows. Mirrors SelectVictimsOnNode.

The one rule: nothing is copied and nothing is changed. Ledgers of the rows are taken, all lower-priority pods are subtracted, the batch
is filtered; then the k-th pod to reprieve of every node is put back at once and the batch filtered again, and taken off where the
preemptor no longer fits. So there are as many filter passes as the longest list of victims.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scheduler_core.cluster.pods import NOWHERE, PodInfo
from scheduler_core.framework.interface import IntArray
from scheduler_core.framework.outcome import Outcome
from scheduler_core.framework.runner import PodFilter
from scheduler_core.framework.status import Code, Status
from scheduler_core.preemption.budgets import BudgetBook
from scheduler_core.preemption.importance import by_importance, importance_order
from scheduler_core.preemption.known import KnownRows, Rows

NO_VICTIMS: Final = Status(Code.UNRESOLVABLE, ("No preemption victims found for incoming pod",))


def without_need(node: str) -> Status:
    """What is said of a node on which the pod fits and nobody has to go."""
    return Status(Code.ERROR, (f'expected at least one victim pod on node "{node}"',))


class Bench:
    """Hypothetical rows with their lower-priority pods, sorted by row and importance: (entries,) columns.

    ``where`` is the position of an entry's row, ``violating`` whether its eviction breaks a budget, ``order`` the entries in the
    order of reprieve. After ``run``: ``is_victim`` by entry, ``fitting`` the positions where all was tried, ``passes`` each reprieve as
    (positions, entries, outcome).
    """

    def __init__(self, found: PodFilter, rows: Rows, book: BudgetBook) -> None:
        self._found = found
        self._cluster = found.cluster
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
        self.fitting = np.zeros(0, np.int64)
        self.lifted = Outcome(np.zeros(len(rows), np.int32))
        self.passes: list[tuple[Rows, Rows, Outcome]] = []
        self._usages: list[IntArray] = []
        self._weights: list[IntArray] = []

    # ---- the dry run ---------------------------------------------------------------------------------------------

    def run(self, *, most: int) -> None:
        """Lift all lower-priority pods and filter; on the first ``most`` rows that fit, put them back one after another.

        Of the rows behind those that fit nothing is known: the search may end before them.
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
        self.lifted.put(open_, outcome)
        self.fitting = open_[outcome.fits][:most]
        self._split(self.fitting)
        self._reprieve(self.fitting[np.argsort(-self.counts[self.fitting], kind="stable")])

    def _split(self, positions: Rows) -> None:
        """On the rows that fit, find the pods whose eviction breaks a budget: they are put back first."""
        if not self._book:
            return
        for first, count in zip(self.first[positions].tolist(), self.counts[positions].tolist(), strict=True):
            self.violating[first : first + count] = self._book.violating(self._pods(slice(first, first + count)))
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
            self.passes.append((positions[:still], entries, outcome))

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

    # ---- what came of it -----------------------------------------------------------------------------------------

    def tell(self, known: KnownRows) -> None:
        """Note what is known now of every row but those behind the last that was tried."""
        entries = np.flatnonzero(self.is_victim)
        entries = self._by_importance(entries) if self.violating.any() else entries
        counts = np.bincount(self.where[entries], minlength=len(self.rows))
        broken = np.bincount(self.where[self.is_victim & self.violating], minlength=len(self.rows))
        known.refuse_all(self.rows, self.lifted)
        known.refuse_all(self.rows, Outcome((self.counts == 0).astype(np.int32), [NO_VICTIMS, NO_VICTIMS]))
        for row in self.rows[self.fitting[counts[self.fitting] == 0]].tolist():
            known.refuse(row, without_need(self._cluster.names[row]))
        made_room = np.flatnonzero(counts)
        known.accept_all(self.rows[made_room], broken[made_room], counts[made_room], self.slots[entries])

    def potential(self, position: int) -> Iterator[tuple[PodInfo, bool]]:
        """The lower-priority pods of a row, most important first, and whether their eviction breaks a budget."""
        part = slice(int(self.first[position]), int(self.first[position] + self.counts[position]))
        return zip(self._pods(part), self.violating[part].tolist(), strict=True)

    def reprieves(self) -> Iterator[tuple[int, PodInfo, bool, Status]]:
        """Every pod put back: on which position, whether its eviction breaks a budget, and what the filters said then."""
        infos = self._cluster.pods.infos
        for positions, entries, outcome in self.passes:
            for k, (position, entry) in enumerate(zip(positions.tolist(), entries.tolist(), strict=True)):
                yield position, infos[self.slots[entry]], bool(self.violating[entry]), outcome.status(k)

    def _pods(self, entries: slice) -> list[PodInfo]:
        infos = self._cluster.pods.infos
        return [infos[slot] for slot in self.slots[entries].tolist()]

    def _by_importance(self, entries: Rows) -> Rows:
        """Victims of a node that had pods of both groups are sorted anew, from the order in which they were asked."""
        asked = np.empty(len(self.order), np.int64)
        asked[self.order] = np.arange(len(self.order))
        broken = np.bincount(self.where[self.violating], minlength=len(self.counts))
        is_mixed = (broken > 0) & (broken < self.counts)
        sorted_anew, where = entries.copy(), self.where[entries]
        for position in np.flatnonzero(is_mixed).tolist():
            first, end = np.searchsorted(where, (position, position + 1)).tolist()
            part = entries[first:end]
            part = part[asked[part].argsort()]
            entry_of = dict(zip(self.slots[part].tolist(), part.tolist(), strict=True))
            gone = by_importance([self._cluster.pods.infos[slot] for slot in entry_of])
            sorted_anew[first:end] = [entry_of[info.slot] for info in gone]
        return sorted_anew
