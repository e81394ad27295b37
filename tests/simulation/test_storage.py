"""Storage in a run: claims are bound where their pods go, and whoever waited for a volume is tried again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scheduler_core.api.objects import KubeObject, Volume
from scheduler_core.api.scenario import Operation, Scenario
from scheduler_core.simulation.clock import SECOND
from scheduler_core.simulation.loop import Engine
from scheduler_core.trace.recorder import SilentRecorder
from tests.plugins.volume_objects import AT_ONCE, GI, LATE, MADE, ZONE, claim, csi_node, node, of_claim, pod, volume

NODES: tuple[KubeObject, ...] = (node("n1", zone="a"), node("n2", zone="b"))
SCRATCH = Volume(name="s", source="ephemeral", spec={"volumeClaimTemplate": {"spec": {"storageClassName": "at-once"}}})


def ran(*objects: KubeObject, timeline: tuple[Operation, ...] = (), controllers: bool = True) -> Engine:
    """The engine after ten seconds."""
    scenario = Scenario(objects=(*NODES, *objects), timeline=timeline)
    engine = Engine(scenario, SilentRecorder(), epoch=0, controllers=controllers)
    for _ in engine.set_up(scenario.objects):
        pass
    operations = list(timeline)
    for second in range(11):
        engine.clock.advance_to(second * SECOND)
        engine.tick()
        while operations and operations[0].at <= second:
            engine.operate(operations.pop(0), 0)
        while engine.step():
            pass
    return engine


def placed(engine: Engine) -> dict[str, str]:
    return {item.name: item.node_name for item in engine.world.pods.values()}


def bound(engine: Engine) -> dict[str, str]:
    return {item.name: item.volume_name for item in engine.world.of_kind("PersistentVolumeClaim").values()}


def test_a_claim_is_bound_where_its_pod_goes() -> None:
    engine = ran(LATE, claim("c"), volume("v", on="n2"), pod("p", of_claim("c")))
    assert placed(engine) == {"p": "n2"}
    assert bound(engine) == {"c": "v"}
    assert engine.world.of_kind("PersistentVolume")["v"].phase == "Bound"


def test_pods_that_share_a_claim_meet_at_its_volume() -> None:
    engine = ran(
        MADE,
        csi_node("n1", keys=(ZONE,)),
        csi_node("n2", keys=(ZONE,)),
        claim("c", "made"),
        *(pod(f"p{k}", of_claim("c")) for k in range(4)),
    )
    assert len(set(placed(engine).values())) == 1


def test_each_pod_takes_a_volume_of_its_own() -> None:
    claims = [claim(f"c{k}") for k in range(3)]
    volumes = [volume(f"v{k}", on=on) for k, on in enumerate(("n1", "n2"))]
    engine = ran(LATE, *claims, *volumes, *(pod(f"p{k}", of_claim(f"c{k}")) for k in range(3)))
    assert sorted(placed(engine).values()) == ["", "n1", "n2"]
    assert sorted(bound(engine).values()) == ["", "v0", "v1"]


def test_a_pod_that_waited_for_a_volume_takes_the_one_that_comes() -> None:
    comes = Operation(at=3, verb="create", object=volume("v", on="n1", phase=""), kind="PersistentVolume", namespace="", name="v")
    assert placed(ran(LATE, claim("c"), pod("p", of_claim("c")), timeline=(comes,))) == {"p": "n1"}


@pytest.mark.parametrize(
    ("objects", "volumes"),
    [
        pytest.param((AT_ONCE, claim("c", "at-once")), of_claim("c"), id="a claim that is bound at once"),
        pytest.param((AT_ONCE,), (SCRATCH,), id="an ephemeral volume"),
        pytest.param((replace(AT_ONCE, is_default=True), claim("c", None)), of_claim("c"), id="a claim of the default class"),
        pytest.param((LATE, claim("c", size=GI), volume("v", phase="")), of_claim("c"), id="a volume as a person writes it"),
    ],
)
def test_the_controllers_see_to(objects: tuple[KubeObject, ...], volumes: tuple[Volume, ...]) -> None:
    assert placed(ran(*objects, pod("p", volumes)))["p"]


def test_without_controllers_a_claim_that_should_be_bound_never_is() -> None:
    assert placed(ran(AT_ONCE, claim("c", "at-once"), pod("p", of_claim("c")), controllers=False)) == {"p": ""}
