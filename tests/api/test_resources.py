"""What a pod asks for is summed as the scheduler sums it."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.api.objects import Pod
from scheduler_core.api.parse import parse_object
from scheduler_core.api.resources import host_ports_of, limits_of, nonzero_requests_of, qos_class, requests_of, scored_requests_of
from scheduler_core.api.scenario import scenario_from_document
from tests.api.builders import container, pod

MIB = 2**20


def read(manifest: dict[str, Any]) -> Pod:
    value, problems, _ = parse_object(manifest)
    assert not problems, problems
    assert isinstance(value, Pod)
    return value


def sidecar(name: str, **fields: Any) -> dict[str, Any]:
    return container(name, restartPolicy="Always", **fields)


REQUESTS = [
    ("containers are added", {"containers": [container("a", cpu="1"), container("b", cpu="500m")]}, 1500),
    (
        "an init container counts alone where it asks for more",
        {"containers": [container(cpu="1")], "initContainers": [container("i", cpu="3")]},
        3000,
    ),
    (
        "init containers run one after another",
        {"containers": [container(cpu="1")], "initContainers": [container("i", cpu="2"), container("j", cpu="2")]},
        2000,
    ),
    ("a sidecar runs beside the containers", {"containers": [container(cpu="1")], "initContainers": [sidecar("s", cpu="2")]}, 3000),
    (
        "an init container runs beside the sidecars before it",
        {"containers": [container(cpu="1")], "initContainers": [sidecar("s", cpu="2"), container("i", cpu="4")]},
        6000,
    ),
    (
        "but not beside those after it",
        {"containers": [container(cpu="1")], "initContainers": [container("i", cpu="4"), sidecar("s", cpu="2")]},
        4000,
    ),
    ("overhead is added", {"containers": [container(cpu="1")], "overhead": {"cpu": "250m"}}, 1250),
    ("requests of the whole pod replace the sum", {"containers": [container(cpu="1")], "resources": {"requests": {"cpu": "3"}}}, 3000),
    (
        "overhead is added to requests of the whole pod",
        {"containers": [container()], "resources": {"requests": {"cpu": "3"}}, "overhead": {"cpu": "1"}},
        4000,
    ),
    ("a limit of the whole pod is its request where no container asks", {"resources": {"limits": {"cpu": "2"}}}, 2000),
    (
        "a limit of the whole pod is not its request where a container asks",
        {"containers": [container(cpu="1")], "resources": {"limits": {"cpu": "2"}}},
        1000,
    ),
    ("a limit without a request is the request", {"containers": [{"name": "c", "resources": {"limits": {"cpu": "2"}}}]}, 2000),
    (
        "a request is kept beside a limit",
        {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2"}}}]},
        1000,
    ),
    ("nothing asked is nothing", {}, 0),
]


@pytest.mark.parametrize(("claim", "spec", "milli_cpu"), REQUESTS, ids=[row[0] for row in REQUESTS])
def test_requests(claim: str, spec: dict[str, Any], milli_cpu: int) -> None:
    assert requests_of(read(pod(**spec))).get("cpu", 0) == milli_cpu, claim


def test_amounts_finer_than_a_unit_are_summed_before_they_are_rounded() -> None:
    halves = [container("a", cpu="500u"), container("b", cpu="500u")]

    assert requests_of(read(pod(containers=halves)))["cpu"] == 1


NONZERO = [
    ("a container that asks for nothing counts as 100m and 200Mi", {}, (100, 200 * MIB)),
    ("each of them does", {"containers": [container("a"), container("b", cpu="1")]}, (1100, 400 * MIB)),
    ("a request of zero stays zero", {"containers": [container(cpu="0", memory="0")]}, (0, 0)),
    ("the default of an init container counts as well", {"initContainers": [container("i", memory="1Gi")]}, (100, 1024 * MIB)),
    ("what the whole pod requests is not made up again", {"resources": {"requests": {"cpu": "2"}}}, (2000, 200 * MIB)),
]


@pytest.mark.parametrize(("claim", "spec", "amounts"), NONZERO, ids=[row[0] for row in NONZERO])
def test_requests_for_scoring(claim: str, spec: dict[str, Any], amounts: tuple[int, int]) -> None:
    assert nonzero_requests_of(read(pod(**spec))) == amounts, claim


def test_the_pod_being_scored_is_judged_by_its_containers_alone() -> None:
    value = read(pod(containers=[container("a", memory="100Mi"), container("b")], resources={"requests": {"cpu": "2"}}))

    assert nonzero_requests_of(value) == (2000, 100 * MIB)
    assert scored_requests_of(value) == {"cpu": 200, "memory": 300 * MIB}


RESIZES = [
    ("what is allocated counts where it is more", {"allocatedResources": {"cpu": "3"}}, {}, 3000),
    (
        "what is in force counts where it is more",
        {"resources": {"requests": {"cpu": "2"}}, "allocatedResources": {"cpu": "500m"}},
        {},
        2000,
    ),
    ("what is wanted counts where it is more", {"allocatedResources": {"cpu": "500m"}}, {}, 1000),
    (
        "what is wanted in vain does not count",
        {"allocatedResources": {"cpu": "500m"}},
        {"type": "PodResizePending", "reason": "Infeasible"},
        500,
    ),
]


@pytest.mark.parametrize(("claim", "status", "condition", "milli_cpu"), RESIZES, ids=[row[0] for row in RESIZES])
def test_a_container_that_is_being_resized(claim: str, status: dict[str, Any], condition: dict[str, Any], milli_cpu: int) -> None:
    statuses: dict[str, Any] = {"containerStatuses": [{"name": "c", **status}], "conditions": [condition] if condition else []}
    value = read(pod(containers=[container(cpu="1")], status=statuses))

    assert requests_of(value)["cpu"] == milli_cpu, claim
    assert requests_of(read(dict(value.manifest)))["cpu"] == milli_cpu, claim


def limited(**amounts: str) -> dict[str, Any]:
    return {"name": "c", "resources": {"limits": amounts}}


def test_what_is_stored_already_is_read_as_written() -> None:
    bare = pod(containers=[{"name": "c", "resources": {"limits": {"cpu": "2"}}}])
    (value,) = scenario_from_document({"objects": [bare]}).objects

    assert isinstance(value, Pod)
    assert requests_of(value) == {}
    assert value.manifest["spec"]["containers"] == bare["spec"]["containers"]


def test_defaults_are_part_of_what_is_stored() -> None:
    value = read(pod(containers=[limited(cpu="2")], resources={"limits": {"memory": "1Gi"}}))

    assert value.manifest["spec"]["containers"][0]["resources"] == {"limits": {"cpu": "2"}, "requests": {"cpu": "2"}}
    assert value.manifest["spec"]["resources"] == {"limits": {"memory": "1Gi"}, "requests": {"memory": "1Gi", "cpu": "2"}}
    (stored,) = scenario_from_document({"objects": [value.manifest]}).objects
    assert isinstance(stored, Pod)
    assert requests_of(stored) == requests_of(value) == {"cpu": 2000, "memory": 2**30}


def test_limits_of_the_whole_pod_make_it_guaranteed() -> None:
    assert qos_class(read(pod(resources={"limits": {"cpu": "1", "memory": "1Gi"}}))) == "Guaranteed"
    assert qos_class(read(pod(resources={"requests": {"cpu": "1"}}))) == "Burstable"


QOS = [
    ("nothing at all", [container()], "BestEffort"),
    ("only a request", [container(cpu="1")], "Burstable"),
    ("limits for both", [limited(cpu="1", memory="1Gi")], "Guaranteed"),
    ("a limit for one", [limited(cpu="1")], "Burstable"),
    (
        "requests below limits",
        [{"name": "c", "resources": {"requests": {"cpu": "1"}, "limits": {"cpu": "2", "memory": "1Gi"}}}],
        "Burstable",
    ),
    ("one container without limits", [limited(cpu="1", memory="1Gi"), container("b")], "Burstable"),
    ("only other resources", [limited(**{"example.com/gpu": "1"})], "BestEffort"),
    ("zeros count as nothing", [container(cpu="0", memory="0")], "BestEffort"),
]


@pytest.mark.parametrize(("claim", "containers", "expected"), QOS, ids=[row[0] for row in QOS])
def test_quality_of_service(claim: str, containers: list[dict[str, Any]], expected: str) -> None:
    assert qos_class(read(pod(containers=containers))) == expected, claim


def test_limits_take_overhead_only_where_there_is_a_limit() -> None:
    value = read(pod(containers=[limited(cpu="1")], overhead={"cpu": "250m", "memory": "1Mi"}))

    assert limits_of(value) == {"cpu": 1250}


def test_host_ports_are_those_of_containers_and_sidecars() -> None:
    ports = [{"containerPort": 80, "hostPort": 8080, "hostIP": "10.0.0.1"}, {"containerPort": 81}]
    value = read(
        pod(
            containers=[container(ports=ports)],
            initContainers=[
                sidecar("s", ports=[{"containerPort": 53, "hostPort": 53, "protocol": "UDP"}]),
                container("i", ports=ports[:1]),
            ],
        )
    )

    assert host_ports_of(value) == (("TCP", "10.0.0.1", 8080), ("UDP", "0.0.0.0", 53))


def test_ports_of_the_host_network_stand_on_the_host() -> None:
    value = read(pod(hostNetwork=True, containers=[container(ports=[{"containerPort": 9100}])]))

    assert host_ports_of(value) == (("TCP", "0.0.0.0", 9100),)
