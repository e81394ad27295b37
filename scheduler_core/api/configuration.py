"""KubeSchedulerConfiguration and extenders: that every field has the type and range it must have.

The one rule: a configuration is kept as written; the shapes here only promise its readers that no field surprises them. A shape is
data: a type, a list of one shape, a map of known keys, or a range of integers. Mirrors kubescheduler.config.k8s.io/v1 and
pkg/scheduler/apis/config/validation at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.fields import Fields, Value, found
from scheduler_core.api.findings import Path

KIND: Final = "KubeSchedulerConfiguration"
VERSIONS: Final = ("kubescheduler.config.k8s.io/v1", "kubescheduler.config.k8s.io/v1beta3")
DEFAULT_SCHEDULER: Final = "default-scheduler"


@dataclass(frozen=True, slots=True)
class Between:
    """An integer within bounds, both included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map from any text to values of one shape."""

    shape: Any


ANYTHING: Final = object()
COUNT: Final = Between(0, 2**31 - 1)
WEIGHT: Final = Between(0, 2**31 - 1)
PERCENT: Final = Between(0, 100)
PLUGINS: Final = {"name": str, "weight": WEIGHT}
PLUGIN_SET: Final = {"enabled": [PLUGINS], "disabled": [PLUGINS]}
EXTENSION_POINTS: Final = (
    "multiPoint",
    "preEnqueue",
    "queueSort",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
)
RESOURCES: Final = [{"name": str, "weight": Between(0, 100)}]
SHAPE: Final = [{"utilization": PERCENT, "score": Between(0, 10)}]
TYPED: Final = {"apiVersion": str, "kind": str}
ARGS: Final[Mapping[str, Any]] = {
    "DefaultPreemption": {**TYPED, "minCandidateNodesPercentage": PERCENT, "minCandidateNodesAbsolute": COUNT},
    "InterPodAffinity": {**TYPED, "hardPodAffinityWeight": PERCENT, "ignorePreferredTermsOfExistingPods": bool},
    "NodeAffinity": {**TYPED, "addedAffinity": ANYTHING},
    "NodeResourcesBalancedAllocation": {**TYPED, "resources": RESOURCES},
    "NodeResourcesFit": {
        **TYPED,
        "ignoredResources": [str],
        "ignoredResourceGroups": [str],
        "scoringStrategy": {"type": str, "resources": RESOURCES, "requestedToCapacityRatio": {"shape": SHAPE}},
    },
    "PodTopologySpread": {
        **TYPED,
        "defaultingType": str,
        "defaultConstraints": [
            {"maxSkew": Between(1, 2**31 - 1), "topologyKey": str, "whenUnsatisfiable": str, "minDomains": COUNT, "labelSelector": ANYTHING}
        ],
    },
    "VolumeBinding": {**TYPED, "bindTimeoutSeconds": COUNT, "shape": SHAPE},
}
CONFIGURATION: Final = {
    **TYPED,
    "parallelism": Between(1, 2**31 - 1),
    "percentageOfNodesToScore": PERCENT,
    "podInitialBackoffSeconds": Between(1, 10**6),
    "podMaxBackoffSeconds": Between(1, 10**6),
    "delayCacheUntilActive": bool,
    "leaderElection": ANYTHING,
    "clientConnection": ANYTHING,
    "enableProfiling": bool,
    "enableContentionProfiling": bool,
    "profiles": [
        {
            "schedulerName": str,
            "percentageOfNodesToScore": PERCENT,
            "plugins": dict.fromkeys(EXTENSION_POINTS, PLUGIN_SET),
            "pluginConfig": [{"name": str, "args": MapOf(ANYTHING)}],
        }
    ],
    "extenders": [MapOf(ANYTHING)],
}
EXTENDER: Final = {
    "name": str,
    "nodeCacheCapable": bool,
    "ignorable": bool,
    "weight": WEIGHT,
    "filter": {"failed": MapOf(str), "failedAndUnresolvable": MapOf(str), "error": str},
    "prioritize": MapOf(Between(-(2**31), 2**31 - 1)),
    "preempt": {"drop": [str], "empty": [str], "status": Between(0, 599)},
}


def read_configuration(fields: Fields, value: Value, path: Path | None) -> Mapping[str, Any]:
    """The configuration as written, once it has been checked."""
    config = fields.mapping(value, path)
    if config.get("kind") not in (None, KIND):
        fields.problem((path, "kind"), f"must be {KIND}, not {found(config['kind'])}")
    if config.get("apiVersion") not in (None, *VERSIONS):
        fields.findings.warn((path, "apiVersion"), f"{str(config['apiVersion'])[:80]!r} is not known: read as {VERSIONS[0]}")
    check_shape(fields, config, CONFIGURATION, path)
    if config.get("extenders"):
        fields.findings.warn(
            (path, "extenders"), "extenders are not called over the network: give their answers under the scenario's extenders"
        )
    profiles_at = (path, "profiles")
    names = set()
    for profile, here in _maps(config.get("profiles"), profiles_at):
        name = profile.get("schedulerName") or DEFAULT_SCHEDULER
        if isinstance(name, str) and name in names:
            fields.problem((here, "schedulerName"), f"repeats the profile {name[:80]!r}")
        names.add(str(name))
        _check_plugin_config(fields, profile.get("pluginConfig"), (here, "pluginConfig"))
    return config


def read_extenders(fields: Fields, value: Value, path: Path | None) -> tuple[Mapping[str, Any], ...]:
    """Extenders with their canned answers, as written, once they have been checked."""
    extenders = []
    names = set()
    for item, here in fields.maps(value, path):
        check_shape(fields, item, EXTENDER, here)
        name = fields.required_text(item, "name", here)
        if name in names:
            fields.problem((here, "name"), f"repeats the extender {name[:80]!r}")
        names.add(name)
        extenders.append(item)
    return tuple(extenders)


def profile_names(config: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The names by which pods choose a profile of a configuration that has been checked."""
    profiles = (config or {}).get("profiles") or [{}]
    return tuple(profile.get("schedulerName") or DEFAULT_SCHEDULER for profile in profiles if isinstance(profile, dict))


def check_shape(fields: Fields, value: Value, shape: Any, path: Path | None) -> None:
    """Report whatever in a value does not have the shape; null and absent are always right."""
    if value is None or shape is ANYTHING:
        return
    if isinstance(shape, dict):
        _check_map(fields, value, shape, path)
    elif isinstance(shape, list):
        for index, item in enumerate(fields.items(value, path)):
            _check_item(fields, item, shape[0], (path, index))
    elif isinstance(shape, MapOf):
        for key, item in fields.mapping(value, path).items():
            _check_item(fields, item, shape.shape, (path, key))
    elif isinstance(shape, Between):
        _check_between(fields, value, shape, path)
    elif type(value) is not shape:
        fields.problem(path, f"must be {'text' if shape is str else 'true or false'}, not {found(value)}")


def _check_item(fields: Fields, item: Value, shape: Any, path: Path) -> None:
    if item is None and shape is not ANYTHING:
        fields.problem(path, "must not be null")
    check_shape(fields, item, shape, path)


def _check_map(fields: Fields, value: Value, shape: Mapping[str, Any], path: Path | None) -> None:
    for key, item in fields.mapping(value, path).items():
        if key in shape:
            check_shape(fields, item, shape[key], (path, key))
        else:
            fields.findings.warn((path, key), f"unknown field {key[:80]!r}: ignored")


def _check_between(fields: Fields, value: Value, shape: Between, path: Path | None) -> None:
    if type(value) is not int:
        fields.problem(path, f"must be a whole number, not {found(value)}")
    elif not shape.low <= value <= shape.high:
        shown = value if abs(value) < 10**40 else "the number"
        fields.problem(path, f"{shown} is out of range: must be {shape.low} to {shape.high}")


def _check_plugin_config(fields: Fields, value: Value, path: Path) -> None:
    for item, here in _maps(value, path):
        name = item.get("name")
        if isinstance(name, str) and name in ARGS:
            check_shape(fields, item.get("args"), ARGS[name], (here, "args"))


def _maps(value: Value, path: Path) -> list[tuple[dict[str, Any], Path]]:
    """The maps of a list whose shape has been checked already."""
    return [(item, (path, index)) for index, item in enumerate(value) if type(item) is dict] if type(value) is list else []
