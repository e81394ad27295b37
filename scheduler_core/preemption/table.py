"""Candidates as a table: the rows of nodes that could make room, and in columns what the rules compare.

The one rule: it reads like a mapping from node name to victims, and whoever compares candidates uses the columns.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodTable
from scheduler_core.framework.extender import Victims
from scheduler_core.preemption.known import KnownRows, Rows


class CandidateTable(Mapping[str, Victims]):
    """``rows`` are those of the candidates, in the order found; whoever reads it does so before the cluster changes."""

    def __init__(self, known: KnownRows, names: Sequence[str], row_of: Mapping[str, int], rows: Rows) -> None:
        self._known = known
        self._names = names
        self._row_of = row_of
        self.rows = rows

    @classmethod
    def of_rows(cls, cluster: Cluster, known: KnownRows, rows: Rows) -> CandidateTable:
        """Rows of the cluster that are known to be candidates."""
        return cls(known, cluster.names, cluster.row_of, rows)

    @classmethod
    def of(cls, pods: PodTable, candidates: Mapping[str, Victims]) -> CandidateTable:
        """The table of candidates that somebody made one by one, such as an extender; none is without victims."""
        if isinstance(candidates, CandidateTable):
            return candidates
        names = sorted(candidates)
        known = KnownRows(pods, len(names))
        for row, name in enumerate(names):
            known.accept(row, candidates[name].pods, candidates[name].pdb_violations)
        return cls(known, names, {name: row for row, name in enumerate(names)}, np.arange(len(names)))

    def ranks(self, rank: int, rows: Rows) -> NDArray[np.int64]:
        """(rows,) int64: one of the ranks of ``known.py`` of each candidate."""
        column: NDArray[np.int64] = self._known.ranks[rank]
        return column.take(rows)

    @property
    def rows_by_name(self) -> Rows:
        """The rows in order of the nodes' names."""
        rows = self.rows.copy()
        rows.sort()
        return rows

    def names_of(self, rows: Rows) -> tuple[str, ...]:
        """The names of the rows."""
        return tuple(self._names[row] for row in rows.tolist())

    def items(self) -> ItemsView[str, Victims]:
        """(name, victims) of every candidate."""
        return {self._names[row]: self._known.victims_of(row) for row in self.rows.tolist()}.items()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[str]:
        return (self._names[row] for row in self.rows.tolist())

    def __getitem__(self, name: str) -> Victims:
        row = self._row_of.get(name, -1)
        if not np.count_nonzero(self.rows == row):
            raise KeyError(name)
        return self._known.victims_of(row)
