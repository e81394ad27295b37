"""Which victims would break a PodDisruptionBudget. Mirrors filterPodsWithPDBViolation of defaultpreemption.

The one rule: a budget is counted down by every pod it covers, in order of importance, whether that breaks it or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scheduler_core.api.objects import PodDisruptionBudget
from scheduler_core.api.selectors import is_empty, label_selector_matches
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.cluster.tallies import Clause, PodTallies, SelectorBuckets, TallyKey


class BudgetBook:
    """The budgets of a cluster that can cover a pod; knows which pods each covers. Made anew when one of them changes."""

    def __init__(self, budgets: Sequence[PodDisruptionBudget]) -> None:
        self.budgets = budgets
        self._by_label: SelectorBuckets[int] = SelectorBuckets()
        for k, budget in enumerate(budgets):
            self._by_label.add(budget.selector, k)

    def __bool__(self) -> bool:
        return bool(self.budgets)

    def covering(self, info: PodInfo) -> list[int]:
        """Indices into ``budgets`` of those that the pod counts against."""
        return sorted(k for k in self._by_label.candidates(info.pod.labels) if _covers(self.budgets[k], info))

    def violating(self, infos: Sequence[PodInfo]) -> list[bool]:
        """For pods in order of importance, whether the eviction of each would take a budget below zero."""
        left = [budget.disruptions_allowed or 0 for budget in self.budgets]
        answers = []
        for info in infos:
            broken = False
            for k in self.covering(info):
                left[k] -= 1
                broken = broken or left[k] < 0
            answers.append(broken)
        return answers

    def spent(self, victims: Sequence[PodInfo]) -> list[tuple[PodDisruptionBudget, int, int]]:
        """(budget, allowed before, allowed after) for each budget that the victims count against."""
        if not self.budgets:
            return []
        counts: dict[int, int] = {}
        for info in victims:
            for k in self.covering(info):
                counts[k] = counts.get(k, 0) + 1
        return [
            (self.budgets[k], self.budgets[k].disruptions_allowed or 0, (self.budgets[k].disruptions_allowed or 0) - count)
            for k, count in sorted(counts.items())
        ]


def covering_budgets(cluster: Cluster) -> tuple[PodDisruptionBudget, ...]:
    """The budgets of the cluster that can cover a pod, in the order given."""
    return tuple(b for b in cluster.budgets.values() if b.selector is not None and not b.selector_error and not is_empty(b.selector))


def rows_of(cluster: Cluster, budgets: Iterable[PodDisruptionBudget]) -> set[int]:
    """The rows with pods that the budgets may cover."""
    tallies: PodTallies = cluster.index(PodTallies)
    rows: set[int] = set()
    for budget in budgets:
        clause = Clause(frozenset((budget.namespace,)), budget.selector)
        rows.update(tallies.tally(TallyKey((clause,))).counts.rows)
    return rows


def _covers(budget: PodDisruptionBudget, info: PodInfo) -> bool:
    pod = info.pod
    if not pod.labels or budget.namespace != pod.namespace or budget.selector is None:
        return False
    # a pod that is listed was already let go by the API server: it is not counted twice
    return label_selector_matches(budget.selector, pod.labels) and pod.name not in budget.disrupted_pods
