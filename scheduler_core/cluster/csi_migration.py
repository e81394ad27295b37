"""In-tree volumes that a CSI driver has taken over: which driver, which volume, which topology label.

The one rule: a volume counts as the driver's only on a node whose CSINode says that the plugin was migrated there.
Mirrors k8s.io/csi-translation-lib and the isCSIMigrationOn of the volume plugins at 1.34.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scheduler_core.api.objects import CSINode, NodeSelectorTerm, PersistentVolume, Requirement, Volume

MIGRATED_PLUGINS: Final = "storage.alpha.kubernetes.io/migrated-plugins"
ZONE: Final = "topology.kubernetes.io/zone"
REGION: Final = "topology.kubernetes.io/region"
BETA_ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
BETA_REGION: Final = "failure-domain.beta.kubernetes.io/region"

Terms = tuple[NodeSelectorTerm, ...]
Spec = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Migration:
    """One in-tree plugin and the driver that stands in for it; ``handle`` names a volume, "" where it cannot."""

    plugin: str
    driver: str
    topology_key: str
    handle: Callable[[Spec, str], str]


def _ebs(spec: Spec, zone: str) -> str:
    volume = str(spec.get("volumeID") or "")
    if not volume.startswith("aws://"):
        return volume
    last = volume.rstrip("/").rpartition("/")[2]
    return last if last.startswith("vol-") else ""


def _gce(spec: Spec, zone: str) -> str:
    zones = zone.split("__")
    disk = spec.get("pdName") or ""
    if len(zones) == 1:
        return f"projects/UNSPECIFIED/zones/{zones[0] or 'UNSPECIFIED'}/disks/{disk}"
    if any(name.count("-") != 2 for name in zones):
        return ""
    regions = {name.rpartition("-")[0] for name in zones}
    return f"projects/UNSPECIFIED/regions/{regions.pop()}/disks/{disk}" if len(regions) == 1 else ""


def _key(name: str) -> Callable[[Spec, str], str]:
    return lambda spec, zone: str(spec.get(name) or "")


# By the key of the volume source. The last two are migrated as well, but the scheduler leaves them alone.
MIGRATIONS: Final[Mapping[str, Migration]] = {
    "awsElasticBlockStore": Migration("kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone", _ebs),
    "gcePersistentDisk": Migration("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone", _gce),
    "azureDisk": Migration("kubernetes.io/azure-disk", "disk.csi.azure.com", "topology.disk.csi.azure.com/zone", _key("diskURI")),
    "cinder": Migration("kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone", _key("volumeID")),
    "portworxVolume": Migration("kubernetes.io/portworx-volume", "pxd.portworx.com", "", _key("volumeID")),
}
BY_PLUGIN: Final = {migration.plugin: migration for migration in MIGRATIONS.values()}
NEVER_COUNTED: Final = frozenset({"kubernetes.io/azure-file", "kubernetes.io/vsphere-volume"})


def migrated_plugins(node: CSINode | None) -> frozenset[str]:
    """The in-tree plugins that a node has handed over to their drivers."""
    if node is None:
        return frozenset()
    return frozenset(name for name in node.annotations.get(MIGRATED_PLUGINS, "").split(",") if name in BY_PLUGIN)


def inline_volume(volume: Volume, migrated: frozenset[str]) -> tuple[str, str] | None:
    """(driver, handle) of an in-tree volume written into the pod, None where it counts for no driver."""
    migration = MIGRATIONS.get(volume.source)
    if migration is None or migration.plugin not in migrated:
        return None
    return migration.driver, migration.handle(volume.spec, "")


def persistent_volume(volume: PersistentVolume, migrated: frozenset[str]) -> tuple[str, str] | None:
    """(driver, handle) of a persistent volume, None where it is no driver's."""
    if volume.source == "csi":
        return str(volume.source_spec.get("driver") or ""), str(volume.source_spec.get("volumeHandle") or "")
    migration = MIGRATIONS.get(volume.source)
    if migration is None or migration.plugin not in migrated:
        return None
    zone = volume.labels.get(BETA_ZONE) or volume.labels.get(ZONE, "")
    return migration.driver, migration.handle(volume.source_spec, zone)


def provisioned_volume(provisioner: str, migrated: frozenset[str]) -> str:
    """The driver that will make a volume for a class, "" where it counts for none."""
    if provisioner in NEVER_COUNTED:
        return ""
    migration = BY_PLUGIN.get(provisioner)
    if migration is None:
        return provisioner
    return migration.driver if provisioner in migrated else ""


def node_affinity(volume: PersistentVolume, migrated: frozenset[str]) -> Terms | None:
    """The volume's node affinity, with zones in the driver's own label where it was taken over.

    Mirrors translateTopologyFromInTreeToCSI.
    """
    migration = MIGRATIONS.get(volume.source)
    if migration is None or migration.plugin not in migrated or not migration.topology_key:
        return volume.node_affinity
    zone, region = _topology_labels(volume)
    terms = volume.node_affinity or ()
    renamed = {}
    if _has_values(terms, zone):
        renamed[zone] = migration.topology_key
    elif zone in volume.labels:
        terms = _with_zones(terms, migration.topology_key, volume.labels[zone])
    if region == BETA_REGION and _has_values(terms, region):
        renamed[region] = REGION
    terms = tuple(_rename(term, renamed) for term in terms)
    return terms if terms or volume.node_affinity is not None else None


def _topology_labels(volume: PersistentVolume) -> tuple[str, str]:
    keys = {requirement.key for term in volume.node_affinity or () for requirement in term.match_expressions}
    for known in (keys, volume.labels.keys()):
        if ZONE in known:
            return ZONE, REGION
        if BETA_ZONE in known:
            return BETA_ZONE, BETA_REGION
    return ZONE, REGION


def _has_values(terms: Terms, key: str) -> bool:
    return any(requirement.key == key and requirement.values for term in terms for requirement in term.match_expressions)


def _with_zones(terms: Terms, key: str, label: str) -> Terms:
    zones = tuple(sorted({zone.strip() for zone in label.split("__") if zone.strip()}))
    if not zones:
        return terms
    requirement = Requirement(key=key, operator="In", values=zones)
    return tuple(replace(term, match_expressions=(*term.match_expressions, requirement)) for term in terms or (NodeSelectorTerm(),))


def _rename(term: NodeSelectorTerm, renamed: Mapping[str, str]) -> NodeSelectorTerm:
    if not renamed:
        return term
    return replace(term, match_expressions=tuple(replace(r, key=renamed.get(r.key, r.key)) for r in term.match_expressions))
