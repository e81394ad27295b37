"""The ResourceQuota admission plugin: what a namespace may ask for altogether.

The one rule: what is used is counted from the pods that are there, not from the quota's status, so the sum is always that of the
scenario. Scopes other than those of priority classes and quality of service are not modelled and said to be so.
Mirrors k8s.io/apiserver/pkg/admission/plugin/resourcequota and pkg/quota/v1/evaluator/core/pods.go at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.objects import KubeObject, Other, Pod
from scheduler_core.api.quantity import amount_text
from scheduler_core.api.resources import limits_of, qos_class, requests_of

KIND: Final = "ResourceQuota"
FINISHED: Final = ("Succeeded", "Failed")
SHORT: Final = {"cpu": "requests.cpu", "memory": "requests.memory", "ephemeral-storage": "requests.ephemeral-storage"}
"""Names of old for requests."""
PODS: Final = ("pods", "count/pods")
SCOPES: Final = ("BestEffort", "NotBestEffort", "PriorityClass")


@dataclass(slots=True, kw_only=True)
class Quota:
    """One quota with what is used of it; the only thing here that changes."""

    name: str
    hard: Mapping[str, int]
    scopes: tuple[str, ...]
    selectors: tuple[tuple[str, str, tuple[str, ...]], ...]
    used: dict[str, int]

    def covers(self, pod: Pod) -> bool:
        """Whether the pod is in all scopes of the quota."""
        wanted = (*((scope, "Exists", ()) for scope in self.scopes), *self.selectors)
        return all(_in_scope(scope, operator, values, pod) for scope, operator, values in wanted)


class Quotas:
    """The quotas of a cluster, by namespace, and how much of them is used."""

    def __init__(self, objects: Sequence[tuple[KubeObject, Path | None]], findings: Findings) -> None:
        self.findings = findings
        self._quotas: dict[str, list[Quota]] = {}
        for value, place in objects:
            if type(value) is Other and value.kind == KIND:
                self._quotas.setdefault(value.namespace, []).append(_read(Fields(findings), value, place))
        for value, _ in objects if self._quotas else ():
            if type(value) is Pod and (value.uid or value.creation_timestamp is not None or value.node_name):
                self._count(value)

    def admit(self, pod: Pod, path: Path | None) -> None:
        """Count the pod; what it exceeds is among the findings, in the words of the API server."""
        for quota in self._quotas.get(pod.namespace, ()):
            if not quota.covers(pod):
                continue
            usage = usage_of(pod)
            missing = [f"{name} for: {','.join(names)}" for name in sorted(quota.hard) if (names := _silent_on(name, pod))]
            if missing:
                self.findings.problem((path, "spec"), f"forbidden: failed quota: {quota.name}: must specify {'; '.join(missing)}")
                return
            over = [name for name in sorted(quota.hard) if usage.get(name, 0) and quota.used.get(name, 0) + usage[name] > quota.hard[name]]
            if over:
                parts = (_listed(over, usage), _listed(over, quota.used), _listed(over, quota.hard))
                text = "forbidden: exceeded quota: {}, requested: {}, used: {}, limited: {}"
                self.findings.problem((path, "spec"), text.format(quota.name, *parts))
                return
        self._count(pod)

    def _count(self, pod: Pod) -> None:
        if pod.phase in FINISHED:
            return
        for quota in self._quotas.get(pod.namespace, ()):
            if quota.covers(pod):
                for name, amount in usage_of(pod).items():
                    if name in quota.hard:
                        quota.used[name] = quota.used.get(name, 0) + amount


def usage_of(pod: Pod) -> dict[str, int]:
    """What a pod uses of quotas, by every name that a quota may give it."""
    usage = dict.fromkeys(PODS, 1)
    for name, amount in requests_of(pod).items():
        usage[f"requests.{name}"] = amount
        if name in SHORT or name.startswith("hugepages-"):
            usage[name] = amount
    usage.update((f"limits.{name}", amount) for name, amount in limits_of(pod).items())
    return usage


def _silent_on(name: str, pod: Pod) -> list[str]:
    """The containers that must ask for CPU or memory because of a quota by that name, and do not."""
    resource = _resource(name)
    if resource not in ("cpu", "memory") or resource in (pod.pod_requests or {}):
        return []
    containers = (*pod.containers, *pod.init_containers)
    return sorted(
        container.name
        for container in containers
        if resource not in (container.limits if name.startswith("limits.") else container.requests)
    )


def _read(fields: Fields, value: Other, path: Path | None) -> Quota:
    at, spec = (path, "spec"), fields.mapping(value.manifest.get("spec"), (path, "spec"))
    given = fields.mapping(spec.get("hard"), (at, "hard"))
    hard = {name: fields.amount(_resource(name), amount, ((at, "hard"), name)) for name, amount in given.items()}
    scopes = fields.strings(spec.get("scopes"), (at, "scopes"))
    selector_at, selector = (at, "scopeSelector"), fields.mapping(spec.get("scopeSelector"), (at, "scopeSelector"))
    selectors = tuple(
        (fields.text(item, "scopeName", here), fields.text(item, "operator", here), fields.strings(item.get("values"), (here, "values")))
        for item, here in fields.maps(selector.get("matchExpressions"), (selector_at, "matchExpressions"))
    )
    for scope in (*scopes, *(name for name, _, _ in selectors)):
        if scope not in SCOPES:
            fields.findings.warn(at, f"the scope {scope[:80]!r} is not modelled: the quota counts nothing")
    return Quota(name=value.name, hard=hard, scopes=scopes, selectors=selectors, used={})


def _in_scope(scope: str, operator: str, values: tuple[str, ...], pod: Pod) -> bool:
    if scope in ("BestEffort", "NotBestEffort"):
        return (qos_class(pod) == "BestEffort") is (scope == "BestEffort")
    if scope != "PriorityClass":
        return False
    name = pod.priority_class_name
    match operator:
        case "In":
            return name in values
        case "NotIn":
            return name not in values
        case "DoesNotExist":
            return not name
    return bool(name)


def _resource(name: str) -> str:
    return name.removeprefix("requests.").removeprefix("limits.")


def _listed(names: list[str], amounts: Mapping[str, Value]) -> str:
    return ",".join(f"{name}={amount_text(_resource(name), amounts.get(name, 0))}" for name in names)
