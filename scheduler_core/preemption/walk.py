"""The dry run of one node in plain integers. Mirrors SelectVictimsOnNode.

The one rule: it finds what the bench finds, and pays where only a few rows changed: a column of one row costs as much as one of many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import Reason
from scheduler_core.framework.runner import PodFilter
from scheduler_core.framework.status import Status
from scheduler_core.preemption.bench import NO_VICTIMS, without_need
from scheduler_core.preemption.budgets import BudgetBook
from scheduler_core.preemption.importance import by_importance
from scheduler_core.preemption.known import KnownRows


def can_walk(found: PodFilter) -> bool:
    """Whether ledgers are plain sums: others know only columns."""
    return all(state.is_sum for _, state in found.states if state.width)


def walk(found: PodFilter, row: int, book: BudgetBook, known: KnownRows) -> None:
    """Find out about one row."""
    pods, infos = found.cluster.pods_on[row], found.cluster.pods.infos
    lower = by_importance([infos[slot] for slot in pods if infos[slot].priority < found.pod.priority])
    if not lower:
        known.refuse(row, NO_VICTIMS)
        return
    node = _Node(found, row, lower)
    refusal = node.refusal()
    if refusal is not None:
        known.refuse(row, refusal)
        return
    violating = book.violating(lower) if book else [False] * len(lower)
    victims = _victims(node, violating)
    if not victims:
        known.refuse(row, without_need(found.cluster.names[row]))
        return
    gone = [lower[k] for k in victims]
    if any(violating) and not all(violating):
        gone = by_importance(gone)
    known.accept(row, gone, sum(violating[k] for k in victims))


def _victims(node: _Node, violating: Sequence[bool]) -> list[int]:
    """Put pods back one after another, those whose eviction breaks a budget first: which ones leave no fit, in that order."""
    victims = []
    for k in sorted(range(len(violating)), key=lambda k: not violating[k]):
        node.put_on(k)
        if node.refusal() is not None:
            node.take_off(k)
            victims.append(k)
    return victims


@dataclass(slots=True)
class _Filter:
    """One filter's ledger of the hypothetical row, what each pod to reprieve adds to it, and all nominated pods together."""

    name: str
    refusal: Callable[[Sequence[int]], Reason | None]
    ledger: list[int]
    weights: list[list[int]]
    nominated: list[int]


class _Node:
    """A hypothetical row from which all pods to reprieve were taken off."""

    def __init__(self, found: PodFilter, row: int, lower: Sequence[PodInfo]) -> None:
        nominated = _nominated(found, row)
        slots = [info.slot for info in (*lower, *nominated)]
        pods = found.cluster.batch(slots, [row] * len(slots))
        self._has_nominated = bool(nominated)
        self._filters: list[_Filter] = []
        for name, state in found.states:
            known = state.of_row(row, pods)
            own, others = known.weights[: len(lower)], known.weights[len(lower) :]
            ledger = [used - sum(column) for used, *column in zip(known.usage, *own, strict=True)]
            self._filters.append(_Filter(name, known.refusal, ledger, own, [sum(column) for column in zip(*others, strict=True)]))
        self._moving = [each for each in self._filters if each.ledger]

    def put_on(self, k: int) -> None:
        """Put the k-th pod back."""
        for each in self._moving:
            each.ledger = [used + weight for used, weight in zip(each.ledger, each.weights[k], strict=True)]

    def take_off(self, k: int) -> None:
        """Take it off again."""
        for each in self._moving:
            each.ledger = [used - weight for used, weight in zip(each.ledger, each.weights[k], strict=True)]

    def refusal(self) -> Status | None:
        """Why the preemptor does not fit; None where it does, with the nominated pods and without them."""
        if self._has_nominated:
            for each in self._filters:
                reason = each.refusal([used + more for used, more in zip(each.ledger, each.nominated, strict=True)])
                if reason is not None:
                    return Status(*reason, each.name)
        for each in self._filters:
            reason = each.refusal(each.ledger)
            if reason is not None:
                return Status(*reason, each.name)
        return None


def _nominated(found: PodFilter, row: int) -> list[PodInfo]:
    """The pods nominated to the row that count for the preemptor. As in PodFilter."""
    nominator = found.cluster.nominator
    if not nominator:
        return []
    own = nominator.info_of(found.pod.key)
    there = nominator.on(found.cluster.names[row])
    return [info for info in there if info.priority >= found.pod.priority and (own is None or info.slot != own.slot)]
