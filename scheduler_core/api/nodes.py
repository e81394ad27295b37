"""core/v1 Node: from a manifest to a frozen value.

The one rule: allocatable is what is scheduled against; where a node states none, its capacity counts, as the API server
defaults it. Mirrors ValidateNode of pkg/apis/core/validation at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scheduler_core.api.constraints import Constraints
from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Path
from scheduler_core.api.metadata import read_meta
from scheduler_core.api.names import qualified_name_error, subdomain_error
from scheduler_core.api.objects import Condition, ContainerImage, Node
from scheduler_core.api.pods import read_conditions

STATUS_KEPT: Final = ("capacity", "allocatable", "images", "declaredFeatures")
SPEC_KEPT: Final = ("taints", "unschedulable", "podCIDR", "providerID")
SPEC_KNOWN: Final = frozenset((*SPEC_KEPT, "podCIDRs", "configSource", "externalID"))


class Nodes:
    """Reads nodes; one for each input, so that equal parts are shared between its nodes."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.constraints_reader = Constraints(fields)

    def read(self, manifest: Mapping[str, Value], path: Path | None) -> Node:
        """One node; what is wrong in it is among the findings."""
        fields = self.fields
        meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
        at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
        status_at, status = (path, "status"), fields.mapping(manifest.get("status"), (path, "status"))
        for key in sorted(spec.keys() - SPEC_KNOWN):
            fields.findings.warn((at, key), f"unknown field {key[:80]!r}: ignored")
        kept_status: dict[str, Any] = {key: status[key] for key in STATUS_KEPT if status.get(key) is not None}
        conditions: tuple[Condition, ...] = ()
        if status.get("conditions"):
            conditions, kept_status["conditions"] = fields.shared(self.conditions, status["conditions"], (status_at, "conditions"))
        capacity = fields.shared(self.resources, status.get("capacity"), (status_at, "capacity"))
        allocatable = fields.shared(self.resources, status.get("allocatable"), (status_at, "allocatable"))
        return Node(
            name=meta.name,
            uid=meta.uid,
            labels=meta.labels,
            annotations=meta.annotations,
            creation_timestamp=meta.creation_timestamp,
            unschedulable=fields.boolean(spec, "unschedulable", at),
            taints=fields.shared(self.constraints_reader.taints, spec["taints"], (at, "taints")) if spec.get("taints") else (),
            allocatable=allocatable or capacity,
            capacity=capacity,
            images=fields.shared(self.images, status["images"], (status_at, "images")) if status.get("images") else (),
            declared_features=fields.strings(status.get("declaredFeatures"), (status_at, "declaredFeatures")),
            conditions=conditions,
            manifest={
                "apiVersion": "v1",
                "kind": "Node",
                "metadata": meta.manifest,
                "spec": {key: spec[key] for key in SPEC_KEPT if spec.get(key) is not None},
                "status": kept_status,
            },
        )

    def resources(self, value: Value, path: Path | None) -> dict[str, int]:
        """status.allocatable or status.capacity."""
        amounts = self.fields.amounts(value, path)
        for name in amounts:
            if qualified_name_error(name):
                self.fields.invalid((path, name), qualified_name_error(name))
        return amounts

    def images(self, value: Value, path: Path | None) -> tuple[ContainerImage, ...]:
        """status.images."""
        return tuple(
            ContainerImage(
                names=self.fields.strings(item.get("names"), (here, "names")),
                size_bytes=self.fields.integer(item, "sizeBytes", here, low=0, high=2**63 - 1) or 0,
            )
            for item, here in self.fields.maps(value, path)
        )

    def conditions(self, value: Value, path: Path | None) -> tuple[tuple[Condition, ...], list[dict[str, str]]]:
        """status.conditions and what of them is stored."""
        return read_conditions(self.fields, value, path)
