"""An extender that answers by fixed rules, as a server would that had them in a table.

The one rule: it behaves as kube-scheduler sees an HTTP extender, down to the words of its errors. Mirrors pkg/scheduler/extender.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.api.objects import Node
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.extenders.interest import is_interested
from scheduler_core.framework.extender import ExtenderError, ExtenderFilterResult, PodsOn, Victims

_OK = (0, 200)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRule:
    """Nodes struck, each with its message, whether they are asked about or not; ``error`` fails the call."""

    failed: Mapping[str, str] = field(default_factory=dict)
    failed_and_unresolvable: Mapping[str, str] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreemptRule:
    """Nodes dropped from the candidates, nodes answered without victims, and the HTTP status if it is not 200."""

    drop: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()
    status: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleExtender:
    """An extender with a rule for each verb that it has; a verb without a rule does not exist."""

    name: str
    weight: int = 1
    ignorable: bool = False
    node_cache_capable: bool = False
    managed_resources: frozenset[str] = frozenset()
    filter_rule: FilterRule | None = None
    scores: Mapping[str, int] | None = None
    preempt_rule: PreemptRule | None = None
    bind_error: str | None = None
    """None where it has no bind verb, "" where binding succeeds."""

    @property
    def filters(self) -> bool:
        return self.filter_rule is not None

    @property
    def prioritizes(self) -> bool:
        return self.scores is not None

    @property
    def binds(self) -> bool:
        return self.bind_error is not None

    @property
    def preempts(self) -> bool:
        return self.preempt_rule is not None

    def is_interested(self, pod: PodInfo) -> bool:
        return is_interested(self.managed_resources, pod)

    def filter(self, pod: PodInfo, nodes: Sequence[Node]) -> ExtenderFilterResult:
        rule = self.filter_rule or FilterRule()
        if rule.error:
            raise ExtenderError(rule.error)
        names = [node.name for node in nodes]
        return ExtenderFilterResult(
            nodes=[name for name in names if name not in rule.failed and name not in rule.failed_and_unresolvable],
            failed=rule.failed,
            failed_and_unresolvable=rule.failed_and_unresolvable,
            knows_only_objects=not self.node_cache_capable,
        )

    def prioritize(self, pod: PodInfo, nodes: Sequence[Node]) -> Mapping[str, int]:
        scores = self.scores or {}
        return {node.name: scores[node.name] for node in nodes if node.name in scores}

    def preempt(self, pod: PodInfo, victims: Mapping[str, Victims], pods_on: PodsOn) -> Mapping[str, Victims]:
        rule = self.preempt_rule or PreemptRule()
        if rule.status not in _OK:
            raise ExtenderError(f"failed preempt with extender at URL {self.name}/preempt, code {rule.status}")
        left = {node: found for node, found in victims.items() if node not in rule.drop}
        return {node: Victims((), found.pdb_violations) if node in rule.empty else found for node, found in left.items()}

    def bind(self, pod: PodInfo, node: str) -> None:
        if self.bind_error:
            raise ExtenderError(self.bind_error)


def extenders_of(documents: Iterable[Mapping[str, Any]]) -> tuple[RuleExtender, ...]:
    """The extenders of a Scenario or a conformance case, in order; the documents have been checked."""
    return tuple(_extender(document) for document in documents)


def ignored_resources(documents: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Resources that the scheduler should not look at, since an extender manages them: ``ignoredByScheduler`` in its entry."""
    listed = (resource for document in documents for resource in document.get("managedResources") or ())
    return tuple(str(resource["name"]) for resource in listed if isinstance(resource, Mapping) and resource.get("ignoredByScheduler"))


def _extender(document: Mapping[str, Any]) -> RuleExtender:
    filtering, preempting, binding = document.get("filter"), document.get("preempt"), document.get("bind")
    managed = (resource["name"] if isinstance(resource, Mapping) else resource for resource in document.get("managedResources") or ())
    return RuleExtender(
        name=document["name"],
        weight=document.get("weight") or 1,
        ignorable=bool(document.get("ignorable")),
        node_cache_capable=bool(document.get("nodeCacheCapable")),
        managed_resources=frozenset(managed),
        filter_rule=None if filtering is None else _filter_rule(filtering),
        scores=document.get("prioritize"),
        preempt_rule=None if preempting is None else _preempt_rule(preempting),
        bind_error=None if binding is None else str(binding.get("error") or ""),
    )


def _filter_rule(raw: Mapping[str, Any]) -> FilterRule:
    return FilterRule(
        failed=raw.get("failed") or {},
        failed_and_unresolvable=raw.get("failedAndUnresolvable") or {},
        error=raw.get("error") or "",
    )


def _preempt_rule(raw: Mapping[str, Any]) -> PreemptRule:
    return PreemptRule(
        drop=frozenset(raw.get("drop") or ()),
        empty=frozenset(raw.get("empty") or ()),
        status=raw.get("status") or 0,
    )
