"""VolumeRestrictions: who may share a disk, and who waits for a claim of one pod."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.plugins.volume_restrictions import REASON_CLAIM, REASON_DISK, VolumeRestrictions
from tests.plugins.volume_objects import claim, cluster, inline, is_skipped, node, of_claim, pod, prepared, refusal, refused

PLUGIN = VolumeRestrictions()
GCE, AWS, ISCSI, RBD = "gcePersistentDisk", "awsElasticBlockStore", "iscsi", "rbd"
IMAGE: dict[str, Any] = {"monitors": ["a", "b"], "pool": "p", "image": "i"}

SHARING = [
    ("two writers of a GCE disk", GCE, {"pdName": "d"}, {"pdName": "d"}, True),
    ("a reader beside a writer of a GCE disk", GCE, {"pdName": "d", "readOnly": True}, {"pdName": "d"}, True),
    ("two readers of a GCE disk", GCE, {"pdName": "d", "readOnly": True}, {"pdName": "d", "readOnly": True}, False),
    ("two GCE disks", GCE, {"pdName": "d"}, {"pdName": "e"}, False),
    ("two readers of an EBS volume", AWS, {"volumeID": "v", "readOnly": True}, {"volumeID": "v", "readOnly": True}, True),
    ("two EBS volumes", AWS, {"volumeID": "v"}, {"volumeID": "w"}, False),
    ("two writers of an iSCSI target, whatever the portal", ISCSI, {"iqn": "q", "targetPortal": "1"}, {"iqn": "q"}, True),
    ("two readers of an iSCSI target", ISCSI, {"iqn": "q", "readOnly": True}, {"iqn": "q", "readOnly": True}, False),
    ("an RBD image by one common monitor", RBD, IMAGE, {**IMAGE, "monitors": ["b", "c"]}, True),
    ("an RBD image by other monitors", RBD, IMAGE, {**IMAGE, "monitors": ["c"]}, False),
    ("an RBD image of another pool", RBD, IMAGE, {**IMAGE, "pool": "q"}, False),
    (
        "an RBD image in the default pool, once by name",
        RBD,
        {"monitors": ["a"], "image": "i"},
        {"monitors": ["a"], "pool": "rbd", "image": "i"},
        True,
    ),
    ("two readers of an RBD image", RBD, {**IMAGE, "readOnly": True}, {**IMAGE, "readOnly": True}, False),
]


@pytest.mark.parametrize(("source", "mine", "theirs", "collides"), [row[1:] for row in SHARING], ids=[row[0] for row in SHARING])
def test_a_disk_is_shared_on_a_node_only_by_readers(source: str, mine: dict[str, Any], theirs: dict[str, Any], collides: bool) -> None:
    world = cluster(node("n1"), node("n2"), pod("other", [inline(source, **theirs)], on="n1"))
    assert refused(PLUGIN, world, pod("p", [inline(source, **mine)])) == ({"n1": REASON_DISK} if collides else {})


def test_a_claim_of_one_pod_in_use_refuses_every_node() -> None:
    world = cluster(node("n1"), node("n2"), claim("c", access_modes=("ReadWriteOncePod",)), pod("other", of_claim("c"), on="n1"))
    assert refused(PLUGIN, world, pod("p", of_claim("c"))) == {"n1": REASON_CLAIM, "n2": REASON_CLAIM}


@pytest.mark.parametrize(
    ("modes", "user"),
    [
        pytest.param(("ReadWriteOnce",), pod("other", of_claim("c"), on="n1"), id="a claim of several pods"),
        pytest.param(("ReadWriteOncePod",), pod("other", of_claim("c"), on="n1", namespace="far"), id="a claim of the same name elsewhere"),
        pytest.param(("ReadWriteOncePod",), pod("other", of_claim("c"), on="gone"), id="a pod on a node that is not there"),
        pytest.param(("ReadWriteOncePod",), pod("other", of_claim("c")), id="a pod without a node"),
    ],
)
def test_what_is_not_in_the_way_costs_nothing(modes: tuple[str, ...], user: Any) -> None:
    world = cluster(node("n1"), claim("c", access_modes=modes), user)
    assert is_skipped(PLUGIN, world, pod("p", of_claim("c")))


def test_a_pod_without_volumes_is_skipped() -> None:
    assert is_skipped(PLUGIN, cluster(node("n1")), pod("p"))


def test_a_missing_claim_refuses_the_pod_for_good() -> None:
    expected = ("UnschedulableAndUnresolvable", 'persistentvolumeclaim "c" not found')
    assert refusal(PLUGIN, cluster(node("n1")), pod("p", of_claim("c"))) == expected


def test_only_the_node_of_the_user_becomes_free_without_it() -> None:
    world = cluster(node("n1"), node("n2"), claim("c", access_modes=("ReadWriteOncePod",)), pod("other", of_claim("c"), on="n2"))
    state = prepared(PLUGIN, world, pod("p", of_claim("c")))
    rows = np.array([0, 1])
    usage = state.usage(rows)
    usage[1] -= state.weigh(world.batch([world.known["default/other"].slot], [1]))[0]
    verdict = state.verdict(rows, usage)
    assert verdict is not None
    assert verdict.ids.tolist() == [2, 0]


HOSTS = st.sampled_from(["n1", "n2"])
DISKS = st.tuples(st.sampled_from([GCE, ISCSI]), st.sampled_from("ab"), st.booleans())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["n1", "n2"]), st.lists(DISKS, max_size=3)), min_size=1, max_size=6),
    st.lists(DISKS, max_size=3),
    st.data(),
)
def test_a_hypothetical_ledger_is_that_of_a_cluster_really_changed(others: Any, mine: Any, data: st.DataObject) -> None:
    def disks(kinds: Any) -> list[Any]:
        return [inline(source, **{"pdName" if source == GCE else "iqn": name, "readOnly": reads}) for source, name, reads in kinds]

    world = cluster(node("n1"), node("n2"), *(pod(f"o{k}", disks(kinds), on=on) for k, (on, kinds) in enumerate(others)))
    wanted = world.info_of(pod("p", [*disks(mine), inline(GCE, pdName="z")]))
    gone = data.draw(st.sets(st.sampled_from(sorted(world.known))))
    rows = np.array([0, 1])
    state = prepared(PLUGIN, world, wanted)
    usage = state.usage(rows)
    slots = [world.known[key].slot for key in sorted(gone)]
    at = [world.known[key].row for key in sorted(gone)]
    np.subtract.at(usage, at, state.weigh(world.batch(slots, at)))
    for key in gone:
        world.remove_pod(key)
    assert usage.tolist() == prepared(PLUGIN, world, wanted).usage(rows).tolist()
