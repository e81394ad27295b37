"""VolumeBinding: where the volumes of a pod are, could be, or could be made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import (
    CSIDriver,
    CSIStorageCapacity,
    KubeObject,
    LabelSelector,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    Volume,
)
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.framework.status import Code, PluginError
from scheduler_core.plugins.volume_binding import (
    DEFAULT_SHAPE,
    REASON_IMMEDIATE,
    REASON_MISSING,
    REASON_NO_VOLUME,
    REASON_NODE,
    REASON_SPACE,
    VolumeBinding,
    assume_volumes,
)
from tests.plugins.volume_objects import (
    AT_ONCE,
    GI,
    HOSTNAME,
    LATE,
    MADE,
    ZONE,
    claim,
    cluster,
    controlled_by,
    csi_node,
    csi_volume,
    inline,
    is_skipped,
    node,
    of_claim,
    only_on,
    pod,
    refusal,
    refused,
    volume,
)

PLUGIN = VolumeBinding()
NODES = [node("n1", zone="a"), node("n2", zone="b")]
WANTED = pod("p", of_claim("c"))
EPHEMERAL = pod("p", [Volume(name="scratch", source="ephemeral")])


def refused_for(world: Cluster, wanted: Any = WANTED) -> dict[str, str]:
    return refused(PLUGIN, world, wanted, code=Code.UNRESOLVABLE)


IN_B = only_on("b", label=ZONE)
K_IS_W = LabelSelector(match_labels=(("k", "w"),))
NO_VOLUME = {"n1": REASON_NO_VOLUME, "n2": REASON_NO_VOLUME}

REFUSALS = [
    ("a missing claim", WANTED, [], 'persistentvolumeclaim "c" not found'),
    ("a lost claim", WANTED, [claim("c", to="v", phase="Lost")], 'persistentvolumeclaim "c" bound to non-existent persistentvolume "v"'),
    ("a claim that is going", WANTED, [claim("c", deletion_timestamp=1)], 'persistentvolumeclaim "c" is being deleted'),
    ("an unbound claim that is bound at once", WANTED, [claim("c", "at-once"), AT_ONCE], REASON_IMMEDIATE),
    ("an unbound claim of no class", WANTED, [claim("c", None)], REASON_IMMEDIATE),
    ("an unbound claim of a missing class", WANTED, [claim("c", "x")], REASON_IMMEDIATE),
    ("a late claim that names a volume, not yet bound", WANTED, [claim("c", volume_name="v"), LATE, volume("v")], REASON_IMMEDIATE),
    (
        "an ephemeral volume without its claim",
        EPHEMERAL,
        [],
        'waiting for ephemeral volume controller to create the persistentvolumeclaim "p-scratch"',
    ),
    (
        "an ephemeral volume with a claim of somebody else",
        EPHEMERAL,
        [claim("p-scratch")],
        "PVC default/p-scratch was not created for pod default/p (pod is not owner)",
    ),
]


@pytest.mark.parametrize(("wanted", "objects", "text"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_a_pod_is_refused_for(wanted: Any, objects: list[KubeObject], text: str) -> None:
    assert refusal(PLUGIN, cluster(*NODES, *objects), wanted) == ("UnschedulableAndUnresolvable", text)


@pytest.mark.parametrize("wanted", [pod("p"), pod("p", [inline("emptyDir")])], ids=["no volume", "no claim"])
def test_a_pod_is_skipped_with(wanted: Any) -> None:
    assert is_skipped(PLUGIN, cluster(*NODES), wanted)


BOUND = [
    ("a volume without affinity is reached from everywhere", [claim("c", to="v"), volume("v")], {}),
    ("a local volume is reached from its node", [claim("c", to="v"), volume("v", on="n2")], {"n1": REASON_NODE}),
    (
        "a zonal volume is reached from its zone",
        [claim("c", to="v"), volume("v", node_affinity=IN_B)],
        {"n1": REASON_NODE},
    ),
    ("a volume for no node", [claim("c", to="v"), volume("v", node_affinity=())], {"n1": REASON_NODE, "n2": REASON_NODE}),
    ("a claim whose volume is gone", [claim("c", to="v")], {"n1": REASON_MISSING, "n2": REASON_MISSING}),
]


@pytest.mark.parametrize(("objects", "expected"), [row[1:] for row in BOUND], ids=[row[0] for row in BOUND])
def test_bound(objects: list[KubeObject], expected: dict[str, str]) -> None:
    assert refused_for(cluster(*NODES, *objects)) == expected


def test_the_first_bound_claim_that_fails_gives_the_reason() -> None:
    world = cluster(*NODES, claim("c", to="v"), volume("v", on="n1"), claim("d", to="gone"))
    assert refused_for(world, pod("p", of_claim("c", "d"))) == {"n1": REASON_MISSING, "n2": REASON_NODE}


FREE = [
    ("a free volume is taken where it is", claim("c"), volume("v", on="n1"), ["n1"]),
    ("a volume that is too small is not", claim("c", size=2 * GI), volume("v"), []),
    ("a larger one is", claim("c"), volume("v", size=2 * GI), ["n1", "n2"]),
    ("one of another class is not", claim("c"), volume("v", storage_class_name="x"), []),
    ("one of another mode is not", claim("c"), volume("v", volume_mode="Block"), []),
    ("one of other attributes is not", claim("c"), volume("v", volume_attributes_class_name="fast"), []),
    ("one with fewer access modes is not", claim("c", access_modes=("ReadWriteOnce", "ReadOnlyMany")), volume("v"), []),
    ("one with more access modes is", claim("c"), volume("v", access_modes=("ReadOnlyMany", "ReadWriteOnce")), ["n1", "n2"]),
    ("one that is released is not", claim("c"), volume("v", phase="Released"), []),
    ("one that is going is not", claim("c"), volume("v", deletion_timestamp=1), []),
    ("one with other labels is not", claim("c", selector=K_IS_W), volume("v", labels={"k": "x"}), []),
    (
        "one with the labels is",
        claim("c", selector=K_IS_W),
        volume("v", labels={"k": "w"}),
        ["n1", "n2"],
    ),
    ("one reserved for another claim is not", claim("c"), volume("v", claim_ref=("default", "d", "")), []),
    ("one reserved for a claim of that name that is gone is not", claim("c"), volume("v", claim_ref=("default", "c", "old")), []),
    ("one reserved for the claim is, in any phase", claim("c"), volume("v", claim_ref=("default", "c", ""), phase="Pending"), ["n1", "n2"]),
]


@pytest.mark.parametrize(("wanted", "free", "fits"), [row[1:] for row in FREE], ids=[row[0] for row in FREE])
def test_unbound(wanted: PersistentVolumeClaim, free: PersistentVolume, fits: list[str]) -> None:
    expected = {name: REASON_NO_VOLUME for name in ("n1", "n2") if name not in fits}
    assert refused_for(cluster(*NODES, LATE, wanted, free)) == expected


def test_a_reserved_volume_that_is_elsewhere_keeps_others_from_the_claim() -> None:
    world = cluster(*NODES, LATE, claim("c"), volume("a"), volume("v", on="n1", claim_ref=("default", "c", "")))
    assert refused_for(world) == {"n2": REASON_NO_VOLUME}


def test_two_claims_do_not_share_a_volume() -> None:
    two = pod("p", of_claim("c", "d"))
    world = cluster(*NODES, LATE, claim("c"), claim("d"), volume("v"), volume("w", on="n2"))
    assert refused_for(world, two) == {"n1": REASON_NO_VOLUME}


def test_the_smallest_claim_chooses_first_and_takes_the_smallest_volume() -> None:
    two = pod("p", of_claim("large", "small"))
    world = cluster(*NODES, LATE, claim("large", size=5 * GI), claim("small"), volume("ten", size=10 * GI), volume("nine", size=9 * GI))
    assert refused_for(world, two) == {}
    taken = {item.name: item.volume_name for item in assume_volumes(world, two, "n1").claims}
    assert taken == {"small": "nine", "large": "ten"}


def allowing(*zones: str) -> StorageClass:
    return replace(MADE, allowed_topologies=(((ZONE, zones),),))


def pool(size: int, **more: Any) -> CSIStorageCapacity:
    return CSIStorageCapacity(**{"name": "pool", "storage_class_name": "made", "node_topology": LabelSelector(), "capacity": size} | more)


TRACKED = CSIDriver(name="csi.example.com", storage_capacity=True)
IN_A = LabelSelector(match_labels=((ZONE, "a"),))
BOTH_FULL = {"n1": REASON_SPACE, "n2": REASON_SPACE}
PROVISIONED = [
    ("everywhere", [MADE], {}),
    ("in the topologies of its class", [allowing("a", "c")], {"n2": REASON_NO_VOLUME}),
    (
        "nowhere in a topology without an expression",
        [replace(MADE, allowed_topologies=((),))],
        dict.fromkeys(("n1", "n2"), REASON_NO_VOLUME),
    ),
    ("nowhere without a pool where capacity is tracked", [MADE, TRACKED], BOTH_FULL),
    ("from a pool with room", [MADE, TRACKED, pool(GI)], {}),
    ("from a pool only where it is reached", [MADE, TRACKED, pool(GI, node_topology=IN_A)], {"n2": REASON_SPACE}),
    ("not from a pool that is too full", [MADE, TRACKED, pool(GI - 1)], BOTH_FULL),
    ("not from a pool of smaller volumes", [MADE, TRACKED, pool(9 * GI, maximum_volume_size=GI - 1)], BOTH_FULL),
    ("not from a pool of another class", [MADE, TRACKED, pool(GI, storage_class_name="x")], BOTH_FULL),
    ("not from a pool that nobody reaches", [MADE, TRACKED, pool(GI, node_topology=None)], BOTH_FULL),
    ("whatever the pools, where the driver does not track them", [MADE, replace(TRACKED, storage_capacity=False)], {}),
    ("not where the topology is wrong, whatever the pools", [allowing("a"), TRACKED], {"n1": REASON_SPACE, "n2": REASON_NO_VOLUME}),
]


@pytest.mark.parametrize(("objects", "expected"), [row[1:] for row in PROVISIONED], ids=[row[0] for row in PROVISIONED])
def test_a_volume_is_made(objects: list[KubeObject], expected: dict[str, str]) -> None:
    assert refused_for(cluster(*NODES, *objects, claim("c", "made"))) == expected


def test_a_claim_that_waits_for_its_volume_on_a_node_stays_there() -> None:
    waiting = claim("c", "made", annotations={"volume.kubernetes.io/selected-node": "n2"})
    assert refused_for(cluster(*NODES, MADE, waiting)) == {"n1": REASON_NO_VOLUME}


def test_a_node_may_have_several_reasons() -> None:
    world = cluster(*NODES, LATE, claim("b", to="v"), volume("v", on="n1", phase="Bound"), claim("c"))
    assert refused_for(world, pod("p", of_claim("b", "c"))) == {"n1": REASON_NO_VOLUME, "n2": f"{REASON_NODE}, {REASON_NO_VOLUME}"}


def test_zones_of_in_tree_volumes_are_read_in_the_label_of_the_driver_where_it_took_over() -> None:
    own = "topology.ebs.csi.aws.com/zone"
    nodes = [node("n1", **{own: "a"}), node("n2", **{own: "b"}), node("n3", zone="a")]
    took_over = [csi_node(name, migrated="kubernetes.io/aws-ebs") for name in ("n1", "n2")]
    disk = volume("v", source="awsElasticBlockStore", source_spec={"volumeID": "vol-1"}, node_affinity=only_on("a", label=ZONE))
    assert refused_for(cluster(*nodes, *took_over, claim("c", to="v"), disk)) == {"n2": REASON_NODE}


# ---- what binding leaves behind --------------------------------------------------------------------------------------


def carried_out(world: Cluster, wanted: Any, on: str) -> None:
    for item in assume_volumes(world, wanted, on).objects:
        world.set_object(item)


def test_an_assumed_claim_is_bound_to_the_volume_of_the_node() -> None:
    world = cluster(*NODES, LATE, claim("c"), volume("v1", on="n1"), volume("v2", on="n2"))
    carried_out(world, WANTED, "n2")
    bound, taken = world.claims["default/c"], world.volumes["v2"]
    assert (bound.volume_name, bound.phase) == ("v2", "Bound")
    assert (taken.claim_ref, taken.phase) == (("default", "c", "uid-c"), "Bound")
    assert world.volumes["v1"].phase == "Available"
    assert refused_for(world) == {"n1": REASON_NODE}


def test_a_volume_that_was_made_belongs_to_the_topology_of_its_node() -> None:
    world = cluster(*NODES, MADE, claim("c", "made"), csi_node("n2", keys=(ZONE,)))
    carried_out(world, WANTED, "n2")
    made = world.volumes["pvc-uid-c"]
    assert made.capacity == {"storage": GI}
    assert made.source_spec["driver"] == "csi.example.com"
    assert world.claims["default/c"].volume_name == made.name
    assert refused_for(world) == {"n1": REASON_NODE}


def test_what_is_bound_reads_back_from_its_manifest() -> None:
    world = cluster(*NODES, LATE, claim("c"), volume("v"))
    changes = assume_volumes(world, WANTED, "n1")
    assert changes.claims[0].manifest["spec"] == {"volumeName": "v"}
    assert changes.volumes[0].manifest["spec"]["claimRef"]["name"] == "c"
    assert changes.volumes[0].manifest["status"] == {"phase": "Bound"}


@pytest.mark.parametrize("wanted", [pod("p"), pod("p", of_claim("b"))], ids=["no volumes", "all claims bound"])
def test_nothing_is_left_to_bind_for(wanted: Any) -> None:
    assert assume_volumes(cluster(*NODES, claim("b", to="v"), volume("v")), wanted, "n1").objects == ()


def test_a_claim_cannot_be_bound_on_a_node_that_was_refused() -> None:
    world = cluster(*NODES, LATE, claim("c"), volume("v", on="n1"))
    with pytest.raises(PluginError, match="find available persistent volumes"):
        assume_volumes(world, WANTED, "n2")


# ---- score -----------------------------------------------------------------------------------------------------------


def scores(world: Cluster, shape: Any = DEFAULT_SHAPE) -> list[int] | None:
    rows = np.arange(len(world))
    state = VolumeBinding(shape=shape).pre_score(world, world.info_of(WANTED), rows).state
    return None if state is None else state.normalize(state.raw(rows)).tolist()


def test_nodes_are_not_scored_without_the_gate() -> None:
    assert scores(cluster(*NODES, LATE, claim("c"), volume("v")), None) is None


def test_with_the_gate_the_volume_that_leaves_more_room_scores_higher() -> None:
    world = cluster(*NODES, LATE, claim("c"), volume("v1", on="n1", size=2 * GI), volume("v2", on="n2", size=4 * GI))
    assert scores(world) == [50, 75]
    assert scores(world, ((0, 0), (100, 10))) == [50, 25]


def test_with_the_gate_the_pool_with_more_room_scores_higher() -> None:
    pools = [pool(2 * GI, node_topology=IN_A), pool(10 * GI, name="b", node_topology=LabelSelector(match_labels=((ZONE, "b"),)))]
    assert scores(cluster(*NODES, MADE, TRACKED, *pools, claim("c", "made"))) == [50, 90]


# ---- the columns are what a loop over nodes would find ---------------------------------------------------------------

SIZES = st.integers(1, 4).map(lambda size: size * GI)
WHERE = st.sampled_from(["", "n1", "n2", "n3"])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(SIZES, WHERE, st.sampled_from(["", "c0", "c1"])), max_size=6), st.lists(SIZES, min_size=1, max_size=3))
def test_each_node_gets_the_volumes_that_a_search_for_it_alone_would_find(free: Any, sizes: Any) -> None:
    claims = [claim(f"c{k}", size=size) for k, size in enumerate(sizes)]
    volumes = [
        volume(f"v{k}", size=size, on=on, claim_ref=("default", held, "") if held else None) for k, (size, on, held) in enumerate(free)
    ]
    nodes = [node(name) for name in ("n1", "n2", "n3")]
    wanted = pod("p", of_claim(*(item.name for item in claims)))
    world = cluster(*nodes, LATE, *claims, *volumes)
    answers = refused_for(world, wanted)
    for one in nodes:
        expected = searched(one.labels[HOSTNAME], claims, volumes)
        assert (one.name in answers) == (expected is None)
        if expected is not None:
            assert {item.name: item.volume_name for item in assume_volumes(world, wanted, one.name).claims} == expected


def searched(host: str, claims: list[PersistentVolumeClaim], volumes: list[PersistentVolume]) -> dict[str, str] | None:
    """The choice for one node, written as plainly as can be."""
    taken: dict[str, str] = {}
    for item in sorted(claims, key=lambda item: item.requests["storage"]):
        best = None
        for free in volumes:
            held = free.claim_ref is not None
            mine = held and free.claim_ref is not None and free.claim_ref[1] == item.name
            if free.name in taken.values() or (held and not mine) or free.capacity["storage"] < item.requests["storage"]:
                continue
            reached = free.node_affinity is None or free.node_affinity == only_on(host)
            if mine:
                best = free if reached else None
                break
            if reached and (best is None or free.capacity["storage"] < best.capacity["storage"]):
                best = free
        if best is None:
            return None
        taken[item.name] = best.name
    return taken


def test_a_bound_csi_volume_needs_no_node_affinity() -> None:
    assert refused_for(cluster(*NODES, claim("c", to="v"), csi_volume("v"))) == {}


def test_the_claim_of_an_ephemeral_volume_is_bound_like_any_other() -> None:
    own = claim("p-scratch", owners=controlled_by(EPHEMERAL))
    world = cluster(*NODES, LATE, own, volume("v", on="n1"))
    assert refused_for(world, EPHEMERAL) == {"n2": REASON_NO_VOLUME}
    assert [item.volume_name for item in assume_volumes(world, EPHEMERAL, "n1").claims] == ["v"]
