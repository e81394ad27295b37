"""TaintToleration: taints that a pod does not tolerate keep it away, or count against the node. Mirrors plugins/tainttoleration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Taint, Toleration
from scheduler_core.api.tolerations import tolerates
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import (
    ALWAYS_SKIP,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Reason,
    Verdict,
)
from scheduler_core.framework.normalize import default_normalize
from scheduler_core.framework.status import Code

_REPELLING: Final = ("NoSchedule", "NoExecute")


@dataclass(frozen=True, slots=True)
class _TaintSets:
    """``ids`` (nodes,) int64 into ``sets``: nodes with equal taints share an id."""

    ids: NDArray[np.int64]
    sets: tuple[tuple[Taint, ...], ...]


@dataclass(frozen=True, slots=True)
class TaintToleration:
    """The plugin; it has no arguments."""

    name: str = "TaintToleration"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Decide once for each distinct set of taints; skip when none repels the pod."""
        verdict = cluster.static((self.name, "filter", pod.pod.tolerations), lambda: _verdict(_taint_sets(cluster), pod.pod.tolerations))
        return PreFilterResult(_State(verdict), lasting=True) if verdict.reasons else ALWAYS_SKIP

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Count the taints to avoid that the pod does not tolerate; never skipped."""
        counts = cluster.static((self.name, "score", pod.pod.tolerations), lambda: _unwanted(_taint_sets(cluster), pod.pod.tolerations))
        # where no node has such a taint, all get the same, whichever they are
        return PreScoreResult(_Score(counts), lasting=not counts.any())


class _State(FilterState):
    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        return Verdict(self._verdict.ids[rows], self._verdict.reasons)


class _Score:
    looks_at_pods = False

    def __init__(self, counts: IntArray) -> None:
        self._counts = counts

    def raw(self, rows: IndexArray) -> IntArray:
        return self._counts[rows]

    def normalize(self, raw: IntArray) -> IntArray:
        return default_normalize(raw, reverse=True)


def _taint_sets(cluster: Cluster) -> _TaintSets:
    def build() -> _TaintSets:
        interned: dict[tuple[Taint, ...], int] = {}
        ids = [interned.setdefault(node.taints, len(interned)) for node in cluster.nodes]
        return _TaintSets(np.asarray(ids, np.int64), tuple(interned))

    return cluster.static("taint sets", build)


def _verdict(taints: _TaintSets, tolerations: tuple[Toleration, ...]) -> Verdict:
    reasons: dict[Reason, int] = {}
    by_set = np.zeros(len(taints.sets), np.int32)
    for k, taint_set in enumerate(taints.sets):
        repelling = next((t for t in taint_set if t.effect in _REPELLING and not tolerates(tolerations, t)), None)
        if repelling is not None:
            reason = (Code.UNRESOLVABLE, (f"node(s) had untolerated taint {{{repelling.key}: {repelling.value}}}",))
            by_set[k] = reasons.setdefault(reason, len(reasons) + 1)
    return Verdict(by_set[taints.ids], tuple(reasons))


def _unwanted(taints: _TaintSets, tolerations: tuple[Toleration, ...]) -> IntArray:
    useful = [t for t in tolerations if t.effect in ("", "PreferNoSchedule")]
    by_set = [sum(t.effect == "PreferNoSchedule" and not tolerates(useful, t) for t in taint_set) for taint_set in taints.sets]
    return np.asarray(by_set, np.int64)[taints.ids]
