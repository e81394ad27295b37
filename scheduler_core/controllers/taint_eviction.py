"""Pods that do not tolerate a NoExecute taint of their node are deleted, some of them later. Mirrors pkg/controller/tainteviction.

The one rule: a pod goes when the first of the taints that it tolerates only for a while has been there that long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scheduler_core.api.objects import Node, Pod, Taint
from scheduler_core.api.tolerations import tolerates_taint

SECOND = 1000


class TaintEviction:
    """When pods on tainted nodes go; times in milliseconds."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._tainted: dict[str, tuple[Taint, ...]] = {}
        self._due: dict[str, int] = {}
        self._changed: dict[str, None] = {}

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to look at now."""
        return not self._changed and not any(due <= self._now() for due in self._due.values())

    def node_changed(self, name: str, node: Node | None, pods: Iterable[Pod]) -> None:
        """A node came, changed or went; its pods are looked at again when its NoExecute taints changed."""
        taints = () if node is None else tuple(taint for taint in node.taints if taint.effect == "NoExecute")
        if taints == self._tainted.get(name, ()):
            return
        self._tainted[name] = taints
        self._changed.update((pod.key, None) for pod in pods if pod.node_name == name)

    def pod_changed(self, key: str, pod: Pod | None) -> None:
        """A pod came to a node, changed, or went."""
        if pod is None or pod.deletion_timestamp is not None:
            self._due.pop(key, None)
            self._changed.pop(key, None)
        elif pod.node_name and key not in self._due and self._tainted.get(pod.node_name):
            self._changed[key] = None

    def evictions(self, pods: Callable[[str], Pod | None]) -> list[Pod]:
        """The pods that go now."""
        changed, self._changed = self._changed, {}
        for key in changed:
            self._consider(key, pods(key))
        over = [key for key, due in self._due.items() if due <= self._now()]
        for key in over:
            del self._due[key]
        return [pod for pod in map(pods, over) if pod is not None]

    def next_due(self) -> int | None:
        """When the next pod goes; None when none is to go."""
        return min(self._due.values(), default=None)

    def _consider(self, key: str, pod: Pod | None) -> None:
        taints = () if pod is None else self._tainted.get(pod.node_name, ())
        if pod is None or not taints:
            self._due.pop(key, None)
            return
        seconds = min((_tolerated_for(pod, taint) for taint in taints), default=None)
        if seconds is None or seconds == FOREVER:
            self._due.pop(key, None)
            return
        self._due.setdefault(key, self._now() + seconds * SECOND)


FOREVER = 2**31


def _tolerated_for(pod: Pod, taint: Taint) -> int:
    """For how many seconds the pod tolerates the taint."""
    tolerating = [toleration for toleration in pod.tolerations if tolerates_taint(toleration, taint)]
    if not tolerating:
        return 0
    limits = [toleration.toleration_seconds for toleration in tolerating if toleration.toleration_seconds is not None]
    return max(min(limits), 0) if limits else FOREVER
