"""Real input loads, in whatever form it comes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from scheduler_core.admission import InputLimits, load
from scheduler_core.api import canonical_json, scenario_from_document, with_missing_nodes
from scheduler_core.api.objects import Namespace, Node, Other, Pod
from scheduler_core.api.resources import requests_of
from scheduler_core.errors import InvalidInputError
from tests.api.builders import container, listed, node, pod

DATA = Path(__file__).parent.parent / "data"


def test_a_dump_of_a_cluster_loads_without_a_warning() -> None:
    loaded = load((DATA / "kubectl-get.yaml").read_bytes())

    assert loaded.counts == {"Node": 5, "Pod": 27, "PodDisruptionBudget": 2, "PriorityClass": 5}
    assert loaded.warnings == ()
    assert loaded.missing_nodes == ()
    pending = [value for value in loaded.scenario.objects if isinstance(value, Pod) and not value.node_name]
    assert sorted({value.priority for value in pending}) == [100000]


def test_the_noise_of_a_dump_is_not_kept() -> None:
    text = json.dumps(load((DATA / "kubectl-get.yaml").read_bytes()).scenario.document())

    for noise in ("managedFields", "last-applied-configuration", "resourceVersion", "lastHeartbeatTime", "containerStatuses"):
        assert noise not in text


def test_a_list_of_pods_without_nodes_names_the_nodes_and_offers_to_make_them_up() -> None:
    loaded = load((DATA / "podlist-without-nodes.json").read_bytes())

    assert loaded.counts == {"Pod": 6}
    assert loaded.missing_nodes == ("ip-172-26-67-126.ec2.internal",)
    (warning,) = loaded.warnings
    assert str(warning).startswith(
        "items[0].spec.nodeName: node 'ip-172-26-67-126.ec2.internal' is not among the objects, but 6 pods are bound"
    )


def test_nodes_that_are_made_up_have_room_for_what_is_bound_to_them() -> None:
    bound = [pod(f"web-{i}", nodeName="n1", containers=[container(cpu="900m", memory="3Gi")]) for i in range(3)]
    bound.append(pod("gpu", nodeName="n1", containers=[container(resources={"limits": {"example.com/gpu": "2"}})]))
    scenario = with_missing_nodes(load(listed(*bound)).scenario)

    made = scenario.objects[0]
    assert isinstance(made, Node)
    assert made.name == "n1"
    needed: dict[str, int] = {}
    for value in scenario.objects[1:]:
        assert isinstance(value, Pod)
        for name, amount in requests_of(value).items():
            needed[name] = needed.get(name, 0) + amount
    assert all(made.allocatable[name] >= amount for name, amount in needed.items())
    assert made.allocatable == {"cpu": 4000, "memory": 12 * 2**30, "pods": 110, "example.com/gpu": 2}
    assert scenario_from_document(scenario.document()).document() == scenario.document()


FORMS = [
    ("one object", json.dumps(node()), {"Node": 1}),
    ("YAML documents", yaml.safe_dump_all([node(), pod()]), {"Node": 1, "Pod": 1}),
    ("empty documents between them", f"---\n---\n{yaml.safe_dump(node())}---\n", {"Node": 1}),
    ("a List", listed(node(), pod()), {"Node": 1, "Pod": 1}),
    ("Lists in a List", json.dumps({"kind": "List", "apiVersion": "v1", "items": [json.loads(listed(node()))]}), {"Node": 1}),
    ("JSON objects one after another", json.dumps(node()) + "\n" + json.dumps(pod()), {"Node": 1, "Pod": 1}),
    ("a bare list", json.dumps([node(), pod()]), {"Node": 1, "Pod": 1}),
    ("YAML in flow style", "{kind: Namespace, apiVersion: v1, metadata: {name: shop}}", {"Namespace": 1}),
    ("a byte order mark", "\ufeff" + json.dumps(node()), {"Node": 1}),
]


@pytest.mark.parametrize(("claim", "text", "counts"), FORMS, ids=[row[0] for row in FORMS])
def test_objects_come_in_many_forms(claim: str, text: str, counts: dict[str, int]) -> None:
    assert load(text).counts == counts, claim
    assert load(text.encode()).counts == counts, claim


def test_what_a_windows_shell_wrote_loads() -> None:
    assert load(yaml.safe_dump(node()).encode("utf-16")).counts == {"Node": 1}


def test_items_of_a_typed_list_inherit_its_kind() -> None:
    items = [{"metadata": {"name": "n1"}}, {"metadata": {"name": "n2"}}]
    loaded = load(json.dumps({"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": items}))

    assert [value.name for value in loaded.scenario.objects] == ["n1", "n2"]
    assert loaded.scenario.objects[0].manifest["kind"] == "Node"


def test_a_scheduler_configuration_may_lie_beside_the_objects() -> None:
    config = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "percentageOfNodesToScore": 50}

    assert load(yaml.safe_dump_all([config, node()])).scenario.config == config


def test_a_secret_is_kept_by_name_only() -> None:
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "token", "annotations": {"a": "hunter2"}},
        "data": {"x": "aHVudGVyMg=="},
    }
    talkative = pod(containers=[container(env=[{"name": "PASSWORD", "value": "hunter2"}], command=["sh", "-c", "hunter2"])])
    loaded = load(listed(secret, talkative))

    text = json.dumps(loaded.scenario.document())
    assert isinstance(loaded.scenario.objects[0], Other)
    assert "hunter2" not in text
    assert "aHVudGVyMg" not in text
    assert [str(warning) for warning in loaded.warnings] == ["items[0]: Secret 'token' is kept but not modelled (line 1)"]


WARNED = [
    ("resource claims", pod(resourceClaims=[{"name": "gpu"}]), "items[0].spec.resourceClaims: resourceClaims are not modelled: ignored"),
    (
        "a scheduler that is not there",
        pod(schedulerName="volcano"),
        "items[0].spec.schedulerName: 'volcano' is no profile here (default-scheduler)",
    ),
    ("a misspelt field", pod(tolerationz=[]), "items[0].spec.tolerationz: unknown field 'tolerationz': ignored"),
    ("a misspelt field of a container", pod(containers=[container(resource={})]), "items[0].spec.containers[0].resource: unknown field"),
    (
        "a kind that decides nothing",
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}},
        "items[0]: ConfigMap 'a' is kept but",
    ),
    ("an old version", {**node(), "apiVersion": "v1beta1"}, "items[0].apiVersion: 'v1beta1' is not known for Node: read as v1"),
    (
        "somebody else's kind of that name",
        {"apiVersion": "example.com/v1", "kind": "Service", "metadata": {"name": "a"}},
        "items[0]: Service.example.com 'a' is kept",
    ),
]


@pytest.mark.parametrize(("claim", "manifest", "warning"), WARNED, ids=[row[0] for row in WARNED])
def test_what_is_not_modelled_is_said(claim: str, manifest: dict[str, Any], warning: str) -> None:
    warnings = [str(found) for found in load(listed(manifest, node("other"))).warnings]

    assert len(warnings) == 1, claim
    assert warnings[0].startswith(warning), claim


def test_a_namespace_has_the_label_of_its_name() -> None:
    (value,) = load("{kind: Namespace, apiVersion: v1, metadata: {name: shop}}").scenario.objects

    assert isinstance(value, Namespace)
    assert value.labels == {"kubernetes.io/metadata.name": "shop"}


def test_words_and_times_are_read_as_kubectl_reads_them() -> None:
    text = """
kind: Node
apiVersion: v1
metadata: {name: n1, creationTimestamp: 2026-03-01T00:15:27Z}
spec: {unschedulable: yes}
status: {allocatable: {cpu: 0.5, pods: 0x10, memory: 1e3}}
"""
    (value,) = load(text).scenario.objects

    assert isinstance(value, Node)
    assert value.unschedulable is True
    assert value.creation_timestamp == 1772324127
    assert value.allocatable == {"cpu": 500, "pods": 16, "memory": 1000}


def test_merged_maps_and_aliases_are_followed() -> None:
    text = """
kind: List
apiVersion: v1
items:
- &first {kind: Node, apiVersion: v1, metadata: {name: n1}, status: &status {allocatable: {cpu: "1"}}}
- <<: *first
  metadata: {name: n2}
- {kind: Node, apiVersion: v1, metadata: {name: n3}, status: *status}
"""
    nodes = load(text).scenario.objects

    assert [(value.name, value.allocatable) for value in nodes if isinstance(value, Node)] == [(f"n{i}", {"cpu": 1000}) for i in (1, 2, 3)]


def test_a_body_over_the_limit_is_refused_as_too_large() -> None:
    for text, limits in (
        ("a: b", InputLimits(yaml_bytes=3)),
        ("{}", InputLimits(json_bytes=1)),
        (listed(node("n1"), node("n2")), InputLimits(nodes=1)),
        (listed(pod("a"), pod("b")), InputLimits(pods=1)),
    ):
        with pytest.raises(InvalidInputError) as refused:
            load(text, limits=limits)
        assert refused.value.too_large


def test_equal_parts_of_pods_are_shared() -> None:
    first, second = load(listed(pod("a"), pod("b"))).scenario.objects

    assert isinstance(first, Pod)
    assert isinstance(second, Pod)
    assert first.containers is second.containers


@pytest.mark.parametrize("name", ["kubectl-get.yaml", "podlist-without-nodes.json"])
def test_a_document_reads_back_as_itself(name: str) -> None:
    document = load((DATA / name).read_bytes()).scenario.document()

    assert scenario_from_document(document).document() == document
    assert canonical_json(load(canonical_json(document)).scenario.document()) == canonical_json(document)
