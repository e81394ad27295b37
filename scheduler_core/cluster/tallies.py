"""Pods on nodes counted by what selects them: how many pods of some namespaces with some labels are on each row.

The one rule: pods with equal namespace and labels are one kind, and a selector is asked about a kind once. So a pod that comes or
goes costs a few look-ups, however many selectors are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Labels, LabelSelector, Pod
from scheduler_core.api.selectors import label_selector_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.domains import RowCounts
from scheduler_core.cluster.pods import PodBatch, PodInfo

MOST_TALLIES: Final = 512
_SPARE_KINDS: Final = 4096
_UNKNOWN: Final = -1

T = TypeVar("T")
KindKey = tuple[str, frozenset[tuple[str, str]], bool]


@dataclass(frozen=True, slots=True)
class Clause:
    """Pods of some namespaces (None for all) that a label selector matches."""

    namespaces: frozenset[str] | None
    selector: LabelSelector | None

    def matches(self, namespace: str, labels: Labels) -> bool:
        """Whether a pod of the namespace with the labels is selected."""
        if self.namespaces is not None and namespace not in self.namespaces:
            return False
        return label_selector_matches(self.selector, labels)


@dataclass(frozen=True, slots=True)
class TallyKey:
    """Pods that meet every clause, with or without those that are terminating."""

    clauses: tuple[Clause, ...]
    with_terminating: bool = True

    def matches(self, namespace: str, labels: Labels, is_terminating: bool) -> bool:
        """Whether such a pod is counted."""
        if is_terminating and not self.with_terminating:
            return False
        return all(clause.matches(namespace, labels) for clause in self.clauses)


class SelectorBuckets(Generic[T]):
    """Things by one label that their selector demands, so that labels find the few that can match."""

    def __init__(self) -> None:
        self._buckets: dict[tuple[str, str] | None, dict[T, None]] = {}

    def add(self, selector: LabelSelector | None, item: T) -> None:
        """Keep the item under its selector."""
        self._buckets.setdefault(_bucket(selector), {})[item] = None

    def discard(self, selector: LabelSelector | None, item: T) -> None:
        """Forget the item."""
        bucket = self._buckets.get(_bucket(selector), {})
        bucket.pop(item, None)

    def candidates(self, labels: Labels) -> Iterator[T]:
        """All items whose selector might match the labels."""
        yield from self._buckets.get(None, ())
        for pair in labels.items():
            yield from self._buckets.get(pair, ())


@dataclass(slots=True, eq=False)
class Tally:
    """The pods that a key selects: where they are, and whether each known kind of pod is selected."""

    key: TallyKey
    counts: RowCounts = field(default_factory=RowCounts)
    kinds: set[int] = field(default_factory=set)
    """Numbers of the kinds selected."""
    used: int = 0


@dataclass(slots=True, eq=False)
class _Kind:
    number: int
    key: KindKey
    labels: Labels
    rows: dict[int, int] = field(default_factory=dict)
    tallies: list[Tally] = field(default_factory=list)


class PodTallies:
    """The tallies that plugins asked for, at most MOST_TALLIES of them, and every kind of pod on nodes."""

    def __init__(self, cluster: Cluster) -> None:
        self._kinds: dict[KindKey, _Kind] = {}
        self._by_number: list[_Kind | None] = []
        self._free: list[int] = []
        self._kind_of_slot = np.full(16, _UNKNOWN, np.int64)
        self._tallies: dict[TallyKey, Tally] = {}
        self._buckets: SelectorBuckets[Tally] = SelectorBuckets()
        self._clock = 0
        self._most_kinds = _SPARE_KINDS

    # ---- pods that come and go -----------------------------------------------------------------------------------

    def added(self, info: PodInfo, row: int) -> None:
        """Count the pod in every tally that selects it."""
        if len(self._kinds) > self._most_kinds:
            self._forget_idle_kinds()
        kind = self._kind(info.pod)
        if info.slot >= len(self._kind_of_slot):
            grown = np.full(2 * info.slot, _UNKNOWN, np.int64)
            grown[: len(self._kind_of_slot)] = self._kind_of_slot
            self._kind_of_slot = grown
        self._kind_of_slot[info.slot] = kind.number
        kind.rows[row] = kind.rows.get(row, 0) + 1
        for tally in kind.tallies:
            tally.counts.add(row, 1)

    def removed(self, info: PodInfo, row: int) -> None:
        """Stop counting it."""
        kind = self._by_number[int(self._kind_of_slot[info.slot])]
        assert kind is not None, "a kind with pods is never forgotten"
        self._kind_of_slot[info.slot] = _UNKNOWN
        left = kind.rows[row] - 1
        if left:
            kind.rows[row] = left
        else:
            del kind.rows[row]
        for tally in kind.tallies:
            tally.counts.add(row, -1)

    # ---- questions -----------------------------------------------------------------------------------------------

    def tally(self, key: TallyKey) -> Tally:
        """The tally of a key, made when new; the one not asked for longest makes room."""
        self._clock += 1
        found = self._tallies.get(key)
        if found is None:
            if len(self._tallies) >= MOST_TALLIES:
                self._evict()
            found = self._tallies[key] = self._counted(key)
        found.used = self._clock
        return found

    def selects(self, tally: Tally, pod: Pod) -> bool:
        """Whether the tally would count the pod, were it on a node and not terminating."""
        return tally.key.matches(pod.namespace, pod.labels, is_terminating=False)

    def selected(self, tally: Tally, pods: PodBatch, *, even_terminating: bool = False) -> NDArray[np.bool_]:
        """Which pods of a batch the tally counts: (pods,) bool; ``even_terminating`` overrides its key."""
        numbers = self._numbers(pods)
        chosen = np.zeros(len(self._by_number), np.bool_)
        for number in np.flatnonzero(np.bincount(numbers)).tolist():
            kind = self._by_number[number]
            if kind is not None:
                namespace, _, is_terminating = kind.key
                ignored = is_terminating and not even_terminating
                chosen[number] = number in tally.kinds or tally.key.matches(namespace, kind.labels, ignored)
        return chosen[numbers]

    # ---- inside --------------------------------------------------------------------------------------------------

    def _numbers(self, pods: PodBatch) -> NDArray[np.int64]:
        """The kind of each pod: those not on nodes are looked up one by one."""
        size = len(self._kind_of_slot)
        inside = pods.slots < size
        numbers = np.where(inside, self._kind_of_slot[np.where(inside, pods.slots, 0)], _UNKNOWN)
        for position in np.flatnonzero(numbers == _UNKNOWN).tolist():
            numbers[position] = self._kind(pods.table.infos[int(pods.slots[position])].pod).number
        return numbers

    def _kind(self, pod: Pod) -> _Kind:
        key = (pod.namespace, frozenset(pod.labels.items()), pod.deletion_timestamp is not None)
        found = self._kinds.get(key)
        if found is None:
            found = self._new_kind(key, pod.labels)
        return found

    def _new_kind(self, key: KindKey, labels: Labels) -> _Kind:
        if self._free:
            number = self._free.pop()
        else:
            number = len(self._by_number)
            self._by_number.append(None)
        kind = self._kinds[key] = self._by_number[number] = _Kind(number, key, labels)
        for tally in self._buckets.candidates(labels):
            if tally.key.matches(key[0], labels, key[2]):
                kind.tallies.append(tally)
                tally.kinds.add(number)
        return kind

    def _forget_idle_kinds(self) -> None:
        for kind in [kind for kind in self._kinds.values() if not kind.rows]:
            del self._kinds[kind.key]
            self._by_number[kind.number] = None
            self._free.append(kind.number)
            for tally in kind.tallies:
                tally.kinds.discard(kind.number)
        self._most_kinds = max(_SPARE_KINDS, 2 * len(self._kinds))

    def _counted(self, key: TallyKey) -> Tally:
        tally = Tally(key)
        rows = tally.counts.rows
        for kind in self._kinds.values():
            if key.matches(kind.key[0], kind.labels, kind.key[2]):
                kind.tallies.append(tally)
                tally.kinds.add(kind.number)
                for row, number in kind.rows.items():
                    rows[row] = rows.get(row, 0) + number
        self._buckets.add(key.clauses[0].selector, tally)
        return tally

    def _evict(self) -> None:
        oldest = min(self._tallies.values(), key=lambda tally: tally.used)
        del self._tallies[oldest.key]
        self._buckets.discard(oldest.key.clauses[0].selector, oldest)
        for number in oldest.kinds:
            kind = self._by_number[number]
            if kind is not None:
                kind.tallies.remove(oldest)


def _bucket(selector: LabelSelector | None) -> tuple[str, str] | None:
    return selector.match_labels[0] if selector is not None and selector.match_labels else None
