"""Columns that depend on nothing but a row's own node and pods, computed anew only where a row changed.

The one rule: a column is kept from the second time that somebody asks for it; what is asked once is computed for the rows
asked for, and forgotten. So identical pods reuse each other's answers and a cluster of one-offs keeps nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import numpy as np
from numpy.typing import NDArray

KEPT: Final = 64
"""Columns kept, the least recently used go first."""
REMEMBERED: Final = 4096
"""Keys asked once that are remembered."""

Column = NDArray[np.int64]
Compute = Callable[[Column], Column]


class RowColumns:
    """Kept columns over ``rows`` rows, and the journal of rows that changed since."""

    def __init__(self) -> None:
        self._rows = 0
        self._journal: list[int] = []
        self._kept: OrderedDict[Hashable, tuple[Column, int]] = OrderedDict()
        self._seen: dict[Hashable, None] = {}

    def reset(self, rows: int) -> None:
        """The table was laid anew: forget everything."""
        self._rows = rows
        self._journal.clear()
        self._kept.clear()

    def changed(self, row: int) -> None:
        """The row has another node object or other pods."""
        if not self._kept:
            return
        self._journal.append(row)
        if len(self._journal) > max(2 * self._rows, 1024):
            self._journal.clear()
            self._kept.clear()

    def get(self, key: Hashable, rows: Column, compute: Compute) -> Column:
        """The values for the rows asked for: (rows,) int64. ``compute`` answers for any rows."""
        entry = self._kept.get(key)
        if entry is None:
            if key not in self._seen:
                self._remember(key)
                return compute(rows)
            column = compute(np.arange(self._rows))
        else:
            column, position = entry
            if position == len(self._journal):
                self._kept.move_to_end(key)
                return column[rows]
            stale = np.array(list(set(self._journal[position:])), np.int64)
            column[stale] = compute(stale)
        self._kept[key] = (column, len(self._journal))
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return column[rows]

    def _remember(self, key: Hashable) -> None:
        if len(self._seen) >= REMEMBERED:
            self._seen.clear()
        self._seen[key] = None
