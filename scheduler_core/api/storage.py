"""Persistent volumes, claims, storage classes and what CSI says of nodes.

The one rule: a volume's source is kept whole under its key, as the volume plugins read it. Mirrors k8s.io/api core/v1 and
storage/v1 at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scheduler_core.api.constraints import Constraints
from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Path
from scheduler_core.api.metadata import read_meta
from scheduler_core.api.names import subdomain_error
from scheduler_core.api.objects import (
    CSIDriver,
    CSINode,
    CSINodeDriver,
    CSIStorageCapacity,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
    VolumeAttachment,
)
from scheduler_core.api.policies import stored

ACCESS_MODES: Final = frozenset({"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"})
BETA_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
DEFAULT_CLASS: Final = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
VOLUME_SOURCES: Final = frozenset(
    [
        "awsElasticBlockStore",
        "azureDisk",
        "azureFile",
        "cephfs",
        "cinder",
        "csi",
        "fc",
        "flexVolume",
        "flocker",
        "gcePersistentDisk",
        "glusterfs",
        "hostPath",
        "iscsi",
        "local",
        "nfs",
        "photonPersistentDisk",
        "portworxVolume",
        "quobyte",
        "rbd",
        "scaleIO",
        "storageos",
        "vsphereVolume",
    ]
)


def read_volume(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> PersistentVolume:
    """core/v1 PersistentVolume."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    status = fields.mapping(manifest.get("status"), (path, "status"))
    sources = [key for key in spec if key in VOLUME_SOURCES and spec[key] is not None]
    if len(sources) > 1:
        fields.invalid(at, f"has more than one source: {', '.join(sources)}")
    affinity = fields.mapping(spec.get("nodeAffinity"), (at, "nodeAffinity"))
    source = sources[0] if sources else ""
    return PersistentVolume(
        name=meta.name,
        labels=meta.labels,
        annotations=meta.annotations,
        capacity=fields.amounts(spec.get("capacity"), (at, "capacity")),
        access_modes=_access_modes(fields, spec, at),
        storage_class_name=meta.annotations.get(BETA_CLASS) or fields.text(spec, "storageClassName", at),
        volume_mode=fields.choice(spec, "volumeMode", at, ("Filesystem", "Block"), "Filesystem"),
        volume_attributes_class_name=fields.text(spec, "volumeAttributesClassName", at),
        node_affinity=Constraints(fields).node_selector(affinity.get("required"), ((at, "nodeAffinity"), "required")),
        claim_ref=_claim_ref(fields, spec, at),
        phase=fields.text(status, "phase", (path, "status")),
        deletion_timestamp=meta.deletion_timestamp,
        source=source,
        source_spec=fields.mapping(spec[source], (at, source)) if source else {},
        manifest=stored(manifest, meta, "spec", "status"),
    )


def _claim_ref(fields: Fields, spec: Mapping[str, Value], path: Path) -> tuple[str, str, str] | None:
    if spec.get("claimRef") is None:
        return None
    at, raw = (path, "claimRef"), fields.mapping(spec["claimRef"], (path, "claimRef"))
    return fields.text(raw, "namespace", at, "default"), fields.required_text(raw, "name", at), fields.text(raw, "uid", at)


def _access_modes(fields: Fields, spec: Mapping[str, Value], path: Path) -> tuple[str, ...]:
    modes = fields.strings(spec.get("accessModes"), (path, "accessModes"))
    for index, mode in enumerate(modes):
        if mode not in ACCESS_MODES:
            fields.invalid(((path, "accessModes"), index), f"{mode[:80]!r} is not supported: use {', '.join(sorted(ACCESS_MODES))}")
    return modes


def read_claim(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> PersistentVolumeClaim:
    """core/v1 PersistentVolumeClaim."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=True, name_error=subdomain_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    status = fields.mapping(manifest.get("status"), (path, "status"))
    resources = fields.mapping(spec.get("resources"), (at, "resources"))
    named = spec.get("storageClassName")
    beta = meta.annotations.get(BETA_CLASS)
    return PersistentVolumeClaim(
        name=meta.name,
        namespace=meta.namespace,
        uid=meta.uid,
        labels=meta.labels,
        annotations=meta.annotations,
        access_modes=_access_modes(fields, spec, at),
        requests=fields.amounts(resources.get("requests"), ((at, "resources"), "requests")),
        storage_class_name=beta if beta is not None else None if named is None else fields.text(spec, "storageClassName", at),
        volume_name=fields.text(spec, "volumeName", at),
        volume_mode=fields.choice(spec, "volumeMode", at, ("Filesystem", "Block"), "Filesystem"),
        volume_attributes_class_name=fields.text(spec, "volumeAttributesClassName", at),
        selector=Constraints(fields).label_selector(spec.get("selector"), (at, "selector")),
        owners=meta.owners,
        phase=fields.text(status, "phase", (path, "status")),
        deletion_timestamp=meta.deletion_timestamp,
        manifest=stored(manifest, meta, "spec", "status"),
    )


def read_storage_class(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> StorageClass:
    """storage/v1 StorageClass."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
    topologies = []
    for term, here in fields.maps(manifest.get("allowedTopologies"), (path, "allowedTopologies")):
        at = (here, "matchLabelExpressions")
        topologies.append(
            tuple(
                (fields.required_text(item, "key", where), fields.strings(item.get("values"), (where, "values")))
                for item, where in fields.maps(term.get("matchLabelExpressions"), at)
            )
        )
    return StorageClass(
        name=meta.name,
        provisioner=fields.required_text(manifest, "provisioner", path),
        volume_binding_mode=fields.choice(manifest, "volumeBindingMode", path, ("Immediate", "WaitForFirstConsumer"), "Immediate"),
        is_default=any(meta.annotations.get(key) == "true" for key in DEFAULT_CLASS),
        allowed_topologies=tuple(topologies),
        manifest=stored(manifest, meta, "provisioner", "volumeBindingMode", "allowedTopologies", "reclaimPolicy", "allowVolumeExpansion"),
    )


def read_csi_node(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> CSINode:
    """storage/v1 CSINode."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    drivers = []
    for item, here in fields.maps(spec.get("drivers"), (at, "drivers")):
        allocatable = fields.mapping(item.get("allocatable"), (here, "allocatable"))
        drivers.append(
            CSINodeDriver(
                name=fields.required_text(item, "name", here),
                node_id=fields.text(item, "nodeID", here),
                topology_keys=fields.strings(item.get("topologyKeys"), (here, "topologyKeys")),
                count=fields.integer(allocatable, "count", (here, "allocatable"), low=0),
            )
        )
    return CSINode(name=meta.name, annotations=meta.annotations, drivers=tuple(drivers), manifest=stored(manifest, meta, "spec"))


def read_storage_capacity(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> CSIStorageCapacity:
    """storage/v1 CSIStorageCapacity."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=True, name_error=subdomain_error)
    sizes = {
        key: fields.amount(key, manifest[key], (path, key)) if manifest.get(key) is not None else None
        for key in ("capacity", "maximumVolumeSize")
    }
    return CSIStorageCapacity(
        name=meta.name,
        namespace=meta.namespace,
        storage_class_name=fields.required_text(manifest, "storageClassName", path),
        node_topology=Constraints(fields).label_selector(manifest.get("nodeTopology"), (path, "nodeTopology")),
        capacity=sizes["capacity"],
        maximum_volume_size=sizes["maximumVolumeSize"],
        manifest=stored(manifest, meta, "storageClassName", "nodeTopology", "capacity", "maximumVolumeSize"),
    )


def read_attachment(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> VolumeAttachment:
    """storage/v1 VolumeAttachment."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    source = fields.mapping(spec.get("source"), (at, "source"))
    return VolumeAttachment(
        name=meta.name,
        attacher=fields.text(spec, "attacher", at),
        node_name=fields.text(spec, "nodeName", at),
        volume_name=fields.text(source, "persistentVolumeName", (at, "source")),
        manifest=stored(manifest, meta, "spec", "status"),
    )


def read_csi_driver(fields: Fields, manifest: Mapping[str, Value], path: Path | None) -> CSIDriver:
    """storage/v1 CSIDriver."""
    meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=False, name_error=subdomain_error)
    at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
    return CSIDriver(name=meta.name, storage_capacity=fields.boolean(spec, "storageCapacity", at), manifest=stored(manifest, meta, "spec"))
