"""The hints of the plugins: which change may help which pod."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.objects import (
    Container,
    ContainerPort,
    CSINode,
    CSIStorageCapacity,
    LabelSelector,
    Node,
    NodeSelectorTerm,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodAffinityTerm,
    Requirement,
    StorageClass,
    Taint,
    Toleration,
    TopologySpreadConstraint,
    Volume,
)
from scheduler_core.queue.events import ASSIGNED_POD_DELETE, NODE, Action, ClusterEvent
from scheduler_core.queue.hints import (
    HintMap,
    inter_pod_affinity,
    node_affinity,
    node_ports,
    node_resources_fit,
    node_unschedulable,
    node_volume_limits,
    pod_topology_spread,
    taint_toleration,
    volume_binding,
    volume_restrictions,
    volume_zone,
)
from scheduler_core.queue.hints.registration import Hint

WEB = LabelSelector(match_labels=(("app", "web"),))
TERM = PodAffinityTerm(topology_key="zone", selector=WEB)
SPREAD = TopologySpreadConstraint(max_skew=1, topology_key="zone", when_unsatisfiable="DoNotSchedule", selector=WEB)
PLAIN = Pod(name="p")
CLAIM = PersistentVolumeClaim(name="c")
USES_CLAIM = Pod(name="p", volumes=(Volume(name="v", source="persistentVolumeClaim", spec={"claimName": "c"}),))


def placed(**fields: Any) -> Pod:
    return Pod(name="other", node_name="n", **fields)


def port(number: int, ip: str = "") -> tuple[Container, ...]:
    return (Container(name="c", ports=(ContainerPort(host_port=number, host_ip=ip),)),)


def disk(source: str, **spec: Any) -> tuple[Volume, ...]:
    return (Volume(name="v", source=source, spec=spec),)


def in_zone(**fields: Any) -> Node:
    return Node(name="n", labels={"zone": "a"}, **fields)


# claim, hint, waiting pod, before, after, whether to try again
CASES: list[tuple[str, Hint, Pod, Any, Any, bool]] = [
    ("a pod that held room went", node_resources_fit.after_pod_event, PLAIN, placed(), None, True),
    ("a nominated pod went", node_resources_fit.after_pod_event, PLAIN, Pod(name="x", nominated_node_name="n"), None, True),
    ("a pending pod went", node_resources_fit.after_pod_event, PLAIN, Pod(name="x"), None, False),
    (
        "a node took off the taint",
        taint_toleration.after_node_change,
        PLAIN,
        in_zone(taints=(Taint(key="k", effect="NoSchedule"),)),
        in_zone(),
        True,
    ),
    (
        "a new node has the taint",
        taint_toleration.after_node_change,
        PLAIN,
        None,
        in_zone(taints=(Taint(key="k", effect="NoExecute"),)),
        False,
    ),
    (
        "a taint that only advises keeps nobody off",
        taint_toleration.after_node_change,
        PLAIN,
        None,
        in_zone(taints=(Taint(key="k", effect="PreferNoSchedule"),)),
        True,
    ),
    ("another pod got a toleration", taint_toleration.after_pod_toleration_change, PLAIN, placed(), placed(), False),
    ("a node was uncordoned", node_unschedulable.after_node_change, PLAIN, in_zone(unschedulable=True), in_zone(), True),
    ("an open node changed", node_unschedulable.after_node_change, PLAIN, in_zone(), in_zone(), False),
    (
        "the pod tolerates cordoned nodes now",
        node_unschedulable.after_pod_toleration_change,
        PLAIN,
        PLAIN,
        Pod(name="p", tolerations=(Toleration(operator="Exists"),)),
        True,
    ),
    (
        "a node got the label",
        node_affinity.after_node_change,
        Pod(name="p", node_selector=(("zone", "a"),)),
        Node(name="n"),
        in_zone(),
        True,
    ),
    (
        "a node had the label before",
        node_affinity.after_node_change,
        Pod(name="p", node_selector=(("zone", "a"),)),
        in_zone(),
        in_zone(),
        False,
    ),
    (
        "a new node does not match the affinity",
        node_affinity.after_node_change,
        Pod(name="p", required_node_affinity=(NodeSelectorTerm(match_expressions=(Requirement(key="gpu", operator="Exists"),)),)),
        None,
        in_zone(),
        False,
    ),
    (
        "a pod with the same port went",
        node_ports.after_pod_deleted,
        Pod(name="p", containers=port(80)),
        placed(containers=port(80)),
        None,
        True,
    ),
    (
        "a pod with the port on another address went",
        node_ports.after_pod_deleted,
        Pod(name="p", containers=port(80, "10.0.0.1")),
        placed(containers=port(80, "10.0.0.2")),
        None,
        False,
    ),
    (
        "a pending pod with the port went",
        node_ports.after_pod_deleted,
        Pod(name="p", containers=port(80)),
        Pod(name="x", containers=port(80)),
        None,
        False,
    ),
    (
        "a pod that the affinity wants came",
        inter_pod_affinity.after_pod_change,
        Pod(name="p", required_affinity=(TERM,)),
        None,
        placed(labels={"app": "web"}),
        True,
    ),
    (
        "a pod of another namespace came",
        inter_pod_affinity.after_pod_change,
        Pod(name="p", required_affinity=(TERM,)),
        None,
        placed(namespace="else", labels={"app": "web"}),
        False,
    ),
    (
        "a pod that the anti-affinity avoids went",
        inter_pod_affinity.after_pod_change,
        Pod(name="p", required_anti_affinity=(TERM,)),
        placed(labels={"app": "web"}),
        None,
        True,
    ),
    (
        "a pod lost the label that was avoided",
        inter_pod_affinity.after_pod_change,
        Pod(name="p", required_anti_affinity=(TERM,)),
        placed(labels={"app": "web"}),
        placed(labels={}),
        True,
    ),
    (
        "a pod went that another pod's anti-affinity made a problem",
        inter_pod_affinity.after_pod_change,
        PLAIN,
        placed(required_anti_affinity=(TERM,)),
        None,
        False,
    ),
    (
        "a node of the topology came",
        inter_pod_affinity.after_node_change,
        Pod(name="p", required_anti_affinity=(TERM,)),
        None,
        in_zone(),
        True,
    ),
    (
        "a node without the topology came",
        inter_pod_affinity.after_node_change,
        Pod(name="p", required_anti_affinity=(TERM,)),
        None,
        Node(name="n"),
        False,
    ),
    (
        "a pod that is counted went",
        pod_topology_spread.after_pod_change,
        Pod(name="p", spread_constraints=(SPREAD,)),
        placed(labels={"app": "web"}),
        None,
        True,
    ),
    (
        "a pod that is not counted came",
        pod_topology_spread.after_pod_change,
        Pod(name="p", spread_constraints=(SPREAD,)),
        None,
        placed(labels={"app": "db"}),
        False,
    ),
    (
        "a pending pod that would be counted went",
        pod_topology_spread.after_pod_change,
        Pod(name="p", spread_constraints=(SPREAD,)),
        Pod(name="x", labels={"app": "web"}),
        None,
        False,
    ),
    (
        "a pod's label changed so that it counts",
        pod_topology_spread.after_pod_change,
        Pod(name="p", spread_constraints=(SPREAD,)),
        placed(labels={}),
        placed(labels={"app": "web"}),
        True,
    ),
    (
        "a node of a domain went",
        pod_topology_spread.after_node_change,
        Pod(name="p", spread_constraints=(SPREAD,)),
        in_zone(),
        None,
        True,
    ),
    (
        "a node moved to another domain",
        pod_topology_spread.after_node_change,
        Pod(name="p", spread_constraints=(SPREAD,)),
        in_zone(),
        Node(name="n", labels={"zone": "b"}),
        True,
    ),
    ("the missing claim came", volume_restrictions.after_claim_added, USES_CLAIM, None, CLAIM, True),
    ("another claim came", volume_restrictions.after_claim_added, USES_CLAIM, None, PersistentVolumeClaim(name="d"), False),
    (
        "a pod with the same disk went",
        volume_restrictions.after_pod_deleted,
        Pod(name="p", volumes=disk("awsElasticBlockStore", volumeID="1")),
        placed(volumes=disk("awsElasticBlockStore", volumeID="1")),
        None,
        True,
    ),
    (
        "both only read the disk",
        volume_restrictions.after_pod_deleted,
        Pod(name="p", volumes=disk("gcePersistentDisk", pdName="1", readOnly=True)),
        placed(volumes=disk("gcePersistentDisk", pdName="1", readOnly=True)),
        None,
        False,
    ),
    ("a pod with an attached volume went", node_volume_limits.after_pod_deleted, PLAIN, placed(volumes=USES_CLAIM.volumes), None, True),
    ("a pod without volumes went", node_volume_limits.after_pod_deleted, PLAIN, placed(), None, False),
    (
        "the claim of an ephemeral volume came",
        volume_binding.after_claim_change,
        Pod(name="c", volumes=disk("ephemeral")),
        None,
        PersistentVolumeClaim(name="c-v"),
        True,
    ),
    (
        "a class changed nothing that counts",
        volume_binding.after_storage_class_change,
        PLAIN,
        StorageClass(name="s"),
        StorageClass(name="s"),
        False,
    ),
    (
        "other plugins are migrated on a node",
        volume_binding.after_csi_node_change,
        PLAIN,
        CSINode(name="n"),
        CSINode(name="n", annotations={volume_binding.MIGRATED_PLUGINS: "x"}),
        True,
    ),
    (
        "there is more capacity",
        volume_binding.after_csi_storage_capacity_change,
        PLAIN,
        CSIStorageCapacity(name="c", capacity=1),
        CSIStorageCapacity(name="c", capacity=2),
        True,
    ),
    ("a class that binds at once came", volume_zone.after_storage_class_added, PLAIN, None, StorageClass(name="s"), False),
    (
        "a volume moved to another zone",
        volume_zone.after_volume_change,
        PLAIN,
        PersistentVolume(name="v", labels={"topology.kubernetes.io/zone": "a"}),
        PersistentVolume(name="v", labels={"topology.kubernetes.io/zone": "b"}),
        True,
    ),
]


@pytest.mark.parametrize(("claim", "hint", "pod", "old", "new", "helps"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_hint_says_whether(claim: str, hint: Hint, pod: Pod, old: Any, new: Any, helps: bool) -> None:
    assert hint(pod, old, new) is helps, claim


def test_a_plugin_that_asks_for_new_nodes_is_told_of_every_change_of_taints() -> None:
    hints = HintMap({"s": ("NodeResourcesFit", "TaintToleration")})
    asked = [plugin for plugin, _ in hints.of("s", ClusterEvent(NODE, Action.NODE_TAINT))]
    assert asked == ["NodeResourcesFit", "TaintToleration"]


def test_an_event_concerns_a_pod_only_by_the_plugins_that_rejected_it() -> None:
    hints = HintMap({"s": ("NodeResourcesFit", "TaintToleration")})
    assert hints.concerns("s", frozenset({"NodeResourcesFit"}), ASSIGNED_POD_DELETE)
    assert not hints.concerns("s", frozenset({"TaintToleration"}), ASSIGNED_POD_DELETE)
    assert not hints.concerns("other", frozenset({"NodeResourcesFit"}), ASSIGNED_POD_DELETE)
