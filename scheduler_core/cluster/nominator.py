"""Which pods are nominated to which node. Mirrors backend/queue/nominator.go.

The one rule: a pod is nominated to one node at most.
"""

from __future__ import annotations

from scheduler_core.cluster.pods import PodInfo


class Nominator:
    """Nominations in the order in which they were made."""

    def __init__(self) -> None:
        self._on: dict[str, dict[str, PodInfo]] = {}
        self._node_of: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._node_of)

    def add(self, info: PodInfo, node: str) -> None:
        """Nominate the pod to the node, taking it from where it was nominated before."""
        self.delete(info.key)
        self._on.setdefault(node, {})[info.key] = info
        self._node_of[info.key] = node

    def delete(self, key: str) -> None:
        """Forget the pod's nomination, if any."""
        node = self._node_of.pop(key, None)
        if node is None:
            return
        pods = self._on[node]
        del pods[key]
        if not pods:
            del self._on[node]

    def node_of(self, key: str) -> str:
        """The node to which the pod is nominated, "" for none."""
        return self._node_of.get(key, "")

    def on(self, node: str) -> list[PodInfo]:
        """The pods nominated to the node, oldest nomination first."""
        return list(self._on.get(node, {}).values())

    def nodes(self) -> list[str]:
        """The nodes that have nominated pods."""
        return list(self._on)

    def items(self) -> list[tuple[str, str]]:
        """(pod, node) for every nomination."""
        return list(self._node_of.items())
