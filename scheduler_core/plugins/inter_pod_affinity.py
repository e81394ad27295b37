"""InterPodAffinity: pods that want to be, or must not be, where other pods are. Mirrors plugins/interpodaffinity.

The ledger has four columns, each about the row's own domains: the scarcest of the pods that the pod wants to join, how many of those
there are anywhere, those that it avoids, and those that avoid it. A pod that stands beside a row changes the row's own
domains only, so one number for each question is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.objects import Pod, PodAffinityTerm
from scheduler_core.cluster.affinity_terms import ANTI, Entry, ExistingTerms, clause_of, namespace_labels
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.domains import DomainCounts, label_domains
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.cluster.tallies import PodTallies, Tally, TallyKey
from scheduler_core.framework.interface import (
    MAX_NODE_SCORE,
    NEVER_SCORES,
    NO_SCORE,
    SKIP,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Verdict,
)
from scheduler_core.framework.status import Code

REASON_AFFINITY: Final = "node(s) didn't match pod affinity rules"
REASON_ANTI_AFFINITY: Final = "node(s) didn't match pod anti-affinity rules"
REASON_EXISTING: Final = "node(s) didn't satisfy existing pods anti-affinity rules"
_REASONS: Final = (
    (Code.UNRESOLVABLE, (REASON_AFFINITY,)),
    (Code.UNSCHEDULABLE, (REASON_ANTI_AFFINITY,)),
    (Code.UNSCHEDULABLE, (REASON_EXISTING,)),
)
_SCARCEST, _ANYWHERE, _AVOIDED, _AVOIDING = range(4)


@dataclass(frozen=True, slots=True)
class InterPodAffinity:
    """The plugin with InterPodAffinityArgs."""

    name: str = "InterPodAffinity"
    hard_pod_affinity_weight: int = 1
    ignore_preferred_terms_of_existing_pods: bool = False

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip when the pod requires nothing and no pod on a node avoids it."""
        existing: ExistingTerms = cluster.index(ExistingTerms)
        spec = pod.pod
        avoiding = [view for entry in existing.matching(cluster, spec).anti if (view := _view(cluster, entry)).total]
        if not avoiding and not spec.required_affinity and not spec.required_anti_affinity:
            return SKIP
        return PreFilterResult(_State(cluster, existing, spec, avoiding))

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Skip when no term of the pod, or of a pod on a node, says anything."""
        spec = pod.pod
        if not spec.preferred_affinity and not spec.preferred_anti_affinity and self.ignore_preferred_terms_of_existing_pods:
            return NEVER_SCORES
        existing: ExistingTerms = cluster.index(ExistingTerms)
        matching = existing.matching(cluster, spec)
        weighted = [(entry.weight, _view(cluster, entry)) for entry in matching.soft]
        if self.hard_pod_affinity_weight > 0:
            weighted += [(self.hard_pod_affinity_weight, _view(cluster, entry)) for entry in matching.hard]
        weighted += _wishes(cluster, spec)
        weighted = [(weight, view) for weight, view in weighted if view.total]
        return PreScoreResult(_Score(weighted)) if weighted else NO_SCORE


class _State(FilterState):
    width = 4

    def __init__(self, cluster: Cluster, existing: ExistingTerms, pod: Pod, avoiding: Sequence[DomainCounts]) -> None:
        self._cluster = cluster
        self._existing = existing
        self._pod = pod
        self._avoiding = avoiding
        self._tallies: PodTallies = cluster.index(PodTallies)
        self._wanted: Tally | None = None
        self._joins: list[DomainCounts] = []
        self._first_may_come = False
        if pod.required_affinity:
            self._wanted = self._tallies.tally(TallyKey(tuple(clause_of(cluster, term, pod.namespace) for term in pod.required_affinity)))
            keys = dict.fromkeys(term.topology_key for term in pod.required_affinity)
            self._joins = [_tally_view(cluster, self._wanted, key) for key in keys]
            self._first_may_come = self._tallies.selects(self._wanted, pod)
        self._avoided = [(_tally(cluster, self._tallies, term, pod.namespace), term.topology_key) for term in pod.required_anti_affinity]
        self._avoided_views = [_tally_view(cluster, tally, key) for tally, key in self._avoided]

    def usage(self, rows: IndexArray) -> IntArray:
        usage = np.zeros((len(rows), self.width), np.int64)
        for k, view in enumerate(self._joins):
            count = view.counts[view.domains.ids[rows]]
            usage[:, _SCARCEST] = count if k == 0 else np.minimum(usage[:, _SCARCEST], count)
            usage[:, _ANYWHERE] += view.total
        for view in self._avoided_views:
            usage[:, _AVOIDED] += view.counts[view.domains.ids[rows]]
        for view in self._avoiding:
            usage[:, _AVOIDING] += view.counts[view.domains.ids[rows]]
        return usage

    def weigh(self, pods: PodBatch) -> IntArray:
        weights = np.zeros((len(pods), self.width), np.int64)
        if self._wanted is not None:
            selected = self._tallies.selected(self._wanted, pods)
            present = [_present(view, pods.rows) for view in self._joins]
            weights[:, _SCARCEST] = np.logical_and.reduce([selected, *present])
            weights[:, _ANYWHERE] = selected * np.add.reduce(present, dtype=np.int64)
        for (tally, _), view in zip(self._avoided, self._avoided_views, strict=True):
            weights[:, _AVOIDED] += self._tallies.selected(tally, pods) & _present(view, pods.rows)
        self._weigh_avoiding(pods, weights[:, _AVOIDING])
        return weights

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        ids = np.zeros(len(rows), np.int32)
        ids[usage[:, _AVOIDING] > 0] = 3
        ids[usage[:, _AVOIDED] > 0] = 2
        if self._joins:
            lonely = usage[:, _SCARCEST] <= 0
            if self._first_may_come:
                lonely &= usage[:, _ANYWHERE] != 0
            for view in self._joins:
                lonely |= ~_present(view, rows)
            ids[lonely] = 1
        return Verdict(ids, _REASONS) if np.count_nonzero(ids) else None

    def actual_verdict(self, rows: IndexArray) -> Verdict | None:
        if self._joins:
            return self.verdict(rows, self.usage(rows))
        ids = np.zeros(len(rows), np.int32)
        for reason, views in ((3, self._avoiding), (2, self._avoided_views)):
            for view in views:
                ids[view.counts[view.domains.ids[rows]] > 0] = reason
        return Verdict(ids, _REASONS) if np.count_nonzero(ids) else None

    def _weigh_avoiding(self, pods: PodBatch, column: IntArray) -> None:
        """Add to the column how many terms of each pod keep the pod away from the row it stands beside."""
        bearers = self._existing.bearers(pods)
        if bearers is None:
            return
        labels = namespace_labels(self._cluster, self._pod.namespace)
        by_key: dict[str, dict[int, int]] = {}
        for number, bearer in bearers.known.items():
            for entry in bearer.of(ANTI):
                if entry.matches(self._pod, labels):
                    found = by_key.setdefault(entry.topology_key, {})
                    found[number] = found.get(number, 0) + 1
        for key, terms in by_key.items():
            values = np.zeros(int(bearers.numbers.max()) + 1, np.int64)
            values[list(terms)] = list(terms.values())
            domains = label_domains(self._cluster, key)
            column += values[bearers.numbers] * (domains.ids[pods.rows] < domains.count)


class _Score:
    looks_at_pods = True

    def __init__(self, weighted: Sequence[tuple[int, DomainCounts]]) -> None:
        self._weighted = weighted

    def raw(self, rows: IndexArray) -> IntArray:
        score = np.zeros(len(rows), np.int64)
        for weight, view in self._weighted:
            score += weight * view.counts[view.domains.ids[rows]]
        return score

    def normalize(self, raw: IntArray) -> IntArray:
        least, most = int(raw.min()), int(raw.max())
        if most == least:
            return np.zeros(len(raw), np.int64)
        return (float(MAX_NODE_SCORE) * ((raw - least) / float(most - least))).astype(np.int64)


def _tally(cluster: Cluster, tallies: PodTallies, term: PodAffinityTerm, namespace: str) -> Tally:
    return tallies.tally(TallyKey((clause_of(cluster, term, namespace),)))


def _tally_view(cluster: Cluster, tally: Tally, topology_key: str) -> DomainCounts:
    return tally.counts.view(label_domains(cluster, topology_key), cluster.node_generation)


def _view(cluster: Cluster, entry: Entry) -> DomainCounts:
    return entry.counts.view(label_domains(cluster, entry.topology_key), cluster.node_generation)


def _wishes(cluster: Cluster, pod: Pod) -> list[tuple[int, DomainCounts]]:
    """What the pod prefers: the pods it would join with their weight, and those it would avoid with the weight negated."""
    tallies: PodTallies = cluster.index(PodTallies)
    wishes = [(wish.weight, wish.term) for wish in pod.preferred_affinity]
    wishes += [(-wish.weight, wish.term) for wish in pod.preferred_anti_affinity]
    found = ((weight, _tally(cluster, tallies, term, pod.namespace), term.topology_key) for weight, term in wishes)
    return [(weight, _tally_view(cluster, tally, key)) for weight, tally, key in found]


def _present(view: DomainCounts, rows: IndexArray) -> BoolArray:
    """(rows,) bool: whether the row's node has the label."""
    present: BoolArray = view.domains.ids[rows] < view.domains.count
    return present
