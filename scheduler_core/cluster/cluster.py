"""The node table and the pods on it: columns that every plugin reads and only this module writes.

The one rule: rows are in order of node name, and whatever is derived from node objects alone is forgotten when one of
them changes. Mirrors backend/cache (its snapshot is this table as it stands).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    KubeObject,
    Namespace,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    StorageClass,
    VolumeAttachment,
    Workload,
    kind_of,
)
from scheduler_core.cluster.asked import AskedBefore
from scheduler_core.cluster.journal import Journal
from scheduler_core.cluster.nominator import Nominator
from scheduler_core.cluster.pods import NO_START, NOWHERE, UNSIGNED, PodBatch, PodInfo, PodTable
from scheduler_core.cluster.row_columns import RowColumns
from scheduler_core.cluster.signatures import signature_of

CPU: Final = 0
MEMORY: Final = 1
EPHEMERAL_STORAGE: Final = 2
FIRST_SCALAR: Final = 3
MISSING: Final = -1
LEAST_PLACES: Final = 8

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LabelColumn:
    """One label over all nodes: ``ids`` (nodes,) int64 into ``values``, MISSING where a node has no such label."""

    ids: NDArray[np.int64]
    values: tuple[str, ...]


class PodIndex(Protocol):
    """Something that a plugin keeps about the pods on nodes, told of every pod that comes and goes."""

    def added(self, info: PodInfo, row: int) -> None:
        """The pod is now on the row."""

    def removed(self, info: PodInfo, row: int) -> None:
        """The pod is no longer on the row."""


class Cluster:
    """Nodes, the pods on them, nominations, and the other objects that decide something."""

    shows_pods = True
    """Whether a plugin that scores one node may look at the pods on it."""

    def __init__(self, objects: Iterable[KubeObject] = ()) -> None:
        self.resource_columns: dict[str, int] = {"cpu": CPU, "memory": MEMORY, "ephemeral-storage": EPHEMERAL_STORAGE}
        self.nodes: list[Node] = []
        self.names: list[str] = []
        self.row_of: dict[str, int] = {}
        width = len(self.resource_columns)
        self.allocatable = np.zeros((0, width), np.int64)
        """(nodes, resources) int64, what pods may request"""
        self.allowed_pods = np.zeros(0, np.int64)
        """(nodes,) int64"""
        self.requested = np.zeros((0, width), np.int64)
        """(nodes, resources) int64, what the pods on the node request"""
        self.nonzero = np.zeros((0, 2), np.int64)
        """(nodes, 2) int64: requests for scoring, milli-CPU and bytes"""
        self.pod_count = np.zeros(0, np.int64)
        """(nodes,) int64"""
        self.pods = PodTable(width)
        self.pods_on: list[list[int]] = []
        """slots of the pods of each row, in the order that kube-scheduler would list them"""
        self.slot_at = np.full((0, LEAST_PLACES), NOWHERE, np.int64)
        """(nodes, places) int64: the same as a table, NOWHERE behind the last pod of a row"""
        self.known: dict[str, PodInfo] = {}
        """pods on nodes, by key, also those whose node is unknown"""
        self.nominator = Nominator(self._nominations_changed)
        self.node_generation = 0
        """counts changes of nodes and other objects at which plugins look"""
        self.budget_generation = 0
        """counts changes of disruption budgets, at which no plugin looks"""
        self.pod_generation = 0
        """counts pods that came or went"""
        self._homeless: dict[str, dict[str, PodInfo]] = defaultdict(dict)
        self._static: dict[Hashable, Any] = {}
        self.by_row = RowColumns()
        """columns that follow from a row's own node, pods and nominations"""
        self.journal: Journal[int] = Journal()
        """rows that got another node object, other pods or other nominations"""
        self._indexes: dict[type, PodIndex] = {}
        self._signatures: dict[Hashable, int] = {}
        self._asked = AskedBefore()
        self._objects: dict[str, dict[str, Any]] = defaultdict(dict)
        self.add_all(objects)

    # ---- objects -------------------------------------------------------------------------------------------------

    def add_all(self, objects: Iterable[KubeObject]) -> None:
        """Take in many objects at once: nodes first, then pods with a node; pending pods are not the cluster's."""
        listed = list(objects)
        self._add_nodes([item for item in listed if isinstance(item, Node)])
        for item in listed:
            if isinstance(item, Pod):
                if item.node_name:
                    self.add_pod(self.info_of(item))
            elif not isinstance(item, Node):
                self.set_object(item)

    def set_object(self, item: KubeObject) -> None:
        """Create or replace an object that is neither a node nor a pod."""
        kind = kind_of(item)
        self._objects[kind][_object_key(item)] = item
        self._object_changed(kind)

    def delete_object(self, kind: str, key: str) -> None:
        """Forget an object that is neither a node nor a pod."""
        self._objects[kind].pop(key, None)
        self._object_changed(kind)

    @property
    def namespaces(self) -> dict[str, Namespace]:
        """By name."""
        return self._objects["Namespace"]

    @property
    def budgets(self) -> dict[str, PodDisruptionBudget]:
        """By ``namespace/name``, in the order given."""
        return self._objects["PodDisruptionBudget"]

    @property
    def claims(self) -> dict[str, PersistentVolumeClaim]:
        """By ``namespace/name``."""
        return self._objects["PersistentVolumeClaim"]

    @property
    def volumes(self) -> dict[str, PersistentVolume]:
        """By name."""
        return self._objects["PersistentVolume"]

    @property
    def storage_classes(self) -> dict[str, StorageClass]:
        """By name."""
        return self._objects["StorageClass"]

    @property
    def csi_nodes(self) -> dict[str, CSINode]:
        """By node name."""
        return self._objects["CSINode"]

    @property
    def csi_drivers(self) -> dict[str, CSIDriver]:
        """By name."""
        return self._objects["CSIDriver"]

    @property
    def attachments(self) -> dict[str, VolumeAttachment]:
        """By name."""
        return self._objects["VolumeAttachment"]

    @property
    def csi_capacities(self) -> dict[str, CSIStorageCapacity]:
        """By ``namespace/name``."""
        return self._objects["CSIStorageCapacity"]

    def workloads(self, kind: str) -> dict[str, Workload]:
        """Objects of a workload kind or Services, by ``namespace/name``."""
        return self._objects[kind]

    # ---- nodes ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.nodes)

    def set_node(self, node: Node) -> None:
        """Create or replace a node; pods already bound to its name are on it at once."""
        row = self.row_of.get(node.name)
        if row is None:
            self._add_nodes([node])
            return
        self.nodes[row] = node
        self._fill(row, node)
        self._row_changed(row)
        self._nodes_changed()

    def delete_node(self, name: str) -> None:
        """Take a node away; its pods stay known, without a row."""
        row = self.row_of.get(name)
        if row is None:
            return
        for slot in list(self.pods_on[row]):
            info = self.pods.infos[slot]
            self.remove_pod(info.key)
            self._homeless[name][info.key] = info
            self.known[info.key] = info
        keep = [n for n in self.nodes if n.name != name]
        self._rebuild(keep)

    def static(self, key: Hashable, build: Callable[[], T]) -> T:
        """A value derived from objects other than pods, kept until one of them changes."""
        found = self._static.get(key)
        if found is None:
            found = self._static[key] = build()
        return cast(T, found)

    def label_column(self, label: str) -> LabelColumn:
        """The label's value on every node."""
        return self.static(("label", label), lambda: self._label_column(label))

    def allocatable_of(self, columns: tuple[int, ...]) -> NDArray[np.int64]:
        """(nodes, columns) int64: what pods may request of some resources."""
        return self.static(("allocatable", columns), lambda: self.allocatable[:, columns])

    def is_everywhere(self, column: int) -> bool:
        """Whether every node has some of the resource."""
        return self.static(("everywhere", column), lambda: bool((self.allocatable[:, column] != 0).all()))

    def resource_column(self, name: str) -> int:
        """The column of a resource, made when new."""
        column = self.resource_columns.get(name)
        if column is None:
            column = self.resource_columns[name] = len(self.resource_columns)
            width = column + 1
            self.allocatable = np.pad(self.allocatable, ((0, 0), (0, 1)))
            self.requested = np.pad(self.requested, ((0, 0), (0, 1)))
            self.pods.widen(width)
        return column

    # ---- pods ----------------------------------------------------------------------------------------------------

    def info_of(self, pod: Pod) -> PodInfo:
        """The pod with its requests computed and a slot; it is not on any node yet."""
        asked = self._asked.of(pod)
        info = PodInfo(
            pod=pod,
            key=pod.key,
            priority=pod.priority or 0,
            requests=asked.requests,
            nonzero=asked.nonzero,
            host_ports=asked.host_ports,
        )
        if not pod.node_name:
            info.signature = self._signature_of(pod)
        self._allocate(info)
        return info

    def add_pod(self, info: PodInfo, node: str | None = None) -> None:
        """Put the pod on a node (the one that it is bound to by default), replacing what had its key."""
        if info.key in self.known:
            self.remove_pod(info.key)
        if info.slot == NOWHERE:
            self._allocate(info)
        name = node or info.pod.node_name
        self.known[info.key] = info
        row = self.row_of.get(name)
        if row is None:
            self._homeless[name][info.key] = info
            return
        self._place(info, row)

    def remove_pod(self, key: str) -> PodInfo | None:
        """Take the pod off its node; None when it was on none."""
        info = self.known.pop(key, None)
        if info is None:
            return None
        if info.row == NOWHERE:
            for pods in self._homeless.values():
                pods.pop(key, None)
            return info
        self._displace(info)
        return info

    def forget(self, info: PodInfo) -> None:
        """Give the pod's slot back: nobody will ask for it again."""
        if info.key in self.known and self.known[info.key] is info:
            self.remove_pod(info.key)
        self.pods.release(info)

    def replace_pod(self, old: PodInfo, pod: Pod) -> PodInfo:
        """A pod's object changed: as in kube-scheduler's cache it is taken off and put on again, at the end."""
        was_known = self.known.get(old.key) is old
        if was_known:
            self.remove_pod(old.key)
        self.pods.release(old)
        info = self.info_of(pod)
        if was_known:
            self.add_pod(info)
        return info

    def batch(self, slots: Sequence[int] | NDArray[np.int64], rows: Sequence[int] | NDArray[np.int64]) -> PodBatch:
        """Pods beside rows, for plugins to weigh."""
        return PodBatch(self.pods, np.asarray(slots, np.int64), np.asarray(rows, np.int64))

    def index(self, kind: Callable[[Cluster], PodIndex]) -> Any:
        """A plugin's own index over pods on nodes: made from what is there, then kept up to date."""
        found = self._indexes.get(cast(type, kind))
        if found is None:
            found = self._indexes[cast(type, kind)] = kind(self)
            for row, slots in enumerate(self.pods_on):
                for slot in slots:
                    found.added(self.pods.infos[slot], row)
        return found

    # ---- inside --------------------------------------------------------------------------------------------------

    def _add_nodes(self, nodes: Sequence[Node]) -> None:
        if not nodes:
            return
        if len(nodes) == 1 and self.nodes:
            self._insert(nodes[0])
            return
        fresh = {node.name: node for node in nodes}
        self._rebuild([n for n in self.nodes if n.name not in fresh] + list(fresh.values()))

    def _insert(self, node: Node) -> None:
        at = bisect_left(self.names, node.name)
        self._rebuild([*self.nodes[:at], node, *self.nodes[at:]])

    def _rebuild(self, nodes: list[Node]) -> None:
        """Lay the table anew: nodes come and go seldom, and rows must stay in order."""
        before = {name: [self.pods.infos[s] for s in slots] for name, slots in zip(self.names, self.pods_on, strict=True)}
        self.nodes = sorted(nodes, key=lambda node: node.name)
        self.names = [node.name for node in self.nodes]
        self.row_of = {name: row for row, name in enumerate(self.names)}
        for node in self.nodes:
            for resource in node.allocatable:
                if resource != "pods":
                    self.resource_column(resource)
        count, width = len(self.nodes), len(self.resource_columns)
        self.allocatable = np.zeros((count, width), np.int64)
        self.allowed_pods = np.zeros(count, np.int64)
        self.requested = np.zeros((count, width), np.int64)
        self.nonzero = np.zeros((count, 2), np.int64)
        self.pod_count = np.zeros(count, np.int64)
        self.pods_on = [[] for _ in self.nodes]
        self.slot_at = np.full((count, self.slot_at.shape[1]), NOWHERE, np.int64)
        self._indexes.clear()
        self.by_row.reset(count)
        self.journal.restart()
        for row, node in enumerate(self.nodes):
            self._fill(row, node)
            for info in (*before.get(node.name, ()), *self._homeless.pop(node.name, {}).values()):
                self._place(info, row)
        self._nodes_changed()

    def _fill(self, row: int, node: Node) -> None:
        self.allocatable[row] = 0
        for resource, amount in node.allocatable.items():
            if resource == "pods":
                continue
            self.allocatable[row, self.resource_column(resource)] = amount
        self.allowed_pods[row] = node.allocatable.get("pods", 0)

    def _nominations_changed(self, node: str) -> None:
        row = self.row_of.get(node)
        if row is not None:
            self._row_changed(row)

    def _object_changed(self, kind: str) -> None:
        if kind == "PodDisruptionBudget":
            self.budget_generation += 1
            return
        self._nodes_changed()

    def _row_changed(self, row: int) -> None:
        self.by_row.changed(row)
        self.journal.note(row)

    def _nodes_changed(self) -> None:
        self.node_generation += 1
        self._static.clear()

    def _signature_of(self, pod: Pod) -> int:
        signature = signature_of(pod)
        return UNSIGNED if signature is None else self._signatures.setdefault(signature, len(self._signatures))

    def _allocate(self, info: PodInfo) -> None:
        columns = [(self.resource_column(name), amount) for name, amount in info.requests.items() if name != "pods"]
        self.pods.allocate(info, columns)

    def _place(self, info: PodInfo, row: int) -> None:
        slot = info.slot
        info.row = row
        self.pods.row[slot] = row
        place = len(self.pods_on[row])
        if place == self.slot_at.shape[1]:
            self.slot_at = np.pad(self.slot_at, ((0, 0), (0, place)), constant_values=NOWHERE)
        self.slot_at[row, place] = slot
        self.pods.position[slot] = place
        self.pods_on[row].append(slot)
        self.requested[row] += self.pods.requests[slot]
        self.nonzero[row] += self.pods.nonzero[slot]
        self.pod_count[row] += 1
        self.pod_generation += 1
        self._row_changed(row)
        for index in self._indexes.values():
            index.added(info, row)

    def _displace(self, info: PodInfo) -> None:
        row, slot = info.row, info.slot
        slots = self.pods_on[row]
        # kube-scheduler fills the gap with the last pod, and ties between victims follow that order
        at = slots.index(slot)
        last = slots.pop()
        self.slot_at[row, len(slots)] = NOWHERE
        if last != slot:
            slots[at] = self.slot_at[row, at] = last
            self.pods.position[last] = at
        self.requested[row] -= self.pods.requests[slot]
        self.nonzero[row] -= self.pods.nonzero[slot]
        self.pod_count[row] -= 1
        self._row_changed(row)
        self.pods.row[slot] = NOWHERE
        info.row = NOWHERE
        self.pod_generation += 1
        for index in self._indexes.values():
            index.removed(info, row)

    def _renumber(self, row: int) -> None:
        for position, slot in enumerate(self.pods_on[row]):
            self.pods.position[slot] = position

    def _label_column(self, label: str) -> LabelColumn:
        interned: dict[str, int] = {}
        ids = np.full(len(self.nodes), MISSING, np.int64)
        for row, node in enumerate(self.nodes):
            value = node.labels.get(label)
            if value is not None:
                ids[row] = interned.setdefault(value, len(interned))
        return LabelColumn(ids, tuple(interned))


def selection(columns: Sequence[int]) -> slice | NDArray[np.int64]:
    """What selects the columns of a table: a slice, which costs nothing, where they stand side by side."""
    if columns and list(columns) == list(range(columns[0], columns[0] + len(columns))):
        return slice(columns[0], columns[0] + len(columns))
    return np.array(columns, np.int64)


def _object_key(item: KubeObject) -> str:
    namespace = getattr(item, "namespace", "")
    return f"{namespace}/{item.name}" if namespace else item.name


__all__ = ["CPU", "EPHEMERAL_STORAGE", "FIRST_SCALAR", "MEMORY", "MISSING", "NO_START", "Cluster", "LabelColumn", "PodIndex", "selection"]
