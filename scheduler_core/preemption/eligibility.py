"""Step 1: may the pod preempt at all? Mirrors PodEligibleToPreemptOthers of defaultpreemption.

The one rule: gates are asked in order, and the first that is closed decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.objects import Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.status import Code
from scheduler_core.scheduler.diagnosis import Diagnosis

NEVER: Final = "not eligible due to preemptionPolicy=Never."
TERMINATING: Final = "not eligible due to a terminating pod on the nominated node."


@dataclass(frozen=True, slots=True)
class Gate:
    """One question: its name, whether it lets the pod pass, and kube-scheduler's words when it does not."""

    name: str
    passed: bool
    reason: str = ""

    def document(self) -> dict[str, Any]:
        """The gate as JSON values."""
        return {"name": self.name, "passed": self.passed, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Eligibility:
    """The gates asked, in order."""

    gates: tuple[Gate, ...]

    @property
    def eligible(self) -> bool:
        """Whether every gate asked is open."""
        return all(gate.passed for gate in self.gates)

    @property
    def message(self) -> str:
        """kube-scheduler's reason, "" when eligible."""
        return next((gate.reason for gate in self.gates if not gate.passed), "")


def eligibility(cluster: Cluster, info: PodInfo, diagnosis: Diagnosis) -> Eligibility:
    """Ask the gates until one is closed."""
    asked: list[Gate] = []
    for name, closed_because in _GATES:
        reason = closed_because(cluster, info, diagnosis)
        asked.append(Gate(name, not reason, reason))
        if reason:
            break
    return Eligibility(tuple(asked))


def is_terminating_by_preemption(pod: Pod) -> bool:
    """Whether the pod is on its way out because a scheduler preempted it."""
    if pod.deletion_timestamp is None:
        return False
    target = next((c for c in pod.conditions if c.type == "DisruptionTarget"), None)
    return target is not None and target.status == "True" and target.reason == "PreemptionByScheduler"


def _policy(cluster: Cluster, info: PodInfo, diagnosis: Diagnosis) -> str:
    return NEVER if info.pod.preemption_policy == "Never" else ""


def _nominated_node(cluster: Cluster, info: PodInfo, diagnosis: Diagnosis) -> str:
    return ""  # a nomination alone never closes the way; the next gate asks about its victims


def _terminating_victims(cluster: Cluster, info: PodInfo, diagnosis: Diagnosis) -> str:
    node = info.pod.nominated_node_name
    row = cluster.row_of.get(node, -1) if node else -1
    # a nominated node that can never fit is given up: the pod may preempt elsewhere
    if row < 0 or diagnosis.status(row).code == Code.UNRESOLVABLE:
        return ""
    for slot in cluster.pods_on[row]:
        other = cluster.pods.infos[slot]
        if other.priority < info.priority and is_terminating_by_preemption(other.pod):
            return TERMINATING
    return ""


_GATES: Final[tuple[tuple[str, Callable[[Cluster, PodInfo, Diagnosis], str]], ...]] = (
    ("preemption-policy", _policy),
    ("nominated-node", _nominated_node),
    ("terminating-victims", _terminating_victims),
)
