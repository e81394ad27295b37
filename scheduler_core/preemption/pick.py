"""Step 4: the ladder of rules that picks one candidate. Mirrors pickOneNodeForPreemption.

The one rule: a rule only breaks the ties of the one before; the last tie is drawn, or the first in order of name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.preemption.table import CandidateTable, Column


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the ladder: what it measures of every candidate, and whether the highest or the lowest wins."""

    name: str
    values: Callable[[CandidateTable], Column]
    highest_wins: bool = False


# Asked in this order; a rule only breaks the ties of the one before.
RULES: Final = (
    Rule("pdb-violations", lambda table: table.violations),
    Rule("highest-priority", lambda table: table.top_priorities),
    Rule("priority-sum", lambda table: table.priority_sums),
    Rule("victim-count", lambda table: table.counts),
    Rule("latest-start", lambda table: table.latest_starts, highest_wins=True),
)
FIRST: Final = "first"
ONLY: Final = "only"


@dataclass(frozen=True, slots=True)
class RuleApplied:
    """One rule asked: the values of those still in, in order of name, the best of them, and who has it."""

    rule: str
    number: int
    nodes: tuple[str, ...]
    values: tuple[int, ...]
    best: int
    survivors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """The rules asked and who they left, in order of name; ``decided_by`` names the rule that left one."""

    applied: tuple[RuleApplied, ...]
    survivors: tuple[str, ...]
    decided_by: str


def pick(table: CandidateTable, *, trace: bool) -> Pick:
    """Ask the rules until one candidate is left; the table is never empty. ``trace`` keeps what each rule saw."""
    left = np.array(sorted(range(len(table)), key=table.names.__getitem__), np.int64)
    if len(left) == 1:
        return Pick((), _names(table, left), ONLY)
    applied: list[RuleApplied] = []
    for number, rule in enumerate(RULES, 1):
        values = rule.values(table)[left]
        best = int(values.max() if rule.highest_wins else values.min())
        asked, left = left, left[values == best]
        if trace:
            seen = tuple(values.tolist())
            applied.append(RuleApplied(rule.name, number, _names(table, asked), seen, best, _names(table, left)))
        if len(left) == 1:
            return Pick(tuple(applied), _names(table, left), rule.name)
    return Pick(tuple(applied), _names(table, left), FIRST)


def _names(table: CandidateTable, indices: NDArray[np.int64]) -> tuple[str, ...]:
    return tuple(table.names[k] for k in indices.tolist())
