"""What the scheduler does when it learns of a change: its cache is updated and waiting pods are moved.

The one rule: the cache first, then the queue. Mirrors pkg/scheduler/eventhandlers.go.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Final

from scheduler_core.api.objects import Node, Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.queue.events import (
    ASSIGNED_POD_ADD,
    ASSIGNED_POD_DELETE,
    NODE_ADD,
    NODE_DELETE,
    Action,
    ClusterEvent,
    node_changes,
    pod_changes,
)
from scheduler_core.queue.scheduling_queue import SchedulingQueue
from scheduler_core.simulation.infos import PodInfos
from scheduler_core.simulation.world import CREATED, DELETED, Change

_ACTIONS: Final = {CREATED: Action.ADD, DELETED: Action.DELETE}
_FINISHED: Final = ("Succeeded", "Failed")


class Informers:
    """Carries changes to the cluster's table and the queue.

    ``profiles`` are the scheduler names it answers to. Without ``versions`` objects have no resource version; an update of a
    waiting pod that does not change the version is taken for a repetition and passed over, as kube-scheduler does.
    """

    def __init__(self, cluster: Cluster, queue: SchedulingQueue, infos: PodInfos, profiles: Container[str], *, versions: bool) -> None:
        self._cluster = cluster
        self._queue = queue
        self._infos = infos
        self._profiles = profiles
        self._versions = versions

    def handle(self, change: Change) -> None:
        """Learn of one change."""
        if change.kind == "Pod":
            self._pod(_visible(change.old), _visible(change.new))
        elif change.kind == "Node":
            self._node(change.old, change.new)
        else:
            self._other(change)

    def enlist(self, pod: Pod) -> None:
        """A pod of the first listing: placed ones are in the cluster already, pending ones queue."""
        if not pod.node_name:
            self._waiting(None, _visible(pod))

    # ---- pods ----------------------------------------------------------------------------------------------------

    def _pod(self, old: Pod | None, new: Pod | None) -> None:
        was_placed = old is not None and bool(old.node_name)
        is_placed = new is not None and bool(new.node_name)
        if new is not None and is_placed:
            if old is not None and was_placed:
                self._update_placed(old, new)
            else:
                self._add_placed(new)
        elif old is not None and was_placed:
            self._infos.forget(old.key)
            self._queue.move_all(ASSIGNED_POD_DELETE, old, None)
        self._waiting(None if was_placed else old, None if is_placed else new)

    def _add_placed(self, pod: Pod) -> None:
        self._infos.place(pod)
        self._queue.move_all(ASSIGNED_POD_ADD, None, pod)

    def _update_placed(self, old: Pod, new: Pod) -> None:
        self._infos.place(new)
        for event in pod_changes(old, new):
            self._queue.move_all(event, old, new)

    def _waiting(self, old: Pod | None, new: Pod | None) -> None:
        """The pod as the queue sees it: only while nobody has bound it, and only if it asks for this scheduler."""
        pod = new or old
        if pod is None or pod.scheduler_name not in self._profiles:
            return
        if new is None:
            self._stop_waiting(pod)
        elif old is None:
            self._queue.add(new)
        elif self._versions and new.key not in self._cluster.known:
            self._update_waiting(old, new)

    def _update_waiting(self, old: Pod, new: Pod) -> None:
        self._queue.update(old, new)
        if old.nominated_node_name and old.nominated_node_name != new.nominated_node_name:
            # others treated the pod as if it were on that node: to them it has gone from there
            self._queue.move_all(ASSIGNED_POD_DELETE, old, None, _at_most(old))

    def _stop_waiting(self, pod: Pod) -> None:
        self._queue.delete(pod.key)
        if pod.key not in self._cluster.known:
            self._infos.forget(pod.key)
        if pod.nominated_node_name:
            self._queue.move_all(ASSIGNED_POD_DELETE, pod, None, _at_most(pod))

    # ---- everything else -----------------------------------------------------------------------------------------

    def _node(self, old: Node | None, new: Node | None) -> None:
        if new is None:
            if old is not None:
                self._queue.move_all(NODE_DELETE, old, None)
                self._cluster.delete_node(old.name)
            return
        self._cluster.set_node(new)
        if old is None:
            self._queue.move_all(NODE_ADD, None, new)
            return
        for event in node_changes(old, new):
            self._queue.move_all(event, old, new)

    def _other(self, change: Change) -> None:
        if change.new is None:
            self._cluster.delete_object(change.kind, change.key)
        else:
            self._cluster.set_object(change.new)
        self._queue.move_all(ClusterEvent(change.kind, _ACTIONS.get(change.verb, Action.UPDATE)), change.old, change.new)


def _visible(pod: Pod | None) -> Pod | None:
    """The scheduler watches only pods that have not finished."""
    return None if pod is None or pod.phase in _FINISHED else pod


def _at_most(pod: Pod) -> Callable[[Pod], bool]:
    """Concerns pods of the same or lower priority."""
    priority = pod.priority or 0
    return lambda other: (other.priority or 0) <= priority
