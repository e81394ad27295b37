"""The sentence that kubectl shows when nothing fits: "0/5 nodes are available: ...". Mirrors FitError of framework/types.go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from scheduler_core.framework.status import Status

if TYPE_CHECKING:
    from scheduler_core.scheduler.cycle import Diagnosis


def fit_error_text(total: int, diagnosis: Diagnosis) -> str:
    """The text before preemption adds to it; ``total`` counts all nodes."""
    if diagnosis.pre_filter is not None:
        return f"0/{total} nodes are available: {diagnosis.pre_filter.message}."
    return f"0/{total} nodes are available:{reasons_text(total, diagnosis.statuses, diagnosis.absent)}"


def reasons_text(total: int, statuses: Mapping[int, Status] | Mapping[str, Status], absent: Status) -> str:
    """The reasons with the number of nodes that gave each, sorted as text, with a leading blank and a full stop."""
    counts: Counter[str] = Counter(_reasons(statuses.values()))
    if len(statuses) < total:
        for reason in absent.reasons:
            counts[reason] += total - len(statuses)
    parts = sorted(f"{count} {reason}" for reason, count in counts.items())
    return f" {', '.join(parts)}." if parts else ""


def _reasons(statuses: Iterable[Status]) -> Iterable[str]:
    return (reason for status in statuses for reason in status.reasons)
