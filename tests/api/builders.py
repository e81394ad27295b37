"""Manifests for tests: small, valid, and changed by keyword."""

from __future__ import annotations

import json
from typing import Any


def container(name: str = "c", **fields: Any) -> dict[str, Any]:
    """A container; ``cpu`` and ``memory`` are its requests."""
    requests = {key: fields.pop(key) for key in ("cpu", "memory") if key in fields}
    resources = {"resources": {"requests": requests}} if requests else {}
    return {"name": name, "image": "registry.example/web:v1", **resources, **fields}


def pod(name: str = "web", **spec: Any) -> dict[str, Any]:
    """A pod with one container unless ``containers`` says otherwise; ``metadata`` and ``status`` are not spec."""
    metadata = {"name": name, "namespace": "shop", **spec.pop("metadata", {})}
    status = spec.pop("status", {})
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container()], **spec}, "status": status}


def node(name: str = "n1", **fields: Any) -> dict[str, Any]:
    """A node with 4 CPU, 16 GiB and room for 110 pods."""
    room = {"cpu": "4", "memory": "16Gi", "pods": "110"}
    status = {"allocatable": room, "capacity": room}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "spec": {}, "status": status, **fields}


def priority_class(name: str, value: int, **fields: Any) -> dict[str, Any]:
    """A PriorityClass."""
    return {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value, **fields}


def listed(*objects: dict[str, Any]) -> str:
    """A v1 List as JSON."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})
