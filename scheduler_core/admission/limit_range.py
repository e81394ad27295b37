"""The LimitRanger admission plugin: defaults for containers, and the least and the most that they may ask for.

The one rule: defaults first, from every range in the order of names, then every constraint; a pod that breaks one would not have
been created, so that is a problem of the input. Mirrors plugin/pkg/admission/limitranger and SetDefaults_LimitRangeItem at 1.34.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.objects import KubeObject, Other, Pod, Resources
from scheduler_core.api.parse import Parser
from scheduler_core.api.quantity import amount_text
from scheduler_core.api.resources import limits_of, requests_of

KIND: Final = "LimitRange"
PER_CONTAINER: Final = "Container"
PER_POD: Final = "Pod"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRangeItem:
    """One entry of spec.limits; defaults are as written, since they go into manifests."""

    type: str
    least: Resources = field(default_factory=dict)
    most: Resources = field(default_factory=dict)
    most_per_request: Resources = field(default_factory=dict)
    default_limits: Mapping[str, Value] = field(default_factory=dict)
    default_requests: Mapping[str, Value] = field(default_factory=dict)


class LimitRanges:
    """The limit ranges of a cluster, by namespace."""

    def __init__(self, objects: Iterable[tuple[KubeObject, Path | None]], findings: Findings) -> None:
        self.findings = findings
        self._items: dict[str, list[LimitRangeItem]] = {}
        ranges = [(value, place) for value, place in objects if type(value) is Other and value.kind == KIND]
        for value, place in sorted(ranges, key=lambda pair: pair[0].name):
            self._items.setdefault(value.namespace, []).extend(read_items(Fields(findings), value.manifest, place))

    def admit(self, pod: Pod, path: Path | None) -> Pod:
        """The pod with the defaults of its namespace; constraints that it breaks are among the findings."""
        items = self._items.get(pod.namespace)
        if not items:
            return pod
        with_defaults = _with_defaults(pod, items)
        for item in items:
            for message in _broken(item, with_defaults):
                self.findings.problem((path, "spec"), f"forbidden: {message}")
        return with_defaults


def read_items(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> Iterator[LimitRangeItem]:
    """The entries of a LimitRange, with the defaults that the API server fills in for containers."""
    spec = fields.mapping(manifest.get("spec"), (path, "spec"))
    for raw, here in fields.maps(spec.get("limits"), ((path, "spec"), "limits")):
        maps = {
            key: fields.mapping(raw.get(key), (here, key)) for key in ("min", "max", "default", "defaultRequest", "maxLimitRequestRatio")
        }
        amounts = {key: fields.amounts(value, (here, key)) for key, value in maps.items()}
        limits = {**maps["max"], **maps["default"]}
        yield LimitRangeItem(
            type=fields.required_text(raw, "type", here),
            least=amounts["min"],
            most=amounts["max"],
            most_per_request=amounts["maxLimitRequestRatio"],
            default_limits=limits,
            default_requests={**maps["min"], **limits, **maps["defaultRequest"]},
        )


def _with_defaults(pod: Pod, items: list[LimitRangeItem]) -> Pod:
    spec = dict(pod.manifest["spec"])
    for key in ("containers", "initContainers"):
        if spec.get(key):
            spec[key] = [_container_with_defaults(container, items) for container in spec[key]]
    if spec == pod.manifest["spec"]:
        return pod
    changed = Parser(Findings(strict=False)).read({**pod.manifest, "spec": spec}, None)
    return changed if isinstance(changed, Pod) else pod


def _container_with_defaults(container: Mapping[str, Any], items: list[LimitRangeItem]) -> dict[str, Any]:
    resources = dict(container.get("resources") or {})
    limits, requests = dict(resources.get("limits") or {}), dict(resources.get("requests") or {})
    # The API server has made limits without requests into requests before admission sees them.
    requests = {**limits, **requests}
    for item in items:
        if item.type == PER_CONTAINER:
            limits = {**item.default_limits, **limits}
            requests = {**item.default_requests, **requests}
    return {**container, "resources": {**resources, "limits": limits, "requests": requests}} if limits or requests else dict(container)


def _broken(item: LimitRangeItem, pod: Pod) -> Iterator[str]:
    if item.type == PER_CONTAINER:
        for container in (*pod.containers, *pod.init_containers):
            yield from _constraints(item, container.requests, container.limits)
    elif item.type == PER_POD:
        yield from _constraints(item, requests_of(_bare(pod)), limits_of(_bare(pod)))


def _bare(pod: Pod) -> Pod:
    """The pod's containers alone: overhead and requests of the whole pod take no part."""
    return Pod(name=pod.name, containers=pod.containers, init_containers=pod.init_containers)


def _constraints(item: LimitRangeItem, requests: Resources, limits: Resources) -> Iterator[str]:
    for name, least in sorted(item.least.items()):
        head = f"minimum {name} usage per {item.type} is {amount_text(name, least)}"
        if name not in requests:
            yield f"{head}.  No request is specified"
        elif requests[name] < least:
            yield f"{head}, but request is {amount_text(name, requests[name])}"
        elif name in limits and limits[name] < least:
            yield f"{head}, but limit is {amount_text(name, limits[name])}"
    for name, most in sorted(item.most.items()):
        head = f"maximum {name} usage per {item.type} is {amount_text(name, most)}"
        if name not in limits:
            yield f"{head}.  No limit is specified"
        elif limits[name] > most:
            yield f"{head}, but limit is {amount_text(name, limits[name])}"
        elif requests.get(name, 0) > most:
            yield f"{head}, but request is {amount_text(name, requests[name])}"
    for name, most in sorted(item.most_per_request.items()):
        yield from _ratio(item, name, most, requests.get(name, 0), limits.get(name, 0))


def _ratio(item: LimitRangeItem, name: str, most: int, request: int, limit: int) -> Iterator[str]:
    head = f"{name} max limit to request ratio per {item.type} is {amount_text(name, most)}"
    if not request:
        yield f"{head}, but no request is specified or request is 0"
    elif not limit:
        yield f"{head}, but no limit is specified or limit is 0"
    elif limit * (1000 if name == "cpu" else 1) > most * request:
        yield f"{head}, but provided ratio is {limit / request:.6f}"
