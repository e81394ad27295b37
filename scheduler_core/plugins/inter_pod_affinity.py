"""InterPodAffinity: pods that want to be, or must not be, where other pods are. Mirrors plugins/interpodaffinity.

The ledger has four columns, each about the row's own domains: the scarcest of the pods that the pod wants to join, how many of those
there are anywhere, those that it avoids, and those that avoid it. A pod that stands beside a row changes the row's own
domains only, so one number for each question is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from scheduler_core.api.objects import Labels, LabelSelector, Pod, PodAffinityTerm, PreferredPodTerm
from scheduler_core.api.selectors import is_empty, label_selector_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.domains import DomainCounts, RowCounts, label_domains
from scheduler_core.cluster.pods import NOWHERE, PodBatch, PodInfo
from scheduler_core.cluster.tallies import Clause, PodTallies, SelectorBuckets, Tally, TallyKey
from scheduler_core.framework.interface import (
    MAX_NODE_SCORE,
    SKIP,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    ScoreState,
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
_ANTI: Final = "anti"
_HARD: Final = "hard"
_SOFT: Final = "soft"
_SPARE: Final = 4096

Terms = tuple[PodAffinityTerm, ...]
Preferred = tuple[PreferredPodTerm, ...]
BearerKey = tuple[str, Terms, Terms, Preferred, Preferred]


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

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> ScoreState | None:
        """Skip when no term of the pod, or of a pod on a node, says anything."""
        spec = pod.pod
        if not spec.preferred_affinity and not spec.preferred_anti_affinity and self.ignore_preferred_terms_of_existing_pods:
            return None
        existing: ExistingTerms = cluster.index(ExistingTerms)
        matching = existing.matching(cluster, spec)
        weighted = [(entry.weight, _view(cluster, entry)) for entry in matching.soft]
        if self.hard_pod_affinity_weight > 0:
            weighted += [(self.hard_pod_affinity_weight, _view(cluster, entry)) for entry in matching.hard]
        weighted += _wishes(cluster, spec)
        weighted = [(weight, view) for weight, view in weighted if view.total]
        return _Score(weighted) if weighted else None


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
            self._wanted = self._tallies.tally(TallyKey(tuple(_clause(cluster, term, pod.namespace) for term in pod.required_affinity)))
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
        return Verdict(ids, _REASONS) if ids.any() else None

    def _weigh_avoiding(self, pods: PodBatch, column: IntArray) -> None:
        """Add to the column how many terms of each pod keep the pod away from the row it stands beside."""
        bearers = self._existing.bearers(pods)
        if bearers is None:
            return
        labels = _namespace_labels(self._cluster, self._pod.namespace)
        by_key: dict[str, dict[int, int]] = {}
        for number, bearer in bearers.known.items():
            for entry in bearer.of(_ANTI):
                if entry.matches(self._pod, labels):
                    found = by_key.setdefault(entry.topology_key, {})
                    found[number] = found.get(number, 0) + 1
        for key, terms in by_key.items():
            values = np.zeros(int(bearers.numbers.max()) + 1, np.int64)
            values[list(terms)] = list(terms.values())
            domains = label_domains(self._cluster, key)
            column += values[bearers.numbers] * (domains.ids[pods.rows] < domains.count)


class _Score:
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


# ---- terms of pods on nodes --------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Entry:
    """A term that pods on nodes have, with where they are; ``weight`` is signed, 0 where the term is required."""

    role: str
    weight: int
    topology_key: str
    namespaces: frozenset[str]
    namespace_selector: LabelSelector | None
    selector: LabelSelector | None
    counts: RowCounts = field(default_factory=RowCounts)

    def matches(self, pod: Pod, namespace_labels: Labels) -> bool:
        """Whether the term speaks of the pod. Mirrors AffinityTerm.Matches."""
        if pod.namespace not in self.namespaces and not label_selector_matches(self.namespace_selector, namespace_labels):
            return False
        return label_selector_matches(self.selector, pod.labels)


EntryKey = tuple[str, int, str, frozenset[str], LabelSelector | None, LabelSelector | None]


@dataclass(slots=True, eq=False)
class _Bearer:
    """Pods with the same terms in the same namespace; ``pods`` counts those on nodes."""

    number: int
    key: BearerKey
    entries: tuple[_Entry, ...]
    pods: int = 0

    def of(self, role: str) -> Iterable[_Entry]:
        """The terms of one role."""
        return (entry for entry in self.entries if entry.role == role)


@dataclass(frozen=True, slots=True, eq=False)
class _Bearers:
    """The bearers of a batch of pods: ``numbers`` is (pods,) int64, 0 for a pod without terms."""

    numbers: IntArray
    known: dict[int, _Bearer]


@dataclass(frozen=True, slots=True, eq=False)
class _Matching:
    """The terms of pods on nodes that speak of a pod, as of some version of all terms and some generation of nodes."""

    version: int
    generation: int
    anti: tuple[_Entry, ...] = ()
    hard: tuple[_Entry, ...] = ()
    soft: tuple[_Entry, ...] = ()


class ExistingTerms:
    """The affinity terms of pods on nodes: equal terms are one entry, with the rows of the pods that have it."""

    def __init__(self, cluster: Cluster) -> None:
        self._entries: dict[EntryKey, _Entry] = {}
        self._buckets: SelectorBuckets[_Entry] = SelectorBuckets()
        self._bearers: dict[BearerKey, _Bearer] = {}
        self._by_number: dict[int, _Bearer] = {}
        self._bearer_of_slot = np.zeros(16, np.int64)
        """(slots,) int64: the bearer's number, 0 for a pod without terms"""
        self._matching: dict[tuple[str, frozenset[tuple[str, str]]], _Matching] = {}
        self._version = 0
        self._next_number = 1
        self._most_bearers = _SPARE

    def added(self, info: PodInfo, row: int) -> None:
        """Count the pod's terms on the row."""
        if not _has_terms(info.pod):
            return
        if len(self._bearers) > self._most_bearers:
            self._forget_idle()
        if info.slot >= len(self._bearer_of_slot):
            self._bearer_of_slot = np.pad(self._bearer_of_slot, (0, 2 * info.slot - len(self._bearer_of_slot)))
        bearer = self._bearer(info.pod)
        self._bearer_of_slot[info.slot] = bearer.number
        bearer.pods += 1
        for entry in bearer.entries:
            entry.counts.add(row, 1)

    def removed(self, info: PodInfo, row: int) -> None:
        """Stop counting them."""
        if not _has_terms(info.pod):
            return
        bearer = self._by_number[int(self._bearer_of_slot[info.slot])]
        self._bearer_of_slot[info.slot] = 0
        bearer.pods -= 1
        for entry in bearer.entries:
            entry.counts.add(row, -1)

    def matching(self, cluster: Cluster, pod: Pod) -> _Matching:
        """The terms that speak of the pod, of pods that are or were on nodes."""
        if not self._entries:
            return _NO_MATCH
        key = (pod.namespace, frozenset(pod.labels.items()))
        found = self._matching.get(key)
        if found is None or found.version != self._version or found.generation != cluster.node_generation:
            if len(self._matching) > _SPARE:
                self._matching.clear()
            found = self._matching[key] = self._find_matching(cluster, pod)
        return found

    def bearers(self, pods: PodBatch) -> _Bearers | None:
        """The terms of a batch of pods, on nodes or not; None when no pod has any."""
        inside = pods.slots < len(self._bearer_of_slot)
        numbers = np.where(inside, self._bearer_of_slot[np.where(inside, pods.slots, 0)], 0)
        for position in np.flatnonzero(pods.table.row[pods.slots] == NOWHERE).tolist():
            pod = pods.table.infos[int(pods.slots[position])].pod
            numbers[position] = self._bearer(pod).number if _has_terms(pod) else 0
        known = {number: self._by_number[number] for number in np.flatnonzero(np.bincount(numbers)).tolist() if number}
        return _Bearers(numbers, known) if known else None

    def _bearer(self, pod: Pod) -> _Bearer:
        key = (pod.namespace, pod.required_anti_affinity, pod.required_affinity, pod.preferred_affinity, pod.preferred_anti_affinity)
        found = self._bearers.get(key)
        if found is None:
            entries = [self._entry(_ANTI, 0, term, pod.namespace) for term in pod.required_anti_affinity]
            entries += [self._entry(_HARD, 0, term, pod.namespace) for term in pod.required_affinity]
            entries += [self._entry(_SOFT, wish.weight, wish.term, pod.namespace) for wish in pod.preferred_affinity]
            entries += [self._entry(_SOFT, -wish.weight, wish.term, pod.namespace) for wish in pod.preferred_anti_affinity]
            found = self._bearers[key] = _Bearer(self._next_number, key, tuple(entries))
            self._by_number[found.number] = found
            self._next_number += 1
        return found

    def _entry(self, role: str, weight: int, term: PodAffinityTerm, namespace: str) -> _Entry:
        namespaces = _namespaces(term, namespace)
        key = (role, weight, term.topology_key, namespaces, term.namespace_selector, term.selector)
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = _Entry(role, weight, term.topology_key, namespaces, term.namespace_selector, term.selector)
            self._buckets.add(term.selector, found)
            self._version += 1
        return found

    def _find_matching(self, cluster: Cluster, pod: Pod) -> _Matching:
        labels = _namespace_labels(cluster, pod.namespace)
        found = [entry for entry in self._buckets.candidates(pod.labels) if entry.matches(pod, labels)]
        anti, hard, soft = (tuple(entry for entry in found if entry.role == role) for role in (_ANTI, _HARD, _SOFT))
        return _Matching(self._version, cluster.node_generation, anti, hard, soft)

    def _forget_idle(self) -> None:
        """Forget the terms of pods that are gone."""
        self._bearers = {key: bearer for key, bearer in self._bearers.items() if bearer.pods}
        self._by_number = {bearer.number: bearer for bearer in self._bearers.values()}
        used = {entry for bearer in self._bearers.values() for entry in bearer.entries}
        for key, entry in list(self._entries.items()):
            if entry not in used:
                del self._entries[key]
                self._buckets.discard(entry.selector, entry)
        self._version += 1
        self._most_bearers = max(_SPARE, 2 * len(self._bearers))


_NO_MATCH: Final = _Matching(0, 0)


def _has_terms(pod: Pod) -> bool:
    return bool(pod.required_anti_affinity or pod.required_affinity or pod.preferred_anti_affinity or pod.preferred_affinity)


def _namespaces(term: PodAffinityTerm, namespace: str) -> frozenset[str]:
    """The namespaces that a term names: the pod's own where it says nothing about namespaces."""
    if not term.namespaces and term.namespace_selector is None:
        return frozenset((namespace,))
    return frozenset(term.namespaces)


def _namespace_labels(cluster: Cluster, name: str) -> Labels:
    namespace = cluster.namespaces.get(name)
    return namespace.labels if namespace is not None else {}


def _clause(cluster: Cluster, term: PodAffinityTerm, namespace: str) -> Clause:
    """A term of a pod to place, its namespace selector resolved. Mirrors mergeAffinityTermNamespacesIfNotEmpty."""
    namespaces = _namespaces(term, namespace)
    if term.namespace_selector is None:
        return Clause(namespaces, term.selector)
    if is_empty(term.namespace_selector):
        return Clause(None, term.selector)
    named = (name for name, found in cluster.namespaces.items() if label_selector_matches(term.namespace_selector, found.labels))
    return Clause(namespaces.union(named), term.selector)


def _tally(cluster: Cluster, tallies: PodTallies, term: PodAffinityTerm, namespace: str) -> Tally:
    return tallies.tally(TallyKey((_clause(cluster, term, namespace),)))


def _tally_view(cluster: Cluster, tally: Tally, topology_key: str) -> DomainCounts:
    return tally.counts.view(label_domains(cluster, topology_key), cluster.node_generation)


def _view(cluster: Cluster, entry: _Entry) -> DomainCounts:
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
