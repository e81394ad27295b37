"""The affinity terms of pods on nodes, counted by row: whom they would join, and whom they keep away.

The one rule: equal terms of equal namespaces are one entry, however many pods bear them. Mirrors framework.AffinityTerm.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Labels, LabelSelector, Pod, PodAffinityTerm, PreferredPodTerm
from scheduler_core.api.selectors import is_empty, label_selector_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.domains import RowCounts
from scheduler_core.cluster.pods import NOWHERE, PodBatch, PodInfo
from scheduler_core.cluster.tallies import Clause, SelectorBuckets

ANTI: Final = "anti"
HARD: Final = "hard"
SOFT: Final = "soft"
_SPARE: Final = 4096

Terms = tuple[PodAffinityTerm, ...]
Preferred = tuple[PreferredPodTerm, ...]
_EntryKey = tuple[str, int, str, frozenset[str], LabelSelector | None, LabelSelector | None]
_BearerKey = tuple[str, Terms, Terms, Preferred, Preferred]


@dataclass(slots=True, eq=False)
class Entry:
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


@dataclass(slots=True, eq=False)
class Bearer:
    """Pods with the same terms in the same namespace; ``pods`` counts those on nodes."""

    number: int
    key: _BearerKey
    entries: tuple[Entry, ...]
    pods: int = 0

    def of(self, role: str) -> Iterable[Entry]:
        """The terms of one role."""
        return (entry for entry in self.entries if entry.role == role)


@dataclass(frozen=True, slots=True, eq=False)
class Bearers:
    """The bearers of a batch of pods: ``numbers`` is (pods,) int64, 0 for a pod without terms."""

    numbers: NDArray[np.int64]
    known: dict[int, Bearer]


@dataclass(frozen=True, slots=True, eq=False)
class Matching:
    """The terms of pods on nodes that speak of a pod, as of some version of all terms and some generation of nodes."""

    version: int
    generation: int
    anti: tuple[Entry, ...] = ()
    hard: tuple[Entry, ...] = ()
    soft: tuple[Entry, ...] = ()


class ExistingTerms:
    """The affinity terms of pods on nodes: equal terms are one entry, with the rows of the pods that have it."""

    def __init__(self, cluster: Cluster) -> None:
        self._entries: dict[_EntryKey, Entry] = {}
        self._buckets: SelectorBuckets[Entry] = SelectorBuckets()
        self._bearers: dict[_BearerKey, Bearer] = {}
        self._by_number: dict[int, Bearer] = {}
        self._bearer_of_slot = np.zeros(16, np.int64)
        """(slots,) int64: the bearer's number, 0 for a pod without terms"""
        self._matching: dict[tuple[str, frozenset[tuple[str, str]]], Matching] = {}
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

    def matching(self, cluster: Cluster, pod: Pod) -> Matching:
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

    def bearers(self, pods: PodBatch) -> Bearers | None:
        """The terms of a batch of pods, on nodes or not; None when no pod has any."""
        inside = pods.slots < len(self._bearer_of_slot)
        numbers = np.where(inside, self._bearer_of_slot[np.where(inside, pods.slots, 0)], 0)
        for position in np.flatnonzero(pods.table.row[pods.slots] == NOWHERE).tolist():
            pod = pods.table.infos[int(pods.slots[position])].pod
            numbers[position] = self._bearer(pod).number if _has_terms(pod) else 0
        known = {number: self._by_number[number] for number in np.flatnonzero(np.bincount(numbers)).tolist() if number}
        return Bearers(numbers, known) if known else None

    def _bearer(self, pod: Pod) -> Bearer:
        key = (pod.namespace, pod.required_anti_affinity, pod.required_affinity, pod.preferred_affinity, pod.preferred_anti_affinity)
        found = self._bearers.get(key)
        if found is None:
            entries = [self._entry(ANTI, 0, term, pod.namespace) for term in pod.required_anti_affinity]
            entries += [self._entry(HARD, 0, term, pod.namespace) for term in pod.required_affinity]
            entries += [self._entry(SOFT, wish.weight, wish.term, pod.namespace) for wish in pod.preferred_affinity]
            entries += [self._entry(SOFT, -wish.weight, wish.term, pod.namespace) for wish in pod.preferred_anti_affinity]
            found = self._bearers[key] = Bearer(self._next_number, key, tuple(entries))
            self._by_number[found.number] = found
            self._next_number += 1
        return found

    def _entry(self, role: str, weight: int, term: PodAffinityTerm, namespace: str) -> Entry:
        namespaces = _namespaces(term, namespace)
        key = (role, weight, term.topology_key, namespaces, term.namespace_selector, term.selector)
        found = self._entries.get(key)
        if found is None:
            found = self._entries[key] = Entry(role, weight, term.topology_key, namespaces, term.namespace_selector, term.selector)
            self._buckets.add(term.selector, found)
            self._version += 1
        return found

    def _find_matching(self, cluster: Cluster, pod: Pod) -> Matching:
        labels = namespace_labels(cluster, pod.namespace)
        found = [entry for entry in self._buckets.candidates(pod.labels) if entry.matches(pod, labels)]
        anti, hard, soft = (tuple(entry for entry in found if entry.role == role) for role in (ANTI, HARD, SOFT))
        return Matching(self._version, cluster.node_generation, anti, hard, soft)

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


_NO_MATCH: Final = Matching(0, 0)


def _has_terms(pod: Pod) -> bool:
    return bool(pod.required_anti_affinity or pod.required_affinity or pod.preferred_anti_affinity or pod.preferred_affinity)


def _namespaces(term: PodAffinityTerm, namespace: str) -> frozenset[str]:
    """The namespaces that a term names: the pod's own where it says nothing about namespaces."""
    if not term.namespaces and term.namespace_selector is None:
        return frozenset((namespace,))
    return frozenset(term.namespaces)


def namespace_labels(cluster: Cluster, name: str) -> Labels:
    """The labels of a namespace, none where there is no such object. Mirrors GetNamespaceLabelsSnapshot."""
    namespace = cluster.namespaces.get(name)
    return namespace.labels if namespace is not None else {}


def clause_of(cluster: Cluster, term: PodAffinityTerm, namespace: str) -> Clause:
    """A term of a pod to place, its namespace selector resolved. Mirrors mergeAffinityTermNamespacesIfNotEmpty."""
    namespaces = _namespaces(term, namespace)
    if term.namespace_selector is None:
        return Clause(namespaces, term.selector)
    if is_empty(term.namespace_selector):
        return Clause(None, term.selector)
    named = (name for name, found in cluster.namespaces.items() if label_selector_matches(term.namespace_selector, found.labels))
    return Clause(namespaces.union(named), term.selector)
