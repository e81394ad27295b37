"""Whatever comes in, the answer is every problem with its path and line, and it comes soon."""

from __future__ import annotations

import contextlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.admission import load
from scheduler_core.api import scenario_from_document
from scheduler_core.errors import InvalidInputError
from tests.api.builders import container, listed, node, pod, priority_class

DATA = Path(__file__).parent.parent / "data"


def problems_of(source: str | bytes) -> list[str]:
    """What is wrong with the source, as a person reads it."""
    with pytest.raises(InvalidInputError) as refused:
        load(source)
    return [str(problem) for problem in refused.value.problems]


BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(12))

TEXTS: list[tuple[str, str | bytes, str]] = [
    ("nothing", "", "the text is empty: paste Kubernetes objects as YAML or JSON"),
    ("white space", " \n\n", "the text is empty: paste Kubernetes objects as YAML or JSON"),
    ("only comments", "# nothing here\n", "there is no Kubernetes object in the text"),
    ("prose", "Please schedule my pods", "must be a Kubernetes object, not text 'Please schedule my pods' (line 1)"),
    ("prose with a colon", "Dear all: hello", "kind: is required: every object says what it is, such as kind: Pod (line 1)"),
    ("a picture", b"\x89PNG\r\n\x1a\n\x00\x00", "the text is not UTF-8: byte 0 cannot be read (line 1)"),
    ("NUL bytes", b"kind: Pod\n\x00\x00", "the text is binary: it holds NUL bytes (line 2)"),
    ("an escaped NUL", '{"kind": "Pod\\u0000"}', "a text holds the character NUL (line 1)"),
    ("half a character", '{"kind":\n "\\ud800"}', "a text holds half a surrogate pair, which is no character (line 2)"),
    ("broken JSON", '{"kind": "Pod",\n "x": [1,,2]}', "the text is not JSON: expecting value (column 10) (line 2)"),
    ("numbers that are none", '{"kind": NaN}', "NaN is not a number in JSON"),
    ("a tab", "kind: Pod\nspec:\n\tnodeName: a", "the text is not YAML: a tab stands where only spaces may indent (line 3)"),
    ("an open quote", 'kind: "Pod\n', "the text is not YAML: found unexpected end of stream while scanning a quoted scalar (line 2)"),
    ("a key twice", "kind: Pod\nmetadata:\n  name: a\n  name: b", "metadata.name: the key 'name' is there twice (line 4)"),
    (
        "a key twice in JSON",
        '{"kind": "Pod",\n"metadata": {"name": "a",\n"name": "b"}}',
        "metadata.name: the key 'name' is there twice (line 3)",
    ),
    ("a map as key", "? {a: b}\n: c", "a map or list cannot be a key (line 1)"),
    (
        "an object of another language",
        "a: !!python/object:os.system x",
        "a: the tag 'tag:yaml.org,2002:python/object:os.system' is not known (line 1)",
    ),
    ("binary data", "a: !!binary aGk=", "a: binary values are not taken (line 1)"),
    ("an alias to nothing", "a: *b", "the alias *b refers to nothing before it (line 1)"),
    ("an alias to itself", "a: &a [*a]", "the alias *a stands inside of what it refers to (line 1)"),
    ("a bomb", BOMB, "the aliases of the text stand for more than 1000000 values (line 7)"),
    ("aliases by the thousand", "a: &a x\nb: [" + "*a," * 20_000 + "]", "the text uses more than 10000 aliases (line 2)"),
    (
        "anchors by the thousand",
        "\n".join(f"a{i}: &a{i} x" for i in range(20_000)),
        "kind: is required: every object says what it is, such as kind: Pod (line 1)",
    ),
    ("brackets without end", "[" * 100_000, "the text is nested deeper than 64"),
    ("braces without end", '{"a":' * 100_000, "the text is nested deeper than 64"),
    ("dashes without end", "- " * 50_000, "the text is nested deeper than 64 (line 1)"),
    ("indents without end", "\n".join(" " * i + "a:" for i in range(200)), "the text is nested deeper than 64 (line 65)"),
    (
        "a number with a hundred thousand digits",
        '{"kind": ' + "9" * 100_000 + "}",
        "kind: must be text, not the number an enormous number (line 1)",
    ),
    ("objects that are none", "- a\n- 3\n", "[0]: must be a Kubernetes object, not text 'a' (line 1)"),
    (
        "another object beside a scenario",
        "kind: Scenario\n---\nkind: Pod",
        "documents[1]: stands beside a Scenario: put objects under its objects (line 3)",
    ),
]


@pytest.mark.parametrize(("claim", "text", "problem"), TEXTS, ids=[row[0] for row in TEXTS])
def test_a_text_that_cannot_be_read(claim: str, text: str | bytes, problem: str) -> None:
    assert problems_of(text)[0] == problem, claim


def spread(**fields: Any) -> dict[str, Any]:
    return {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", **fields}


def node_affinity(*expressions: dict[str, Any]) -> dict[str, Any]:
    terms = {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}


EXPRESSION = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0]"

PODS: list[tuple[dict[str, Any], str]] = [
    (pod(containers=[container(cpu="1core")]), "spec.containers[0].resources.requests.cpu: '1core' has the unknown suffix 'core'"),
    (pod(containers=[container(cpu="-1")]), "spec.containers[0].resources.requests.cpu: '-1' is negative: must be 0 or more"),
    (pod(containers=[container(memory="1e40")]), "spec.containers[0].resources.requests.memory: '1e40' is out of range"),
    (pod(containers=[container(cpu=True)]), "spec.containers[0].resources.requests.cpu: must be a quantity such as 500m or 1Gi, not true"),
    (pod(containers={}), "spec.containers: must be a list, not a map"),
    (pod(containers=[]), "spec.containers: is required: a pod has at least one container"),
    (pod(containers=["c"]), "spec.containers[0]: must be a map, not text 'c'"),
    (pod(containers=[container(), container()]), "spec.containers[1].name: repeats the container name 'c'"),
    (pod(containers=[container("Web")]), "spec.containers[0].name: 'Web' is not a valid name"),
    (
        pod(containers=[container(resources={"requests": {"cpus": "1"}})]),
        "spec.containers[0].resources.requests.cpus: 'cpus' is not a resource",
    ),
    (
        pod(containers=[container(resources={"requests": {"cpu": "2"}, "limits": {"cpu": "1"}})]),
        "spec.containers[0].resources.requests.cpu: must not exceed the limit of cpu",
    ),
    (
        pod(containers=[container(resources={"requests": {"a.b/gpu": "1"}, "limits": {"a.b/gpu": "2"}})]),
        "spec.containers[0].resources.requests[a.b/gpu]: must equal the limit of a.b/gpu",
    ),
    (pod(containers=[container(ports=[{"containerPort": 70000}])]), "spec.containers[0].ports[0].containerPort: 70000 is out of range"),
    (
        pod(containers=[container(ports=[{"containerPort": 1, "hostIP": "here"}])]),
        "spec.containers[0].ports[0].hostIP: 'here' is not an IP",
    ),
    (
        pod(containers=[container(ports=[{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}])]),
        "spec.containers[0].ports[1].hostPort: repeats the host port 80/TCP",
    ),
    (pod(metadata={"name": ""}), "metadata.name: is required"),
    (pod(metadata={"name": None, "generateName": "web-"}), "metadata.name: is required: names are not generated"),
    (pod("Web_1"), "metadata.name: 'Web_1' is not a valid name"),
    (pod("a" * 254), f"metadata.name: '{'a' * 79}…' is longer than 253 characters"),
    (pod(metadata={"namespace": "a.b"}), "metadata.namespace: 'a.b' is not a valid name"),
    (pod(metadata={"labels": {"a b": "x"}}), "metadata.labels[a b]: 'a b' is not a valid key"),
    (pod(metadata={"labels": {"a": "x y"}}), "metadata.labels.a: 'x y' is not a valid label value"),
    (pod(metadata={"labels": {"a": 1}}), "metadata.labels.a: must be text, not the number 1: put it in quotes"),
    (pod(metadata={"creationTimestamp": "yesterday"}), "metadata.creationTimestamp: must be a time such as"),
    (pod(priority="high"), "spec.priority: must be a whole number, not text 'high'"),
    (pod(priority=2**31), "spec.priority: 2147483648 is out of range"),
    (pod(preemptionPolicy="Always"), "spec.preemptionPolicy: 'Always' is not supported: use PreemptLowerPriority, Never"),
    (pod(terminationGracePeriodSeconds=-1), "spec.terminationGracePeriodSeconds: -1 is out of range"),
    (pod(nodeName="N 1"), "spec.nodeName: 'N 1' is not a valid name"),
    (pod(nodeName="n1", schedulingGates=[{"name": "a"}]), "spec.nodeName: cannot be set until all schedulingGates have been removed"),
    (pod(tolerations=[{"operator": "Equal"}]), "spec.tolerations[0].operator: must be Exists when there is no key"),
    (pod(tolerations=[{"key": "a", "operator": "Exists", "value": "b"}]), "spec.tolerations[0].value: must be empty when the operator is"),
    (pod(tolerations=[{"key": "a", "operator": "Like"}]), "spec.tolerations[0].operator: 'Like' is not supported: use Equal, Exists"),
    (
        pod(tolerations=[{"key": "a", "tolerationSeconds": 3}]),
        "spec.tolerations[0].effect: must be NoExecute when tolerationSeconds is set",
    ),
    (pod(topologySpreadConstraints=[spread(maxSkew=0)]), "spec.topologySpreadConstraints[0].maxSkew: 0 is out of range: must be 1 to"),
    (
        pod(topologySpreadConstraints=[spread(whenUnsatisfiable="Never")]),
        "spec.topologySpreadConstraints[0].whenUnsatisfiable: 'Never' is not",
    ),
    (pod(topologySpreadConstraints=[spread(), spread()]), "spec.topologySpreadConstraints[1]: repeats the constraint on zone"),
    (
        pod(topologySpreadConstraints=[spread(whenUnsatisfiable="ScheduleAnyway", minDomains=2)]),
        "spec.topologySpreadConstraints[0].minDomains: can only be set when whenUnsatisfiable is DoNotSchedule",
    ),
    (
        pod(topologySpreadConstraints=[spread(matchLabelKeys=["a"])]),
        "spec.topologySpreadConstraints[0].matchLabelKeys: must not be set without",
    ),
    (
        pod(affinity=node_affinity({"key": "a", "operator": "Between", "values": ["x"]})),
        f"{EXPRESSION}.operator: 'Between' is not supported: use In, NotIn,",
    ),
    (pod(affinity=node_affinity({"key": "a", "operator": "In"})), f"{EXPRESSION}.values: is required: In needs at least one value"),
    (pod(affinity=node_affinity({"key": "a", "operator": "Exists", "values": ["x"]})), f"{EXPRESSION}.values: must be empty with Exists"),
    (
        pod(affinity=node_affinity({"key": "a", "operator": "Gt", "values": []})),
        f"{EXPRESSION}.values: must hold exactly one value with Gt",
    ),
    (
        pod(
            affinity={
                "podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 0, "podAffinityTerm": {"topologyKey": "z"}}]}
            }
        ),
        "spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: 0 is out of range: must be 1 to 100",
    ),
    (
        pod(affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{}]}}),
        "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: is required",
    ),
    (
        pod(volumes=[{"name": "a", "emptyDir": {}, "hostPath": {"path": "/"}}]),
        "spec.volumes[0]: has more than one source: emptyDir, hostPath",
    ),
    (pod(volumes=[{"name": "a", "persistentVolumeClaim": {}}]), "spec.volumes[0].persistentVolumeClaim.claimName: is required"),
    (
        pod(resources={"requests": {"example.com/gpu": "1"}}),
        "spec.resources.requests[example.com/gpu]: 'example.com/gpu' cannot be set for a",
    ),
    (pod(priorityClassName="gold"), "spec.priorityClassName: no PriorityClass with name gold was found"),
    (pod(status={"phase": "Sleeping"}), "status.phase: 'Sleeping' is not supported"),
    ({"kind": "Pod", "metadata": {"name": "a"}, "spec": {"containers": [container()]}}, "apiVersion: is required: v1 for a Pod"),
    ({"apiVersion": "v1", "metadata": {"name": "a"}}, "kind: is required"),
    (
        {"apiVersion": "v1", "kind": "Banana", "metadata": {"name": "a"}},
        "kind: 'Banana' is no kind that scheduling knows, and there is nothing",
    ),
    ({**node(), "status": {"allocatable": {"cpu": "-4"}}}, "status.allocatable.cpu: '-4' is negative"),
    ({**node(), "spec": {"taints": [{"key": "a"}]}}, "spec.taints[0].effect: is required: use NoSchedule, PreferNoSchedule, NoExecute"),
    ({**node(), "spec": {"unschedulable": "true"}}, "spec.unschedulable: must be true or false, not text 'true'"),
    (priority_class("gold", 10**9 + 1), "value: maximum allowed value of a user defined priority is 1000000000"),
    (priority_class("system-x", 1), "metadata.name: priority class names with the prefix 'system-' are reserved"),
    (
        {
            "apiVersion": "policy/v1",
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "a"},
            "spec": {"minAvailable": 1, "maxUnavailable": 1},
        },
        "spec: minAvailable and maxUnavailable are mutually exclusive",
    ),
    (
        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "a"}, "spec": {"minAvailable": "half"}},
        "spec.minAvailable: 'half' is neither a number nor a percentage such as 50%",
    ),
]


@pytest.mark.parametrize(("manifest", "problem"), PODS, ids=[row[1][:60] for row in PODS])
def test_an_object_that_an_api_server_would_refuse(manifest: dict[str, Any], problem: str) -> None:
    found = problems_of(json.dumps(manifest))

    assert len(found) == 1
    assert found[0].startswith(problem)


def test_every_problem_is_reported_with_its_line() -> None:
    text = """\
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: N1}
- apiVersion: v1
  kind: Pod
  metadata:
    name: web
    labels:
      app: 1
  spec:
    nodeSelector:
      disk.io/kind: a b
    containers:
    - name: c
      resources:
        requests:
          cpu: 1core
"""
    assert [(problem.path, problem.line) for problem in _refused(text)] == [
        ("items[0].metadata.name", 6),
        ("items[1].metadata.labels.app", 12),
        ("items[1].spec.containers[0].resources.requests.cpu", 20),
        ("items[1].spec.nodeSelector[disk.io/kind]", 15),
    ]


def test_lines_are_found_in_json_and_in_later_documents_too() -> None:
    assert [problem.line for problem in _refused(json.dumps(pod("Web"), indent=1))] == [5]
    later = yaml.safe_dump(node()) + "---\n" + "# a comment\n" + "kind: Pod\napiVersion: v1\n"
    first = _refused(later)[0]
    assert (first.path, first.line) == ("documents[1].metadata.name", len(yaml.safe_dump(node()).splitlines()) + 3)


def test_names_are_unique_in_their_kind_and_namespace() -> None:
    assert problems_of(listed(pod("a"), pod("a")))[0] == "items[1].metadata.name: there is another Pod 'shop/a' (line 1)"
    load(listed(pod("a"), pod("a", metadata={"namespace": "other"}), node("a")))


def test_a_hundred_problems_are_spelled_out_and_the_rest_counted() -> None:
    found = problems_of(listed(*(pod(f"Web{i}") for i in range(150))))

    assert len(found) == 101
    assert found[-1] == "and 50 more"


SCENARIOS: list[tuple[dict[str, Any], str]] = [
    ({"seed": "lucky"}, "seed: must be a whole number, not text 'lucky'"),
    ({"until": -1}, "until: must be a number of seconds from 0 to 1000000000"),
    ({"timeline": [{"create": pod()}]}, "timeline[0].at: is required"),
    ({"timeline": [{"at": 1}]}, "timeline[0]: must have exactly one of create, update and delete"),
    ({"timeline": [{"at": 1, "delete": {"kind": "Pod"}}]}, "timeline[0].delete.name: is required"),
    (
        {"timeline": [{"at": 1, "create": pod(containers=[container(cpu="x")])}]},
        "timeline[0].create.spec.containers[0].resources.requests.cpu:",
    ),
    ({"featureGates": {"A": "on"}}, "featureGates.A: must be true or false, not text 'on'"),
    ({"config": {"profiles": {}}}, "config.profiles: "),
    (
        {"config": {"profiles": [{"plugins": {"filter": {"disabled": ["NodePorts"]}}}]}},
        "config.profiles[0].plugins.filter.disabled[0]: ",
    ),
    (
        {"config": {"profiles": [{"pluginConfig": [{"name": "InterPodAffinity", "args": {"hardPodAffinityWeight": 101}}]}]}},
        "config.profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101",
    ),
    ({"extenders": [{"name": "a", "filter": {"failed": ["n1"]}}]}, "extenders[0].filter.failed: must be a map, not a list"),
    ({"extenders": [{"weight": 1}]}, "extenders[0].name: is required"),
    ({"objects": [{"generate": {"kind": "Job", "count": 1}}]}, "objects[0].generate.kind: 'Job' is not supported: use Node, Pod"),
    ({"objects": [{"generate": {"kind": "Node", "count": 2, "name": "n"}}]}, "objects[0].generate.name: must hold {i}"),
    (
        {"objects": [{"generate": {"kind": "Node", "count": 10**9}}]},
        "objects[0].generate.count: 1000000000 is out of range: must be 0 to 50000",
    ),
    ({"metadata": {"tags": "easy"}}, "metadata.tags: must be a list, not text 'easy'"),
]


@pytest.mark.parametrize(("fields", "problem"), SCENARIOS, ids=[row[1][:60] for row in SCENARIOS])
def test_a_scenario_that_cannot_be_run(fields: dict[str, Any], problem: str) -> None:
    found = problems_of(json.dumps({"apiVersion": "playground/v1", "kind": "Scenario", "objects": [node()], **fields}))

    assert found[0].startswith(problem)


@given(st.binary(max_size=200) | st.text(max_size=200))
@settings(max_examples=300, deadline=2000)
def test_any_bytes_load_or_are_refused(source: bytes | str) -> None:
    _load_or_refuse(source)


JUNK: list[Any] = [
    None,
    True,
    -1,
    1.5,
    10**30,
    1e308,
    "",
    "x",
    "1core",
    [],
    {},
    [None],
    {"a": None},
    "\x00",
    "1e999999999",
    "2026-99-99T00:00:00Z",
]
BROKEN = [":", "-", "{", "[", "&a", "*a", "\t", "\n", '"', "'", "!!binary ", "%", "<<: ", "#", "|", ">", "? ", ""]


@given(st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=5000)
def test_a_dump_with_anything_in_any_place_loads_or_is_refused(chance: random.Random) -> None:
    items = json.loads((DATA / "podlist-without-nodes.json").read_text())["items"]
    document = {"kind": "Scenario", "objects": [chance.choice(items), node(), pod()], "timeline": [{"at": 1, "create": pod("b")}]}
    for _ in range(chance.randrange(1, 5)):
        owner, key = chance.choice(list(_places(document)))
        owner[key] = chance.choice(JUNK)

    _load_or_refuse(json.dumps(document))
    with contextlib.suppress(InvalidInputError):
        scenario_from_document(document)


@given(st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=5000)
def test_yaml_with_anything_in_any_place_loads_or_is_refused(chance: random.Random) -> None:
    text = (DATA / "kubectl-get.yaml").read_text()
    start = chance.randrange(3000)
    letters = list(text[start : start + chance.randrange(20, 4000)])
    for _ in range(chance.randrange(1, 6)):
        letters[chance.randrange(len(letters))] = chance.choice(BROKEN)

    _load_or_refuse("".join(letters))


def _places(value: Any) -> Any:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])


def _refused(source: str) -> Any:
    with pytest.raises(InvalidInputError) as refused:
        load(source)
    return refused.value.problems


def _load_or_refuse(source: str | bytes) -> None:
    try:
        document = load(source).scenario.document()
    except InvalidInputError as error:
        assert error.problems
        return
    assert load(json.dumps(document)).scenario.document() == document
