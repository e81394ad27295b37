"""The sentence that kubectl shows when nothing fits: "0/5 nodes are available: ...". Mirrors FitError of framework/types.go."""

from __future__ import annotations

from collections import Counter

from scheduler_core.framework.status import Status
from scheduler_core.scheduler.diagnosis import Diagnosis


def fit_error_text(total: int, diagnosis: Diagnosis) -> str:
    """The text before preemption adds to it; ``total`` counts all nodes."""
    if diagnosis.pre_filter is not None:
        return f"0/{total} nodes are available: {diagnosis.pre_filter.message}."
    reasons = diagnosis.statuses.reasons()
    return available_text(total, reasons, others=total - len(diagnosis.statuses), absent=diagnosis.absent)


def available_text(total: int, reasons: Counter[str], *, others: int, absent: Status) -> str:
    """The sentence from the number of nodes that gave each reason; ``others`` nodes have the ``absent`` status."""
    counts = Counter(reasons)
    if others > 0:
        for reason in absent.reasons:
            counts[reason] += others
    parts = sorted(f"{count} {reason}" for reason, count in counts.items())
    return f"0/{total} nodes are available:{' ' if parts else ''}{', '.join(parts)}{'.' if parts else ''}"
