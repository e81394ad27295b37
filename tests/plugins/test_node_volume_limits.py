"""NodeVolumeLimits: how many volumes of a driver a node attaches, each counted once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import KubeObject, StorageClass, Volume, VolumeAttachment
from scheduler_core.framework.status import Code
from scheduler_core.plugins.node_volume_limits import REASON, NodeVolumeLimits
from tests.plugins.volume_objects import (
    MADE,
    claim,
    cluster,
    controlled_by,
    csi_node,
    csi_volume,
    inline,
    is_skipped,
    node,
    of_claim,
    pod,
    prepared,
    refused,
    volume,
)

PLUGIN = NodeVolumeLimits()
EBS = "kubernetes.io/aws-ebs"


def bound(*names: str) -> list[KubeObject]:
    """Claims, each with a volume of the driver."""
    return [item for name in names for item in (claim(name, "made", to=f"v-{name}"), csi_volume(f"v-{name}"))]


def ebs_claims(*names: str) -> list[KubeObject]:
    """Claims, each with an in-tree EBS volume."""
    source = "awsElasticBlockStore"
    return [
        item
        for name in names
        for item in (claim(name, "made", to=f"v-{name}"), volume(f"v-{name}", source=source, source_spec={"volumeID": f"vol-{name}"}))
    ]


def attachment(name: str, on: str) -> VolumeAttachment:
    """The volume of a claim, attached to a node."""
    return VolumeAttachment(name=f"csi-{name}-{on}", attacher="csi.example.com", node_name=on, volume_name=f"v-{name}")


ROOM = [
    ("a node at its limit takes no more", 2, [*bound("a", "b", "c")], ["a", "b"], ["c"], False),
    ("a node below its limit takes one more", 3, [*bound("a", "b", "c")], ["a", "b"], ["c"], True),
    ("all volumes of the pod must fit", 3, [*bound("a", "b", "c", "d")], ["a", "b"], ["c", "d"], False),
    ("a volume that is there already counts once", 2, [*bound("a", "b")], ["a", "b"], ["a"], True),
    ("a node without a limit takes everything", None, [*bound("a", "b", "c")], ["a", "b"], ["c"], True),
    ("a limit of zero takes nothing", 0, [*bound("a")], [], ["a"], False),
    ("an unbound claim counts by the driver of its class", 1, [*bound("a"), claim("b", "made"), MADE], ["a"], ["b"], False),
    ("an unbound claim without a class does not count", 1, [*bound("a"), claim("b", None)], ["a"], ["b"], True),
    ("a claim whose volume is gone counts by its class", 1, [*bound("a"), claim("b", "made", to="gone"), MADE], ["a"], ["b"], False),
    ("volumes of no driver do not count", 1, [*bound("a"), claim("b", to="l"), volume("l")], ["a"], ["b"], True),
    ("a limit that is passed already stops only new volumes", 1, [*bound("a", "b")], ["a", "b"], ["a"], True),
]


@pytest.mark.parametrize(("limit", "objects", "there", "asked", "fits"), [row[1:] for row in ROOM], ids=[row[0] for row in ROOM])
def test_volumes_are_counted_by_driver(
    limit: int | None, objects: list[KubeObject], there: list[str], asked: list[str], fits: bool
) -> None:
    world = cluster(node("n1"), csi_node("n1", limit), *objects, *(pod(f"o-{name}", of_claim(name), on="n1") for name in there))
    assert refused(PLUGIN, world, pod("p", of_claim(*asked))) == ({} if fits else {"n1": REASON})


@pytest.mark.parametrize(
    ("migrated", "fits"),
    [pytest.param(EBS, False, id="a plugin handed over counts"), pytest.param("", True, id="one that is not does not")],
)
def test_an_in_tree_volume_counts_where_its_plugin_was_handed_over(migrated: str, fits: bool) -> None:
    limits = csi_node("n1", 1, migrated=migrated, driver="ebs.csi.aws.com")
    world = cluster(node("n1"), limits, *ebs_claims("a", "b"), pod("o", of_claim("a"), on="n1"))
    assert refused(PLUGIN, world, pod("p", of_claim("b"))) == ({} if fits else {"n1": REASON})


@pytest.mark.parametrize(
    ("mine", "fits"),
    [
        pytest.param(inline("awsElasticBlockStore", volumeID="vol-b"), False, id="another disk"),
        pytest.param(inline("awsElasticBlockStore", volumeID="aws://eu-1a/vol-a"), True, id="the same disk, written with its zone"),
        pytest.param(inline("emptyDir"), True, id="no disk"),
    ],
)
def test_a_disk_written_into_a_pod_counts_too(mine: Volume, fits: bool) -> None:
    limits = csi_node("n1", 1, migrated=EBS, driver="ebs.csi.aws.com")
    world = cluster(node("n1"), limits, *ebs_claims("a"), pod("o", of_claim("a"), on="n1"))
    assert refused(PLUGIN, world, pod("p", [mine])) == ({} if fits else {"n1": REASON})


def test_classes_of_in_tree_plugins_count_for_their_driver() -> None:
    ebs = StorageClass(name="ebs", provisioner=EBS, volume_binding_mode="WaitForFirstConsumer")
    limits = [csi_node(name, 0, migrated=on, driver="ebs.csi.aws.com") for name, on in (("n1", EBS), ("n2", ""))]
    world = cluster(node("n1"), node("n2"), *limits, ebs, claim("c", "ebs"))
    assert refused(PLUGIN, world, pod("p", of_claim("c"))) == {"n1": REASON}


def test_the_claim_of_an_ephemeral_volume_counts() -> None:
    wanted = pod("p", [Volume(name="scratch", source="ephemeral")])
    world = cluster(node("n1"), csi_node("n1", 0), MADE, claim("p-scratch", "made", owners=controlled_by(wanted)))
    assert refused(PLUGIN, world, wanted) == {"n1": REASON}


def test_a_missing_claim_refuses_every_node_for_good() -> None:
    world = cluster(node("n1"), csi_node("n1", 1))
    text = 'looking up PVC default/c: persistentvolumeclaim "c" not found'
    assert refused(PLUGIN, world, pod("p", of_claim("c")), code=Code.UNRESOLVABLE) == {"n1": text}


def test_pods_without_attachable_volumes_are_skipped() -> None:
    world = cluster(node("n1"), csi_node("n1", 0))
    assert is_skipped(PLUGIN, world, pod("p"))
    assert is_skipped(PLUGIN, world, pod("p", [inline("emptyDir")]))


def test_a_nominated_pod_that_shares_a_volume_takes_no_room() -> None:
    world = cluster(node("n1"), csi_node("n1", 1), *bound("a"))
    nominated = world.info_of(pod("first", of_claim("a")))
    world.nominator.add(nominated, "n1")
    state = prepared(PLUGIN, world, pod("p", of_claim("a")))
    rows = np.array([0])
    usage = state.usage(rows) + state.weigh(world.batch([nominated.slot], rows))
    assert state.verdict(rows, usage) is None


HELD = [
    ("a volume that is still attached takes room, though no pod uses it", ["a"], [], "b", False),
    ("one that a pod uses counts once", ["a"], ["a"], "b", True),
    ("one that the pod itself wants back counts twice, as upstream", ["a", "b"], [], "b", False),
    ("unless another pod uses it there", ["a", "b"], ["b"], "b", True),
]


@pytest.mark.parametrize(("held", "there", "asked", "fits"), [row[1:] for row in HELD], ids=[row[0] for row in HELD])
def test_volumes_count_while_they_are_attached(held: list[str], there: list[str], asked: str, fits: bool) -> None:
    users = [pod(f"o-{name}", of_claim(name), on="n1") for name in there]
    limit = 1 if held == ["a"] and not there else 2
    world = cluster(node("n1"), csi_node("n1", limit), *bound("a", "b"), *users, *(attachment(name, "n1") for name in held))
    assert refused(PLUGIN, world, pod("p", of_claim(asked))) == ({} if fits else {"n1": REASON})


CLAIMS = ["a", "b", "c", "d"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["n1", "n2"]), st.lists(st.sampled_from(CLAIMS), max_size=3, unique=True)), min_size=1, max_size=6),
    st.lists(st.sampled_from(CLAIMS), min_size=1, max_size=3, unique=True),
    st.integers(0, 4),
    st.sets(st.tuples(st.sampled_from(CLAIMS), st.sampled_from(["n1", "n2"]))),
    st.data(),
)
def test_a_hypothetical_ledger_decides_as_a_cluster_really_changed(
    others: Any, mine: list[str], limit: int, held: set[tuple[str, str]], data: st.DataObject
) -> None:
    """The columns may differ, since fewer pods share fewer volumes: what must be equal is the verdict."""
    nodes = [node("n1"), node("n2"), csi_node("n1", limit), csi_node("n2", limit + 1), *(attachment(*entry) for entry in sorted(held))]
    world = cluster(*nodes, *bound(*CLAIMS), *(pod(f"o{k}", of_claim(*names), on=on) for k, (on, names) in enumerate(others)))
    wanted = world.info_of(pod("p", of_claim(*mine)))
    gone = sorted(data.draw(st.sets(st.sampled_from(sorted(world.known)))))
    rows = np.array([0, 1])
    state = prepared(PLUGIN, world, wanted)
    usage = state.usage(rows)
    at = [world.known[key].row for key in gone]
    np.subtract.at(usage, at, state.weigh(world.batch([world.known[key].slot for key in gone], at)))
    hypothetical = state.verdict(rows, usage)
    for key in gone:
        world.remove_pod(key)
    changed = prepared(PLUGIN, world, wanted)
    real = changed.verdict(rows, changed.usage(rows))
    assert (None if hypothetical is None else hypothetical.ids.tolist()) == (None if real is None else real.ids.tolist())
