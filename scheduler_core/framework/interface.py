"""The shape of a plugin: what it answers about one pod, for a batch of rows of the node table.

The one rule: what a plugin needs to know of a node is either fixed for the node (its object) or a *ledger*: a vector of
integers that adds up over the pods on it. So a hypothetical node, with pods taken off or put on, is the same call with
another ledger, and the dry run of preemption needs no copies of the world. Mirrors framework/interface.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from scheduler_core.framework.status import Code, Status

if TYPE_CHECKING:
    from scheduler_core.cluster.cluster import Cluster
    from scheduler_core.cluster.pods import PodBatch, PodInfo

IntArray = NDArray[np.int64]
IndexArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

MAX_NODE_SCORE = 100

Reason = tuple[Code, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A plugin's answer for a batch of rows.

    ``ids`` is (rows,) int32: 0 where the node passes, else 1 + the index into ``reasons``.
    """

    ids: NDArray[np.int32]
    reasons: Sequence[Reason]


@dataclass(frozen=True, slots=True)
class RowLedger:
    """What a plugin knows of one row in plain integers, for a few rows, where columns do not pay.

    ``usage`` is the row's ledger as it is, ``weights`` what each pod beside it adds; ``refusal`` says why the row with the ledger given
    refuses the pod.
    """

    usage: list[int]
    weights: list[list[int]]
    refusal: Callable[[Sequence[int]], Reason | None]


class FilterState:
    """What one plugin knows about one pod during one cycle; the defaults are those of a plugin without a ledger."""

    width = 0
    """Columns of the ledger; 0 where pods on the node do not matter."""
    is_sum = True
    """Whether a pod simply adds its weights; where not, ``take_off`` and ``put_on`` say what it does."""

    def usage(self, rows: IndexArray) -> IntArray:
        """The ledger of the nodes as they are: (rows, width) int64."""
        return np.zeros((len(rows), 0), np.int64)

    def weigh(self, pods: PodBatch) -> IntArray:
        """What each pod of the batch adds to the ledger of the row it stands beside: (pods, width) int64."""
        return np.zeros((len(pods), 0), np.int64)

    def take_off(self, usage: IntArray, at: IndexArray, weights: IntArray) -> None:
        """Take pods off hypothetical rows, in place; positions in ``at`` may repeat."""
        np.subtract.at(usage, at, weights)

    def put_on(self, usage: IntArray, at: IndexArray, weights: IntArray) -> None:
        """Put pods on hypothetical rows, in place; positions in ``at`` may repeat."""
        np.add.at(usage, at, weights)

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        """Which rows refuse the pod, given their ledgers; None when all pass."""
        raise NotImplementedError

    def actual_verdict(self, rows: IndexArray) -> Verdict | None:
        """Which rows refuse the pod as they are; for a plugin that sees at a glance that none does."""
        return self.verdict(rows, self.usage(rows))

    def of_row(self, row: int, pods: PodBatch | None) -> RowLedger:
        """The same answers about one row and pods beside it, if any; a plugin that is always there has them without columns."""
        rows = np.array([row], np.int64)

        def refusal(ledger: Sequence[int]) -> Reason | None:
            verdict = self.verdict(rows, np.array([ledger], np.int64))
            return verdict.reasons[verdict.ids[0] - 1] if verdict is not None and verdict.ids[0] else None

        usage = self.usage(rows)[0].tolist() if self.width else []
        return RowLedger(usage, [] if pods is None else self.weigh(pods).tolist(), refusal)


@dataclass(frozen=True, slots=True)
class PreFilterResult:
    """The answer of PreFilter: a state to filter with, or nothing to do (skip), or a refusal of the pod outright.

    ``nodes`` are the only names that may still fit, None for all. ``lasting``: the same holds for every pod of the signature until an
    object other than a pod changes, and what the state says of a row follows from the row's own node and pods.
    """

    state: FilterState | None = None
    status: Status | None = None
    nodes: frozenset[str] | None = None
    lasting: bool = False


SKIP = PreFilterResult()
ALWAYS_SKIP = PreFilterResult(lasting=True)


class ScoreState(Protocol):
    """What a plugin scores with: raw scores of rows, then their normalisation to 0..100 over all rows scored."""

    looks_at_pods: bool
    """Whether the score of a row follows from more than its node."""

    def raw(self, rows: IndexArray) -> IntArray:
        """(rows,) int64."""

    def normalize(self, raw: IntArray) -> IntArray:
        """(rows,) int64, each from 0 to 100."""


@dataclass(frozen=True, slots=True)
class PreScoreResult:
    """The answer of PreScore: a state to score with, or None to skip.

    ``lasting``: the same holds for every pod of the signature until an object other than a pod changes, and the normalised score of a
    row follows from the row's own node and pods, whatever the other rows are.
    """

    state: ScoreState | None = None
    lasting: bool = False


NO_SCORE = PreScoreResult()
NEVER_SCORES = PreScoreResult(lasting=True)


class FilterPlugin(Protocol):
    """A plugin of the PreFilter and Filter points."""

    @property
    def name(self) -> str:
        """As in a KubeSchedulerConfiguration."""

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Look at the pod once; raises PluginError."""


class ScorePlugin(Protocol):
    """A plugin of the PreScore and Score points."""

    @property
    def name(self) -> str:
        """As in a KubeSchedulerConfiguration."""

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Look at the pod and the feasible rows once; raises PluginError."""


@dataclass(frozen=True, slots=True)
class WeightedScore:
    """A score plugin with its weight in the profile."""

    plugin: ScorePlugin
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PreemptionArgs:
    """DefaultPreemptionArgs of the configuration."""

    min_candidate_nodes_percentage: int = 10
    min_candidate_nodes_absolute: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A scheduler profile: which plugins run at which point, in order."""

    scheduler_name: str = "default-scheduler"
    pre_filters: tuple[FilterPlugin, ...] = ()
    """Plugins asked before any node is looked at, in order: their PreFilter may refuse the pod or leave only some nodes."""
    unprepared: tuple[FilterPlugin, ...] = ()
    """Plugins whose Filter runs without their PreFilter: those that have none, or whose PreFilter is disabled."""
    filters: tuple[str, ...] = ()
    """Names of the plugins whose Filter runs, in order; each also stands in ``pre_filters`` or in ``unprepared``."""
    scores: tuple[WeightedScore, ...] = ()
    preemption: PreemptionArgs | None = field(default_factory=PreemptionArgs)
    """None where nothing runs at PostFilter."""
    percentage_of_nodes_to_score: int | None = None
    """The profile's own; None to use that of the scheduler."""
    points: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the plugins enabled at each extension point (``preEnqueue``, ``reserve``, ``bind`` ...), in order."""

    def runs(self, plugin: str, point: str) -> bool:
        """Whether the plugin is enabled at the extension point."""
        return plugin in self.points.get(point, ())


def reject_rows(failed: BoolArray, code: Code, *reasons: str) -> Verdict | None:
    """A verdict in which every failing row has the same reasons; None when no row fails."""
    if not failed.any():
        return None
    return Verdict(failed.astype(np.int32), ((code, reasons),))
