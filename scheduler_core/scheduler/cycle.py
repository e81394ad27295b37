"""One attempt to place one pod: PreFilter, Filter, Score, host selection. Mirrors schedulePod of schedule_one.go.

The one rule: a cycle changes nothing; it answers, and whoever asked carries the answer out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.emptied import EmptiedCluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import MAX_EXTENDER_PRIORITY, Extender, ExtenderError
from scheduler_core.framework.interface import MAX_NODE_SCORE, IntArray, Profile
from scheduler_core.framework.kept import KeptAnswers
from scheduler_core.framework.outcome import Outcome
from scheduler_core.framework.runner import PodFilter, Scores, pre_filter, score
from scheduler_core.framework.status import Code, PluginError, Status
from scheduler_core.scheduler.diagnosis import Diagnosis
from scheduler_core.scheduler.fit_error import fit_error_text

MIN_FEASIBLE_NODES: Final = 100
MIN_FEASIBLE_PERCENTAGE: Final = 5
LEAST_CHUNK: Final = 256
"""Rows filtered at once when only few feasible ones are still wanted; more the next time."""
_HALF: Final = 2**63
NO_NODES: Final = "no nodes available to schedule pods"

Draw = Callable[[int], int]
"""A number from 0 to n - 1 out of the run's seed."""


@dataclass(frozen=True, slots=True)
class ExtenderFilterCall:
    """One extender asked to filter: the nodes before and after, its messages by node, and its error."""

    extender: str
    before: Sequence[str]
    after: Sequence[str]
    messages: Mapping[str, str]
    error: str = ""
    ignored: bool = False

    def document(self) -> dict[str, Any]:
        """The call as JSON values."""
        return {
            "extender": self.extender,
            "before": list(self.before),
            "after": list(self.before if self.ignored else self.after),
            "messages": dict(self.messages),
            "error": self.error,
            "ignored": self.ignored,
        }


@dataclass(slots=True)
class CycleResult:
    """Everything that one attempt found out; ``feasible`` and ``hosts`` are rows."""

    pod: PodInfo
    total: int
    diagnosis: Diagnosis
    pod_filter: PodFilter | None = None
    feasible: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    evaluated: int = 0
    start: int = 0
    wanted: int = 0
    nominated_first: str = ""
    scores: Scores | None = None
    extender_calls: list[ExtenderFilterCall] = field(default_factory=list)
    extender_scores: dict[str, IntArray] = field(default_factory=dict)
    emptied: bool = False
    """Whether an extender without a node cache handed the feasible nodes back, so that scoring sees no pods on them."""
    hosts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    host: int | None = None
    draw: int | None = None
    fit_error: str = ""
    error: str = ""


@dataclass(slots=True)
class Scheduler:
    """What lasts from cycle to cycle: the profile, the extenders, and where the next search starts."""

    cluster: Cluster
    profile: Profile
    extenders: Sequence[Extender] = ()
    percentage_of_nodes_to_score: int = 0
    next_start: int = 0
    draw: Draw | None = None
    """Chooses among equal hosts; the first of them when None."""
    _kept: KeptAnswers = field(init=False)

    def __post_init__(self) -> None:
        self._kept = KeptAnswers(self.cluster)

    def schedule(self, pod: PodInfo) -> CycleResult:
        """Try to place the pod; never raises for a refusal or a plugin's error, both are in the result."""
        result = CycleResult(pod, len(self.cluster), Diagnosis(len(self.cluster)))
        if not len(self.cluster):
            result.fit_error = NO_NODES
            return result
        try:
            self._find_feasible(result)
            if not len(result.feasible):
                result.fit_error = fit_error_text(result.total, result.diagnosis)
                return result
            self._select(result)
        except (PluginError, ExtenderError) as error:
            result.error = str(error)
        return result

    # ---- filter --------------------------------------------------------------------------------------------------

    def _find_feasible(self, result: CycleResult) -> None:
        """Mirrors findNodesThatFitPod."""
        diagnosis = result.diagnosis
        result.pod_filter = found = pre_filter(self.profile, self.cluster, result.pod, self._kept.of(result.pod))
        diagnosis.plugins.update(found.nodes_by)
        if found.status is not None:
            diagnosis.pre_filter = diagnosis.absent = found.status
            if found.status.plugin:
                diagnosis.plugins.add(found.status.plugin)
            return
        if self._try_nominated(result, found):
            return
        rows = self._rows(result, found)
        self._filter(result, found, rows)
        # A nominated node that failed before counts too, looked at again or not
        self.next_start = (self.next_start + len(result.feasible) + len(diagnosis.statuses)) % len(self.cluster)
        result.feasible = self._through_extenders(result, result.feasible)

    def _try_nominated(self, result: CycleResult, found: PodFilter) -> bool:
        """The nominated node is looked at alone and first; a failure there ends nothing. Mirrors evaluateNominatedNode."""
        name = result.pod.pod.nominated_node_name
        row = self.cluster.row_of.get(name, -1) if name else -1
        if row < 0:
            return False
        rows = np.array([row], np.int64)
        try:
            outcome = found.run_with_nominated(rows)
            result.diagnosis.statuses.put(rows, outcome)
            result.diagnosis.plugins |= outcome.plugins()
            feasible = self._through_extenders(result, rows[outcome.fits])
        except (PluginError, ExtenderError):
            return False
        if not len(feasible):
            return False
        result.feasible, result.evaluated, result.nominated_first = feasible, 1, name
        return True

    def _rows(self, result: CycleResult, found: PodFilter) -> NDArray[np.int64]:
        """The rows to look at, in order."""
        count = len(self.cluster)
        if found.nodes is not None:
            result.diagnosis.absent = Status(Code.UNRESOLVABLE, (f"node(s) didn't satisfy plugin(s) [{' '.join(found.nodes_by)}]",))
            rows = sorted(self.cluster.row_of[name] for name in found.nodes if name in self.cluster.row_of)
            result.start = self.next_start % len(rows) if rows else 0
            return np.roll(np.asarray(rows, np.int64), -result.start)
        result.start = self.next_start % count
        twice_around = self.cluster.static("rows twice around", lambda: np.arange(2 * count) % count)
        return twice_around[result.start : result.start + count]

    def _filter(self, result: CycleResult, found: PodFilter, rows: NDArray[np.int64]) -> None:
        """Look at rows until enough are feasible. Mirrors findNodesThatPassFilters."""
        result.wanted = self._enough(len(rows))
        feasible: list[NDArray[np.int64]] = []
        count, least = 0, LEAST_CHUNK
        while result.evaluated < len(rows) and count < result.wanted:
            chunk = rows[result.evaluated : result.evaluated + max(result.wanted - count, least)]
            # what is kept is only looked up: behind the first rows, all at once
            least = len(rows) if found.is_kept else 2 * least
            outcome = found.run_with_nominated(chunk)
            (fits,) = outcome.fits.nonzero()
            if count + len(fits) > result.wanted:
                # the search ends with the last node wanted: those behind it were never looked at
                fits = fits[: result.wanted - count]
                chunk = chunk[: int(fits[-1]) + 1]
                outcome = Outcome(outcome.ids[: len(chunk)], outcome.statuses)
            if len(fits) < len(chunk):
                result.diagnosis.statuses.put(chunk, outcome)
                result.diagnosis.plugins |= outcome.plugins()
            feasible.append(chunk[fits])
            count += len(fits)
            result.evaluated += len(chunk)
        result.feasible = feasible[0] if len(feasible) == 1 else np.concatenate([np.zeros(0, np.int64), *feasible])

    def _enough(self, count: int) -> int:
        """How many feasible nodes end the search. Mirrors numFeasibleNodesToFind."""
        if not self.profile.scores and not any(e.prioritizes or e.filters for e in self.extenders):
            return 1
        if count < MIN_FEASIBLE_NODES:
            return count
        own = self.profile.percentage_of_nodes_to_score
        percentage = self.percentage_of_nodes_to_score if own is None else own
        if percentage == 0:
            percentage = max(50 - count // 125, MIN_FEASIBLE_PERCENTAGE)
        return max(count * percentage // 100, MIN_FEASIBLE_NODES)

    # ---- extenders -----------------------------------------------------------------------------------------------

    def _through_extenders(self, result: CycleResult, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Each extender strikes nodes that the one before left. Mirrors findNodesThatPassExtenders."""
        before = len(rows)
        result.emptied = False
        for extender in self.extenders:
            if not len(rows):
                break
            if extender.filters and extender.is_interested(result.pod):
                rows = self._through(extender, result, rows)
        if len(rows) != before:
            result.diagnosis.plugins.add("Extender")
        return rows

    def _through(self, extender: Extender, result: CycleResult, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        names = [self.cluster.names[row] for row in rows.tolist()]
        try:
            answer = extender.filter(result.pod, [self.cluster.nodes[row] for row in rows.tolist()])
        except ExtenderError as error:
            result.extender_calls.append(ExtenderFilterCall(extender.name, names, (), {}, str(error), extender.ignorable))
            if extender.ignorable:
                return rows
            raise
        self._strike(result, answer.failed_and_unresolvable, Code.UNRESOLVABLE)
        self._strike(result, {n: m for n, m in answer.failed.items() if n not in answer.failed_and_unresolvable}, Code.UNSCHEDULABLE)
        result.emptied |= answer.knows_only_objects
        kept = set(answer.nodes)
        left = tuple(name for name in names if name in kept)
        messages = {**answer.failed, **answer.failed_and_unresolvable}
        result.extender_calls.append(ExtenderFilterCall(extender.name, names, left, messages))
        return np.array([row for row in rows.tolist() if self.cluster.names[row] in kept], np.int64)

    def _strike(self, result: CycleResult, messages: Mapping[str, str], code: Code) -> None:
        """What an extender says of a node replaces what was known of it; a name that is no node's changes nothing."""
        for name, message in messages.items():
            row = self.cluster.row_of.get(name)
            if row is not None:
                result.diagnosis.statuses.give(row, Status(code, (message,)))

    # ---- score ---------------------------------------------------------------------------------------------------

    def _select(self, result: CycleResult) -> None:
        """Score the feasible rows and take one of the best. Mirrors prioritizeNodes and selectHost."""
        rows = result.feasible
        if len(rows) > 1 and rows[0] > rows[-1]:
            # the search went past the last row and on from the first
            rows = np.sort(rows)
        if len(rows) == 1:
            result.hosts, result.host = rows, int(rows[0])
            return
        result.scores = scores = self._score(result, rows)
        if not self.profile.scores and not self.extenders:
            scores.totals += 1
        self._extender_scores(result, scores)
        result.hosts = rows[scores.totals == scores.totals.max()]
        if len(result.hosts) > 1 and self.draw is not None:
            result.draw = self.draw(len(result.hosts))
        result.host = int(result.hosts[result.draw or 0])

    def _score(self, result: CycleResult, rows: NDArray[np.int64]) -> Scores:
        if result.emptied:
            return score(self.profile.scores, EmptiedCluster(self.cluster), result.pod, rows)
        answers = result.pod_filter.answers if result.pod_filter else None
        return score(self.profile.scores, self.cluster, result.pod, rows, answers)

    def _extender_scores(self, result: CycleResult, scores: Scores) -> None:
        if not self.extenders:
            return
        nodes = [self.cluster.nodes[row] for row in scores.rows.tolist()]
        for extender in self.extenders:
            if not extender.prioritizes or not extender.is_interested(result.pod):
                continue
            try:
                answer = extender.prioritize(result.pod, nodes)
            except ExtenderError:
                continue
            factor = extender.weight * (MAX_NODE_SCORE // MAX_EXTENDER_PRIORITY)
            column = np.array([_wrapped(answer.get(node.name, 0) * factor) for node in nodes], np.int64)
            result.extender_scores[extender.name] = column
            scores.totals += column


def _wrapped(value: int) -> int:
    """The value as 64 bits hold it: an extender's score is not checked, and upstream's product of it overflows."""
    return (value + _HALF) % (2 * _HALF) - _HALF
