"""Everything that kube-scheduler refuses in a configuration, at its path and in its words."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.configuration import profiles_of
from scheduler_core.errors import InvalidInputError


def problems(config: dict[str, Any], **gates: bool) -> list[str]:
    try:
        profiles_of(config, gates)
    except InvalidInputError as error:
        return [f"{problem.path}: {problem.message}" for problem in error.problems]
    return []


def plugins(**points: Any) -> dict[str, Any]:
    return {"profiles": [{"plugins": points}]}


def args(plugin: str, **settings: Any) -> dict[str, Any]:
    return {"profiles": [{"pluginConfig": [{"name": plugin, "args": settings}]}]}


def strategy(**settings: Any) -> dict[str, Any]:
    return args("NodeResourcesFit", scoringStrategy=settings)


def added(*expressions: dict[str, Any], **fields: Any) -> dict[str, Any]:
    term = {"matchExpressions": list(expressions), **fields}
    return args("NodeAffinity", addedAffinity={"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}})


def expression(operator: str, *values: str) -> dict[str, Any]:
    return {"key": "zone", "operator": operator, "values": list(values)}


def ratio(*points: tuple[int, int]) -> dict[str, Any]:
    shape = [{"utilization": utilization, "score": score} for utilization, score in points]
    return strategy(type="RequestedToCapacityRatio", requestedToCapacityRatio={"shape": shape})


A = "profiles[0].pluginConfig[0].args"
S = f"{A}.scoringStrategy"
R = f"{S}.requestedToCapacityRatio"
P = "profiles[0].plugins"
T = f"{A}.addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"
E = f"{T}.matchExpressions[0]"

DECODING = {
    "an unknown field": ({"percentage": 3}, 'percentage: strict decoding error: unknown field "percentage"'),
    "an unknown field of a profile": (
        {"profiles": [{"plugin": {}}]},
        'profiles[0].plugin: strict decoding error: unknown field "profiles[0].plugin"',
    ),
    "an unknown point": (plugins(filters={}), f'{P}.filters: strict decoding error: unknown field "{P}.filters"'),
    "an unknown argument": (args("NodeResourcesFit", ignored=[]), f'{A}.ignored: strict decoding error: unknown field "ignored"'),
    "text for a number": (
        {"parallelism": "8"},
        "parallelism: json: cannot unmarshal string into Go struct field KubeSchedulerConfiguration.parallelism of type int32",
    ),
    "a fraction for a number": (
        {"profiles": [{"percentageOfNodesToScore": 1.5}]},
        (
            "profiles[0].percentageOfNodesToScore: json: cannot unmarshal number 1.5 into Go struct field "
            "KubeSchedulerProfile.profiles.percentageOfNodesToScore of type int32"
        ),
    ),
    "a number past 32 bits": (
        args("InterPodAffinity", hardPodAffinityWeight=2**31),
        (
            f"{A}.hardPodAffinityWeight: json: cannot unmarshal number 2147483648 into Go struct field "
            "InterPodAffinityArgs.hardPodAffinityWeight of type int32"
        ),
    ),
    "a map for a list": (
        plugins(filter={"enabled": {}}),
        (
            f"{P}.filter.enabled: json: cannot unmarshal object into Go struct field "
            "PluginSet.profiles.plugins.filter.enabled of type []v1.Plugin"
        ),
    ),
    "true for text": (
        {"profiles": [{"schedulerName": True}]},
        (
            "profiles[0].schedulerName: json: cannot unmarshal bool into Go struct field "
            "KubeSchedulerProfile.profiles.schedulerName of type string"
        ),
    ),
    "arguments of another plugin": (
        args("NodeAffinity", kind="NodeResourcesFitArgs"),
        (
            f"{A}.kind: args for plugin NodeAffinity were not of type NodeAffinityArgs.kubescheduler.config.k8s.io, "
            "got NodeResourcesFitArgs.kubescheduler.config.k8s.io"
        ),
    ),
    "another version": (
        {"apiVersion": "kubescheduler.config.k8s.io/v1beta3"},
        (
            'apiVersion: no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1beta3": '
            "use kubescheduler.config.k8s.io/v1"
        ),
    ),
}

VALIDATION = {
    "no parallelism": ({"parallelism": 0}, "parallelism: Invalid value: 0: should be an integer value greater than zero"),
    "a percentage over 100": (
        {"percentageOfNodesToScore": 101},
        "percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
    ),
    "a negative percentage of a profile": (
        {"profiles": [{"percentageOfNodesToScore": -1}]},
        "profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]",
    ),
    "no wait": ({"podInitialBackoffSeconds": 0}, "podInitialBackoffSeconds: Invalid value: 0: must be greater than 0"),
    "a longest wait shorter than the first": (
        {"podInitialBackoffSeconds": 5, "podMaxBackoffSeconds": 4},
        "podMaxBackoffSeconds: Invalid value: 4: must be greater than or equal to PodInitialBackoffSeconds",
    ),
    "a lock that is no lease": (
        {"leaderElection": {"leaderElect": True, "resourceLock": "endpoints"}},
        'leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"',
    ),
    "a profile without a name among two": (
        {"profiles": [{"schedulerName": "a"}, {}]},
        "profiles[1].schedulerName: Required value",
    ),
    "a name twice": (
        {"profiles": [{"schedulerName": "a"}, {"schedulerName": "a"}]},
        'profiles[1].schedulerName: Duplicate value: "profiles[0].schedulerName"',
    ),
    "a filter that does not exist": (
        plugins(filter={"enabled": [{"name": "Nope"}]}),
        f'{P}.filter.enabled[0].name: FilterPlugin "Nope" does not exist',
    ),
    "a plugin everywhere that does not exist": (
        plugins(multiPoint={"enabled": [{"name": "Nope"}]}),
        f'{P}.multiPoint.enabled[0].name: PreFilterPlugin "Nope" does not exist',
    ),
    "a plugin where it does not run": (
        plugins(score={"enabled": [{"name": "NodePorts"}]}),
        f'{P}.score.enabled[0].name: plugin "NodePorts" does not extend ScorePlugin plugin',
    ),
    "a plugin twice": (
        plugins(score={"enabled": [{"name": "ImageLocality"}, {"name": "ImageLocality"}]}),
        f'{P}.score.enabled[1].name: plugin "ImageLocality" already registered as "ScorePlugin"',
    ),
    "a plugin of long ago": (
        plugins(filter={"enabled": [{"name": "EBSLimits"}]}),
        (
            f'{P}.filter.enabled[0]: Invalid value: "EBSLimits": was invalid in version "kubescheduler.config.k8s.io/v1" '
            '(KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")'
        ),
    ),
    "no order of the queue": (
        plugins(queueSort={"disabled": [{"name": "*"}]}),
        f'{P}.queueSort: only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0',
    ),
    "nobody to bind": (
        plugins(bind={"disabled": [{"name": "DefaultBinder"}]}),
        f'{P}.bind: at least one bind plugin is needed for profile with scheduler name "default-scheduler"',
    ),
    "arguments twice": (
        {"profiles": [{"pluginConfig": [{"name": "NodeAffinity"}, {"name": "NodeAffinity"}]}]},
        'profiles[0].pluginConfig[1]: Duplicate value: "NodeAffinity"',
    ),
    "a strategy that does not exist": (
        strategy(type="Random"),
        f'{S}.type: Unsupported value: "Random": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
    ),
    "a heavy resource": (
        strategy(type="MostAllocated", resources=[{"name": "cpu", "weight": 101}]),
        f"{S}.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]",
    ),
    "a ratio without a shape": (
        strategy(type="RequestedToCapacityRatio"),
        f"{R}: Required value: must be specified when type is RequestedToCapacityRatio",
    ),
    "a shape where none belongs": (
        strategy(type="LeastAllocated", requestedToCapacityRatio={"shape": []}),
        f"{R}: Forbidden: must be nil when type is not RequestedToCapacityRatio",
    ),
    "an empty shape": (ratio(), f"{R}.shape: Required value: at least one point must be specified"),
    "a falling shape": (
        ratio((50, 0), (50, 1)),
        f"{R}.shape[1].utilization: Invalid value: 50: values must be sorted in increasing order",
    ),
    "a point past the end": (ratio((0, 0), (101, 5)), f"{R}.shape[1].utilization: Invalid value: 101: not in valid range [0, 100]"),
    "a score past ten": (ratio((0, 11)), f"{R}.shape[0].score: Invalid value: 11: not in valid range [0, 10]"),
    "a group with a slash": (
        args("NodeResourcesFit", ignoredResourceGroups=["example.com/gpu"]),
        f"{A}.ignoredResourceGroups[0]: Invalid value: \"example.com/gpu\": resource group name can't contain '/'",
    ),
    "a balance that is weighted": (
        args("NodeResourcesBalancedAllocation", resources=[{"name": "cpu", "weight": 2}]),
        f"{A}.resources[0].weight: Invalid value: 2: must be 1",
    ),
    "a balanced resource twice": (
        args("NodeResourcesBalancedAllocation", resources=[{"name": "cpu"}, {"name": "cpu"}]),
        f'{A}.resources[1].name: Duplicate value: "cpu"',
    ),
    "a hard weight past 100": (
        args("InterPodAffinity", hardPodAffinityWeight=101),
        f"{A}.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]",
    ),
    "an operator that does not exist": (
        added(expression("Near", "a")),
        f'{E}.operator: Unsupported value: "Near": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"',
    ),
    "one of nothing": (
        added(expression("In")),
        f"{E}.values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    ),
    "existence with a value": (
        added(expression("Exists", "a")),
        f'{E}.values: Invalid value: ["a"]: values set must be empty for exists and does not exist',
    ),
    "more than a word": (
        added(expression("Gt", "a")),
        f"{E}.values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value must be an integer",
    ),
    "two nodes at once": (
        added(matchFields=[{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]),
        f'{T}.matchFields[0].values: Invalid value: ["a", "b"]: must have one element',
    ),
    "candidates past all": (
        args("DefaultPreemption", minCandidateNodesPercentage=101),
        f"{A}.minCandidateNodesPercentage: Invalid value: 101: not in valid range [0, 100]",
    ),
    "candidates below none": (
        args("DefaultPreemption", minCandidateNodesAbsolute=-1),
        f"{A}.minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)",
    ),
    "default constraints beside the system's": (
        args("PodTopologySpread", defaultConstraints=[{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}]),
        f'{A}.defaultingType: Invalid value: "System": when .defaultConstraints are not empty',
    ),
    "an unknown defaulting": (
        args("PodTopologySpread", defaultingType="None"),
        f'{A}.defaultingType: Unsupported value: "None": supported values: "System", "List"',
    ),
    "a time that runs backwards": (
        args("VolumeBinding", bindTimeoutSeconds=-1),
        f"{A}.bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value",
    ),
    "a shape behind a gate": (
        args("VolumeBinding", shape=[]),
        f"{A}.shape: Invalid value: []: unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring",
    ),
    "an extender without a weight": (
        {"extenders": [{"urlPrefix": "http://e", "prioritizeVerb": "p"}]},
        "extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
    ),
    "two extenders that bind": (
        {"extenders": [{"urlPrefix": "http://e", "bindVerb": "b"}, {"urlPrefix": "http://f", "bindVerb": "b"}]},
        'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
    ),
    "a managed resource of Kubernetes itself": (
        {"extenders": [{"urlPrefix": "http://e", "managedResources": [{"name": "cpu"}]}]},
        'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
    ),
}


@pytest.mark.parametrize("case", DECODING)
def test_what_cannot_be_decoded_is_refused(case: str) -> None:
    config, problem = DECODING[case]
    assert problems(config) == [problem]


@pytest.mark.parametrize("case", VALIDATION)
def test_what_is_not_valid_is_refused(case: str) -> None:
    config, problem = VALIDATION[case]
    assert problems(config) == [problem]


def test_every_problem_is_told_at_once() -> None:
    found = problems({"percentageOfNodesToScore": 200, "podInitialBackoffSeconds": -1, **strategy(type="Random")})
    assert [problem.partition(":")[0] for problem in found] == [f"{S}.type", "percentageOfNodesToScore", "podInitialBackoffSeconds"]


def test_no_candidates_at_all_are_refused_on_both_sides() -> None:
    found = problems(args("DefaultPreemption", minCandidateNodesPercentage=0, minCandidateNodesAbsolute=0))
    assert found == [
        f"{A}.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute",
        f"{A}.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage",
    ]


def test_default_constraints_are_held_to_what_a_pods_are() -> None:
    twice = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    wrong = [{"maxSkew": 0, "labelSelector": {}}, twice, twice, {**twice, "whenUnsatisfiable": "Never"}]
    here = f"{A}.defaultConstraints"
    assert problems(args("PodTopologySpread", defaultingType="List", defaultConstraints=wrong)) == [
        f"{here}[0].maxSkew: Invalid value: 0: not in valid range (0, inf)",
        f"{here}[0].topologyKey: Required value: can not be empty",
        f"{here}[0].whenUnsatisfiable: Required value: can not be empty",
        f"{here}[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod",
        f'{here}[2]: Duplicate value: "{{zone, DoNotSchedule}}"',
        f'{here}[3].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"',
    ]


def test_the_queue_is_sorted_alike_in_all_profiles() -> None:
    own = {"schedulerName": "b", "plugins": {"queueSort": {"enabled": [{"name": "PrioritySort"}]}}}
    (problem,) = problems({"profiles": [{"schedulerName": "a"}, own]})
    assert problem.startswith("profiles[1].plugins.queueSort: Invalid value: ")
    assert problem.endswith(": must be the same for all profiles")


def test_what_is_not_modelled_is_told_and_taken() -> None:
    enabled = {"multiPoint": {"enabled": [{"name": "DynamicResources"}]}}
    configuration = profiles_of({"profiles": [{"plugins": enabled, "pluginConfig": [{"name": "Mine", "args": {"any": 1}}]}]})
    assert [f"{warning.path}: {warning.message}" for warning in configuration.warnings] == [
        "profiles[0].pluginConfig[0]: Mine is not a plugin of kube-scheduler: its arguments are ignored",
        "profiles[0].plugins.multiPoint.enabled[0]: DynamicResources is accepted but not modelled",
    ]


def test_paths_begin_with_the_prefix() -> None:
    with pytest.raises(InvalidInputError, match=r"^config\.parallelism: Invalid value: -1"):
        profiles_of({"parallelism": -1}, prefix="config")
