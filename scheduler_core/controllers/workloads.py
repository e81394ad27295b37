"""Controllers that keep as many pods as they were told to: whoever evicts one of their pods meets its successor.

The one rule: only a workload that the scenario has acts; an owner reference alone recreates nothing. Mirrors, in little,
pkg/controller/{replicaset,deployment,statefulset,daemon,job}.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from scheduler_core.api.objects import Node, Pod, Workload
from scheduler_core.api.parse import parse_object
from scheduler_core.api.selectors import label_selector_matches

KINDS: Final = ("ReplicaSet", "ReplicationController", "Deployment", "StatefulSet", "DaemonSet", "Job")
ALPHABET: Final = "bcdfghjklmnpqrstvwxz2456789"
"""What Kubernetes makes names of: no vowels, so no words."""
DAEMON_TOLERATIONS: Final = tuple(
    {"key": f"node.kubernetes.io/{name}", "operator": "Exists", "effect": effect}
    for name, effect in (
        ("not-ready", "NoExecute"),
        ("unreachable", "NoExecute"),
        ("disk-pressure", "NoSchedule"),
        ("memory-pressure", "NoSchedule"),
        ("pid-pressure", "NoSchedule"),
        ("unschedulable", "NoSchedule"),
    )
)

Owner = tuple[str, str, str]
"""(namespace, kind, name)"""
Draw = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Scaling:
    """What a controller wants done: pods to create and, when there are too many, keys of pods to delete."""

    create: tuple[Pod, ...] = ()
    delete: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.create or self.delete)


class WorkloadControllers:
    """Workloads, the pods of each, and which of them have to be looked at."""

    def __init__(self, draw: Callable[[str], Draw]) -> None:
        self._draw = draw
        self._draws: dict[Owner, Draw] = {}
        self._workloads: dict[Owner, Workload] = {}
        self._pods: dict[Owner, dict[str, Pod]] = {}
        self._keeper_of: dict[str, Owner] = {}
        self._nodes: dict[str, Node] = {}
        self._dirty: dict[Owner, None] = {}

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to look at."""
        return not self._dirty

    def workload_changed(self, kind: str, key: str, workload: Workload | None, pods: Iterable[Pod]) -> None:
        """A workload was created, changed or deleted; the pods of a deleted one stay."""
        namespace, _, name = key.partition("/")
        owner = (namespace, kind, name)
        if workload is None:
            self._workloads.pop(owner, None)
            self._dirty.pop(owner, None)
            return
        self._workloads[owner] = workload
        self._dirty[owner] = None
        for pod in pods:
            self.pod_changed(pod.key, pod)

    def pod_changed(self, key: str, pod: Pod | None) -> None:
        """A pod came, changed or went."""
        before = self._keeper_of.pop(key, None)
        if before is not None:
            self._pods[before].pop(key, None)
            self._dirty[before] = None
        keeper = None if pod is None else self._keeper(pod)
        if pod is None or keeper is None:
            return
        self._keeper_of[key] = keeper
        self._pods.setdefault(keeper, {})[key] = pod
        self._dirty[keeper] = None

    def node_changed(self, name: str, node: Node | None) -> None:
        """A node came, changed or went: every DaemonSet is looked at."""
        if node is None:
            self._nodes.pop(name, None)
        else:
            self._nodes[name] = node
        self._dirty.update((owner, None) for owner in self._workloads if owner[1] == "DaemonSet")

    def scale(self) -> list[Scaling]:
        """What every workload that may have changed wants done."""
        dirty, self._dirty = self._dirty, {}
        return [scaling for owner in dirty if owner in self._workloads and (scaling := self._scale(owner))]

    # ---- whose pod -----------------------------------------------------------------------------------------------

    def _keeper(self, pod: Pod) -> Owner | None:
        """The workload that the pod counts for: its controller, or the Deployment of a ReplicaSet that is not there."""
        owner = next((owner for owner in pod.owners if owner.controller), None)
        if owner is None:
            return None
        direct = (pod.namespace, owner.kind, owner.name)
        if direct in self._workloads:
            return direct
        if owner.kind != "ReplicaSet":
            return None
        deployment = (pod.namespace, "Deployment", owner.name.rpartition("-")[0])
        found = self._workloads.get(deployment)
        return deployment if found is not None and label_selector_matches(found.selector, pod.labels) else None

    def _has_replica_sets(self, deployment: Workload) -> bool:
        owners = (owner for workload in self._workloads.values() if workload.kind == "ReplicaSet" for owner in workload.owners)
        return any(owner.kind == "Deployment" and owner.name == deployment.name for owner in owners)

    # ---- how many ------------------------------------------------------------------------------------------------

    def _scale(self, owner: Owner) -> Scaling:
        workload = self._workloads[owner]
        pods = self._pods.get(owner, {})
        match workload.kind:
            case "DaemonSet":
                return self._daemons(workload, pods)
            case "StatefulSet":
                return self._ordinals(workload, pods)
            case "Deployment" if self._has_replica_sets(workload):
                return Scaling()
        return self._replicas(owner, workload, pods)

    def _replicas(self, owner: Owner, workload: Workload, pods: Mapping[str, Pod]) -> Scaling:
        active = [pod for pod in pods.values() if _is_active(pod)]
        wanted = 1 if workload.replicas is None else workload.replicas
        if len(active) > wanted:
            active.sort(key=lambda pod: (bool(pod.node_name), -(pod.start_time or 0), pod.key))
            return Scaling(delete=tuple(pod.key for pod in active[: len(active) - wanted]))
        made = (self._make(workload, f"{self._prefix(workload, pods)}{self._suffix(owner)}", pods) for _ in range(wanted - len(active)))
        return Scaling(create=tuple(pod for pod in made if pod is not None))

    def _ordinals(self, workload: Workload, pods: Mapping[str, Pod]) -> Scaling:
        """One after another: the next only when the one before runs."""
        wanted = 1 if workload.replicas is None else workload.replicas
        extra = [pod.key for pod in pods.values() if _is_active(pod) and _ordinal(pod) >= wanted]
        if extra:
            return Scaling(delete=(max(extra, key=lambda key: _ordinal(pods[key])),))
        for k in range(wanted):
            there = pods.get(f"{workload.namespace}/{workload.name}-{k}")
            if there is None:
                made = self._make(workload, f"{workload.name}-{k}", pods)
                return Scaling(create=(made,)) if made else Scaling()
            if not there.node_name or not _is_active(there):
                return Scaling()
        return Scaling()

    def _daemons(self, workload: Workload, pods: Mapping[str, Pod]) -> Scaling:
        """One for each node that its pods would be let onto by name; the scheduler decides the rest."""
        taken = {_target(pod) for pod in pods.values()}
        owner = (workload.namespace, workload.kind, workload.name)
        made = []
        for name, node in self._nodes.items():
            if name in taken or not _suits(workload, node):
                continue
            made.append(self._make(workload, f"{workload.name}-{self._suffix(owner)}", pods, node=name))
        gone = tuple(pod.key for pod in pods.values() if _is_active(pod) and _target(pod) not in self._nodes)
        return Scaling(create=tuple(pod for pod in made if pod is not None), delete=gone)

    # ---- new pods ------------------------------------------------------------------------------------------------

    def _suffix(self, owner: Owner) -> str:
        draw = self._draws.get(owner)
        if draw is None:
            draw = self._draws[owner] = self._draw(f"names/{'/'.join(owner)}")
        return "".join(ALPHABET[draw(len(ALPHABET))] for _ in range(5))

    def _prefix(self, workload: Workload, pods: Mapping[str, Pod]) -> str:
        if workload.kind != "Deployment":
            return f"{workload.name}-"
        return f"{self._replica_set(workload, pods)}-"

    def _replica_set(self, workload: Workload, pods: Mapping[str, Pod]) -> str:
        """The ReplicaSet of a Deployment: the one that most of its pods name, else one made up from its template."""
        named = Counter(owner.name for pod in pods.values() for owner in pod.owners if owner.controller)
        if named:
            return named.most_common(1)[0][0]
        digest = sha256(repr(workload.manifest.get("spec", {}).get("template")).encode()).digest()
        return f"{workload.name}-{''.join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:9])}"

    def _make(self, workload: Workload, name: str, pods: Mapping[str, Pod], *, node: str = "") -> Pod | None:
        template = _template(workload, pods)
        if template is None:
            return None
        metadata, spec = dict(template.get("metadata") or {}), dict(template.get("spec") or {})
        kind, owner = workload.kind, workload.name
        if kind == "Deployment":
            kind, owner = "ReplicaSet", self._replica_set(workload, pods)
        metadata |= {"name": name, "namespace": workload.namespace, "uid": f"{workload.namespace}/{name}"}
        metadata["ownerReferences"] = [{"apiVersion": _group(kind), "kind": kind, "name": owner, "uid": owner, "controller": True}]
        if node:
            spec = _for_node(spec, node)
        manifest = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}
        value, problems, _ = parse_object(manifest)
        return value if isinstance(value, Pod) and not problems else None


def _is_active(pod: Pod) -> bool:
    return pod.deletion_timestamp is None and pod.phase not in ("Succeeded", "Failed")


def _ordinal(pod: Pod) -> int:
    digits = pod.name.rpartition("-")[2]
    return int(digits) if digits.isdigit() else 0


def _group(kind: str) -> str:
    return {"Job": "batch/v1", "ReplicationController": "v1"}.get(kind, "apps/v1")


def _template(workload: Workload, pods: Mapping[str, Pod]) -> Mapping[str, Any] | None:
    """The pod template; without one, a pod of the workload serves as the pattern."""
    template = workload.manifest.get("spec", {}).get("template")
    if template and template.get("spec"):
        found: Mapping[str, Any] = template
        return found
    pattern = next(iter(pods.values()), None)
    if pattern is None:
        return None
    spec = {key: value for key, value in pattern.manifest.get("spec", {}).items() if key != "nodeName"}
    return {"metadata": {"labels": dict(pattern.labels)}, "spec": spec}


def _target(pod: Pod) -> str:
    """The node that a pod of a DaemonSet is for."""
    if pod.node_name:
        return pod.node_name
    fields = (field for term in pod.required_node_affinity or () for field in term.match_fields)
    return next((field.values[0] for field in fields if field.key == "metadata.name" and field.values), "")


def _suits(workload: Workload, node: Node) -> bool:
    """Whether the DaemonSet's node selector lets it onto the node; taints are for the scheduler to judge."""
    selector = (workload.manifest.get("spec", {}).get("template", {}).get("spec") or {}).get("nodeSelector") or {}
    return all(node.labels.get(key) == value for key, value in selector.items())


def _for_node(spec: dict[str, Any], node: str) -> dict[str, Any]:
    """The spec with affinity to one node by name, and the tolerations that every DaemonSet's pods get."""
    field = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
    affinity = dict(spec.get("affinity") or {})
    affinity["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [field]}}
    return {**spec, "affinity": affinity, "tolerations": [*(spec.get("tolerations") or ()), *DAEMON_TOLERATIONS]}
