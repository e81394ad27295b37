"""What plugins answered to pods of one signature, kept for the next pod like them.

The one rule: an answer is kept only where the plugin says that it lasts, and a column only where it follows from each row alone; what
else decides is asked anew in every cycle. So kept or not, the answer is that of the same functions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import UNSIGNED, PodInfo
from scheduler_core.framework.interface import FilterState, IndexArray, IntArray, PreFilterResult, PreScoreResult, ScoreState
from scheduler_core.framework.outcome import Outcome, refusal_of_row, run_filters
from scheduler_core.framework.status import SUCCESS, Status

FIRST_KEPT = 2
"""The how many-th pod of a signature is the first whose answers are kept: those of a pod without a second would be kept for nobody."""
MOST_KEPT: Final = 48
"""Signatures whose answers are kept, the least recently used go first."""
FEW_ROWS: Final = 3
"""Rows up to which asking them one by one is faster than a column."""
REMEMBERED: Final = 4096
"""Signatures asked once that are remembered."""


class Answers:
    """The lasting answers to one signature, and the columns that follow from them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.pre_filter: dict[str, PreFilterResult] = {}
        """By plugin, only answers that last."""
        self.pre_score: dict[str, PreScoreResult] = {}
        """By plugin, only answers that last."""
        self._filters: list[tuple[str, FilterState]] = []
        self._scores: list[tuple[int, ScoreState]] = []
        self._fixed: IntArray | None = None
        """(nodes,) int64: the sum of the scores that follow from the nodes alone"""
        self._statuses: list[Status] = [SUCCESS]
        self._ids: dict[Status, int] = {SUCCESS: 0}
        self._priorities: set[int] = set()
        """those with a column of their own, since other nominated pods count for them"""

    def filter(self, filters: Sequence[tuple[str, FilterState]], rows: IndexArray) -> Outcome:
        """What the filters, the same every time, say of the rows as they are."""
        self._filters = list(filters)
        ids = self._cluster.by_row.get((self, "filter"), rows, self._filter_ids)
        return Outcome(ids, self._statuses)

    def filter_with_nominated(self, priority: int, rows: IndexArray, ask: Callable[[IndexArray], Outcome]) -> Outcome:
        """What the filters say to a pod of the priority of the rows as they are with their nominated pods; ``ask`` finds out."""
        self._priorities.add(priority)
        ids = self._cluster.by_row.get((self, "nominated", priority), rows, lambda some: self._numbered(ask(some)))
        return Outcome(ids, self._statuses)

    def score(self, scores: Sequence[tuple[int, ScoreState]], rows: IndexArray) -> IntArray:
        """The weighted sum of the scores, the same every time, of the rows: (rows,) int64."""
        if self._fixed is None:
            self._scores = [(weight, state) for weight, state in scores if state.looks_at_pods]
            self._fixed = _weighted_sum([entry for entry in scores if not entry[1].looks_at_pods], np.arange(len(self._cluster)))
        column: IntArray = self._cluster.by_row.get((self, "score"), rows, self._score_sums)
        return column

    def forget(self) -> None:
        """Let the columns go."""
        self._cluster.by_row.forget((self, "filter"))
        self._cluster.by_row.forget((self, "score"))
        for priority in self._priorities:
            self._cluster.by_row.forget((self, "nominated", priority))

    def _filter_ids(self, rows: IndexArray) -> NDArray[np.int32]:
        if len(rows) > FEW_ROWS:
            return self._numbered(run_filters(self._filters, rows))
        return np.array([self._id_of(refusal_of_row(self._filters, row)) for row in rows.tolist()], np.int32)

    def _numbered(self, outcome: Outcome) -> NDArray[np.int32]:
        """The outcome's ids as indices into the statuses of all outcomes."""
        if len(outcome.statuses) == 1:
            return outcome.ids
        numbers = np.array([self._id_of(status) for status in outcome.statuses], np.int32)
        return numbers[outcome.ids]

    def _id_of(self, status: Status) -> int:
        if status is SUCCESS:
            return 0
        number = self._ids.setdefault(status, len(self._statuses))
        if number == len(self._statuses):
            self._statuses.append(status)
        return number

    def _score_sums(self, rows: IndexArray) -> IntArray:
        sums = _weighted_sum(self._scores, rows)
        return sums if self._fixed is None else sums + self._fixed[rows]


def _weighted_sum(scores: Sequence[tuple[int, ScoreState]], rows: IndexArray) -> IntArray:
    sums: IntArray | None = None
    for weight, state in scores:
        normalized = state.normalize(state.raw(rows))
        weighted = normalized if weight == 1 else normalized * weight
        sums = weighted if sums is None else sums + weighted
    return np.zeros(len(rows), np.int64) if sums is None else sums


class KeptAnswers:
    """Answers by signature; all are forgotten when an object other than a pod changes."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._generation = -1
        self._kept: OrderedDict[int, Answers] = OrderedDict()
        self._seen: dict[int, int] = {}

    def of(self, pod: PodInfo) -> Answers | None:
        """The answers kept for pods like this one; None where nothing is kept."""
        if self._generation != self._cluster.node_generation:
            self._forget_all()
        found = self._kept.get(pod.signature)
        if found is not None:
            self._kept.move_to_end(pod.signature)
            return found
        if pod.signature == UNSIGNED or not self._is_worth_it(pod.signature):
            return None
        found = self._kept[pod.signature] = Answers(self._cluster)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)[1].forget()
        return found

    def _is_worth_it(self, signature: int) -> bool:
        if len(self._seen) >= REMEMBERED:
            self._seen.clear()
        self._seen[signature] = self._seen.get(signature, 0) + 1
        return self._seen[signature] >= FIRST_KEPT

    def _forget_all(self) -> None:
        for answers in self._kept.values():
            answers.forget()
        self._kept.clear()
        self._generation = self._cluster.node_generation
