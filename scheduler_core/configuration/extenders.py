"""The ``extenders`` of a configuration, as kube-scheduler checks them. Mirrors validateExtenders of apis/config/validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.names import qualified_name_error
from scheduler_core.configuration import field_errors as text

Extenders = Sequence[Mapping[str, Any]]


def check_extenders(extenders: Extenders, path: Path, findings: Findings) -> None:
    """Weights, the resources that extenders manage, and that at most one binds."""
    seen: set[str] = set()
    for index, extender in enumerate(extenders):
        here: Path = (path, index)
        weight = extender.get("weight", 0)
        if extender.get("prioritizeVerb") and weight <= 0:
            findings.problem((here, "weight"), text.invalid(weight, "must have a positive weight applied to it"))
        for j, resource in enumerate(extender.get("managedResources", ())):
            _check_resource(resource.get("name", ""), (((here, "managedResources"), j), "name"), seen, findings)
    binders = sum(bool(extender.get("bindVerb")) for extender in extenders)
    if binders > 1:
        findings.problem(path, text.invalid(f"found {binders} extenders implementing bind", "only one extender can implement bind"))


def ignored_resources_of(extenders: Extenders) -> tuple[str, ...]:
    """Resources that an extender manages and that the scheduler should not look at."""
    managed = (resource for extender in extenders for resource in (extender or {}).get("managedResources", ()))
    return tuple(resource.get("name", "") for resource in managed if resource.get("ignoredByScheduler"))


def is_extended_resource(name: str) -> bool:
    """Whether the name is that of an extended resource. Mirrors IsExtendedResourceName."""
    if "/" not in name or "kubernetes.io/" in name or name.startswith("requests."):
        return False
    return not qualified_name_error(f"requests.{name}")


def _check_resource(name: str, path: Path, seen: set[str], findings: Findings) -> None:
    error = qualified_name_error(name)
    if error:
        findings.problem(path, text.invalid(name, error))
    elif not is_extended_resource(name):
        findings.problem(path, text.invalid(name, "is an invalid extended resource name"))
    if name in seen:
        findings.problem(path, text.invalid(name, "duplicate extender managed resource name"))
    seen.add(name)
