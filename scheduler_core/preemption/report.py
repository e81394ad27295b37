"""Turns a preemption's result into events, phase by phase.

The one rule: each event has all that its drawing needs; nothing is looked up later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import NO_START, PodInfo
from scheduler_core.framework.extender import Victims
from scheduler_core.framework.status import Code
from scheduler_core.preemption.budgets import BudgetBook, covering_budgets
from scheduler_core.preemption.candidates import DryRun, NodeCheck
from scheduler_core.preemption.evaluator import PreemptionResult
from scheduler_core.preemption.pick import FIRST, ONLY, RULES, RuleApplied
from scheduler_core.trace.recorder import Recorder

LATEST_START = "latest-start"


def victims_document(candidates: Mapping[str, Victims]) -> dict[str, Any]:
    """Candidates as JSON values, by node."""
    return {
        node: {"victims": [info.key for info in victims.pods], "pdbViolations": victims.pdb_violations}
        for node, victims in candidates.items()
    }


class PreemptionReport:
    """Records one preemption; ``epoch`` is the Unix time of t = 0, so that starts are in virtual seconds."""

    def __init__(self, recorder: Recorder, cluster: Cluster, result: PreemptionResult, *, path: str, epoch: int) -> None:
        self._recorder = recorder
        self._cluster = cluster
        self._result = result
        self._path = path
        self._epoch = epoch
        self._pod = result.pod.key
        self._last = 0

    def record(self, cause: int, changed: list[str] | None = None) -> int:
        """Record steps 0 to 4; the ``seq`` of the last event."""
        self._last = cause
        if not self._recorder.enabled:
            return cause
        self._event("preemption.refreshed", "refresh", "refresh", {"changed": changed or []})
        self._eligibility()
        if not self._result.eligibility.eligible:
            return self._last
        self._candidates()
        self._extenders()
        self._pick()
        return self._last

    def _event(
        self, kind: str, path: str, phase: str, data: Mapping[str, Any], *, variant: str = "", args: Mapping[str, Any] | None = None
    ) -> int:
        self._last = self._recorder.record(
            kind,
            f"{self._path}/{path}",
            {"pod": self._pod, **data},
            variant=variant,
            args={"pod": self._pod, **(args or {})},
            phase=phase,
            cause=self._last,
        )
        return self._last

    # ---- eligibility ---------------------------------------------------------------------------------------------

    def _eligibility(self) -> None:
        found = self._result.eligibility
        data = {"eligible": found.eligible, "message": found.message, "gates": [gate.document() for gate in found.gates]}
        variant = "yes" if found.eligible else "no"
        self._event("preemption.eligibility", "eligibility", "eligibility", data, variant=variant, args={"reason": found.message})

    # ---- candidates ----------------------------------------------------------------------------------------------

    def _candidates(self) -> None:
        result, names = self._result, self._cluster.names
        potential = [names[row] for row in result.potential.tolist()]
        data = {
            "potential": potential,
            "unresolvable": {node: list(status.reasons) for node, status in result.unresolvable.items()},
            "offset": result.offset,
            "drawn": result.offset_drawn,
            "wanted": result.wanted,
            "total": len(names),
        }
        args = {"count": len(potential), "unresolvable": len(result.unresolvable), "offset": result.offset + 1}
        started = self._event(
            "preemption.candidates_started", "candidates", "candidates", data, variant="" if potential else "none", args=args
        )
        if not potential:
            return
        assert result.dry_run is not None, "potential nodes were checked"
        book = BudgetBook(covering_budgets(self._cluster))
        for check in result.dry_run.checks:
            self._last = started
            self._node_checked(check, book)
        self._last = started
        self._finished(result.dry_run, len(potential))

    def _node_checked(self, check: NodeCheck, book: BudgetBook) -> None:
        node = self._cluster.names[check.row]
        victims = check.victims.pods if check.victims else ()
        data = {
            "node": node,
            "fits_without_victims": check.fits_without_victims,
            "status": check.status.document() if check.status else None,
            "potential_victims": [
                {"pod": info.key, "priority": info.priority, "start_time": self._start(info), "pdb_violating": violating}
                for info, violating in zip(check.potential, check.violating, strict=True)
            ],
            "steps": [
                {
                    "pod": step.pod.key,
                    "pdb_violating": step.pdb_violating,
                    "reprieved": step.reprieved,
                    "reason": step.status.message,
                    "status": None if step.reprieved else step.status.document(),
                }
                for step in check.steps
            ],
            "victims": [info.key for info in victims],
            "pdb_violations": check.victims.pdb_violations if check.victims else 0,
            "budgets": [
                {"pdb": f"{budget.namespace}/{budget.name}", "allowed": before, "after": after}
                for budget, before, after in book.spent(check.potential)
            ],
        }
        variant, args = _verdict_of(check, node)
        self._event("preemption.node_checked", f"candidates/{node}", "candidates", data, variant=variant, args=args)

    def _finished(self, found: DryRun, potential: int) -> None:
        result, names = self._result, self._cluster.names
        checked = found.checked
        data = {
            "candidates": victims_document(result.candidates),
            "statuses": found.statuses.documents(names),
            "checked": checked,
            "potential_count": potential,
            "stopped_early": found.stopped_early,
            "message": "" if result.candidates else result.message,
        }
        variant = "none" if not result.candidates else "stopped" if found.stopped_early else ""
        args = {"count": len(result.candidates), "checked": checked, "potential": potential}
        self._event("preemption.candidates_finished", "candidates/end", "candidates", data, variant=variant, args=args)

    # ---- extenders and pick --------------------------------------------------------------------------------------

    def _extenders(self) -> None:
        for call in self._result.extender_calls:
            data = {
                "extender": call.extender,
                "before": victims_document(call.before),
                "after": victims_document(call.after),
                "error": call.error,
                "ignored": call.ignored,
            }
            variant = "ignored" if call.ignored else "error" if call.error else ""
            args = {"extender": call.extender, "before": len(call.before), "after": len(call.after), "error": call.error}
            self._event("preemption.extender_called", f"extenders/{call.extender}", "extenders", data, variant=variant, args=args)

    def _pick(self) -> None:
        found = self._result.pick
        if found is None:
            return
        before = len(self._result.after_extenders)
        for applied in found.applied:
            self._rule(applied, before)
            before = len(applied.survivors)
        if found.decided_by == FIRST:
            self._rule(self._first_rule(found.survivors), before)
        node = self._result.chosen
        victims = self._result.after_extenders[node]
        data = {
            "node": node,
            "victims": [info.key for info in victims.pods],
            "pdb_violations": victims.pdb_violations,
            "decided_by": found.decided_by,
            "draw": self._result.draw,
            "ties": list(found.survivors),
        }
        number = next((rule.number for rule in found.applied if rule.rule == found.decided_by), len(RULES) + 1)
        variant = "only" if found.decided_by == ONLY else ""
        args = {"node": node, "rule": found.decided_by, "number": number}
        self._event("preemption.picked", "pick", "best-pick", data, variant=variant, args=args)

    def _first_rule(self, survivors: tuple[str, ...]) -> RuleApplied:
        chosen = survivors[self._result.draw or 0]
        return RuleApplied(FIRST, len(RULES) + 1, survivors, tuple(range(1, len(survivors) + 1)), survivors.index(chosen) + 1, (chosen,))

    def _rule(self, applied: RuleApplied, before: int) -> None:
        shown = self._virtual if applied.rule == LATEST_START else lambda value: value
        data = {
            "rule": applied.rule,
            "number": applied.number,
            "values": {node: shown(value) for node, value in zip(applied.nodes, applied.values, strict=True)},
            "best": shown(applied.best),
            "survivors": list(applied.survivors),
        }
        count = len(applied.survivors)
        args = {"rule": applied.rule, "count": count, "out": before - count}
        self._event("preemption.rule_applied", f"pick/{applied.rule}", "best-pick", data, args=args)

    def _start(self, info: PodInfo) -> float | None:
        start = info.pod.start_time
        return None if start is None else start - self._epoch

    def _virtual(self, start: int) -> float:
        return self._recorder.now if start == NO_START else start - self._epoch


def _verdict_of(check: NodeCheck, node: str) -> tuple[str, dict[str, Any]]:
    """The message variant of a node's dry run, and its arguments."""
    if check.victims is not None:
        return "candidate", {"node": node, "count": len(check.victims.pods), "violations": check.victims.pdb_violations}
    if check.status is not None and check.status.code == Code.ERROR and check.fits_without_victims:
        return "free", {"node": node}
    return "no", {"node": node, "reason": check.status.message if check.status else ""}
