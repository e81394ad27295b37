"""matchLabelKeys and mismatchLabelKeys become part of the selector when a pod is created.

The one rule: an expression that is there already is not added again, so a pod that an API server has seen stays as it is.
Mirrors applyMatchLabelKeysAndMismatchLabelKeys of pkg/registry/core/pod/strategy.go at 1.34. The scheduler merges those of spread
constraints once more and those of affinity terms never.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from scheduler_core.api.objects import LabelSelector, Pod, PodAffinityTerm, Requirement, TopologySpreadConstraint

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def merge_label_keys(pod: Pod) -> Pod:
    """The pod with the label keys of its affinity terms and spread constraints in their selectors, in value and manifest."""
    if not any(_has_keys(item) for item in _items(pod)):
        return pod
    return replace(
        pod,
        required_affinity=tuple(_term(pod, term) for term in pod.required_affinity),
        required_anti_affinity=tuple(_term(pod, term) for term in pod.required_anti_affinity),
        preferred_affinity=tuple(replace(wish, term=_term(pod, wish.term)) for wish in pod.preferred_affinity),
        preferred_anti_affinity=tuple(replace(wish, term=_term(pod, wish.term)) for wish in pod.preferred_anti_affinity),
        spread_constraints=tuple(replace(c, selector=_selector(pod, c.selector, c.match_label_keys, ())) for c in pod.spread_constraints),
        manifest=_manifest(pod),
    )


def _items(pod: Pod) -> Iterator[PodAffinityTerm | TopologySpreadConstraint]:
    yield from pod.spread_constraints
    yield from (*pod.required_affinity, *pod.required_anti_affinity)
    yield from (wish.term for wish in (*pod.preferred_affinity, *pod.preferred_anti_affinity))


def _has_keys(item: PodAffinityTerm | TopologySpreadConstraint) -> bool:
    return bool(item.match_label_keys) or bool(isinstance(item, PodAffinityTerm) and item.mismatch_label_keys)


def _term(pod: Pod, term: PodAffinityTerm) -> PodAffinityTerm:
    return replace(term, selector=_selector(pod, term.selector, term.match_label_keys, term.mismatch_label_keys))


def _selector(pod: Pod, own: LabelSelector | None, match: tuple[str, ...], mismatch: tuple[str, ...]) -> LabelSelector | None:
    if own is None:
        return None
    new = tuple(Requirement(key=key, operator=operator, values=(value,)) for key, operator, value in _expressions(pod, match, mismatch))
    added = tuple(requirement for requirement in new if requirement not in own.match_expressions)
    return replace(own, match_expressions=own.match_expressions + added) if added else own


def _expressions(pod: Pod, match: tuple[str, ...], mismatch: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    for keys, operator in ((match, "In"), (mismatch, "NotIn")):
        yield from ((key, operator, pod.labels[key]) for key in keys if key in pod.labels)


def _manifest(pod: Pod) -> Mapping[str, Any]:
    spec = copy.deepcopy(pod.manifest.get("spec") or {})
    for holder in _holders(spec):
        selector = holder.get("labelSelector")
        if selector is None:
            continue
        match, mismatch = (tuple(holder.get(key) or ()) for key in ("matchLabelKeys", "mismatchLabelKeys"))
        there = list(selector.get("matchExpressions") or ())
        new = [{"key": key, "operator": operator, "values": [value]} for key, operator, value in _expressions(pod, match, mismatch)]
        added = [expression for expression in new if expression not in there]
        if added:
            selector["matchExpressions"] = there + added
    return {**pod.manifest, "spec": spec}


def _holders(spec: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Everything in the spec that has a label selector and label keys."""
    yield from spec.get("topologySpreadConstraints") or ()
    for kind in ("podAffinity", "podAntiAffinity"):
        affinity = (spec.get("affinity") or {}).get(kind) or {}
        yield from affinity.get(_REQUIRED) or ()
        yield from (wish["podAffinityTerm"] for wish in affinity.get(_PREFERRED) or ())
