"""Controllers around the scheduler: successors of victims, taints that evict, budgets that follow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.simulation.stories import Document, Story, budget, create, delete, node, pod, update

UNREACHABLE = {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}


def workload(kind: str, name: str, replicas: int | None = None, cpu: str = "1", **more: Any) -> Document:
    spec: Document = {
        "selector": {"matchLabels": {"app": name}},
        "template": {
            "metadata": {"labels": {"app": name}},
            "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}], **more},
        },
    }
    if replicas is not None:
        spec["parallelism" if kind == "Job" else "replicas"] = replicas
    group = "batch/v1" if kind == "Job" else "apps/v1"
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name, "namespace": "default", "uid": name}, "spec": spec}


def named(story: Story, prefix: str) -> list[str]:
    return sorted(key for key in story.replay.pods if key.startswith(f"default/{prefix}"))


@pytest.mark.parametrize("kind", ["ReplicaSet", "Deployment", "StatefulSet", "Job"])
def test_a_workload_without_pods_gets_them(kind: str) -> None:
    story = Story([node("n"), workload(kind, "web", 3)])
    assert len(named(story, "web")) == 3
    assert len(story.result["placements"]) == 3


def test_a_stateful_set_counts_its_pods_up_one_after_another() -> None:
    story = Story([node("n"), workload("StatefulSet", "db", 3)])
    assert named(story, "db") == ["default/db-0", "default/db-1", "default/db-2"]
    bound = [event["data"]["pod"] for event in story.of("pod.bound")]
    assert bound == ["default/db-0", "default/db-1", "default/db-2"]


def test_a_daemon_set_has_one_pod_for_each_node_even_a_late_or_cordoned_one() -> None:
    story = Story([node("a"), node("b", unschedulable=True), workload("DaemonSet", "log")], [create(5, node("c"))])
    assert sorted(story.result["placements"].values()) == ["a", "b", "c"]


def test_a_victim_of_a_replica_set_has_a_successor_that_waits() -> None:
    low = pod("web-1", "3", on="n", labels={"app": "web"}, owner=("ReplicaSet", "web"))
    story = Story([node("n"), workload("ReplicaSet", "web", 1, cpu="3"), low, pod("high", "3", priority=10)])
    assert story.result["evicted"] == ["default/web-1"]
    (successor,) = named(story, "web")
    assert successor != "default/web-1" and successor in story.result["pending"]
    made = next(event for event in story.of("object.created") if event["path"].startswith("workloads/"))
    assert made["cause"] is not None


def test_a_deployment_stands_for_a_replica_set_that_was_not_pasted() -> None:
    pods = [pod(f"web-7d4b9-{k}", on="n", labels={"app": "web"}, owner=("ReplicaSet", "web-7d4b9")) for k in range(2)]
    story = Story([node("n"), workload("Deployment", "web", 2), *pods], [delete(3, "Pod", "web-7d4b9-0")])
    fresh = [key for key in named(story, "web-7d4b9") if not key.endswith(("-0", "-1"))]
    assert len(fresh) == 1
    assert story.replay.pods[fresh[0]]["owner"] == "ReplicaSet/web-7d4b9"


def test_an_owner_that_was_not_pasted_recreates_nothing() -> None:
    story = Story([node("n"), pod("a", on="n", owner=("ReplicaSet", "web"))], [delete(3, "Pod", "a")])
    assert named(story, "") == []


def test_scaling_down_deletes_pending_pods_first() -> None:
    story = Story([node("n", "2"), workload("ReplicaSet", "web", 3)], [update(5, workload("ReplicaSet", "web", 2))])
    assert len(named(story, "web")) == 2
    assert not story.result["pending"]


def test_successors_have_the_same_names_in_every_run() -> None:
    objects = [node("n"), workload("ReplicaSet", "web", 3)]
    assert named(Story(objects), "web") == named(Story(objects), "web")
    assert named(Story(objects), "web") != named(Story(objects, seed=1), "web")


def test_a_no_execute_taint_evicts_who_does_not_tolerate_it() -> None:
    story = Story([node("n"), pod("a", on="n", grace=5)], [update(4, node("n", taints=[UNREACHABLE]))])
    assert story.of("pod.terminating", "a")[0]["t"] == pytest.approx(4.001)
    assert "default/a" not in story.replay.pods


def test_a_toleration_for_a_while_ends() -> None:
    patient = pod("a", on="n", grace=0, tolerations=[{**UNREACHABLE, "operator": "Exists", "tolerationSeconds": 20}])
    story = Story([node("n"), patient], [update(4, node("n", taints=[UNREACHABLE]))])
    assert story.of("pod.gone", "a")[0]["t"] == 25.0


def test_a_taint_that_goes_in_time_evicts_nobody() -> None:
    patient = pod("a", on="n", grace=0, tolerations=[{**UNREACHABLE, "operator": "Exists", "tolerationSeconds": 20}])
    story = Story([node("n"), patient], [update(4, node("n", taints=[UNREACHABLE])), update(10, node("n"))])
    assert not story.of("pod.gone")


@pytest.mark.parametrize(
    ("spec", "allowed"),
    [
        ({"minAvailable": 2}, 1),
        ({"minAvailable": "50%"}, 1),
        ({"maxUnavailable": 1}, 1),
        ({"maxUnavailable": "100%"}, 3),
        ({"minAvailable": 5}, 0),
    ],
)
def test_a_budget_counts_what_its_workload_wants(spec: Document, allowed: int) -> None:
    story = Story([node("n"), workload("ReplicaSet", "web", 3), budget("web", "web", **spec)])
    assert story.replay.budgets["default/web"]["allowed"] == allowed


def test_max_unavailable_allows_nothing_for_pods_without_a_controller() -> None:
    story = Story([node("n"), pod("a", on="n", labels={"app": "web"}), budget("web", "web", maxUnavailable=1)])
    assert story.replay.budgets["default/web"]["allowed"] == 0


def test_a_budget_with_a_status_stays_as_it_was_given() -> None:
    given = budget("web", "web", minAvailable=1) | {"status": {"disruptionsAllowed": 7}}
    story = Story([node("n"), pod("a", on="n", labels={"app": "web"}), given])
    assert story.replay.budgets["default/web"]["allowed"] == 7
