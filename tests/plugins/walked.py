"""PodTopologySpread and InterPodAffinity the slow way: node by node and pod by pod, with nothing but dictionaries.

The one rule: nothing here is shared with the engine but the matching of one selector and one toleration.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scheduler_core.api.objects import KubeObject, LabelSelector, Namespace, Node, Pod, PodAffinityTerm, TopologySpreadConstraint
from scheduler_core.api.selectors import label_selector_matches
from scheduler_core.api.tolerations import tolerates
from scheduler_core.plugins.inter_pod_affinity import REASON_AFFINITY, REASON_ANTI_AFFINITY, REASON_EXISTING
from scheduler_core.plugins.pod_topology_spread import REASON, REASON_LABEL
from tests.plugins.spread_worlds import HOST

Pair = tuple[str, str]


@dataclass(frozen=True)
class World:
    """Nodes, the pods on them, and the labels of namespaces."""

    nodes: Sequence[Node]
    pods: Sequence[Pod]
    namespaces: dict[str, Namespace]

    @classmethod
    def of(cls, objects: Iterable[KubeObject]) -> World:
        """The world that the objects make."""
        listed = list(objects)
        nodes = sorted((item for item in listed if isinstance(item, Node)), key=lambda node: node.name)
        namespaces = {item.name: item for item in listed if isinstance(item, Namespace)}
        return cls(nodes, [item for item in listed if isinstance(item, Pod)], namespaces)

    def on(self, node: Node) -> list[Pod]:
        """The pods on a node."""
        return [pod for pod in self.pods if pod.node_name == node.name]


# ---- spread ------------------------------------------------------------------------------------------------------


def spread_refusals(world: World, pod: Pod, constraints: Sequence[TopologySpreadConstraint]) -> dict[str, str]:
    """Why nodes are refused by constraints that must hold."""
    counts: list[Counter[str]] = [Counter() for _ in constraints]
    for node in _complete(world, constraints):
        for constraint, count in zip(constraints, counts, strict=True):
            if _included(constraint, pod, node):
                count[node.labels[constraint.topology_key]] += _matching(world, node, constraint, pod)
    return {node.name: reason for node in world.nodes if (reason := _spread_reason(node, pod, constraints, counts))}


def _spread_reason(node: Node, pod: Pod, constraints: Sequence[TopologySpreadConstraint], counts: Sequence[Counter[str]]) -> str:
    for constraint, count in zip(constraints, counts, strict=True):
        if constraint.topology_key not in node.labels:
            return REASON_LABEL
        least = min(count.values(), default=0) if len(count) >= (constraint.min_domains or 1) else 0
        own = label_selector_matches(_merged(constraint, pod), pod.labels)
        if (
            count[node.labels[constraint.topology_key]] * (node.labels[constraint.topology_key] in count) + own - least
            > constraint.max_skew
        ):
            return REASON
    return ""


def spread_scores(world: World, pod: Pod, constraints: Sequence[TopologySpreadConstraint], *, needs_all: bool) -> dict[str, int]:
    """The normalised scores of all nodes by constraints that are only wished for."""
    counting = list(_complete(world, constraints)) if needs_all else list(world.nodes)
    raw: dict[str, int] = {}
    for node in counting:
        total = 0.0
        for constraint in constraints:
            key = constraint.topology_key
            if key not in node.labels:
                continue
            domains = len(counting) if key == HOST else len({other.labels.get(key, "") for other in counting})
            peers = (
                [node]
                if key == HOST
                else [n for n in counting if n.labels.get(key, "") == node.labels[key] and _included(constraint, pod, n)]
            )
            found = sum(_matching(world, peer, constraint, pod) for peer in peers)
            total += found * math.log(domains + 2) + (constraint.max_skew - 1)
        raw[node.name] = math.floor(total + 0.5)
    least, most = min(raw.values(), default=0), max(raw.values(), default=0)
    return {n.name: 0 if n.name not in raw else 100 if not most else 100 * (most + least - raw[n.name]) // most for n in world.nodes}


def _complete(world: World, constraints: Sequence[TopologySpreadConstraint]) -> Iterable[Node]:
    return (node for node in world.nodes if all(constraint.topology_key in node.labels for constraint in constraints))


def _included(constraint: TopologySpreadConstraint, pod: Pod, node: Node) -> bool:
    if constraint.node_affinity_policy == "Honor" and any(node.labels.get(key) != value for key, value in pod.node_selector):
        return False
    repelling = [taint for taint in node.taints if taint.effect in ("NoSchedule", "NoExecute")]
    return constraint.node_taints_policy != "Honor" or all(tolerates(pod.tolerations, taint) for taint in repelling)


def _matching(world: World, node: Node, constraint: TopologySpreadConstraint, pod: Pod) -> int:
    peers = [other for other in world.on(node) if other.namespace == pod.namespace and other.deletion_timestamp is None]
    return sum(label_selector_matches(_merged(constraint, pod), other.labels) for other in peers)


def _merged(constraint: TopologySpreadConstraint, pod: Pod) -> LabelSelector | None:
    pairs = tuple((key, pod.labels[key]) for key in constraint.match_label_keys if key in pod.labels)
    own = constraint.selector
    if own is None:
        return LabelSelector(match_labels=pairs) if pairs else None
    return LabelSelector(match_labels=pairs + own.match_labels, match_expressions=own.match_expressions)


# ---- affinity ----------------------------------------------------------------------------------------------------


def affinity_refusals(world: World, pod: Pod) -> dict[str, str]:
    """Why nodes are refused by required terms, of the pod and of the pods that are there."""
    wanted: Counter[Pair] = Counter()
    avoided: Counter[Pair] = Counter()
    avoiding: Counter[Pair] = Counter()
    for node in world.nodes:
        for other in world.on(node):
            if pod.required_affinity and all(_reaches(world, pod, term, other) for term in pod.required_affinity):
                _count(wanted, node, pod.required_affinity)
            _count(avoided, node, [term for term in pod.required_anti_affinity if _reaches(world, pod, term, other)])
            _count(avoiding, node, [term for term in other.required_anti_affinity if _reaches(world, other, term, pod)])
    its_own = all(_reaches(world, pod, term, pod) for term in pod.required_affinity)
    refusals = {}
    for node in world.nodes:
        lonely = any(wanted[_pair(node, term)] == 0 for term in pod.required_affinity)
        nowhere = any(term.topology_key not in node.labels for term in pod.required_affinity)
        if nowhere or (lonely and (wanted.total() or not its_own)):
            refusals[node.name] = REASON_AFFINITY
        elif any(avoided[_pair(node, term)] for term in pod.required_anti_affinity if term.topology_key in node.labels):
            refusals[node.name] = REASON_ANTI_AFFINITY
        elif any(avoiding[pair] for pair in node.labels.items()):
            refusals[node.name] = REASON_EXISTING
    return refusals


def affinity_scores(world: World, pod: Pod, *, hard_weight: int) -> dict[str, int]:
    """The normalised scores of all nodes by terms that are only preferred, and by affinity that others require."""
    sums: Counter[Pair] = Counter()
    for node in world.nodes:
        for other in world.on(node):
            for sign, mine, theirs in (
                (1, pod.preferred_affinity, other.preferred_affinity),
                (-1, pod.preferred_anti_affinity, other.preferred_anti_affinity),
            ):
                _count(sums, node, [wish.term for wish in mine if _reaches(world, pod, wish.term, other) for _ in range(wish.weight)], sign)
                _count(
                    sums, node, [wish.term for wish in theirs if _reaches(world, other, wish.term, pod) for _ in range(wish.weight)], sign
                )
            _count(sums, node, [term for term in other.required_affinity if _reaches(world, other, term, pod)], hard_weight)
    raw = {node.name: sum(sums[pair] for pair in node.labels.items()) for node in world.nodes}
    least, most = min(raw.values()), max(raw.values())
    return {name: int(100.0 * ((value - least) / (most - least))) if most > least else 0 for name, value in raw.items()}


def _reaches(world: World, owner: Pod, term: PodAffinityTerm, other: Pod) -> bool:
    """Whether the owner's term speaks of the other pod."""
    return _covers(world, owner, term, other.namespace) and label_selector_matches(term.selector, other.labels)


def _covers(world: World, owner: Pod, term: PodAffinityTerm, namespace: str) -> bool:
    if not term.namespaces and term.namespace_selector is None:
        return namespace == owner.namespace
    return namespace in term.namespaces or label_selector_matches(term.namespace_selector, world.namespaces[namespace].labels)


def _count(counts: Counter[Pair], node: Node, terms: Iterable[PodAffinityTerm], weight: int = 1) -> None:
    for term in terms:
        if term.topology_key in node.labels:
            counts[_pair(node, term)] += weight


def _pair(node: Node, term: PodAffinityTerm) -> Pair:
    return term.topology_key, node.labels.get(term.topology_key, "")
