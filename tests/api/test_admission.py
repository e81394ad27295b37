"""What an API server makes of an object before it stores it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scheduler_core.admission import load
from scheduler_core.api import scenario_from_document
from scheduler_core.api.objects import KubeObject, PersistentVolumeClaim, Pod
from scheduler_core.errors import InvalidInputError
from tests.api.builders import container, listed, node, pod, priority_class


def pods_of(*objects: dict[str, Any]) -> list[Pod]:
    return [value for value in load(listed(*objects)).scenario.objects if isinstance(value, Pod)]


def problems_of(*objects: dict[str, Any]) -> list[str]:
    with pytest.raises(InvalidInputError) as refused:
        load(listed(*objects))
    return [problem.message for problem in refused.value.problems]


GOLD = priority_class("gold", 1000)
MEEK = priority_class("meek", 10, preemptionPolicy="Never")
USUAL = priority_class("usual", 5, globalDefault=True)

PRIORITIES = [
    ("a class gives its value", [GOLD], {"priorityClassName": "gold"}, (1000, "gold", "PreemptLowerPriority")),
    ("a class gives its policy", [MEEK], {"priorityClassName": "meek"}, (10, "meek", "Never")),
    ("no class is the global default", [GOLD, USUAL], {}, (5, "usual", "PreemptLowerPriority")),
    ("no class and no default is zero", [GOLD], {}, (0, "", "PreemptLowerPriority")),
    (
        "of several defaults the lowest counts",
        [USUAL, priority_class("more", 9, globalDefault=True)],
        {},
        (5, "usual", "PreemptLowerPriority"),
    ),
    (
        "the classes of the system are there",
        [],
        {"priorityClassName": "system-node-critical"},
        (2000001000, "system-node-critical", "PreemptLowerPriority"),
    ),
    ("both of them", [], {"priorityClassName": "system-cluster-critical"}, (2000000000, "system-cluster-critical", "PreemptLowerPriority")),
    ("a priority that is there is kept", [USUAL], {"priority": 7}, (7, "", "PreemptLowerPriority")),
    ("even beside its class", [GOLD], {"priority": 7, "priorityClassName": "gold"}, (7, "gold", "PreemptLowerPriority")),
    ("even beside a class that is gone", [], {"priority": 7, "priorityClassName": "gold"}, (7, "gold", "PreemptLowerPriority")),
]


@pytest.mark.parametrize(("claim", "classes", "spec", "expected"), PRIORITIES, ids=[row[0] for row in PRIORITIES])
def test_priority(claim: str, classes: list[dict[str, Any]], spec: dict[str, Any], expected: tuple[int, str, str]) -> None:
    (value,) = pods_of(*classes, pod(**spec))

    assert (value.priority, value.priority_class_name, value.preemption_policy) == expected, claim
    stored = value.manifest["spec"]
    assert (stored["priority"], stored.get("priorityClassName", "")) == expected[:2], claim


def test_a_priority_that_disagrees_with_its_class_is_said() -> None:
    loaded = load(listed(GOLD, pod(priority=7, priorityClassName="gold")))

    assert [warning.message for warning in loaded.warnings] == ["is 7, but the class 'gold' has 1000: the pod keeps 7"]


def test_an_unknown_class_is_refused_as_the_api_server_words_it() -> None:
    assert problems_of(pod(priorityClassName="gold")) == ["no PriorityClass with name gold was found"]


def test_a_policy_that_differs_from_that_of_the_class_is_refused() -> None:
    assert problems_of(MEEK, pod(priorityClassName="meek", preemptionPolicy="PreemptLowerPriority"))[0].startswith("must not differ")


def timeline(*operations: dict[str, Any], objects: list[dict[str, Any]]) -> list[KubeObject | None]:
    document = {"apiVersion": "playground/v1", "kind": "Scenario", "objects": objects, "timeline": list(operations)}
    return [operation.object for operation in load(json.dumps(document)).scenario.timeline]


def test_what_comes_later_is_admitted_with_what_came_before() -> None:
    operations = timeline(
        {"at": 2, "create": pod("b", priorityClassName="late")},
        {"at": 1, "create": priority_class("late", 3)},
        {"at": 3, "create": pod("c", priorityClassName="gold")},
        objects=[GOLD],
    )

    assert [value.priority for value in operations if isinstance(value, Pod)] == [3, 1000]


def test_a_document_that_was_admitted_is_admitted_unchanged() -> None:
    document = load(listed(GOLD, USUAL, pod("a", priorityClassName="gold"), pod("b"))).scenario.document()

    assert load(json.dumps(document)).scenario.document() == document
    assert scenario_from_document(document).document() == document


def storage_class(name: str, *, default: bool, created: str = "2026-01-01T00:00:00Z") -> dict[str, Any]:
    metadata = {
        "name": name,
        "creationTimestamp": created,
        "annotations": {"storageclass.kubernetes.io/is-default-class": str(default).lower()},
    }
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": metadata, "provisioner": "example.com/disk"}


def claim_of(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data"}, "spec": spec}


CLAIMS: list[tuple[str, dict[str, Any], str | None]] = [
    ("a claim that says nothing gets the newest default", claim_of(), "new"),
    ("the empty class is a class", claim_of(storageClassName=""), ""),
    ("a class that is named is kept", claim_of(storageClassName="plain"), "plain"),
    ("a claim with a volume is left alone", claim_of(volumeName="pv-1"), None),
]


@pytest.mark.parametrize(("claim", "manifest", "expected"), CLAIMS, ids=[row[0] for row in CLAIMS])
def test_storage_classes(claim: str, manifest: dict[str, Any], expected: str | None) -> None:
    classes = [
        storage_class("old", default=True),
        storage_class("new", default=True, created="2026-02-01T00:00:00Z"),
        storage_class("plain", default=False),
    ]
    value = load(listed(*classes, manifest)).scenario.objects[-1]

    assert isinstance(value, PersistentVolumeClaim)
    assert value.storage_class_name == expected, claim


def limit_range(**item: Any) -> dict[str, Any]:
    spec = {"limits": [{"type": "Container", **item}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "limits", "namespace": "shop"}, "spec": spec}


DEFAULTS = [
    ("a default limit is the default request", {"default": {"cpu": "1"}}, container(), (1000, 1000)),
    ("a default request stands alone", {"defaultRequest": {"cpu": "500m"}}, container(), (500, None)),
    ("the most is the default limit", {"max": {"cpu": "2"}}, container(), (2000, 2000)),
    ("the least is the default request", {"min": {"cpu": "100m"}}, container(), (100, None)),
    ("what is asked is kept", {"default": {"cpu": "1"}, "defaultRequest": {"cpu": "500m"}}, container(cpu="700m"), (700, 1000)),
    (
        "a limit without a request is the request",
        {"default": {"cpu": "1"}, "defaultRequest": {"cpu": "500m"}},
        container(resources={"limits": {"cpu": "3"}}),
        (3000, 3000),
    ),
]


@pytest.mark.parametrize(("claim", "item", "asked", "expected"), DEFAULTS, ids=[row[0] for row in DEFAULTS])
def test_defaults_of_limit_ranges(claim: str, item: dict[str, Any], asked: dict[str, Any], expected: tuple[int, int | None]) -> None:
    (value,) = pods_of(limit_range(**item), pod(containers=[asked]))

    assert (value.containers[0].requests["cpu"], value.containers[0].limits.get("cpu")) == expected, claim
    assert "limits" in json.dumps(value.manifest) or expected[1] is None


CONSTRAINTS = [
    ({"max": {"cpu": "1"}}, {"limits": {"cpu": "2"}}, "forbidden: maximum cpu usage per Container is 1, but limit is 2"),
    (
        {"min": {"memory": "1Gi"}},
        {"requests": {"memory": "1Mi"}},
        "forbidden: minimum memory usage per Container is 1Gi, but request is 1Mi",
    ),
    (
        {"maxLimitRequestRatio": {"cpu": "2"}},
        {"requests": {"cpu": "1"}, "limits": {"cpu": "3"}},
        "forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
    ),
    ({"type": "Pod", "max": {"cpu": "1"}}, {"limits": {"cpu": "2"}}, "forbidden: maximum cpu usage per Pod is 1, but limit is 2"),
    ({"type": "Pod", "max": {"cpu": "1"}}, {}, "forbidden: maximum cpu usage per Pod is 1.  No limit is specified"),
]


@pytest.mark.parametrize(("item", "resources", "message"), CONSTRAINTS, ids=[row[2] for row in CONSTRAINTS])
def test_what_a_limit_range_forbids(item: dict[str, Any], resources: dict[str, Any], message: str) -> None:
    assert problems_of(limit_range(**item), pod(containers=[container(resources=resources)])) == [message]


def test_a_pod_that_is_there_already_is_not_held_to_limit_ranges() -> None:
    there = pod(containers=[container(resources={"limits": {"cpu": "2"}})], metadata={"uid": "u1"})

    assert pods_of(limit_range(max={"cpu": "1"}), there)[0].containers[0].limits == {"cpu": 2000}


def quota(scopes: list[str] | None = None, **hard: str) -> dict[str, Any]:
    spec = {"hard": {name.replace("_", "."): amount for name, amount in hard.items()}, "scopes": scopes or []}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "shop"}, "spec": spec}


QUOTAS = [
    ("what is there counts", quota(cpu="2"), "forbidden: exceeded quota: q, requested: cpu=1500m, used: cpu=1, limited: cpu=2"),
    (
        "requests are called by two names",
        quota(requests_cpu="2"),
        "forbidden: exceeded quota: q, requested: requests.cpu=1500m, used: requests.cpu=1, limited: requests.cpu=2",
    ),
    ("pods are counted", quota(pods="1"), "forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1"),
    ("what is limited must be asked for", quota(memory="1Gi"), "forbidden: failed quota: q: must specify memory for: c"),
]


@pytest.mark.parametrize(("claim", "limited", "message"), QUOTAS, ids=[row[0] for row in QUOTAS])
def test_what_a_quota_forbids(claim: str, limited: dict[str, Any], message: str) -> None:
    there = pod("there", nodeName="n1", containers=[container(cpu="1")])

    assert problems_of(node(), limited, there, pod("new", containers=[container(cpu="1500m")])) == [message], claim


def test_a_quota_counts_only_its_namespace_and_scope_and_what_has_not_finished() -> None:
    objects = [
        quota(scopes=["BestEffort"], pods="1"),
        pod("burstable", containers=[container(cpu="1")]),
        pod("done", nodeName="n1", status={"phase": "Succeeded"}),
        pod("elsewhere", metadata={"namespace": "other"}),
        pod("first"),
    ]

    assert len(pods_of(node(), *objects)) == 4
    assert len(problems_of(node(), *objects, pod("second"))) == 1
