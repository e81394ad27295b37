"""Step 4: the ladder of rules that picks one candidate. Mirrors pickOneNodeForPreemption.

The one rule: a rule only breaks the ties of the one before; the last tie is drawn, or the first in order of name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.preemption.known import LATEST_START, PDB_VIOLATIONS, PRIORITY_SUM, TOP_PRIORITY, VICTIM_COUNT
from scheduler_core.preemption.table import CandidateTable


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the ladder: which rank of the candidates it compares, and whether the highest or the lowest wins."""

    name: str
    rank: int
    highest_wins: bool = False


# Asked in this order; a rule only breaks the ties of the one before.
RULES: Final = (
    Rule("pdb-violations", PDB_VIOLATIONS),
    Rule("highest-priority", TOP_PRIORITY),
    Rule("priority-sum", PRIORITY_SUM),
    Rule("victim-count", VICTIM_COUNT),
    Rule("latest-start", LATEST_START, highest_wins=True),
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
    left = table.rows_by_name
    if len(left) == 1:
        return Pick((), table.names_of(left), ONLY)
    applied: list[RuleApplied] = []
    for number, rule in enumerate(RULES, 1):
        values = table.ranks(rule.rank, left)
        best = values[values.argmax() if rule.highest_wins else values.argmin()]
        asked, has_best = left, values == best
        if np.count_nonzero(has_best) < len(left):
            left = left[has_best]
        if trace:
            seen = tuple(values.tolist())
            applied.append(RuleApplied(rule.name, number, table.names_of(asked), seen, int(best), table.names_of(left)))
        if len(left) == 1:
            return Pick(tuple(applied), table.names_of(left), rule.name)
    return Pick(tuple(applied), table.names_of(left), FIRST)
