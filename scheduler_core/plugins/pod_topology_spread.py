"""PodTopologySpread: pods that a selector matches spread evenly over topology domains. Mirrors plugins/podtopologyspread.

The ledger has one column for each constraint: the matching pods in the row's own domain. In a hypothetical row only that domain
changes, so the least of all others is fixed and the skew needs nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.api.objects import LabelSelector, OwnerReference, Pod, TopologySpreadConstraint
from scheduler_core.api.selectors import is_empty, label_selector_matches
from scheduler_core.cluster.cluster import MISSING, Cluster
from scheduler_core.cluster.domains import DomainCounts, Domains, row_domains
from scheduler_core.cluster.eligible_nodes import required_nodes, tolerated_nodes
from scheduler_core.cluster.pods import PodBatch, PodInfo
from scheduler_core.cluster.tallies import Clause, PodTallies, Tally, TallyKey
from scheduler_core.framework.interface import (
    ALWAYS_SKIP,
    MAX_NODE_SCORE,
    NEVER_SCORES,
    BoolArray,
    FilterState,
    IndexArray,
    IntArray,
    PreFilterResult,
    PreScoreResult,
    Verdict,
)
from scheduler_core.framework.status import Code

REASON: Final = "node(s) didn't match pod topology spread constraints"
REASON_LABEL: Final = f"{REASON} (missing required label)"
HOSTNAME: Final = "kubernetes.io/hostname"
ZONE: Final = "topology.kubernetes.io/zone"
REQUIRED: Final = "DoNotSchedule"
PREFERRED: Final = "ScheduleAnyway"
SYSTEM_DEFAULTS: Final = (
    TopologySpreadConstraint(max_skew=3, topology_key=HOSTNAME, when_unsatisfiable=PREFERRED),
    TopologySpreadConstraint(max_skew=5, topology_key=ZONE, when_unsatisfiable=PREFERRED),
)
_NONE: Final = 2**31 - 1
"""The least number of matching pods where there is no domain."""
_REASONS: Final = ((Code.UNRESOLVABLE, (REASON_LABEL,)), (Code.UNSCHEDULABLE, (REASON,)))
_LABEL, _SKEW = 1, 2

Constraints = tuple[TopologySpreadConstraint, ...]


@dataclass(frozen=True, slots=True)
class PodTopologySpread:
    """The plugin with PodTopologySpreadArgs; ``default_constraints`` only count when ``defaulting_type`` is List."""

    name: str = "PodTopologySpread"
    default_constraints: Constraints = ()
    defaulting_type: str = "System"

    def pre_filter(self, cluster: Cluster, pod: PodInfo) -> PreFilterResult:
        """Skip without a constraint that must hold."""
        plan = self._plan(cluster, pod.pod, REQUIRED)
        if not plan:
            return ALWAYS_SKIP
        tallies: PodTallies = cluster.index(PodTallies)
        return PreFilterResult(_State(tallies, pod.pod, [_counted(cluster, tallies, part) for part in plan]))

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Skip without a constraint that is only wished for."""
        plan = self._plan(cluster, pod.pod, PREFERRED)
        if not plan:
            return NEVER_SCORES
        tallies: PodTallies = cluster.index(PodTallies)
        counted = [_counted(cluster, tallies, part) for part in plan]
        return PreScoreResult(_Score(cluster, counted, rows, self._needs_all_labels(pod.pod)))

    def _needs_all_labels(self, pod: Pod) -> bool:
        """Nodes without one of the labels drop out, but not under the system's own constraints."""
        return bool(pod.spread_constraints) or self.defaulting_type != "System"

    def _defaults(self) -> Constraints:
        return SYSTEM_DEFAULTS if self.defaulting_type == "System" else self.default_constraints

    def _plan(self, cluster: Cluster, pod: Pod, action: str) -> tuple[_Part, ...]:
        """The constraints that count, each with its domains; empty for none."""
        selector: LabelSelector | None = None
        constraints = pod.spread_constraints
        if not constraints:
            constraints = self._defaults()
            selector = default_selector(cluster, pod)
            if selector is None:
                return ()
        chosen = tuple(c for c in constraints if c.when_unsatisfiable == action)
        if not chosen:
            return ()
        keys = {label for c in chosen for label in c.match_label_keys}
        labels = tuple((label, pod.labels[label]) for label in sorted(keys) if label in pod.labels)
        tolerations = pod.tolerations if any(c.node_taints_policy == "Honor" for c in chosen) else ()
        needs_all = self._needs_all_labels(pod)
        key = (self.name, chosen, selector, pod.namespace, labels, pod.node_selector, pod.required_node_affinity, tolerations, needs_all)
        return cluster.static(key, lambda: _parts(cluster, pod, chosen, selector, needs_all))


@dataclass(frozen=True, slots=True, eq=False)
class _Topology:
    """The domains of one constraint, shared by all constraints over the same nodes."""

    domains: Domains
    labels: IntArray
    """(nodes,) int64: the value of the label as an id; no label counts as an empty one."""
    absent: BoolArray | None
    """(nodes,) bool: nodes without the label; None when all have it."""
    unregistered: bool
    """Whether some node is in no domain that counts."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """One constraint of a plan: what it counts, over which domains."""

    constraint: TopologySpreadConstraint
    key: TallyKey
    topology: _Topology


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """A part with its counts as they are now."""

    part: _Part
    tally: Tally
    view: DomainCounts


class _State(FilterState):
    def __init__(self, tallies: PodTallies, pod: Pod, counted: Sequence[_Counted]) -> None:
        self._tallies = tallies
        self._counted = counted
        self._own = [int(tallies.selects(c.tally, pod)) for c in counted]
        self._others: list[IntArray | None] = [None] * len(counted)
        self.width = len(counted)

    def usage(self, rows: IndexArray) -> IntArray:
        usage = np.empty((len(rows), self.width), np.int64)
        for k, counted in enumerate(self._counted):
            usage[:, k] = counted.view.counts[counted.part.topology.domains.ids[rows]]
        return usage

    def weigh(self, pods: PodBatch) -> IntArray:
        weights = np.zeros((len(pods), self.width), np.int64)
        for k, counted in enumerate(self._counted):
            domains = counted.part.topology.domains
            # Counting leaves terminating pods out, but taking one off a node is not checked for that: as upstream.
            selected = self._tallies.selected(counted.tally, pods, even_terminating=True)
            weights[:, k] = selected & (domains.counted[pods.rows] < domains.count)
        return weights

    def verdict(self, rows: IndexArray, usage: IntArray) -> Verdict | None:
        ids = np.zeros(len(rows), np.int32)
        for k in reversed(range(self.width)):
            part = self._counted[k].part
            ids[usage[:, k] - self._least(k, rows, usage[:, k]) > part.constraint.max_skew - self._own[k]] = _SKEW
            if part.topology.absent is not None:
                ids[part.topology.absent[rows]] = _LABEL
        return Verdict(ids, _REASONS) if np.count_nonzero(ids) else None

    def actual_verdict(self, rows: IndexArray) -> Verdict | None:
        return None if self._is_even(len(rows)) else self.verdict(rows, self.usage(rows))

    def _is_even(self, rows: int) -> bool:
        """Whether one look at the domains, where there are fewer of them than rows, shows that none is too full."""
        for k, counted in enumerate(self._counted):
            topology, counts = counted.part.topology, counted.view.counts[:-1]
            if topology.domains.count >= rows or topology.absent is not None or topology.unregistered or not len(counts):
                return False
            least = 0 if topology.domains.count < (counted.part.constraint.min_domains or 1) else int(counts.min())
            if int(counts.max()) - least > counted.part.constraint.max_skew - self._own[k]:
                return False
        return True

    def _least(self, k: int, rows: IndexArray, own: IntArray) -> IntArray | int:
        """The global minimum as each row would see it. Mirrors minMatchNum."""
        part = self._counted[k].part
        if part.topology.domains.count < (part.constraint.min_domains or 1):
            return 0
        others = self._others[k]
        if others is None:
            others = self._others[k] = _least_of_others(self._counted[k].view.counts[:-1])
        ids = part.topology.domains.ids[rows]
        least = np.minimum(others[ids], own)
        if part.topology.unregistered:
            least = np.where(ids == part.topology.domains.count, others[-1], least)
        return least


class _Score:
    looks_at_pods = True

    def __init__(self, cluster: Cluster, counted: Sequence[_Counted], rows: IndexArray, needs_all_labels: bool) -> None:
        self._counted = counted
        self._ignored = np.zeros(len(rows), np.bool_)
        if needs_all_labels:
            for c in counted:
                if c.part.topology.absent is not None:
                    self._ignored |= c.part.topology.absent[rows]
        left = rows[~self._ignored]
        self._weights = [math.log(_size(c.part, left) + 2) for c in counted]
        self._rows_of = row_domains(cluster)
        self._generation = cluster.node_generation
        self._shows_pods = cluster.shows_pods

    def raw(self, rows: IndexArray) -> IntArray:
        score = np.zeros(len(rows))
        for counted, weight in zip(self._counted, self._weights, strict=True):
            part = counted.part
            gain = self._matching(counted, rows) * weight + float(part.constraint.max_skew - 1)
            if part.topology.absent is not None:
                gain = np.where(part.topology.absent[rows], 0.0, gain)
            score += gain
        whole = np.trunc(score)
        rounded = whole + (score - whole >= 0.5)
        rounded[self._ignored] = 0
        return rounded.astype(np.int64)

    def normalize(self, raw: IntArray) -> IntArray:
        scored = raw[~self._ignored]
        if not len(scored):
            return np.zeros(len(raw), np.int64)
        least, most = int(scored.min()), max(int(scored.max()), 0)
        normalized = np.full(len(raw), MAX_NODE_SCORE, np.int64) if most == 0 else MAX_NODE_SCORE * (most + least - raw) // most
        normalized[self._ignored] = 0
        return normalized

    def _matching(self, counted: _Counted, rows: IndexArray) -> IntArray:
        """Pods that match: on the node itself for hostnames, whatever the policies say, else in the node's domain."""
        if counted.part.constraint.topology_key == HOSTNAME:
            if not self._shows_pods:
                return np.zeros(len(rows), np.int64)
            return counted.tally.counts.view(self._rows_of, self._generation).counts[rows]
        return counted.view.counts[counted.part.topology.domains.ids[rows]]


def default_selector(cluster: Cluster, pod: Pod) -> LabelSelector | None:
    """What the pod's Services and its controller select together; None when that is nothing. Mirrors helper.DefaultSelector."""
    labels: dict[str, str] = {}
    for service in cluster.workloads("Service").values():
        if service.namespace == pod.namespace and service.selector is not None and label_selector_matches(service.selector, pod.labels):
            labels.update(service.selector.match_labels)
    owner = next((owner for owner in pod.owners if owner.controller), None)
    selector = _with_owner(cluster, pod, labels, owner) if owner else _selector_of(labels)
    return None if is_empty(selector) else selector


def _with_owner(cluster: Cluster, pod: Pod, labels: dict[str, str], owner: OwnerReference) -> LabelSelector:
    kind = f"{owner.api_version}/{owner.kind}"
    known = kind in ("v1/ReplicationController", "apps/v1/ReplicaSet", "apps/v1/StatefulSet")
    workload = cluster.workloads(owner.kind).get(f"{pod.namespace}/{owner.name}") if known else None
    if workload is None or workload.selector is None:
        return _selector_of(labels)
    if owner.kind == "ReplicationController":
        return _selector_of(labels | dict(workload.selector.match_labels))
    return _joined(labels, workload.selector)


def _selector_of(labels: dict[str, str]) -> LabelSelector:
    return LabelSelector(match_labels=tuple(sorted(labels.items())))


def _joined(labels: dict[str, str], selector: LabelSelector | None) -> LabelSelector:
    """The labels and the selector at once; a selector that selects nothing does not count."""
    pairs = tuple(sorted(labels.items()))
    if selector is None:
        return LabelSelector(match_labels=pairs)
    return LabelSelector(match_labels=pairs + selector.match_labels, match_expressions=selector.match_expressions)


def _parts(cluster: Cluster, pod: Pod, chosen: Constraints, default: LabelSelector | None, needs_all: bool) -> tuple[_Part, ...]:
    labels = frozenset(c.topology_key for c in chosen) if needs_all else frozenset()
    return tuple(_Part(c, _tally_key(pod, c, default), _topology(cluster, pod, c, labels)) for c in chosen)


def _tally_key(pod: Pod, constraint: TopologySpreadConstraint, default: LabelSelector | None) -> TallyKey:
    selector = default
    if default is None:
        own = {key: pod.labels[key] for key in constraint.match_label_keys if key in pod.labels}
        selector = _joined(own, constraint.selector) if own else constraint.selector
    return TallyKey((Clause(frozenset((pod.namespace,)), selector),), with_terminating=False)


def _topology(cluster: Cluster, pod: Pod, constraint: TopologySpreadConstraint, needed: frozenset[str]) -> _Topology:
    """The domains over the nodes that have all labels needed and that the policies include."""

    def build() -> _Topology:
        column = cluster.label_column(constraint.topology_key)
        absent = column.ids == MISSING
        labels = np.where(absent, column.values.index("") if "" in column.values else len(column.values), column.ids)
        eligible = _included(cluster, pod, constraint)
        for label in needed:
            eligible &= cluster.label_column(label).ids != MISSING
        domains = _domains(labels, len(column.values) + 1, eligible)
        return _Topology(domains, labels, absent if absent.any() else None, bool((domains.ids == domains.count).any()))

    affinity = (pod.node_selector, pod.required_node_affinity) if constraint.node_affinity_policy == "Honor" else None
    tolerations = pod.tolerations if constraint.node_taints_policy == "Honor" else None
    return cluster.static(("spread topology", constraint.topology_key, needed, affinity, tolerations), build)


def _included(cluster: Cluster, pod: Pod, constraint: TopologySpreadConstraint) -> BoolArray:
    """(nodes,) bool: the nodes that count by the node inclusion policies. Mirrors matchNodeInclusionPolicies."""
    included = np.ones(len(cluster), np.bool_)
    if constraint.node_affinity_policy == "Honor":
        required = required_nodes(cluster, pod)
        if required is not None:
            included &= required
    if constraint.node_taints_policy == "Honor":
        included &= tolerated_nodes(cluster, pod.tolerations)
    return included


def _domains(labels: IntArray, values: int, eligible: BoolArray) -> Domains:
    """The values of the label that some eligible node has; pods count on eligible nodes only."""
    registered = np.unique(labels[eligible])
    count = len(registered)
    compact = np.full(values, count, np.int64)
    compact[registered] = np.arange(count)
    ids = compact[labels]
    counted = np.where(eligible, ids, count)
    return Domains(ids, counted, counted.tolist(), count)


def _counted(cluster: Cluster, tallies: PodTallies, part: _Part) -> _Counted:
    tally = tallies.tally(part.key)
    return _Counted(part, tally, tally.counts.view(part.topology.domains, cluster.node_generation))


def _least_of_others(counts: IntArray) -> IntArray:
    """For each domain the least count of all other domains, and last the least of all: (domains + 1,) int64."""
    least = np.full(len(counts) + 1, _NONE, np.int64)
    if len(counts):
        first = int(counts.argmin())
        least[:] = counts[first]
        rest = counts.copy()
        rest[first] = _NONE
        least[first] = rest.min()
    return least


def _size(part: _Part, rows: IndexArray) -> int:
    """How many domains the rows to be scored are in; for hostnames every row is one."""
    if part.constraint.topology_key == HOSTNAME:
        return len(rows)
    return len(np.unique(part.topology.labels[rows]))
