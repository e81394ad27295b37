"""Step 4: the ladder of rules that picks one candidate. Mirrors pickOneNodeForPreemption.

The one rule: a rule only breaks the ties of the one before; the last tie is drawn, or the first in order of name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scheduler_core.cluster.pods import NO_START
from scheduler_core.framework.extender import Victims
from scheduler_core.preemption.importance import start_of

MAX_INT32 = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the ladder: what it measures of a candidate, and whether the highest or the lowest wins."""

    name: str
    value: Callable[[Victims], int]
    highest_wins: bool = False


def _highest_priority(victims: Victims) -> int:
    return victims.pods[0].priority


def _priority_sum(victims: Victims) -> int:
    # every priority is shifted above zero first, so that more victims never make a lower sum
    return sum(info.priority + MAX_INT32 + 1 for info in victims.pods)


def _latest_start(victims: Victims) -> int:
    top = max(info.priority for info in victims.pods)
    return min(start_of(info.pod) for info in victims.pods if info.priority == top)


# Asked in this order; a rule only breaks the ties of the one before.
RULES: Final = (
    Rule("pdb-violations", lambda victims: victims.pdb_violations),
    Rule("highest-priority", _highest_priority),
    Rule("priority-sum", _priority_sum),
    Rule("victim-count", lambda victims: len(victims.pods)),
    Rule("latest-start", _latest_start, highest_wins=True),
)
FIRST: Final = "first"
ONLY: Final = "only"


@dataclass(frozen=True, slots=True)
class RuleApplied:
    """One rule asked: the values of those still in, the best of them, and who has it."""

    rule: str
    number: int
    values: Mapping[str, int]
    best: int
    survivors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """The rules asked and who they left, in order of name; ``decided_by`` names the rule that left one."""

    applied: tuple[RuleApplied, ...]
    survivors: tuple[str, ...]
    decided_by: str


def pick(candidates: Mapping[str, Victims]) -> Pick:
    """Ask the rules until one candidate is left; ``candidates`` by node name, never empty."""
    left: Sequence[str] = sorted(candidates)
    if len(left) == 1:
        return Pick((), tuple(left), ONLY)
    applied: list[RuleApplied] = []
    for number, rule in enumerate(RULES, 1):
        values = {name: rule.value(candidates[name]) for name in left}
        best = max(values.values()) if rule.highest_wins else min(values.values())
        left = [name for name in left if values[name] == best]
        applied.append(RuleApplied(rule.name, number, values, best, tuple(left)))
        if len(left) == 1:
            return Pick(tuple(applied), tuple(left), rule.name)
    return Pick(tuple(applied), tuple(left), FIRST)


__all__ = ["FIRST", "NO_START", "ONLY", "RULES", "Pick", "Rule", "RuleApplied", "pick"]
