"""The port through which an extender is asked; who answers (rules, HTTP) is injected.

The one rule: an extender's failure is an ExtenderError; whether it matters is decided here, by ``ignorable``.
Mirrors framework/extender.go and the extender parts of schedule_one.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from scheduler_core.api.objects import Node
from scheduler_core.cluster.pods import PodInfo

MAX_EXTENDER_PRIORITY = 10


class ExtenderError(Exception):
    """The extender could not be asked or answered with an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtenderFilterResult:
    """What an extender left of the nodes it was shown, and its messages for those it struck."""

    nodes: Sequence[str]
    failed: Mapping[str, str] = field(default_factory=dict)
    failed_and_unresolvable: Mapping[str, str] = field(default_factory=dict)
    knows_only_objects: bool = False
    """Whether nodes came back as objects: an extender without a node cache makes the scheduler forget their pods when it scores."""


@dataclass(frozen=True, slots=True)
class Victims:
    """Pods that would go from one node, most important first, and how many of them break a budget."""

    pods: tuple[PodInfo, ...]
    pdb_violations: int


PodsOn = Callable[[str], Sequence[PodInfo] | None]
"""The pods on a node by its name; None for a node that is not known."""


class Extender(Protocol):
    """What the scheduler asks of an extender; the methods raise ExtenderError."""

    @property
    def name(self) -> str:
        """Shown in events and scores."""

    @property
    def weight(self) -> int:
        """Multiplies its scores."""

    @property
    def ignorable(self) -> bool:
        """Whether scheduling goes on when it fails."""

    @property
    def filters(self) -> bool:
        """Whether it has a filter verb."""

    @property
    def prioritizes(self) -> bool:
        """Whether it has a prioritize verb."""

    @property
    def binds(self) -> bool:
        """Whether it has a bind verb."""

    @property
    def preempts(self) -> bool:
        """Whether it has a preempt verb."""

    def is_interested(self, pod: PodInfo) -> bool:
        """Whether the pod uses a resource that the extender manages, or it manages everything."""

    def filter(self, pod: PodInfo, nodes: Sequence[Node]) -> ExtenderFilterResult:
        """Strike nodes."""

    def prioritize(self, pod: PodInfo, nodes: Sequence[Node]) -> Mapping[str, int]:
        """Scores 0..10 by node."""

    def preempt(self, pod: PodInfo, victims: Mapping[str, Victims], pods_on: PodsOn) -> Mapping[str, Victims]:
        """Strike candidate nodes or change their victims, also to others of the pods on them."""

    def bind(self, pod: PodInfo, node: str) -> None:
        """Bind the pod in the scheduler's place."""
