"""Topology domains and the pods counted in them, kept up to date pod by pod.

The one rule: a count is a sum over pods, so a pod that comes or goes changes one entry of it and nothing is ever recounted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import MISSING, Cluster

_MOST_VIEWS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class Domains:
    """The nodes grouped by the value of a label.

    ``ids`` is (nodes,) int64: the domain of each row, ``count`` for a row in none; ``counted`` is the same for the rows whose
    pods count, and ``count`` for all other rows; ``places`` is ``counted`` as a list, for one row at a time.
    """

    ids: NDArray[np.int64]
    counted: NDArray[np.int64]
    places: list[int]
    count: int


@dataclass(slots=True, eq=False)
class DomainCounts:
    """Pods in each domain: ``counts`` is (domains + 1,) int64, whose last entry stays 0; ``total`` is its sum."""

    domains: Domains
    counts: NDArray[np.int64]
    total: int


@dataclass(slots=True, eq=False)
class RowCounts:
    """How many pods of some kind are on each row, and in each domain of the groupings that somebody asked for."""

    rows: dict[int, int] = field(default_factory=dict)
    views: dict[Domains, DomainCounts] = field(default_factory=dict)
    generation: int = -1

    def add(self, row: int, number: int) -> None:
        """Count ``number`` more pods on the row (fewer when negative)."""
        left = self.rows.get(row, 0) + number
        if left:
            self.rows[row] = left
        else:
            del self.rows[row]
        for view in self.views.values():
            domain = view.domains.places[row]
            if domain < view.domains.count:
                view.counts[domain] += number
                view.total += number

    def view(self, domains: Domains, generation: int) -> DomainCounts:
        """The pods in each domain; groupings made before the last change of a node are let go."""
        if generation != self.generation or len(self.views) > _MOST_VIEWS:
            self.views.clear()
            self.generation = generation
        found = self.views.get(domains)
        if found is None:
            found = self.views[domains] = self._counted(domains)
        return found

    def _counted(self, domains: Domains) -> DomainCounts:
        counts = np.zeros(domains.count + 1, np.int64)
        total = 0
        for row, number in self.rows.items():
            domain = domains.places[row]
            if domain < domains.count:
                counts[domain] += number
                total += number
        return DomainCounts(domains, counts, total)


def label_domains(cluster: Cluster, label: str) -> Domains:
    """The nodes by the value of a label; nodes without it are in no domain."""

    def build() -> Domains:
        column = cluster.label_column(label)
        ids = np.where(column.ids == MISSING, len(column.values), column.ids)
        return Domains(ids, ids, ids.tolist(), len(column.values))

    return cluster.static(("domains", label), build)


def row_domains(cluster: Cluster) -> Domains:
    """Each node as a domain of its own."""

    def build() -> Domains:
        rows = np.arange(len(cluster))
        return Domains(rows, rows, rows.tolist(), len(cluster))

    return cluster.static("row domains", build)
