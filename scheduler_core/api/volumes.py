"""Volumes of a pod, as written under the one source that each has.

The one rule: a source is kept whole, since each volume plugin reads its own fields of it; only names are checked here.
Mirrors ValidateVolumes of pkg/apis/core/validation at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Path
from scheduler_core.api.names import label_error
from scheduler_core.api.objects import Volume

SOURCES: Final = frozenset(
    """awsElasticBlockStore azureDisk azureFile cephfs cinder configMap csi downwardAPI emptyDir ephemeral fc flexVolume flocker
    gcePersistentDisk gitRepo glusterfs hostPath image iscsi nfs persistentVolumeClaim photonPersistentDisk portworxVolume projected
    quobyte rbd scaleIO secret storageos vsphereVolume""".split()  # noqa: SIM905 - a list of names reads better as words
)


def read_volumes(fields: Fields, value: Value, path: Path | None) -> tuple[Volume, ...]:
    """spec.volumes; a volume without a source is an emptyDir, as upstream."""
    volumes: list[Volume] = []
    names: set[str] = set()
    for item, here in fields.maps(value, path):
        name = fields.required_text(item, "name", here)
        error = label_error(name) if name else ""
        if error or name in names:
            fields.invalid((here, "name"), error or f"repeats the volume name {name!r}")
        names.add(name)
        volumes.append(_read_volume(fields, name, item, here))
    return tuple(volumes)


def _read_volume(fields: Fields, name: str, item: Mapping[str, Value], path: Path) -> Volume:
    given = [key for key in item if key in SOURCES and item[key] is not None]
    for key in sorted(item.keys() - SOURCES - {"name"}):
        fields.findings.warn((path, key), f"unknown kind of volume {key[:80]!r}: ignored")
    if len(given) > 1:
        fields.invalid(path, f"has more than one source: {', '.join(given)}")
    if not given:
        return Volume(name=name, source="emptyDir")
    source = given[0]
    spec = fields.mapping(item[source], (path, source))
    if source == "persistentVolumeClaim":
        fields.required_text(spec, "claimName", (path, source))
    return Volume(name=name, source=source, spec=spec)
