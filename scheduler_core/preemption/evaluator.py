"""Preemption of one pod, in upstream's steps 0 to 4; step 5 is carried out by whoever asked. Mirrors Evaluator.Preempt.

The one rule: this module only decides and tells; the world changes elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import Extender, ExtenderError, Victims
from scheduler_core.framework.interface import PreemptionArgs
from scheduler_core.framework.status import Code, PluginError, Status
from scheduler_core.preemption.budgets import BudgetBook, covering_budgets
from scheduler_core.preemption.candidates import DryRun, dry_run
from scheduler_core.preemption.eligibility import Eligibility, eligibility
from scheduler_core.preemption.extenders import ExtenderCall, PreemptionExtenderError, call_extenders
from scheduler_core.preemption.known import KeptRows
from scheduler_core.preemption.pick import Pick, pick
from scheduler_core.preemption.table import CandidateTable
from scheduler_core.scheduler.cycle import CycleResult, Draw
from scheduler_core.scheduler.diagnosis import NodeStatuses
from scheduler_core.scheduler.fit_error import available_text

NOT_HELPFUL: Final = "Preemption is not helpful for scheduling"
NO_CANDIDATE: Final = "no candidate node for preemption"


@dataclass(slots=True)
class PreemptionResult:
    """What preemption decided; names of nodes are keys, ``chosen`` is "" when nobody is evicted."""

    pod: PodInfo
    eligibility: Eligibility
    message: str = ""
    """kube-scheduler's text when it ends without a node."""
    error: str = ""
    potential: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    unresolvable: dict[str, Status] = field(default_factory=dict)
    offset: int = 0
    offset_drawn: bool = False
    wanted: int = 0
    dry_run: DryRun | None = None
    """None where no node is potential."""
    candidates: Mapping[str, Victims] = field(default_factory=dict)
    extender_calls: Sequence[ExtenderCall] = ()
    after_extenders: Mapping[str, Victims] = field(default_factory=dict)
    pick: Pick | None = None
    draw: int | None = None
    chosen: str = ""
    victims: tuple[PodInfo, ...] = ()
    """The pods to evict, most important first."""


@dataclass(slots=True)
class Evaluator:
    """Decides preemption for a profile; ``draw_offset`` and ``draw_tie`` are None where conformance wants offset 0 and the first."""

    cluster: Cluster
    args: PreemptionArgs
    extenders: Sequence[Extender] = ()
    draw_offset: Draw | None = None
    draw_tie: Draw | None = None
    trace: bool = False
    _kept: KeptRows = field(init=False)
    _book: BudgetBook = field(init=False)
    _book_as_of: int = -1

    def __post_init__(self) -> None:
        self._kept = KeptRows(self.cluster)

    def preempt(self, cycle: CycleResult) -> PreemptionResult:
        """Steps 1 to 4 for a pod that fits nowhere."""
        result = PreemptionResult(cycle.pod, eligibility(self.cluster, cycle.pod, cycle.diagnosis))
        if not result.eligibility.eligible:
            result.message = result.eligibility.message
            return result
        try:
            self._find_candidates(cycle, result)
            if not result.candidates:
                self._explain(result)
                return result
            self._ask_extenders(result)
            self._pick(result)
        except (PluginError, ExtenderError) as error:
            result.error = str(error)
        return result

    def _find_candidates(self, cycle: CycleResult, result: PreemptionResult) -> None:
        """Step 2. Mirrors findCandidates."""
        cluster, diagnosis = self.cluster, cycle.diagnosis
        potential = diagnosis.rows_with(Code.UNSCHEDULABLE)
        if self.trace:
            others = np.delete(np.arange(len(cluster)), potential)
            result.unresolvable = {cluster.names[row]: diagnosis.status(row) for row in others.tolist()}
        result.potential = potential
        if not len(potential) or cycle.pod_filter is None:
            return
        result.wanted = self._wanted(len(potential))
        if self.draw_offset is not None:
            result.offset, result.offset_drawn = self.draw_offset(len(potential)), True
        book = self._current_book()
        rows = np.roll(potential, -result.offset) if result.offset else potential
        known = None if self.trace else self._kept.of(cycle.pod_filter)
        result.dry_run = found = dry_run(cycle.pod_filter, rows, book, known, wanted=result.wanted, trace=self.trace)
        result.candidates = found.candidates
        if not result.candidates:
            errors = found.statuses.messages(Code.ERROR)
            if errors:
                raise PluginError(", ".join(errors))

    def _current_book(self) -> BudgetBook:
        if self._book_as_of != self.cluster.budget_generation:
            self._book, self._book_as_of = BudgetBook(covering_budgets(self.cluster)), self.cluster.budget_generation
            self._kept.heed(self._book.budgets)
        return self._book

    def _wanted(self, potential: int) -> int:
        """Mirrors GetOffsetAndNumCandidates."""
        least = potential * self.args.min_candidate_nodes_percentage // 100
        return min(max(least, self.args.min_candidate_nodes_absolute), potential)

    def _explain(self, result: PreemptionResult) -> None:
        total = len(self.cluster)
        statuses = result.dry_run.statuses if result.dry_run else NodeStatuses(total)
        others = total - len(statuses)
        result.message = available_text(total, statuses.reasons(), others=others, absent=Status(Code.UNRESOLVABLE, (NOT_HELPFUL,)))

    def _ask_extenders(self, result: PreemptionResult) -> None:
        """Step 3."""
        try:
            result.after_extenders, result.extender_calls = call_extenders(self.extenders, result.pod, result.candidates, self._pods_on)
        except PreemptionExtenderError as error:
            result.extender_calls = error.calls
            raise

    def _pods_on(self, node: str) -> list[PodInfo] | None:
        row = self.cluster.row_of.get(node)
        return None if row is None else [self.cluster.pods.infos[slot] for slot in self.cluster.pods_on[row]]

    def _pick(self, result: PreemptionResult) -> None:
        """Step 4. Mirrors SelectCandidate."""
        if not result.after_extenders:
            result.message = NO_CANDIDATE
            return
        table = CandidateTable.of(self.cluster.pods, result.after_extenders)
        result.pick = found = pick(table, trace=self.trace)
        if len(found.survivors) > 1 and self.draw_tie is not None:
            result.draw = self.draw_tie(len(found.survivors))
        result.chosen = found.survivors[result.draw or 0]
        result.victims = table[result.chosen].pods
