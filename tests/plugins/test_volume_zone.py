"""VolumeZone: bound volumes keep their pods in their zones."""

from __future__ import annotations

import pytest

from scheduler_core.api.objects import KubeObject
from scheduler_core.framework.status import Code
from scheduler_core.plugins.volume_zone import REASON, VolumeZone
from tests.plugins.volume_objects import AT_ONCE, LATE, ZONE, claim, cluster, is_skipped, node, of_claim, pod, refusal, refused, volume

PLUGIN = VolumeZone()
BETA = "failure-domain.beta.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
WANTED = pod("p", of_claim("c"))

PLACES = [
    ("the zone must be the same", {ZONE: "a"}, {ZONE: "a"}, True),
    ("another zone is too far", {ZONE: "a"}, {ZONE: "b"}, False),
    ("any zone of several will do", {ZONE: "a__b"}, {ZONE: "b"}, True),
    ("none of several zones", {ZONE: "a__b"}, {ZONE: "c"}, False),
    ("blanks around zones are no part of them", {ZONE: "a__ b"}, {ZONE: "b"}, True),
    ("a list with an empty zone is ignored", {ZONE: "a__"}, {ZONE: "b"}, True),
    ("a beta label matches a beta label", {BETA: "a"}, {BETA: "a"}, True),
    ("a beta label matches the stable label of the node", {BETA: "a"}, {ZONE: "a"}, True),
    ("the beta label of the node goes before its stable one", {BETA: "a"}, {BETA: "b", ZONE: "a"}, False),
    ("a stable label does not match a beta label", {ZONE: "a"}, {BETA: "a"}, False),
    ("zone and region must both match", {ZONE: "a", REGION: "r"}, {ZONE: "a", REGION: "s"}, False),
    ("a node with a region only has no zone", {ZONE: "a"}, {REGION: "r"}, False),
    ("a node without any place may have every volume", {ZONE: "a"}, {"rack": "1"}, True),
]


@pytest.mark.parametrize(("volume_labels", "node_labels", "fits"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES])
def test_volumes_are_reached_within_their_zone(volume_labels: dict[str, str], node_labels: dict[str, str], fits: bool) -> None:
    world = cluster(node("n1", **node_labels), claim("c", to="v"), volume("v", labels=volume_labels))
    expected = {} if fits else {"n1": REASON}
    assert refused(PLUGIN, world, WANTED, code=Code.UNRESOLVABLE) == expected


REFUSALS = [
    ("a missing claim", [], 'persistentvolumeclaim "c" not found'),
    ("a missing volume", [claim("c", to="v")], 'persistentvolume "v" not found'),
    ("an unbound claim without a class", [claim("c", None)], "PersistentVolumeClaim had no pv name and storageClass name"),
    ("an unbound claim of a missing class", [claim("c", "x")], 'storageclass.storage.k8s.io "x" not found'),
    ("an unbound claim that is bound at once", [claim("c", "at-once"), AT_ONCE], "PersistentVolume had no name"),
]


@pytest.mark.parametrize(("objects", "text"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_a_pod_is_refused_for(objects: list[KubeObject], text: str) -> None:
    assert refusal(PLUGIN, cluster(node("n1"), *objects), WANTED) == ("UnschedulableAndUnresolvable", text)


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param([claim("c"), LATE], id="a claim that is bound late"),
        pytest.param([claim("c", to="v"), volume("v")], id="a volume without a zone"),
    ],
)
def test_nothing_is_to_do_for(objects: list[KubeObject]) -> None:
    assert is_skipped(PLUGIN, cluster(node("n1"), *objects), WANTED)


def test_a_pod_without_claims_is_skipped() -> None:
    assert is_skipped(PLUGIN, cluster(node("n1")), pod("p"))
