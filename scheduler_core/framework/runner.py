"""Calls the plugins of a profile and keeps what they said: the only place that knows their order.

The one rule: plugins never report; the runner turns their answers into statuses. Mirrors framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import NOWHERE, PodBatch, PodInfo
from scheduler_core.framework.interface import (
    FilterPlugin,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Profile,
    ScorePlugin,
    ScoreState,
    WeightedScore,
)
from scheduler_core.framework.kept import Answers
from scheduler_core.framework.outcome import Outcome, run_filters
from scheduler_core.framework.status import Code, Status
from scheduler_core.framework.unprepared import Refusing


@dataclass(slots=True)
class PodFilter:
    """A pod's PreFilter answers: the states to filter rows with, or the status that rejects the pod outright."""

    cluster: Cluster
    pod: PodInfo
    states: list[tuple[str, FilterState]] = field(default_factory=list)
    status: Status | None = None
    nodes: frozenset[str] | None = None
    nodes_by: tuple[str, ...] = ()
    """Plugins that left only some nodes."""
    skipped: tuple[str, ...] = ()
    answers: Answers | None = None
    """What is kept for pods of this signature."""
    lasting: int = 0
    """How many states, from the first on, are the same for the next pod of this signature and look at each row alone."""

    @property
    def is_kept(self) -> bool:
        """Whether all that the filters say of a row as it is is kept for the next pod of this signature."""
        return self.answers is not None and self.lasting == len(self.states)

    def usages(self, rows: IndexArray) -> list[IntArray]:
        """The ledgers of every plugin for the rows as they are."""
        return [state.usage(rows) for _, state in self.states]

    def weights(self, pods: PodBatch) -> list[IntArray]:
        """What every plugin's ledger gains by each pod of the batch."""
        return [state.weigh(pods) for _, state in self.states]

    def run(self, rows: IndexArray, usages: Sequence[IntArray] | None = None) -> Outcome:
        """Filter rows with the ledgers given, or as they are."""
        if usages is not None or self.answers is None or not self.lasting:
            return run_filters(self.states, rows, usages)
        before = self.answers.filter(self.states[: self.lasting], rows)
        return run_filters(self.states[self.lasting :], rows, before=before)

    def run_with_nominated(self, rows: IndexArray, usages: Sequence[IntArray] | None = None) -> Outcome:
        """As ``run``; rows with pods nominated of equal or higher priority must pass with those pods on them as well.

        Mirrors RunFilterPluginsWithNominatedPods.
        """
        if not self.cluster.nominator:
            return self.run(rows, usages)
        if usages is None and self.answers is not None and self.is_kept:
            return self._kept_with_nominated(self.answers, rows)
        return self._with_nominated(rows, usages, self.cluster.nominator.info_of(self.pod.key))

    def _kept_with_nominated(self, answers: Answers, rows: IndexArray) -> Outcome:
        """What is kept for all pods alike; where the pod itself is nominated it is asked, since that does not count for the pod."""
        nominator = self.cluster.nominator
        own = nominator.info_of(self.pod.key)
        mine = NOWHERE if own is None else self.cluster.row_of.get(nominator.node_of(self.pod.key), NOWHERE)
        if len(rows) == 1 and rows[0] == mine:
            return self._with_nominated(rows, None, own)
        outcome = answers.filter_with_nominated(self.pod.priority, rows, lambda some: self._with_nominated(some, None, None))
        if mine != NOWHERE and len(at := (rows == mine).nonzero()[0]):
            outcome.put(at, self._with_nominated(rows[at], None, own))
        return outcome

    def _with_nominated(self, rows: IndexArray, usages: Sequence[IntArray] | None, own: PodInfo | None) -> Outcome:
        """Ask the rows; ``own`` is the pod's own nomination, which does not count."""
        extra = self._nominated(rows, own)
        if extra is None:
            return self.run(rows, usages)
        positions, batch = extra
        unique = np.unique(positions)
        base = [state.usage(rows[unique]) for _, state in self.states] if usages is None else [u[unique] for u in usages]
        at = np.searchsorted(unique, positions)
        for (_, state), usage, weight in zip(self.states, base, self.weights(batch), strict=True):
            if state.width:
                state.put_on(usage, at, weight)
        first = self.run(rows[unique], base)
        refused = ~first.fits
        outcome = Outcome(np.zeros(len(rows), np.int32))
        rest = np.ones(len(rows), np.bool_)
        rest[unique[refused]] = False
        others = np.flatnonzero(rest)
        outcome.put(others, self.run(rows[others], None if usages is None else [u[others] for u in usages]))
        shown = Outcome(first.ids[refused], first.statuses)
        outcome.put(unique[refused], shown)
        return outcome

    def _nominated(self, rows: IndexArray, own: PodInfo | None) -> tuple[NDArray[np.int64], PodBatch] | None:
        """Nominated pods that count for this pod: positions in ``rows`` and the pods beside them; None for none."""
        found = self._nominated_to_row(int(rows[0]), own) if len(rows) == 1 else self._nominated_to_rows(rows, own)
        at, slots = found
        return (at, self.cluster.batch(slots, rows[at])) if len(at) else None

    def _nominated_to_row(self, row: int, own: PodInfo | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        there = self.cluster.nominator.on(self.cluster.names[row])
        slots = [info.slot for info in there if info.priority >= self.pod.priority and info is not own]
        return np.zeros(len(slots), np.int64), np.array(slots, np.int64)

    def _nominated_to_rows(self, rows: IndexArray, own: PodInfo | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        columns = self.cluster.nominator.columns(self.cluster.row_of, self.cluster.node_generation)
        counts = columns.priorities >= self.pod.priority
        if own is not None:
            counts &= columns.slots != own.slot
        place = np.full(len(self.cluster), -1, np.int64)
        place[rows] = np.arange(len(rows))
        positions = place[columns.rows[counts]]
        here = positions >= 0
        return positions[here], columns.slots[counts][here]


def pre_filter(profile: Profile, cluster: Cluster, pod: PodInfo, answers: Answers | None = None) -> PodFilter:
    """Run PreFilter of every plugin in order, and get the filters without one ready. Mirrors RunPreFilterPlugins.

    A refusal that preemption could undo lets the others run, and the last such one counts; any other ends it. ``answers`` are those
    that lasted from other pods of the signature.
    """
    found = PodFilter(cluster, pod, answers=answers)
    states: dict[str, FilterState] = {}
    refusal: Status | None = None
    skipped: list[str] = []
    lasting = {} if answers is None else answers.pre_filter
    for plugin in profile.pre_filters:
        result = lasting.get(plugin.name) or _pre_filtered(plugin, cluster, pod, answers)
        if result.state is not None:
            states[plugin.name] = result.state
        if result.status is not None:
            refusal = Status(result.status.code, result.status.reasons, plugin.name)
            if refusal.code == Code.UNSCHEDULABLE:
                continue
            found.status, found.nodes_by, found.skipped = refusal, (plugin.name,), tuple(skipped)
            return found
        if result.state is None:
            skipped.append(plugin.name)
        if result.nodes is not None:
            found.nodes_by = tuple(sorted({*found.nodes_by, plugin.name}))
            found.nodes = result.nodes if found.nodes is None else found.nodes & result.nodes
            if not found.nodes:
                found.status, found.skipped = Status(Code.UNRESOLVABLE, (_nothing_left(found.nodes_by),)), tuple(skipped)
                return found
    found.skipped = tuple(skipped)
    for plugin in profile.unprepared:
        result = lasting.get(plugin.name) or _pre_filtered(plugin, cluster, pod, answers)
        state = Refusing(result.status) if result.status is not None else result.state
        if state is not None:
            states[plugin.name] = state
    found.status = refusal
    found.states = [(name, states[name]) for name in profile.filters if name in states]
    if answers is not None:
        found.lasting = _lasting(profile.filters, states, answers)
    return found


def _pre_filtered(plugin: FilterPlugin, cluster: Cluster, pod: PodInfo, answers: Answers | None) -> PreFilterResult:
    result = plugin.pre_filter(cluster, pod)
    if answers is not None and result.lasting:
        answers.pre_filter[plugin.name] = result
    return result


def _lasting(filters: Sequence[str], states: Mapping[str, FilterState], answers: Answers) -> int:
    """How many states come before the first filter that is asked anew in every cycle."""
    count = 0
    for name in filters:
        if name not in answers.pre_filter:
            break
        count += name in states
    return count


def _nothing_left(plugins: Sequence[str]) -> str:
    if len(plugins) == 1:
        return f"node(s) didn't satisfy plugin {plugins[0]}"
    return f"node(s) didn't satisfy plugin(s) [{' '.join(plugins)}] simultaneously"


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """What each plugin that scored made of the rows: raw, normalised and weighted, (rows,) int64 by plugin."""

    raw: dict[str, IntArray]
    normalized: dict[str, IntArray]
    weighted: dict[str, IntArray]


@dataclass(slots=True)
class Scores:
    """Scores of feasible rows: their sum over all plugins, and on demand what each plugin gave."""

    rows: IndexArray
    totals: IntArray
    weights: dict[str, int]
    skipped: tuple[str, ...]
    states: list[tuple[str, ScoreState]]
    cluster: Cluster
    generation: int
    """That of the pods: only as long as none comes or goes can anybody ask for more than the sum."""

    def columns(self) -> ScoreColumns:
        """What each plugin gave; raises RuntimeError when pods came or went since."""
        if self.cluster.pod_generation != self.generation:
            raise RuntimeError("the scores of this cycle were those of another cluster")
        columns = ScoreColumns({}, {}, {})
        for name, state in self.states:
            columns.raw[name] = state.raw(self.rows)
            columns.normalized[name] = state.normalize(columns.raw[name])
            columns.weighted[name] = columns.normalized[name] * self.weights[name]
        return columns


def score(plugins: Sequence[WeightedScore], cluster: Cluster, pod: PodInfo, rows: IndexArray, answers: Answers | None = None) -> Scores:
    """PreScore, Score, NormalizeScore and weights over the feasible rows. Mirrors prioritizeNodes.

    ``answers`` are those that lasted from other pods of the signature.
    """
    weights: dict[str, int] = {}
    skipped: list[str] = []
    states: list[tuple[str, ScoreState]] = []
    lasting: list[tuple[int, ScoreState]] = []
    totals: IntArray | None = None
    known = {} if answers is None else answers.pre_score
    for entry in plugins:
        name = entry.plugin.name
        weights[name] = entry.weight
        result = known.get(name) or _pre_scored(entry.plugin, cluster, pod, rows, answers)
        state = result.state
        if state is None:
            skipped.append(name)
            continue
        states.append((name, state))
        if answers is not None and result.lasting:
            lasting.append((entry.weight, state))
            continue
        weighted = state.normalize(state.raw(rows)) * entry.weight
        totals = weighted if totals is None else totals + weighted
    if answers is not None and lasting:
        kept = answers.score(lasting, rows)
        totals = kept if totals is None else totals + kept
    if totals is None:
        totals = np.zeros(len(rows), np.int64)
    return Scores(rows, totals, weights, tuple(skipped), states, cluster, cluster.pod_generation)


def _pre_scored(plugin: ScorePlugin, cluster: Cluster, pod: PodInfo, rows: IndexArray, answers: Answers | None) -> PreScoreResult:
    result = plugin.pre_score(cluster, pod, rows)
    if answers is not None and result.lasting:
        answers.pre_score[plugin.name] = result
    return result
