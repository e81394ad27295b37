"""Why nodes were refused, as a column over rows: many rows, few distinct statuses. Mirrors Diagnosis and NodeToStatus.

The one rule: a row without a status of its own has the one of all rows that were not looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.outcome import Outcome
from scheduler_core.framework.status import SUCCESS, Code, Status

ABSENT: Final = Status(Code.UNRESOLVABLE)


class NodeStatuses:
    """Statuses by row: ``ids`` (nodes,) int32 index into ``distinct``; 0 where a row has none of its own."""

    def __init__(self, nodes: int) -> None:
        self.ids = np.zeros(nodes, np.int32)
        self.distinct: list[Status] = [SUCCESS]

    def __len__(self) -> int:
        return int(np.count_nonzero(self.ids))

    def __iter__(self) -> Iterator[tuple[int, Status]]:
        """(row, status) in order of rows."""
        return ((row, self.distinct[self.ids[row]]) for row in np.flatnonzero(self.ids).tolist())

    def get(self, row: int) -> Status | None:
        """The row's own status."""
        return self.distinct[int(self.ids[row])] if self.ids[row] else None

    def give(self, row: int, status: Status) -> None:
        """Give one row a status."""
        self.distinct.append(status)
        self.ids[row] = len(self.distinct) - 1

    def put(self, rows: NDArray[np.int64], outcome: Outcome) -> None:
        """Take over the refusals of a batch of rows."""
        shift = len(self.distinct) - 1
        self.distinct.extend(outcome.statuses[1:])
        if np.count_nonzero(outcome.ids) == len(rows):
            self.ids[rows] = outcome.ids + shift if shift else outcome.ids
            return
        (refused,) = outcome.ids.nonzero()
        self.ids[rows[refused]] = outcome.ids[refused] + shift

    def documents(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """By node name, as JSON values; rows with the same status share one document."""
        documents = [status.document() for status in self.distinct]
        rows = np.flatnonzero(self.ids)
        return {names[row]: documents[k] for row, k in zip(rows.tolist(), self.ids[rows].tolist(), strict=True)}

    def messages(self, code: Code) -> list[str]:
        """The messages of all statuses of a code."""
        if all(status.code != code for status in self.distinct):
            return []
        return [status.message for _, status in self if status.code == code]

    def reasons(self) -> Counter[str]:
        """How many rows gave each reason."""
        counts: Counter[str] = Counter()
        for k, count in enumerate(np.bincount(self.ids, minlength=1).tolist()):
            if k and count:
                for reason in self.distinct[k].reasons:
                    counts[reason] += count
        return counts


class Diagnosis:
    """The statuses of rows looked at, the one of all others, and which plugins refused."""

    def __init__(self, nodes: int) -> None:
        self.statuses = NodeStatuses(nodes)
        self.absent = ABSENT
        self.pre_filter: Status | None = None
        self.plugins: set[str] = set()
        """The plugins that refused, for the queue."""

    def status(self, row: int) -> Status:
        """The status of a row that is not feasible."""
        return self.statuses.get(row) or self.absent

    def rows_with(self, code: Code) -> NDArray[np.int64]:
        """(rows,) int64: rows whose status has the code, in order; as NodesForStatusCode, nothing being feasible."""
        ids = self.statuses.ids
        own = [status.code == code for status in self.statuses.distinct[1:]]
        others = self.absent.code == code
        if all(own) and (others or np.count_nonzero(ids) == len(ids)):
            return np.arange(len(ids))
        return np.array([others, *own], np.bool_)[ids].nonzero()[0]
