"""metadata of every object: its names checked, its labels shared, its noise left out.

The one rule: what a server or a tool wrote only for itself (managed fields, versions, the last applied configuration) is
dropped here, once for all kinds. Mirrors the checks of k8s.io/apimachinery/pkg/api/validation/objectmeta.go at 1.34.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Path
from scheduler_core.api.names import label_error, qualified_name_error
from scheduler_core.api.objects import Labels, OwnerReference

NOISE: Final = frozenset({"managedFields", "resourceVersion", "selfLink", "generation"})
NOISY_ANNOTATIONS: Final = frozenset({"kubectl.kubernetes.io/last-applied-configuration"})
MAX_ANNOTATIONS_BYTES: Final = 256 * 1024

NameCheck = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """What objects share; ``manifest`` is the metadata without noise."""

    name: str
    namespace: str
    uid: str
    labels: Labels
    annotations: Labels
    creation_timestamp: int | None
    deletion_timestamp: int | None
    owners: tuple[OwnerReference, ...]
    manifest: dict[str, Any]


def read_meta(fields: Fields, value: Value, path: Path | None, *, namespaced: bool, name_error: NameCheck) -> Meta:
    """Read metadata; a namespaced object without a namespace is in ``default``."""
    raw = fields.mapping(value, path)
    labels = raw.get("labels")
    annotations = _without_noise(raw.get("annotations"))
    owners = raw.get("ownerReferences")
    return Meta(
        name=_read_name(fields, raw, path, name_error),
        namespace=_read_namespace(fields, raw, path) if namespaced else "",
        uid=fields.text(raw, "uid", path) if "uid" in raw else "",
        labels=fields.shared(fields.labels, labels, (path, "labels")) if labels else _empty(fields, labels, (path, "labels")),
        annotations=_read_annotations(fields, annotations, (path, "annotations")),
        creation_timestamp=fields.timestamp(raw, "creationTimestamp", path),
        deletion_timestamp=fields.timestamp(raw, "deletionTimestamp", path),
        owners=_read_owners(fields, owners, (path, "ownerReferences")) if owners is not None else (),
        manifest=_manifest(raw, annotations),
    )


def _empty(fields: Fields, value: Value, path: Path) -> Labels:
    fields.mapping(value, path)
    return {}


def _read_name(fields: Fields, raw: Mapping[str, Value], path: Path | None, name_error: NameCheck) -> str:
    name = raw.get("name")
    if type(name) is str and name:
        error = name_error(name)
        if error:
            fields.invalid((path, "name"), error)
        return name
    if name is not None and name != "":
        fields.text(raw, "name", path)
    elif raw.get("generateName"):
        fields.problem((path, "name"), "is required: names are not generated from generateName here")
    else:
        fields.problem((path, "name"), "is required")
    return ""


def _read_namespace(fields: Fields, raw: Mapping[str, Value], path: Path | None) -> str:
    namespace = fields.text(raw, "namespace", path)
    if not namespace:
        return "default"
    if namespace not in fields.good_namespaces:
        error = label_error(namespace)
        if error:
            fields.invalid((path, "namespace"), error)
        else:
            fields.good_namespaces.add(namespace)
    return namespace


def _without_noise(value: Value) -> Value:
    if type(value) is dict and not NOISY_ANNOTATIONS.isdisjoint(value):
        return {key: item for key, item in value.items() if key not in NOISY_ANNOTATIONS}
    return value


def _read_annotations(fields: Fields, value: Value, path: Path) -> Labels:
    if not value:
        return _empty(fields, value, path)
    annotations = fields.string_map(value, path)
    size = 0
    for key, text in annotations.items():
        error = qualified_name_error(key.lower())
        if error:
            fields.invalid((path, key), error)
        size += len(key) + len(text)
    if size > MAX_ANNOTATIONS_BYTES:
        fields.invalid(path, f"holds {size} bytes: annotations may hold {MAX_ANNOTATIONS_BYTES} together")
    return annotations


def _read_owners(fields: Fields, value: Value, path: Path) -> tuple[OwnerReference, ...]:
    owners = tuple(
        OwnerReference(
            kind=fields.required_text(item, "kind", here),
            name=fields.required_text(item, "name", here),
            api_version=fields.text(item, "apiVersion", here),
            uid=fields.text(item, "uid", here),
            controller=fields.boolean(item, "controller", here),
        )
        for item, here in fields.maps(value, path)
    )
    if sum(owner.controller for owner in owners) > 1:
        fields.invalid(path, "names more than one controller: only one owner may have controller set to true")
    return owners


def _manifest(raw: Mapping[str, Value], annotations: Value) -> dict[str, Any]:
    manifest = {key: item for key, item in raw.items() if key not in NOISE and item is not None}
    if annotations:
        manifest["annotations"] = annotations
    else:
        manifest.pop("annotations", None)
    return manifest
