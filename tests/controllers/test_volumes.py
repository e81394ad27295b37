"""Storage controllers: what becomes of claims and volumes without the scheduler."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scheduler_core.api.objects import KubeObject, PersistentVolumeClaim, Pod, Volume
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.controllers.volumes import reconcile_volumes
from scheduler_core.plugins.volume_binding import VolumeBinding
from tests.plugins.volume_objects import AT_ONCE, GI, LATE, claim, cluster, node, pod, refusal, volume

TEMPLATE = {"metadata": {"labels": {"for": "scratch"}}, "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "at-once"}}
EPHEMERAL = pod("p", [Volume(name="scratch", source="ephemeral", spec={"volumeClaimTemplate": TEMPLATE})])


def settled(*objects: KubeObject, pods: tuple[Pod, ...] = ()) -> Cluster:
    """The cluster once the controllers have nothing to do any more."""
    world = cluster(node("n1"), *objects)
    for _ in range(10):
        written = reconcile_volumes(world, pods)
        if not written:
            return world
        for item in written:
            world.set_object(item)
    raise AssertionError("the controllers never come to rest")


def at_once(name: str = "c", **more: object) -> PersistentVolumeClaim:
    return claim(name, "at-once", **more)  # type: ignore[arg-type]


def of_class(name: str, **more: object) -> KubeObject:
    return volume(name, storage_class_name="at-once", **more)  # type: ignore[arg-type]


NO_MAKER = replace(AT_ONCE, provisioner="kubernetes.io/no-provisioner")
BINDINGS = [
    ("the smallest volume that is large enough", [NO_MAKER, at_once(), of_class("big", size=9 * GI), of_class("small")], "small"),
    ("the volume reserved for it", [NO_MAKER, at_once(), of_class("a"), of_class("b", claim_ref=("default", "c", ""))], "b"),
    ("the volume that it names", [NO_MAKER, at_once(volume_name="b"), of_class("a"), of_class("b")], "b"),
    ("a volume that is made", [AT_ONCE, at_once()], "pvc-uid-c"),
    ("a volume of no class, if it asks for none", [claim("c", ""), volume("v", storage_class_name="")], "v"),
    ("a volume that was reserved, even where it could wait", [LATE, claim("c"), volume("v", claim_ref=("default", "c", ""))], "v"),
]


@pytest.mark.parametrize(("objects", "expected"), [row[1:] for row in BINDINGS], ids=[row[0] for row in BINDINGS])
def test_a_claim_is_bound_to(objects: list[KubeObject], expected: str) -> None:
    world = settled(*objects)
    bound = world.claims["default/c"]
    assert (bound.volume_name, bound.phase) == (expected, "Bound")
    assert world.volumes[expected].claim_ref == ("default", "c", "uid-c")
    assert refusal(VolumeBinding(), world, pod("p", [Volume(name="v", source="persistentVolumeClaim", spec={"claimName": "c"})])) == (
        "",
        "",
    )


UNBOUND = [
    ("waits for its pod", [LATE, claim("c"), volume("v")]),
    ("has no class that could make a volume", [NO_MAKER, at_once()]),
    ("is of a missing class", [at_once()]),
    ("names a volume of another", [AT_ONCE, at_once(volume_name="v"), of_class("v", claim_ref=("default", "d", ""))]),
    ("is going", [AT_ONCE, at_once(deletion_timestamp=1)]),
]


@pytest.mark.parametrize("objects", [row[1] for row in UNBOUND], ids=[row[0] for row in UNBOUND])
def test_a_claim_stays_unbound_that(objects: list[KubeObject]) -> None:
    assert settled(*objects).claims["default/c"].phase == "Pending"


def test_two_claims_do_not_get_one_volume() -> None:
    world = settled(NO_MAKER, at_once("c"), at_once("d"), of_class("v"))
    assert [item.volume_name for item in world.claims.values()] == ["v", ""]


PHASES = [
    ("free", None, "Available"),
    ("reserved for a claim to come", ("default", "later", ""), "Available"),
    ("of a claim that is gone", ("default", "gone", "uid-gone"), "Released"),
    ("of a claim that names it", ("default", "b", "uid-b"), "Bound"),
]


@pytest.mark.parametrize(("claim_ref", "phase"), [row[1:] for row in PHASES], ids=[row[0] for row in PHASES])
def test_a_volume_as_written_by_a_person_is(claim_ref: tuple[str, str, str] | None, phase: str) -> None:
    world = settled(volume("v", phase="", claim_ref=claim_ref), claim("b", to="v"))
    assert world.volumes["v"].phase == phase


def test_a_claim_without_a_class_gets_the_default_one() -> None:
    world = settled(replace(AT_ONCE, is_default=True), claim("c", None), claim("d", ""))
    assert [(item.storage_class_name, item.phase) for item in world.claims.values()] == [("at-once", "Bound"), ("", "Pending")]


def test_an_ephemeral_volume_gets_its_claim_and_its_volume() -> None:
    world = settled(AT_ONCE, pods=(EPHEMERAL,))
    made = world.claims["default/p-scratch"]
    assert made.labels == {"for": "scratch"}
    assert made.phase == "Bound"
    assert refusal(VolumeBinding(), world, EPHEMERAL) == ("", "")


def test_a_pod_that_goes_gets_no_claim_any_more() -> None:
    assert not settled(AT_ONCE, pods=(replace(EPHEMERAL, deletion_timestamp=1),)).claims
