"""What holds for every run: same scenario same bytes, no node ever over-allocated, the log gives the final state."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.trace.codec import encode_event
from tests.simulation.stories import Document, Story, budget, create, delete, node, pod, update

CPUS = st.sampled_from(["500m", "1", "1500m", "2", "3"])
APPS = st.sampled_from(["web", "db", "batch"])
NODES = st.integers(1, 3)


@st.composite
def pods(draw: st.DrawFn, name: str, on: str = "") -> Document:
    more: dict[str, Any] = {"labels": {"app": draw(APPS)}}
    if draw(st.booleans()) and not on:
        term = {"labelSelector": {"matchLabels": {"app": draw(APPS)}}, "topologyKey": "kubernetes.io/hostname"}
        more["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    if draw(st.integers(0, 9)) == 0:
        more["preemptionPolicy"] = "Never"
    return pod(name, draw(CPUS), priority=draw(st.sampled_from([0, 10, 100])), on=on, grace=draw(st.sampled_from([0, 5, 30])), **more)


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(NODES)
    objects = [node(f"n{k}", draw(st.sampled_from(["2", "4", "6"]))) for k in range(count)]
    objects += [draw(pods(f"run-{k}", on="n0")) for k in range(draw(st.integers(0, 1)))]
    objects += [draw(pods(f"new-{k}")) for k in range(draw(st.integers(1, 6)))]
    if draw(st.booleans()):
        objects.append(budget("pdb", draw(APPS), minAvailable=draw(st.integers(0, 2))))
    timeline: list[Document] = []
    for k in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, 40))
        timeline.append(
            draw(
                st.one_of(
                    pods(f"late-{k}").map(lambda item, at=at: create(at, item)),
                    st.just(create(at, node(f"extra-{k}", "3"))),
                    st.just(update(at, node("n0", "8"))),
                    st.just(delete(at, "Pod", "new-0")),
                    st.just(delete(at, "Node", "n0")),
                )
            )
        )
    gates = {"SchedulerPopFromBackoffQ": draw(st.booleans()), "SchedulerAsyncPreemption": draw(st.booleans())}
    return {"objects": objects, "timeline": timeline, "featureGates": gates, "seed": draw(st.integers(0, 3)), "cycles": 300}


@settings(max_examples=40, deadline=None)
@given(scenarios())
def test_the_same_scenario_gives_the_same_bytes(scenario: dict[str, Any]) -> None:
    first, second = (b"\n".join(encode_event(event) for event in Story(**scenario).events) for _ in range(2))
    assert first == second


@settings(max_examples=60, deadline=None)
@given(scenarios())
def test_no_node_is_ever_over_allocated(scenario: dict[str, Any]) -> None:
    story = Story(**scenario)
    replay_pods = {}
    for state in story.states():
        replay_pods = state["pods"]
        for card in state["nodes"].values():
            started_full = any(replay_pods[key]["name"].startswith("run-") for key in card["pods"])
            asked, there = card["requested"].get("cpu", 0), card["allocatable"]["cpu"]
            assert asked <= there or started_full


@settings(max_examples=60, deadline=None)
@given(scenarios())
def test_every_pending_pod_waits_somewhere_with_a_reason(scenario: dict[str, Any]) -> None:
    story = Story(**scenario)
    if any(event["kind"] == "run.limit_reached" for event in story.events):
        return
    engine = story.simulation._engine
    world = engine.world.pods
    assert set(world) == set(story.replay.pods)
    for key, entry in story.replay.pods.items():
        assert (world[key].node_name or None) == entry["node"]
        assert (world[key].nominated_node_name or None) == entry["nominated"]
        if not entry["node"]:
            assert engine.queue.where(key) == entry["queue"] is not None


@settings(max_examples=40, deadline=None)
@given(scenarios())
def test_the_scheduler_and_the_api_server_agree_when_a_run_settles(scenario: dict[str, Any]) -> None:
    story = Story(**scenario)
    if any(event["kind"] == "run.limit_reached" for event in story.events):
        return
    engine = story.simulation._engine
    placed = {key: pod.node_name for key, pod in engine.world.pods.items() if pod.node_name}
    assert set(engine.cluster.known) == set(placed)
    for row, name in enumerate(engine.cluster.names):
        here = {engine.cluster.pods.infos[slot].key for slot in engine.cluster.pods_on[row]}
        assert here == {key for key, where in placed.items() if where == name}
    assert len(engine.queue.in_flight) == 0
