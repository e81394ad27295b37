"""Columns that depend on nothing but a row's own node, pods and nominations, computed anew only where a row changed.

The one rule: a row that changed is computed again when somebody asks for it, together with all others that wait: a search that looks
at a part of the nodes leaves the rest for later. What is kept, and for how long, is up to whoever asks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

KEPT: Final = 128
"""Columns kept, the least recently used go first."""

Rows = NDArray[np.int64]
Values = NDArray[Any]
Compute = Callable[[Rows], Values]


@dataclass(slots=True)
class _Column:
    """``values`` (rows,); ``stale`` (rows,) bool: changed since; ``position`` in the journal up to which ``stale`` knows."""

    values: Values
    stale: NDArray[np.bool_]
    position: int
    is_stale: bool = False


class RowColumns:
    """Kept columns over the rows of the node table, and the journal of rows that changed since."""

    def __init__(self) -> None:
        self._rows = 0
        self._journal: list[int] = []
        self._kept: OrderedDict[Hashable, _Column] = OrderedDict()

    def reset(self, rows: int) -> None:
        """The table was laid anew: forget everything."""
        self._rows = rows
        self._journal.clear()
        self._kept.clear()

    def changed(self, row: int) -> None:
        """The row has another node object, other pods or other nominations."""
        if not self._kept:
            return
        self._journal.append(row)
        if len(self._journal) > max(2 * self._rows, 1024):
            self._journal.clear()
            self._kept.clear()

    def get(self, key: Hashable, rows: Rows, compute: Compute) -> Values:
        """The values for the rows asked for: (rows,). ``compute`` answers for any rows, always in the same type."""
        column = self._kept.get(key)
        if column is None:
            column = self._keep(key, compute)
        elif column.position < len(self._journal):
            for row in self._journal[column.position :]:
                column.stale[row] = True
            column.position, column.is_stale = len(self._journal), True
        # before anything is computed: that may ask for other columns, and the oldest makes room for them
        self._kept.move_to_end(key)
        if column.is_stale and (len(rows) == self._rows or np.count_nonzero(column.stale[rows])):
            (stale,) = column.stale.nonzero()
            column.values[stale] = compute(stale)
            column.stale[stale] = column.is_stale = False
        return column.values[rows]

    def forget(self, key: Hashable) -> None:
        """Let a column go."""
        self._kept.pop(key, None)

    def _keep(self, key: Hashable, compute: Compute) -> _Column:
        column = _Column(compute(np.arange(self._rows)), np.zeros(self._rows, np.bool_), len(self._journal))
        self._kept[key] = column
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return column
