"""When a pod is held to be nominated, and to which node.

The one rule: a nomination made by the scheduler outlives updates of the pod that do not mention one.
Mirrors the rules of backend/queue/nominator.go; the table of nominations itself is the cluster's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scheduler_core.api.objects import Pod
from scheduler_core.cluster.nominator import Nominator
from scheduler_core.cluster.pods import PodInfo


@dataclass(frozen=True, slots=True)
class Nominating:
    """What a scheduling attempt says of the pod's nomination: to this node, or to none when ``node`` is empty."""

    node: str


class PodNominator:
    """Keeps the cluster's nominations in step with pods and decisions."""

    def __init__(self, table: Nominator, *, live: Callable[[str], Pod | None], info_of: Callable[[Pod], PodInfo]) -> None:
        self._table = table
        self._live = live
        self._info_of = info_of

    def node_of(self, key: str) -> str:
        """The node to which the pod is nominated, "" for none."""
        return self._table.node_of(key)

    def add(self, pod: Pod, nominating: Nominating | None) -> None:
        """Nominate the pod as ``nominating`` says, or as its own status says when that is None."""
        node = pod.nominated_node_name if nominating is None else nominating.node
        live = self._live(pod.key)
        if node and live is not None and not live.node_name:
            self._table.add(self._info_of(pod), node)
        else:
            self._table.delete(pod.key)

    def update(self, old: Pod, new: Pod) -> None:
        """The pod's object changed; a nomination that neither version mentions is kept."""
        kept = None
        if not old.nominated_node_name and not new.nominated_node_name:
            node = self._table.node_of(old.key)
            kept = Nominating(node) if node else None
        self.add(new, kept)

    def delete(self, key: str) -> None:
        """The pod is gone or bound."""
        self._table.delete(key)
