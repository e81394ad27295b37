"""Namespaces, disruption budgets, priority classes and workloads.

The one rule: these decide by few fields, so each is one function that reads just those and keeps the manifest. Mirrors
pkg/apis/policy/validation and pkg/apis/scheduling/validation at 1.34.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from scheduler_core.api.constraints import Constraints
from scheduler_core.api.fields import Fields, Value, found
from scheduler_core.api.findings import Path
from scheduler_core.api.metadata import Meta, read_meta
from scheduler_core.api.names import label_error, path_segment_error, subdomain_error
from scheduler_core.api.objects import LabelSelector, Namespace, PodDisruptionBudget, PriorityClass, Workload

HIGHEST_USER_PRIORITY: Final = 1_000_000_000
SYSTEM_CLASSES: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
POLICIES: Final = ("PreemptLowerPriority", "Never")
SERVICE_LIKE: Final = ("Service", "ReplicationController")

_PERCENT: Final = re.compile(r"[0-9]{1,9}%")


def stored(manifest: Mapping[str, Value], meta: Meta, *keys: str) -> dict[str, Any]:
    """The manifest that is kept: type, metadata without noise, and the fields named."""
    kept: dict[str, Any] = {"apiVersion": manifest.get("apiVersion"), "kind": manifest.get("kind"), "metadata": meta.manifest}
    kept.update((key, manifest[key]) for key in keys if manifest.get(key) is not None)
    return kept


def read_namespace(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> Namespace:
    """core/v1 Namespace; the label of its name is there, as the API server sets it."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=label_error)
    labels = {**meta.labels, "kubernetes.io/metadata.name": meta.name}
    return Namespace(name=meta.name, labels=labels, manifest=stored(manifest, meta))


def read_budget(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> PodDisruptionBudget:
    """policy/v1 PodDisruptionBudget."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=True, name_error=subdomain_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    status_at, status = (path, "status"), fields.mapping(manifest.get("status"), (path, "status"))
    before = fields.findings.problem_count
    selector = Constraints(fields).label_selector(spec.get("selector"), (at, "selector"))
    if manifest.get("apiVersion") == "policy/v1beta1" and selector == LabelSelector():
        selector = None  # an empty selector selected nothing in that version
    selector_error = "the selector is invalid" if fields.findings.problem_count > before else ""
    minimum = _int_or_percent(fields, spec, "minAvailable", at)
    maximum = _int_or_percent(fields, spec, "maxUnavailable", at)
    if minimum is not None and maximum is not None:
        fields.invalid(at, "minAvailable and maxUnavailable are mutually exclusive: set one of them")
    disrupted = fields.mapping(status.get("disruptedPods"), (status_at, "disruptedPods"))
    return PodDisruptionBudget(
        name=meta.name,
        namespace=meta.namespace,
        labels=meta.labels,
        selector=selector,
        selector_error=selector_error,
        min_available=minimum,
        max_unavailable=maximum,
        disruptions_allowed=fields.integer(status, "disruptionsAllowed", status_at, low=0),
        disrupted_pods=tuple(disrupted),
        manifest=stored(manifest, meta, "spec", "status"),
    )


def _int_or_percent(fields: Fields, owner: Mapping[str, Value], key: str, path: Path) -> int | str | None:
    value = owner.get(key)
    if type(value) is not str:
        return fields.integer(owner, key, path, low=0)
    if not _PERCENT.fullmatch(value):
        fields.invalid((path, key), f"{value[:40]!r} is neither a number nor a percentage such as 50%")
    elif int(value[:-1]) > 100:
        fields.invalid((path, key), f"{value!r} is more than 100%")
    return value


def read_priority_class(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> PriorityClass:
    """scheduling/v1 PriorityClass; names beginning with ``system-`` are reserved."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
    value = fields.integer(manifest, "value", path)
    if manifest.get("value") is None:
        value = 0  # the API server's default for a missing integer
    policy = manifest.get("preemptionPolicy")
    if value is not None:
        _check_class_value(fields, meta.name, value, path)
    return PriorityClass(
        name=meta.name,
        value=value or 0,
        global_default=fields.boolean(manifest, "globalDefault", path),
        preemption_policy=fields.choice(manifest, "preemptionPolicy", path, POLICIES, POLICIES[0]) if policy else POLICIES[0],
        manifest=stored(manifest, meta, "value", "globalDefault", "preemptionPolicy", "description"),
    )


def _check_class_value(fields: Fields, name: str, value: int, path: Path | None) -> None:
    if name in SYSTEM_CLASSES:
        if value != SYSTEM_CLASSES[name]:
            fields.invalid((path, "value"), f"must be {SYSTEM_CLASSES[name]}: {name} belongs to the system")
    elif name.startswith("system-"):
        fields.invalid(((path, "metadata"), "name"), "priority class names with the prefix 'system-' are reserved for the system")
    elif value > HIGHEST_USER_PRIORITY:
        fields.invalid((path, "value"), f"maximum allowed value of a user defined priority is {HIGHEST_USER_PRIORITY}")


def read_workload(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> Workload:
    """A controller or a Service: its selector and how many pods it wants."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=True, name_error=path_segment_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    kind = str(manifest.get("kind"))
    return Workload(
        kind=kind,
        name=meta.name,
        namespace=meta.namespace,
        uid=meta.uid,
        labels=meta.labels,
        selector=_workload_selector(fields, kind, spec.get("selector"), (at, "selector")),
        replicas=_replicas(fields, kind, spec, at),
        owners=meta.owners,
        manifest=stored(manifest, meta) | ({"spec": _stored_spec(spec)} if spec else {}),
    )


def _workload_selector(fields: Fields, kind: str, value: Value, path: Path) -> LabelSelector | None:
    if kind not in SERVICE_LIKE:
        return Constraints(fields).label_selector(value, path)
    labels = fields.labels(value, path)
    return LabelSelector(match_labels=tuple(labels.items())) if labels else None


def _replicas(fields: Fields, kind: str, spec: Mapping[str, Value], path: Path) -> int | None:
    if kind in ("Service", "DaemonSet"):
        return None
    if kind == "Job":
        return fields.integer(spec, "parallelism", path, low=0)
    return fields.integer(spec, "replicas", path, low=0)


def _stored_spec(spec: Mapping[str, Value]) -> dict[str, Any]:
    kept = {key: spec[key] for key in ("selector", "replicas", "parallelism", "completions") if spec.get(key) is not None}
    template = spec.get("template")
    if type(template) is dict:
        kept["template"] = stored_template(template)
    return kept


def stored_template(template: Mapping[str, Value]) -> dict[str, Any]:
    """A pod template without what may hold secrets: commands and environments."""
    spec = template.get("spec")
    kept: dict[str, Any] = {"metadata": template.get("metadata") or {}}
    if type(spec) is not dict:
        return kept
    kept["spec"] = dict(spec)
    for key in ("containers", "initContainers"):
        if type(spec.get(key)) is list:
            kept["spec"][key] = [_stored_container(item) for item in spec[key]]
    kept["spec"].pop("ephemeralContainers", None)
    return kept


def _stored_container(item: Value) -> Value:
    if type(item) is not dict:
        return found(item)
    return {key: item[key] for key in ("name", "image", "resources", "ports", "restartPolicy") if key in item}
