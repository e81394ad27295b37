"""Calls the plugins of a profile and keeps what they said: the only place that knows their order.

The one rule: plugins never report; the runner turns their answers into statuses. Mirrors framework/runtime/framework.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.framework.interface import FilterState, IndexArray, IntArray, Profile, WeightedScore
from scheduler_core.framework.status import SUCCESS, Code, Status
from scheduler_core.framework.unprepared import Refusing


@dataclass(slots=True)
class Outcome:
    """What filters said of a batch of rows: ``ids`` (rows,) int32 index into ``statuses``, whose first is success."""

    ids: NDArray[np.int32]
    statuses: list[Status] = field(default_factory=lambda: [SUCCESS])

    @property
    def fits(self) -> NDArray[np.bool_]:
        """(rows,) bool: whether the row passed every filter."""
        return np.equal(self.ids, 0)

    def status(self, position: int) -> Status:
        """The status of the row at a position of the batch."""
        return self.statuses[int(self.ids[position])]

    def put(self, positions: IndexArray, other: Outcome) -> None:
        """Take over another outcome for some positions."""
        shift = len(self.statuses) - 1
        self.statuses.extend(other.statuses[1:])
        self.ids[positions] = np.where(other.ids > 0, other.ids + shift, 0)


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

    def usages(self, rows: IndexArray) -> list[IntArray]:
        """The ledgers of every plugin for the rows as they are."""
        return [state.usage(rows) for _, state in self.states]

    def weights(self, pods: PodBatch) -> list[IntArray]:
        """What every plugin's ledger gains by each pod of the batch."""
        return [state.weigh(pods) for _, state in self.states]

    def run(self, rows: IndexArray, usages: Sequence[IntArray] | None = None) -> Outcome:
        """Filter rows with the ledgers given, or as they are; the first plugin that refuses a row decides its status."""
        outcome = Outcome(np.zeros(len(rows), np.int32))
        alive: NDArray[np.intp] | None = None
        for k, (name, state) in enumerate(self.states):
            sub = rows if alive is None else rows[alive]
            if not len(sub):
                break
            if usages is None:
                verdict = state.actual_verdict(sub)
            else:
                verdict = state.verdict(sub, usages[k] if alive is None else usages[k][alive])
            if verdict is None:
                continue
            shift = len(outcome.statuses) - 1
            outcome.statuses.extend(Status(code, reasons, name) for code, reasons in verdict.reasons)
            ids = np.where(verdict.ids > 0, verdict.ids + shift, 0)
            if alive is None:
                outcome.ids[:] = ids
            else:
                outcome.ids[alive] = ids
            alive = np.flatnonzero(outcome.ids == 0)
        return outcome

    def run_with_nominated(self, rows: IndexArray, usages: Sequence[IntArray] | None = None) -> Outcome:
        """As ``run``; rows with pods nominated of equal or higher priority must pass with those pods on them as well.

        Mirrors RunFilterPluginsWithNominatedPods.
        """
        extra = self.nominated(rows)
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

    def nominated(self, rows: IndexArray) -> tuple[NDArray[np.int64], PodBatch] | None:
        """Nominated pods that count for this pod: positions in ``rows`` and the pods beside them; None for none."""
        nominator = self.cluster.nominator
        if not nominator:
            return None
        columns = nominator.columns(self.cluster.row_of, self.cluster.node_generation)
        counts = columns.priorities >= self.pod.priority
        own = nominator.info_of(self.pod.key)
        if own is not None:
            counts &= columns.slots != own.slot
        place = np.full(len(self.cluster), -1, np.int64)
        place[rows] = np.arange(len(rows))
        positions = place[columns.rows[counts]]
        here = positions >= 0
        if not here.any():
            return None
        at = positions[here]
        return at, self.cluster.batch(columns.slots[counts][here], rows[at])


def pre_filter(profile: Profile, cluster: Cluster, pod: PodInfo) -> PodFilter:
    """Run PreFilter of every plugin in order, and get the filters without one ready. Mirrors RunPreFilterPlugins.

    A refusal that preemption could undo lets the others run, and the last such one counts; any other ends it.
    """
    found = PodFilter(cluster, pod)
    states: dict[str, FilterState] = {}
    refusal: Status | None = None
    for plugin in profile.pre_filters:
        result = plugin.pre_filter(cluster, pod)
        if result.state is not None:
            states[plugin.name] = result.state
        if result.status is not None:
            refusal = Status(result.status.code, result.status.reasons, plugin.name)
            if refusal.code == Code.UNSCHEDULABLE:
                continue
            found.status, found.nodes_by = refusal, (plugin.name,)
            return found
        if result.state is None:
            found.skipped += (plugin.name,)
        if result.nodes is not None:
            found.nodes_by = tuple(sorted({*found.nodes_by, plugin.name}))
            found.nodes = result.nodes if found.nodes is None else found.nodes & result.nodes
            if not found.nodes:
                found.status = Status(Code.UNRESOLVABLE, (_nothing_left(found.nodes_by),))
                return found
    for plugin in profile.unprepared:
        result = plugin.pre_filter(cluster, pod)
        state = Refusing(result.status) if result.status is not None else result.state
        if state is not None:
            states[plugin.name] = state
    found.status = refusal
    found.states = [(name, states[name]) for name in profile.filters if name in states]
    return found


def _nothing_left(plugins: Sequence[str]) -> str:
    if len(plugins) == 1:
        return f"node(s) didn't satisfy plugin {plugins[0]}"
    return f"node(s) didn't satisfy plugin(s) [{' '.join(plugins)}] simultaneously"


@dataclass(slots=True)
class Scores:
    """Scores of feasible rows: for each plugin that scored, raw, normalised and weighted columns, and their sum."""

    rows: IndexArray
    totals: IntArray
    raw: dict[str, IntArray] = field(default_factory=dict)
    normalized: dict[str, IntArray] = field(default_factory=dict)
    weighted: dict[str, IntArray] = field(default_factory=dict)
    weights: dict[str, int] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()


def score(plugins: Sequence[WeightedScore], cluster: Cluster, pod: PodInfo, rows: IndexArray) -> Scores:
    """PreScore, Score, NormalizeScore and weights over the feasible rows. Mirrors prioritizeNodes."""
    scores = Scores(rows, np.zeros(len(rows), np.int64))
    skipped: list[str] = []
    for entry in plugins:
        name = entry.plugin.name
        scores.weights[name] = entry.weight
        state = entry.plugin.pre_score(cluster, pod, rows)
        if state is None:
            skipped.append(name)
            continue
        raw = state.raw(rows)
        normalized = state.normalize(raw)
        weighted = normalized * entry.weight
        scores.raw[name], scores.normalized[name], scores.weighted[name] = raw, normalized, weighted
        scores.totals += weighted
    scores.skipped = tuple(skipped)
    return scores
