"""Candidates as a table: one row for each node that could make room, the victims of all of them in one column.

The one rule: it reads like a mapping from node name to victims, and whoever compares candidates uses the columns.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.pods import NO_START, PodTable
from scheduler_core.framework.extender import Victims

Column = NDArray[np.int64]


class CandidateTable(Mapping[str, Victims]):
    """``violations`` and ``counts`` are (candidates,); ``slots`` (victims,) holds the victims of each in turn, by importance."""

    def __init__(self, pods: PodTable, names: Sequence[str], violations: Column, counts: Column, slots: Column) -> None:
        self._pods = pods
        self.names = names
        self.violations = violations
        self.counts = counts
        self._slots = slots
        self._first = np.concatenate(([0], np.cumsum(counts)))

    @classmethod
    def of(cls, pods: PodTable, candidates: Mapping[str, Victims]) -> CandidateTable:
        """The table of candidates that somebody made one by one, such as an extender; none is without victims."""
        if isinstance(candidates, CandidateTable):
            return candidates
        names = list(candidates)
        violations = np.array([victims.pdb_violations for victims in candidates.values()], np.int64)
        counts = np.array([len(victims.pods) for victims in candidates.values()], np.int64)
        slots = np.array([info.slot for victims in candidates.values() for info in victims.pods], np.int64)
        return cls(pods, names, violations, counts, slots)

    def items(self) -> ItemsView[str, Victims]:
        """(name, victims) of every candidate."""
        return {name: self._at(k) for k, name in enumerate(self.names)}.items()

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __getitem__(self, name: str) -> Victims:
        try:
            k = self.names.index(name)
        except ValueError:
            raise KeyError(name) from None
        return self._at(k)

    def _at(self, k: int) -> Victims:
        infos = self._pods.infos
        slots = self._slots[self._first[k] : self._first[k + 1]].tolist()
        return Victims(tuple(infos[slot] for slot in slots), int(self.violations[k]))

    @property
    def top_priorities(self) -> Column:
        """(candidates,) priority of the first victim."""
        return self._pods.priority[self._slots[self._first[:-1]]]

    @property
    def priority_sums(self) -> Column:
        """(candidates,) sum of the victims' priorities, each shifted above zero so that more victims never make a lower sum."""
        return np.add.reduceat(self._pods.priority[self._slots] + 2**31, self._first[:-1])

    @property
    def latest_starts(self) -> Column:
        """(candidates,) earliest start among the victims of the highest priority, NO_START for one that starts now."""
        priority = self._pods.priority[self._slots]
        highest = np.maximum.reduceat(priority, self._first[:-1])
        counted = np.where(priority == np.repeat(highest, self.counts), self._pods.start[self._slots], NO_START)
        return np.minimum.reduceat(counted, self._first[:-1])
