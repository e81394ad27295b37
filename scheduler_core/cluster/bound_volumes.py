"""What binding leaves behind: a claim and a volume that name each other, found or newly made.

The one rule: a value and its manifest change together. Mirrors the persistent volume controller and a CSI provisioner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scheduler_core.api.objects import NodeSelectorTerm, PersistentVolume, PersistentVolumeClaim, Requirement
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.csi_migration import BY_PLUGIN, ZONE
from scheduler_core.cluster.storage import BIND_COMPLETED, BOUND_BY_CONTROLLER, is_bound_to
from scheduler_core.cluster.volume_matching import STORAGE


def bound_volume(volume: PersistentVolume, claim: PersistentVolumeClaim) -> PersistentVolume:
    """The volume once it is bound to the claim. Mirrors GetBindVolumeToClaim, with the phase that follows."""
    marks = {} if is_bound_to(volume, claim) else {BOUND_BY_CONTROLLER: "yes"}
    annotations = {**volume.annotations, **marks}
    reference = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": claim.namespace, "name": claim.name}
    if claim.uid:
        reference["uid"] = claim.uid
    return replace(
        volume,
        annotations=annotations,
        claim_ref=(claim.namespace, claim.name, claim.uid),
        phase="Bound",
        manifest=_changed(volume.manifest, annotations, {"claimRef": reference}),
    )


def bound_claim(claim: PersistentVolumeClaim, volume: PersistentVolume, marks: Mapping[str, str] | None = None) -> PersistentVolumeClaim:
    """The claim once it is bound to the volume; ``marks`` are annotations that it gets besides."""
    annotations = {**claim.annotations, **(marks or {}), BIND_COMPLETED: "yes", BOUND_BY_CONTROLLER: "yes"}
    return replace(
        claim,
        annotations=annotations,
        volume_name=volume.name,
        phase="Bound",
        manifest=_changed(claim.manifest, annotations, {"volumeName": volume.name}),
    )


def _changed(manifest: Any, annotations: dict[str, str], spec: dict[str, Any]) -> dict[str, Any]:
    return {
        **manifest,
        "metadata": {**manifest.get("metadata", {}), "annotations": annotations},
        "spec": {**manifest.get("spec", {}), **spec},
        "status": {**manifest.get("status", {}), "phase": "Bound"},
    }


def provisioned(cluster: Cluster, claim: PersistentVolumeClaim, node: str = "") -> PersistentVolume:
    """The volume that a provisioner would make for the claim: as large as was asked, already bound.

    It is tied to the node's topology: the labels that the driver's entry in the CSINode names, or the zone for an in-tree
    provisioner. Without a node, or where nothing is known of the driver, it is reached from everywhere.
    """
    storage_class = cluster.storage_classes[claim.storage_class_name or ""]
    name = f"pvc-{claim.uid or f'{claim.namespace}-{claim.name}'}"
    migration = BY_PLUGIN.get(storage_class.provisioner)
    driver = migration.driver if migration else storage_class.provisioner
    topology = _topology(cluster, storage_class.provisioner, driver, node)
    spec: dict[str, Any] = {
        "accessModes": list(claim.access_modes),
        "capacity": {STORAGE: str(claim.requests.get(STORAGE, 0))},
        "csi": {"driver": driver, "volumeHandle": name},
        "storageClassName": storage_class.name,
        "volumeMode": claim.volume_mode,
    }
    terms = None
    if topology:
        terms = (NodeSelectorTerm(match_expressions=tuple(Requirement(key=k, operator="In", values=(v,)) for k, v in topology)),)
        expressions = [{"key": key, "operator": "In", "values": [value]} for key, value in topology]
        spec["nodeAffinity"] = {"required": {"nodeSelectorTerms": [{"matchExpressions": expressions}]}}
    volume = PersistentVolume(
        name=name,
        annotations={"pv.kubernetes.io/provisioned-by": driver},
        capacity={STORAGE: claim.requests.get(STORAGE, 0)},
        access_modes=claim.access_modes,
        storage_class_name=storage_class.name,
        volume_mode=claim.volume_mode,
        volume_attributes_class_name=claim.volume_attributes_class_name,
        node_affinity=terms,
        claim_ref=(claim.namespace, claim.name, claim.uid),
        source="csi",
        source_spec={"driver": driver, "volumeHandle": name},
        manifest={"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec},
    )
    return bound_volume(volume, claim)


def _topology(cluster: Cluster, provisioner: str, driver: str, node: str) -> list[tuple[str, str]]:
    """Labels of the node that a new volume is tied to."""
    row = cluster.row_of.get(node)
    if row is None:
        return []
    labels = cluster.nodes[row].labels
    csi_node = cluster.csi_nodes.get(node)
    if csi_node is not None:
        for entry in csi_node.drivers:
            if entry.name == driver:
                return [(key, labels[key]) for key in entry.topology_keys if key in labels]
    return [(ZONE, labels[ZONE])] if provisioner in BY_PLUGIN and ZONE in labels else []
