"""The fields of a KubeSchedulerConfiguration and their types, and a strict reading of a document by them.

The one rule: decoding comes before validation, as in kube-scheduler; whoever validates may trust every type.
Mirrors kube-scheduler/config/v1/types.go and types_pluginargs.go at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.findings import Findings, Path, keys_of
from scheduler_core.configuration.field_errors import SHOWN
from scheduler_core.plugins.registry import POINTS

_RANGES: Final = {"int32": 2**31, "int64": 2**63, "float32": 2**127}


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct of upstream: its name, and the type of each field."""

    name: str
    fields: Fields


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one type."""

    item: Type


Type = str | Struct | ListOf
Fields = Mapping[str, Type]
"""A type: ``string``, ``bool``, ``int32``, ``int64``, ``float32``, ``duration``, or ``any`` for what is read later or never."""

_META: Final[Fields] = {"apiVersion": "string", "kind": "string"}
_STRINGS: Final = ListOf("string")
_PLUGIN: Final = Struct("Plugin", {"name": "string", "weight": "int32"})
_PLUGIN_SET: Final = Struct("PluginSet", {"enabled": ListOf(_PLUGIN), "disabled": ListOf(_PLUGIN)})
_PROFILE: Final = Struct(
    "KubeSchedulerProfile",
    {
        "schedulerName": "string",
        "percentageOfNodesToScore": "int32",
        "plugins": Struct("Plugins", dict.fromkeys((*POINTS, "multiPoint"), _PLUGIN_SET)),
        "pluginConfig": ListOf(Struct("PluginConfig", {"name": "string", "args": "any"})),
    },
)
_TLS: Final = Struct(
    "ExtenderTLSConfig",
    {"insecure": "bool"} | dict.fromkeys(("serverName", "certFile", "keyFile", "caFile", "certData", "keyData", "caData"), "string"),
)
_EXTENDER: Final = Struct(
    "Extender",
    {
        "urlPrefix": "string",
        "filterVerb": "string",
        "preemptVerb": "string",
        "prioritizeVerb": "string",
        "bindVerb": "string",
        "weight": "int64",
        "enableHTTPS": "bool",
        "tlsConfig": _TLS,
        "httpTimeout": "duration",
        "nodeCacheCapable": "bool",
        "managedResources": ListOf(Struct("ExtenderManagedResource", {"name": "string", "ignoredByScheduler": "bool"})),
        "ignorable": "bool",
    },
)
_LEADER_ELECTION: Final = Struct(
    "LeaderElectionConfiguration",
    {
        "leaderElect": "bool",
        "leaseDuration": "duration",
        "renewDeadline": "duration",
        "retryPeriod": "duration",
        "resourceLock": "string",
        "resourceName": "string",
        "resourceNamespace": "string",
    },
)
_CLIENT: Final = Struct(
    "ClientConnectionConfiguration",
    {"kubeconfig": "string", "acceptContentTypes": "string", "contentType": "string", "qps": "float32", "burst": "int32"},
)
CONFIGURATION: Final = Struct(
    "KubeSchedulerConfiguration",
    {
        **_META,
        "parallelism": "int32",
        "leaderElection": _LEADER_ELECTION,
        "clientConnection": _CLIENT,
        "enableProfiling": "bool",
        "enableContentionProfiling": "bool",
        "percentageOfNodesToScore": "int32",
        "podInitialBackoffSeconds": "int64",
        "podMaxBackoffSeconds": "int64",
        "profiles": ListOf(_PROFILE),
        "extenders": ListOf(_EXTENDER),
        "delayCacheUntilActive": "bool",
    },
)

_RESOURCES: Final = ListOf(Struct("ResourceSpec", {"name": "string", "weight": "int64"}))
_SHAPE: Final = ListOf(Struct("UtilizationShapePoint", {"utilization": "int32", "score": "int32"}))
_STRATEGY: Final = Struct(
    "ScoringStrategy",
    {
        "type": "string",
        "resources": _RESOURCES,
        "requestedToCapacityRatio": Struct("RequestedToCapacityRatioParam", {"shape": _SHAPE}),
    },
)
_REQUIREMENTS: Final = ListOf(Struct("NodeSelectorRequirement", {"key": "string", "operator": "string", "values": _STRINGS}))
_TERM: Final = Struct("NodeSelectorTerm", {"matchExpressions": _REQUIREMENTS, "matchFields": _REQUIREMENTS})
_AFFINITY: Final = Struct(
    "NodeAffinity",
    {
        "requiredDuringSchedulingIgnoredDuringExecution": Struct("NodeSelector", {"nodeSelectorTerms": ListOf(_TERM)}),
        "preferredDuringSchedulingIgnoredDuringExecution": ListOf(
            Struct("PreferredSchedulingTerm", {"weight": "int32", "preference": _TERM})
        ),
    },
)
_CONSTRAINT: Final = Struct(
    "TopologySpreadConstraint",
    {
        "maxSkew": "int32",
        "topologyKey": "string",
        "whenUnsatisfiable": "string",
        "labelSelector": "any",
        "minDomains": "int32",
        "nodeAffinityPolicy": "string",
        "nodeTaintsPolicy": "string",
        "matchLabelKeys": _STRINGS,
    },
)
_ARGS: Final[Mapping[str, Fields]] = {
    "DefaultPreemption": {"minCandidateNodesPercentage": "int32", "minCandidateNodesAbsolute": "int32"},
    "DynamicResources": {"filterTimeout": "duration"},
    "InterPodAffinity": {"hardPodAffinityWeight": "int32", "ignorePreferredTermsOfExistingPods": "bool"},
    "NodeAffinity": {"addedAffinity": _AFFINITY},
    "NodeResourcesBalancedAllocation": {"resources": _RESOURCES},
    "NodeResourcesFit": {"ignoredResources": _STRINGS, "ignoredResourceGroups": _STRINGS, "scoringStrategy": _STRATEGY},
    "PodTopologySpread": {"defaultConstraints": ListOf(_CONSTRAINT), "defaultingType": "string"},
    "VolumeBinding": {"bindTimeoutSeconds": "int64", "shape": _SHAPE},
}
PLUGIN_ARGS: Final[Mapping[str, Struct]] = {name: Struct(f"{name}Args", {**_META, **fields}) for name, fields in _ARGS.items()}
"""The arguments of the plugins that take any, by plugin; arguments of other plugins are never read."""


class Decoder:
    """Reads documents by their types into one collection of findings."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._depth = 0

    def decode(self, value: Any, struct: Struct, path: Path | None) -> dict[str, Any]:
        """The known fields of the document that are not null, each of its type; everything else is a finding."""
        self._depth = len(keys_of(path))
        result = self._struct(value, struct, path, struct.name)
        return result if isinstance(result, dict) else {}

    def _struct(self, value: Any, struct: Struct, path: Path | None, owner: str) -> Any:
        if type(value) is not dict:
            return self._wrong(value, f"v1.{struct.name}", path, owner)
        result = {}
        for key, item in value.items():
            here = (path, key)
            if key not in struct.fields:
                self._findings.problem(here, f'strict decoding error: unknown field "{_dotted(here, self._depth)[:SHOWN]}"')
                continue
            decoded = None if item is None else self._value(item, struct.fields[key], here, struct.name)
            if decoded is not None:
                result[key] = decoded
        return result

    def _value(self, value: Any, wanted: Type, path: Path, owner: str) -> Any:
        if isinstance(wanted, Struct):
            return self._struct(value, wanted, path, owner)
        if isinstance(wanted, ListOf):
            if type(value) is not list:
                return self._wrong(value, f"[]{_go_type(wanted.item)}", path, owner)
            return [self._item(item, wanted.item, (path, index), owner) for index, item in enumerate(value)]
        return self._scalar(value, wanted, path, owner)

    def _item(self, value: Any, wanted: Type, path: Path, owner: str) -> Any:
        """One of a list, where null is the empty value."""
        if value is None and wanted != "any":
            value = {} if isinstance(wanted, Struct) else ""
        return self._value(value, wanted, path, owner)

    def _scalar(self, value: Any, wanted: str, path: Path, owner: str) -> Any:
        if wanted == "any":
            return value
        if wanted in _RANGES:
            return self._number(value, wanted, path, owner)
        if wanted == "bool":
            return value if type(value) is bool else self._wrong(value, "bool", path, owner)
        return value if type(value) is str else self._wrong(value, "string", path, owner)

    def _number(self, value: Any, wanted: str, path: Path, owner: str) -> Any:
        if type(value) is float and wanted != "float32" and value.is_integer():
            value = int(value)
        right = type(value) is int or (type(value) is float and wanted == "float32")
        if right and -_RANGES[wanted] <= value < _RANGES[wanted]:
            return value
        return self._wrong(value, wanted, path, owner, shown=f" {value}"[:SHOWN] if type(value) in (int, float) else "")

    def _wrong(self, value: Any, wanted: str, path: Path | None, owner: str, *, shown: str = "") -> None:
        where = ".".join(str(key) for key in keys_of(path)[self._depth :] if isinstance(key, str))
        field = f"Go struct field {owner}.{where}" if where else "Go value"
        self._findings.problem(path, f"json: cannot unmarshal {_json_type(value)}{shown} into {field} of type {wanted}")


def _json_type(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def _go_type(wanted: Type) -> str:
    if isinstance(wanted, Struct):
        return f"v1.{wanted.name}"
    return f"[]{_go_type(wanted.item)}" if isinstance(wanted, ListOf) else wanted


def _dotted(path: Path, depth: int) -> str:
    parts = [f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys_of(path)[depth:]]
    return "".join(parts).removeprefix(".")
