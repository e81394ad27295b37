"""Manifests to frozen values: which reader reads which kind, lists included.

The one rule: every object is read, and everything wrong in any of them is found, before anything is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from scheduler_core.api import policies, storage
from scheduler_core.api.fields import Fields, Value, found
from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.metadata import read_meta
from scheduler_core.api.names import path_segment_error
from scheduler_core.api.nodes import Nodes
from scheduler_core.api.objects import KubeObject, Other, kind_of
from scheduler_core.api.pods import Pods
from scheduler_core.errors import Problem

Reader = Callable[[Fields, Mapping[str, Value], "Path | None"], KubeObject]

MAX_LIST_DEPTH: Final = 8
MOST_OBJECTS: Final = 1_000_000

# The group and version that each kind is read in; older ones of the same shape are taken as well.
API_VERSIONS: Final[dict[str, tuple[str, ...]]] = {
    "Pod": ("v1",),
    "Node": ("v1",),
    "Namespace": ("v1",),
    "PersistentVolume": ("v1",),
    "PersistentVolumeClaim": ("v1",),
    "ReplicationController": ("v1",),
    "Service": ("v1",),
    "PodDisruptionBudget": ("policy/v1", "policy/v1beta1"),
    "PriorityClass": ("scheduling.k8s.io/v1", "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1alpha1"),
    "StorageClass": ("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
    "CSINode": ("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
    "CSIDriver": ("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
    "VolumeAttachment": ("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
    "CSIStorageCapacity": ("storage.k8s.io/v1", "storage.k8s.io/v1beta1"),
    "ReplicaSet": ("apps/v1",),
    "StatefulSet": ("apps/v1",),
    "Deployment": ("apps/v1",),
    "DaemonSet": ("apps/v1",),
    "Job": ("batch/v1",),
}
READERS: Final[dict[str, Reader]] = {
    "Namespace": policies.read_namespace,
    "PodDisruptionBudget": policies.read_budget,
    "PriorityClass": policies.read_priority_class,
    "ReplicationController": policies.read_workload,
    "Service": policies.read_workload,
    "ReplicaSet": policies.read_workload,
    "StatefulSet": policies.read_workload,
    "Deployment": policies.read_workload,
    "DaemonSet": policies.read_workload,
    "Job": policies.read_workload,
    "PersistentVolume": storage.read_volume,
    "PersistentVolumeClaim": storage.read_claim,
    "StorageClass": storage.read_storage_class,
    "CSINode": storage.read_csi_node,
    "CSIDriver": storage.read_csi_driver,
    "VolumeAttachment": storage.read_attachment,
    "CSIStorageCapacity": storage.read_storage_capacity,
}
# Listed by kubectl but without a say in scheduling: kept without a warning.
SILENT: Final = frozenset({"Endpoints", "EndpointSlice", "Event", "Lease", "ServiceAccount", "ControllerRevision", "Status"})
# Heeded by admission only: these of their fields are kept.
ADMISSION: Final = {"LimitRange": ("spec",), "ResourceQuota": ("spec", "status")}
CLUSTER_WIDE: Final = frozenset(
    {"Node", "Namespace", "PersistentVolume", "PriorityClass", "StorageClass", "CSINode", "CSIDriver", "VolumeAttachment"}
)


class Parser:
    """Reads the objects of one input. Equal parts of objects are shared; findings gather in :attr:`findings`.

    :attr:`places` has the path of each object that was listed, :attr:`timeline_places` of each operation, in their order.
    """

    def __init__(self, findings: Findings | None = None, *, most_objects: int = MOST_OBJECTS) -> None:
        self.left_to_read = most_objects
        self.findings = findings or Findings()
        self.fields = Fields(self.findings)
        self.places: list[Path | None] = []
        self.timeline_places: list[Path | None] = []
        self._pods = Pods(self.fields)
        self._nodes = Nodes(self.fields)

    def read(self, manifest: Value, path: Path | None) -> KubeObject | None:
        """One object, or None where there is nothing to make one of; problems are among the findings."""
        if type(manifest) is not dict:
            self.findings.problem(path, f"must be a Kubernetes object, not {found(manifest)}")
            return None
        kind = manifest.get("kind")
        if kind == "Pod":
            self._check_version(manifest, kind, path)
            return self._pods.read(manifest, path)
        if kind == "Node":
            self._check_version(manifest, kind, path)
            return self._nodes.read(manifest, path)
        if type(kind) is not str or not kind:
            self._refuse_kind(manifest, path)
            return None
        reader = READERS.get(kind)
        if reader is None:
            return self._read_other(kind, manifest, path)
        if not self._is_modelled_group(manifest, kind):
            return self._read_other(f"{kind}.{manifest['apiVersion'].rpartition('/')[0]}", manifest, path)
        self._check_version(manifest, kind, path)
        return reader(self.fields, manifest, path)

    def unrolled(self, document: Value, path: Path | None, depth: int = 0) -> Iterator[tuple[Value, Path | None]]:
        """The objects of a document: itself, or what a ``List`` or typed list holds; items without a kind inherit it."""
        kind = document.get("kind") if type(document) is dict else None
        if type(kind) is not str or not kind.endswith("List") or ("items" not in document and kind != "List"):
            yield document, path
            return
        if depth > MAX_LIST_DEPTH:
            self.findings.problem(path, f"lists are nested deeper than {MAX_LIST_DEPTH}")
            return
        inherited = {} if kind == "List" else {"kind": kind.removesuffix("List"), "apiVersion": document.get("apiVersion")}
        at = (path, "items")
        for index, item in enumerate(self.fields.items(document.get("items"), at)):
            if type(item) is dict and inherited and not item.get("kind"):
                item = {**inherited, **{key: value for key, value in item.items() if value is not None}}
            yield from self.unrolled(item, (at, index), depth + 1)

    def _refuse_kind(self, manifest: Mapping[str, Value], path: Path | None) -> None:
        kind = manifest.get("kind")
        if kind is None or kind == "":
            self.findings.problem((path, "kind"), "is required: every object says what it is, such as kind: Pod")
        else:
            self.findings.problem((path, "kind"), f"must be text, not {found(kind)}")

    def _is_modelled_group(self, manifest: Mapping[str, Value], kind: str) -> bool:
        version = manifest.get("apiVersion")
        if type(version) is not str or not version:
            return True
        group = version.rpartition("/")[0]
        return any(known.rpartition("/")[0] == group for known in API_VERSIONS[kind])

    def _check_version(self, manifest: Mapping[str, Value], kind: str, path: Path | None) -> None:
        version = manifest.get("apiVersion")
        if type(version) is str and version in API_VERSIONS[kind]:
            return
        expected = API_VERSIONS[kind][0]
        if version is None or version == "":
            self.findings.problem((path, "apiVersion"), f"is required: {expected} for a {kind}")
        elif type(version) is not str:
            self.findings.problem((path, "apiVersion"), f"must be text, not {found(version)}")
        else:
            self.findings.warn((path, "apiVersion"), f"{version[:80]!r} is not known for {kind}: read as {expected}")

    def _read_other(self, kind: str, manifest: Mapping[str, Value], path: Path | None) -> Other:
        meta = read_meta(self.fields, manifest.get("metadata"), (path, "metadata"), namespaced=True, name_error=path_segment_error)
        if kind not in SILENT and kind not in ADMISSION:
            self.findings.warn(path, f"{kind[:80]} {meta.name[:80]!r} is kept but not modelled")
        kept: dict[str, Any] = {"apiVersion": manifest.get("apiVersion"), "kind": manifest["kind"], "metadata": {"name": meta.name}}
        if kind in ADMISSION:
            kept.update((key, manifest[key]) for key in ADMISSION[kind] if manifest.get(key) is not None)
        raw = manifest.get("metadata")
        namespace = raw.get("namespace") if type(raw) is dict else None
        if type(namespace) is str and namespace:
            kept["metadata"]["namespace"] = namespace
        if kind in ADMISSION and not namespace:
            kept["metadata"]["namespace"] = namespace = "default"
        return Other(kind=kind, name=meta.name, namespace=namespace if type(namespace) is str else "", manifest=kept)


def identity(value: KubeObject) -> tuple[str, str, str]:
    """(kind, namespace, name), unique among the objects of a cluster; the namespace is "" for cluster-wide kinds."""
    return kind_of(value), getattr(value, "namespace", ""), value.name


def parse_object(manifest: Value, path: str = "") -> tuple[KubeObject | None, tuple[Problem, ...], tuple[Problem, ...]]:
    """One object by itself: ``(object or None, problems, warnings)``; never raises for anything JSON can hold."""
    parser = Parser(Findings(path))
    value = parser.read(manifest, None)
    return value, parser.findings.problems(), parser.findings.warnings()
