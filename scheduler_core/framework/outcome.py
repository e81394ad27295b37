"""What the filters of a pod say of a batch of rows, as columns.

The one rule: filters are asked in order, each only of the rows that all before it let pass; the first that refuses a row decides its
status. Mirrors RunFilterPlugins of framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.interface import FilterState, IndexArray, IntArray, Reason
from scheduler_core.framework.status import SUCCESS, Status


@dataclass(slots=True)
class Outcome:
    """What filters said of a batch of rows: ``ids`` (rows,) int32 index into ``statuses``, whose first is success.

    Others may share ``statuses``: nobody changes it in place.
    """

    ids: NDArray[np.int32]
    statuses: Sequence[Status] = field(default_factory=lambda: [SUCCESS])

    @property
    def fits(self) -> NDArray[np.bool_]:
        """(rows,) bool: whether the row passed every filter."""
        return np.equal(self.ids, 0)

    def plugins(self) -> set[str]:
        """The plugins that refused some row."""
        if len(self.statuses) == 1:
            return set()
        return {self.statuses[k].plugin for k in np.bincount(self.ids).nonzero()[0].tolist()} - {""}

    def status(self, position: int) -> Status:
        """The status of the row at a position of the batch."""
        return self.statuses[int(self.ids[position])]

    def put(self, positions: IndexArray, other: Outcome) -> None:
        """Take over another outcome for some positions."""
        shift = len(self.statuses) - 1
        self.statuses = [*self.statuses, *other.statuses[1:]]
        self.ids[positions] = np.where(other.ids > 0, other.ids + shift, 0)


@lru_cache(maxsize=1024)
def _statuses(plugin: str, reasons: tuple[Reason, ...]) -> tuple[Status, ...]:
    return tuple(Status(code, words, plugin) for code, words in reasons)


def run_filters(
    filters: Sequence[tuple[str, FilterState]],
    rows: IndexArray,
    usages: Sequence[IntArray] | None = None,
    before: Outcome | None = None,
) -> Outcome:
    """Filter rows with the ledgers given, one for each filter, or as they are; ``before`` is what earlier filters said."""
    ids = np.zeros(len(rows), np.int32) if before is None else before.ids
    statuses = [SUCCESS] if before is None else before.statuses
    alive = None if before is None or not np.count_nonzero(ids) else (ids == 0).nonzero()[0]
    for k, (name, state) in enumerate(filters):
        sub = rows if alive is None else rows[alive]
        if not len(sub):
            break
        if usages is None:
            verdict = state.actual_verdict(sub)
        else:
            verdict = state.verdict(sub, usages[k] if alive is None else usages[k][alive])
        if verdict is None:
            continue
        shift = len(statuses) - 1
        statuses = [*statuses, *_statuses(name, tuple(verdict.reasons))]
        refused = np.where(verdict.ids > 0, verdict.ids + shift, 0).astype(np.int32, copy=False)
        if alive is None:
            ids = refused
        else:
            ids[alive] = refused
        (alive,) = (ids == 0).nonzero()
    return Outcome(ids, statuses)


def refusal_of_row(filters: Sequence[tuple[str, FilterState]], row: int) -> Status:
    """What the filters say of one row as it is, without columns; success where all let it pass."""
    for name, state in filters:
        known = state.of_row(row, None)
        reason = known.refusal(known.usage)
        if reason is not None:
            return _statuses(name, (reason,))[0]
    return SUCCESS
