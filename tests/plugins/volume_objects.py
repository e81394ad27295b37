"""Builders for the tests of the volume plugins: objects by keyword, nodes' answers by name.

The one rule: a test reads as a sentence about nodes; what it does not name is plain and harmless.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from scheduler_core.api.objects import (
    CSINode,
    CSINodeDriver,
    KubeObject,
    Node,
    NodeSelectorTerm,
    OwnerReference,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Requirement,
    StorageClass,
    Volume,
)
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import FilterPlugin, FilterState
from scheduler_core.framework.status import Code

HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
GI = 1024**3

LATE = StorageClass(name="late", provisioner="kubernetes.io/no-provisioner", volume_binding_mode="WaitForFirstConsumer")
MADE = StorageClass(name="made", provisioner="csi.example.com", volume_binding_mode="WaitForFirstConsumer")
AT_ONCE = StorageClass(name="at-once", provisioner="csi.example.com")


def node(name: str, **labels: str) -> Node:
    """A node with its name as host name; a keyword ``zone`` is the zone label."""
    known = {"zone": ZONE, "host": HOSTNAME}
    return Node(
        name=name, labels={HOSTNAME: name} | {known.get(key, key): value for key, value in labels.items()}, allocatable={"pods": 110}
    )


def csi_node(
    name: str, limit: int | None = None, *, migrated: str = "", keys: tuple[str, ...] = (), driver: str = "csi.example.com"
) -> CSINode:
    """What the driver said of the node."""
    annotations = {"storage.alpha.kubernetes.io/migrated-plugins": migrated} if migrated else {}
    return CSINode(name=name, annotations=annotations, drivers=(CSINodeDriver(name=driver, count=limit, topology_keys=keys),))


def inline(source: str, **spec: Any) -> Volume:
    """A volume written into the pod."""
    return Volume(name=f"{source.lower()}-{abs(hash(str(spec)))}", source=source, spec=spec)


def of_claim(*names: str) -> tuple[Volume, ...]:
    """Volumes of claims."""
    return tuple(Volume(name=f"v-{name}", source="persistentVolumeClaim", spec={"claimName": name}) for name in names)


def pod(name: str, volumes: Iterable[Volume] = (), *, on: str = "", namespace: str = "default", **more: Any) -> Pod:
    """A pod, on a node if one is named."""
    return Pod(name=name, namespace=namespace, uid=f"uid-{name}", node_name=on, volumes=tuple(volumes), **more)


def claim(name: str, storage_class: str | None = "late", *, to: str = "", size: int = GI, **more: Any) -> PersistentVolumeClaim:
    """A claim, fully bound where ``to`` names a volume."""
    annotations = {"pv.kubernetes.io/bind-completed": "yes"} if to else {}
    return PersistentVolumeClaim(
        **{
            "name": name,
            "uid": f"uid-{name}",
            "storage_class_name": storage_class,
            "volume_name": to,
            "requests": {"storage": size},
            "access_modes": ("ReadWriteOnce",),
            "annotations": annotations,
            "phase": "Bound" if to else "Pending",
        }
        | more
    )


def volume(name: str, *, on: str = "", size: int = GI, **more: Any) -> PersistentVolume:
    """A volume of the class ``late``, local to a node where one is named."""
    return PersistentVolume(
        **{
            "name": name,
            "storage_class_name": "late",
            "capacity": {"storage": size},
            "access_modes": ("ReadWriteOnce",),
            "node_affinity": only_on(on) if on else None,
            "phase": "Available",
            "source": "local",
        }
        | more
    )


def csi_volume(name: str, handle: str = "", driver: str = "csi.example.com", **more: Any) -> PersistentVolume:
    """A bound volume of a CSI driver."""
    return volume(name, source="csi", source_spec={"driver": driver, "volumeHandle": handle or name}, phase="Bound", **more)


def only_on(*nodes: str, label: str = HOSTNAME) -> tuple[NodeSelectorTerm, ...]:
    """Affinity to nodes, or to values of another label."""
    return (NodeSelectorTerm(match_expressions=(Requirement(key=label, operator="In", values=nodes),)),)


def controlled_by(owner: Pod) -> tuple[OwnerReference, ...]:
    """The owner of a generic ephemeral volume's claim."""
    return (OwnerReference(kind="Pod", name=owner.name, uid=owner.uid, controller=True),)


def cluster(*objects: KubeObject) -> Cluster:
    """A cluster of these objects."""
    return Cluster(objects)


def refusal(plugin: FilterPlugin, world: Cluster, wanted: Pod) -> tuple[str, str]:
    """(code, reasons) with which PreFilter refuses the pod; empty texts where it does not."""
    result = plugin.pre_filter(world, world.info_of(wanted))
    return ("", "") if result.status is None else (result.status.code.text, result.status.message)


def is_skipped(plugin: FilterPlugin, world: Cluster, wanted: Pod) -> bool:
    """Whether PreFilter has nothing to do for the pod."""
    result = plugin.pre_filter(world, world.info_of(wanted))
    return result.state is None and result.status is None


def prepared(plugin: FilterPlugin, world: Cluster, wanted: Pod | PodInfo) -> FilterState:
    """The plugin's state for the pod; fails where it skips or refuses."""
    info = world.info_of(wanted) if isinstance(wanted, Pod) else wanted
    state = plugin.pre_filter(world, info).state
    assert state is not None
    return state


def refused(plugin: FilterPlugin, world: Cluster, wanted: Pod, *, code: Code = Code.UNSCHEDULABLE) -> dict[str, str]:
    """The reasons by node, for nodes that refuse the pod; all must have the code."""
    result = plugin.pre_filter(world, world.info_of(wanted))
    assert result.status is None
    if result.state is None:
        return {}
    rows = np.arange(len(world))
    verdict = result.state.verdict(rows, result.state.usage(rows))
    if verdict is None:
        return {}
    found = {}
    for row, index in enumerate(verdict.ids.tolist()):
        if index:
            assert verdict.reasons[index - 1][0] == code
            found[world.names[row]] = ", ".join(verdict.reasons[index - 1][1])
    return found
