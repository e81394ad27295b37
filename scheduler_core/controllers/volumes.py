"""Storage controllers: claims of ephemeral volumes, volumes that become available, claims that are bound without a pod.

The one rule: a pass looks at the cluster as it is and answers with the objects to write; whoever writes them asks again. Volumes
are made at once. Claims that wait for a pod's node are left to the scheduler (:func:`assume_volumes`).
Mirrors pkg/controller/volume/{persistentvolume,ephemeral} and the default storage class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from scheduler_core.api.objects import KubeObject, OwnerReference, PersistentVolume, PersistentVolumeClaim, Pod, StorageClass, Volume
from scheduler_core.api.parse import parse_object
from scheduler_core.cluster.bound_volumes import bound_claim, bound_volume, provisioned
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.storage import is_bound_to, is_fully_bound
from scheduler_core.cluster.volume_matching import candidates
from scheduler_core.cluster.volume_plan import NO_PROVISIONER

Written = PersistentVolume | PersistentVolumeClaim

KINDS: Final = frozenset({"PersistentVolume", "PersistentVolumeClaim", "StorageClass"})


def concerns_storage(kind: str, item: KubeObject | None) -> bool:
    """Whether a change to this object may give the controllers work; None where it was deleted."""
    if isinstance(item, Pod):
        return any(volume.source == "ephemeral" for volume in item.volumes)
    return kind in KINDS


def reconcile_volumes(cluster: Cluster, pods: Iterable[Pod]) -> list[Written]:
    """The claims and volumes that the controllers would write now; empty once everything is settled."""
    first: list[Written] = [*_ephemeral_claims(cluster, pods), *_classed(cluster), *_phases(cluster)]
    return first or list(_bindings(cluster))


# ---- ephemeral volumes -----------------------------------------------------------------------------------------------


def _ephemeral_claims(cluster: Cluster, pods: Iterable[Pod]) -> Iterator[PersistentVolumeClaim]:
    for pod in pods:
        if pod.deletion_timestamp is not None:
            continue
        for volume in pod.volumes:
            if volume.source == "ephemeral" and f"{pod.namespace}/{pod.name}-{volume.name}" not in cluster.claims:
                claim = _claim_for(pod, volume)
                if claim is not None:
                    yield claim


def _claim_for(pod: Pod, volume: Volume) -> PersistentVolumeClaim | None:
    """The claim that the template of an ephemeral volume stands for; None where the template says nothing usable."""
    template: Any = volume.spec.get("volumeClaimTemplate") or {}
    metadata = {**(template.get("metadata") or {}), "name": f"{pod.name}-{volume.name}", "namespace": pod.namespace}
    manifest = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": template.get("spec") or {}}
    claim, problems, _ = parse_object(manifest)
    if problems or not isinstance(claim, PersistentVolumeClaim):
        return None
    owner = OwnerReference(api_version="v1", kind="Pod", name=pod.name, uid=pod.uid, controller=True)
    return replace(claim, owners=(owner,), phase="Pending")


# ---- classes and phases ----------------------------------------------------------------------------------------------


def _classed(cluster: Cluster) -> Iterator[PersistentVolumeClaim]:
    """Claims without a class get the default one, also those that were there before it."""
    default = next((entry for _, entry in sorted(cluster.storage_classes.items()) if entry.is_default), None)
    if default is None:
        return
    for _, claim in sorted(cluster.claims.items()):
        if claim.storage_class_name is None and not claim.volume_name:
            spec = {**claim.manifest.get("spec", {}), "storageClassName": default.name}
            yield replace(claim, storage_class_name=default.name, manifest={**claim.manifest, "spec": spec})


def _phases(cluster: Cluster) -> Iterator[PersistentVolume]:
    """Volumes that nobody has looked at yet."""
    for _, volume in sorted(cluster.volumes.items()):
        if volume.phase in ("", "Pending"):
            phase = _phase(cluster, volume)
            status = {**volume.manifest.get("status", {}), "phase": phase}
            yield replace(volume, phase=phase, manifest={**volume.manifest, "status": status})


def _phase(cluster: Cluster, volume: PersistentVolume) -> str:
    if volume.claim_ref is None:
        return "Available"
    namespace, name, uid = volume.claim_ref
    claim = cluster.claims.get(f"{namespace}/{name}")
    if claim is not None and claim.volume_name == volume.name and is_bound_to(volume, claim):
        return "Bound"
    return "Released" if uid and (claim is None or claim.uid != uid) else "Available"


# ---- claims that are bound at once -----------------------------------------------------------------------------------


def _bindings(cluster: Cluster) -> Iterator[Written]:
    taken: set[str] = set()
    for _, claim in sorted(cluster.claims.items()):
        if is_fully_bound(claim) or claim.deletion_timestamp is not None:
            continue
        volume = _volume_for(cluster, claim, taken)
        if volume is not None:
            taken.add(volume.name)
            yield bound_volume(volume, claim)
            yield bound_claim(claim, volume)


def _volume_for(cluster: Cluster, claim: PersistentVolumeClaim, taken: set[str]) -> PersistentVolume | None:
    if claim.volume_name:
        named = cluster.volumes.get(claim.volume_name)
        is_free = named is not None and named.name not in taken and (named.claim_ref is None or is_bound_to(named, claim))
        return named if is_free else None
    storage_class = cluster.storage_classes.get(claim.storage_class_name or "")
    reserved, available = candidates(cluster, claim)
    is_late = storage_class is not None and storage_class.volume_binding_mode == "WaitForFirstConsumer"
    found = next((volume for volume in (*reserved, *(() if is_late else available)) if volume.name not in taken), None)
    if found is not None or is_late or not _provisions(storage_class):
        return found
    return provisioned(cluster, claim)


def _provisions(storage_class: StorageClass | None) -> bool:
    return storage_class is not None and storage_class.provisioner not in ("", NO_PROVISIONER)
