"""What is kept between cycles never shows: every cycle answers as a scheduler does that has never seen a pod before."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import (
    Container,
    LabelSelector,
    Node,
    Pod,
    PodAffinityTerm,
    PreferredPodTerm,
    Taint,
    TopologySpreadConstraint,
)
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.configuration import profiles_of
from scheduler_core.framework import kept
from scheduler_core.scheduler.cycle import CycleResult, Scheduler

HOST, ZONE = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
WEB = LabelSelector(match_labels=(("app", "web"),))
PROFILE = profiles_of(None, {}).profiles["default-scheduler"]


def requesting(cpu: int, memory: int) -> tuple[Container, ...]:
    return (Container(name="c", image="app", requests={"cpu": cpu, "memory": memory}),)


KINDS: tuple[dict[str, Any], ...] = (
    {"containers": requesting(500, 100)},
    {"containers": requesting(1500, 700), "labels": {"app": "web"}},
    {
        "containers": requesting(300, 0),
        "labels": {"app": "web"},
        "required_anti_affinity": (PodAffinityTerm(topology_key=HOST, selector=WEB),),
    },
    {
        "containers": requesting(200, 50),
        "labels": {"app": "web"},
        "spread_constraints": (TopologySpreadConstraint(max_skew=1, topology_key=ZONE, when_unsatisfiable="DoNotSchedule", selector=WEB),),
    },
    {
        "containers": requesting(100, 100),
        "preferred_affinity": (PreferredPodTerm(weight=7, term=PodAffinityTerm(topology_key=ZONE, selector=WEB)),),
        "node_selector": ((ZONE, "a"),),
    },
)


def node(number: int, **fields: Any) -> Node:
    name = f"node-{number}"
    room = {"cpu": 2000 + 500 * (number % 3), "memory": 1000, "pods": 4}
    labels = {HOST: name, ZONE: "ab"[number % 2]}
    return Node(name=name, **({"labels": labels, "allocatable": room} | fields))


CHANGES = st.one_of(
    st.tuples(st.just("schedule"), st.integers(0, len(KINDS) - 1)),
    st.tuples(st.just("schedule"), st.integers(0, len(KINDS) - 1)),
    st.tuples(st.just("remove"), st.integers(0, 30)),
    st.tuples(st.just("taint"), st.integers(0, 5)),
    st.tuples(st.just("grow"), st.integers(0, 5)),
)


def told(cluster: Cluster, scheduler: Scheduler, result: CycleResult) -> dict[str, Any]:
    """Everything that a cycle answers, as plain values."""
    columns = result.scores.columns() if result.scores else None
    return {
        "statuses": result.diagnosis.statuses.documents(cluster.names),
        "plugins": result.diagnosis.plugins,
        "feasible": result.feasible.tolist(),
        "evaluated": result.evaluated,
        "hosts": result.hosts.tolist(),
        "host": result.host,
        "totals": result.scores.totals.tolist() if result.scores else None,
        "weighted": columns and {name: column.tolist() for name, column in columns.weighted.items()},
        "skipped": (result.pod_filter.skipped if result.pod_filter else (), result.scores.skipped if result.scores else ()),
        "fit_error": result.fit_error,
        "next": scheduler.next_start,
    }


@settings(max_examples=150, deadline=None)
@given(st.lists(CHANGES, min_size=3, max_size=40), st.integers(1, 6))
def test_a_cycle_answers_as_if_it_were_the_first(changes: list[tuple[str, int]], nodes: int) -> None:
    cluster = Cluster([node(number) for number in range(nodes)])
    scheduler = Scheduler(cluster, PROFILE)
    placed: list[str] = []
    for step, (change, number) in enumerate(changes):
        match change:
            case "schedule":
                info = cluster.info_of(Pod(name=f"pod-{step}", **KINDS[number]))
                anew = Scheduler(cluster, PROFILE, next_start=scheduler.next_start)
                expected, found = anew.schedule(info), scheduler.schedule(info)
                assert told(cluster, scheduler, found) == told(cluster, anew, expected)
                if found.host is not None:
                    cluster.add_pod(info, cluster.names[found.host])
                    placed.append(info.key)
            case "remove" if placed:
                cluster.remove_pod(placed.pop(number % len(placed)))
            case "taint" | "grow" if number < nodes:
                there = cluster.nodes[number]
                taints = () if there.taints else (Taint(key="k", effect=("NoSchedule", "PreferNoSchedule")[step % 2]),)
                more = {**there.allocatable, "cpu": there.allocatable["cpu"] + 300}
                cluster.set_node(replace(there, taints=taints) if change == "taint" else replace(there, allocatable=more))


@pytest.mark.parametrize("first_kept", [1, 2])
def test_answers_are_kept_for_pods_of_one_signature_only(first_kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "FIRST_KEPT", first_kept)
    cluster = Cluster([node(number) for number in range(3)])
    scheduler = Scheduler(cluster, PROFILE)
    found = [scheduler.schedule(cluster.info_of(Pod(name=f"pod-{k}", **KINDS[k % 2]))).pod_filter for k in range(6)]
    answers = [each.answers if each else None for each in found]
    assert [each is not None for each in answers] == [k // 2 + 1 >= first_kept for k in range(6)]
    assert answers[2 * first_kept] is answers[2 * first_kept - 2]
    assert answers[2 * first_kept] is not answers[2 * first_kept - 1]


def test_the_scores_of_a_cycle_are_gone_when_pods_have_come() -> None:
    cluster = Cluster([node(number) for number in range(3)])
    info = cluster.info_of(Pod(name="new", **KINDS[0]))
    scores = Scheduler(cluster, PROFILE).schedule(info).scores
    assert scores is not None
    cluster.add_pod(info, "node-1")
    with pytest.raises(RuntimeError, match="another cluster"):
        scores.columns()
