"""Extenders have their say about the candidates of a preemption. Mirrors callExtenders of framework/preemption/preemption.go.

The one rule: each extender sees what the one before it left, and what it answers replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import Extender, ExtenderError, PodsOn, Victims

Candidates = Mapping[str, Victims]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtenderCall:
    """One extender asked: the candidates before and after, by node, and its error; ``ignored`` when scheduling went on anyway.

    ``without_victims`` are nodes that an ignorable extender answered without victims, and that are therefore left out.
    """

    extender: str
    before: Candidates
    after: Candidates = field(default_factory=dict)
    error: str = ""
    ignored: bool = False
    without_victims: tuple[str, ...] = ()


class PreemptionExtenderError(ExtenderError):
    """An extender that may not be ignored failed; ``calls`` are all made so far, its own the last."""

    def __init__(self, message: str, calls: Sequence[ExtenderCall]) -> None:
        super().__init__(message)
        self.calls = tuple(calls)


def call_extenders(
    extenders: Sequence[Extender], pod: PodInfo, candidates: Candidates, pods_on: PodsOn
) -> tuple[Candidates, tuple[ExtenderCall, ...]]:
    """The candidates that the extenders leave, and the calls made, in order; raises PreemptionExtenderError."""
    calls: list[ExtenderCall] = []
    left = candidates
    for extender in extenders:
        if not left:
            break
        if not extender.preempts or not extender.is_interested(pod):
            continue
        call = _call(extender, pod, left, pods_on)
        calls.append(call)
        if call.error and not call.ignored:
            raise PreemptionExtenderError(call.error, calls)
        left = call.after
    return left, tuple(calls)


def _call(extender: Extender, pod: PodInfo, before: Candidates, pods_on: PodsOn) -> ExtenderCall:
    try:
        answer = extender.preempt(pod, before, pods_on)
    except ExtenderError as error:
        return ExtenderCall(extender=extender.name, before=before, after=before, error=str(error), ignored=extender.ignorable)
    empty = tuple(node for node, victims in answer.items() if not victims.pods)
    if empty and not extender.ignorable:
        missing = f'expected at least one victim pod on node "{empty[0]}"'
        return ExtenderCall(extender=extender.name, before=before, error=missing)
    after = {node: victims for node, victims in answer.items() if victims.pods}
    return ExtenderCall(extender=extender.name, before=before, after=after, without_victims=empty)
