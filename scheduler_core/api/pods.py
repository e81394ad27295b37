"""core/v1 Pod: from a manifest to a frozen value.

The one rule: what thousands of pods share (containers, affinity, tolerations, labels) is read once and shared, so each
further pod of a template costs a few look-ups. Mirrors ValidatePodSpec of pkg/apis/core/validation at 1.34.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scheduler_core.api.constraints import Constraints
from scheduler_core.api.containers import Containers
from scheduler_core.api.fields import EMPTY, Fields, Value
from scheduler_core.api.findings import Path
from scheduler_core.api.metadata import read_meta
from scheduler_core.api.names import qualified_name_error, subdomain_error
from scheduler_core.api.objects import Condition, Container, Pod, Resources, Volume
from scheduler_core.api.quantity import amount_text
from scheduler_core.api.resources import default_pod_requests
from scheduler_core.api.volumes import read_volumes

DEFAULT_SCHEDULER: Final = "default-scheduler"
MODELLED: Final = frozenset(
    """affinity containers hostNetwork initContainers nodeName nodeSelector overhead preemptionPolicy priority priorityClassName
    resources schedulerName schedulingGates terminationGracePeriodSeconds tolerations topologySpreadConstraints
    volumes""".split()  # noqa: SIM905 - a list of names reads better as words
)
UNMODELLED: Final = {"resourceClaims": "are", "workloadRef": "is"}
KEPT: Final = MODELLED | {"restartPolicy", "runtimeClassName", *UNMODELLED}
"""What of a spec is stored: the modelled fields, and those that a person would miss."""
KNOWN: Final = KEPT | frozenset(
    """activeDeadlineSeconds automountServiceAccountToken dnsConfig dnsPolicy enableServiceLinks ephemeralContainers hostAliases hostIPC
    hostPID hostUsers hostname hostnameOverride imagePullSecrets os readinessGates securityContext serviceAccount serviceAccountName
    setHostnameAsFQDN shareProcessNamespace subdomain""".split()  # noqa: SIM905 - a list of names reads better as words
)
STATUS_KEPT: Final = ("phase", "reason", "message", "startTime", "nominatedNodeName", "qosClass")
PHASES: Final = ("Pending", "Running", "Succeeded", "Failed", "Unknown")
RESIZE_KEPT: Final = ("name", "allocatedResources", "resources")

Resizable = tuple[Container, ...]


class Pods:
    """Reads pods; one for each input, so that equal parts are shared between its pods."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.constraints = Constraints(fields)
        self.containers = Containers(fields)

    def read(self, manifest: Mapping[str, Value], path: Path | None) -> Pod:
        """One pod; what is wrong in it is among the findings."""
        fields = self.fields
        meta = read_meta(fields, manifest.get("metadata"), (path, "metadata"), namespaced=True, name_error=subdomain_error)
        at, spec = (path, "spec"), fields.mapping(manifest.get("spec"), (path, "spec"))
        status_at, status = (path, "status"), fields.mapping(manifest.get("status"), (path, "status"))
        kept_spec = {key: item for key, item in spec.items() if key in KEPT and item is not None}
        kept_status: dict[str, Any] = {key: status[key] for key in STATUS_KEPT if status.get(key) is not None}
        self._warn_of_unmodelled(spec, at)
        containers = fields.shared(
            self.containers.read, [spec.get("containers"), spec.get("initContainers"), bool(spec.get("hostNetwork"))], at
        )
        kept_spec.update(containers.manifests)
        main, init = containers.containers, containers.init_containers
        if status.get("containerStatuses") or status.get("initContainerStatuses"):
            main, init = self._resized(main, init, status, status_at, kept_status)
        volumes = self._volumes(spec, at, kept_spec)
        conditions: tuple[Condition, ...] = ()
        if status.get("conditions"):
            conditions, kept_status["conditions"] = fields.shared(self.conditions, status["conditions"], (status_at, "conditions"))
        pod_requests, pod_limits = None, None
        if spec.get("resources") is not None:
            pod_requests, pod_limits = fields.shared(self.containers.pod_resources, spec["resources"], (at, "resources"))
            if (pod_requests or pod_limits) and fields.findings.strict:
                pod_requests = self._completed(main, init, pod_requests, pod_limits, kept_spec)
        result: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": meta.manifest, "spec": kept_spec}
        if kept_status:
            result["status"] = kept_status
        return Pod(
            name=meta.name,
            namespace=meta.namespace,
            uid=meta.uid,
            labels=meta.labels,
            annotations=meta.annotations,
            creation_timestamp=meta.creation_timestamp,
            deletion_timestamp=meta.deletion_timestamp,
            owners=meta.owners,
            containers=main,
            init_containers=init,
            pod_requests=pod_requests,
            pod_limits=pod_limits,
            overhead=fields.shared(self.overhead, spec["overhead"], (at, "overhead")) if spec.get("overhead") else {},
            volumes=volumes,
            manifest=result,
            conditions=conditions,
            phase=self._phase(status, status_at),
            start_time=fields.timestamp(status, "startTime", status_at),
            nominated_node_name=self._node_name(status, "nominatedNodeName", status_at),
            **self._constraints(spec, at),
            **self._identity(spec, at),
        )

    def _warn_of_unmodelled(self, spec: Mapping[str, Value], at: Path) -> None:
        for name, verb in UNMODELLED.items():
            if spec.get(name):
                self.fields.findings.warn((at, name), f"{name} {verb} not modelled: ignored")
        if not spec.keys() <= KNOWN:
            for name in sorted(spec.keys() - KNOWN):
                self.fields.findings.warn((at, name), f"unknown field {name[:80]!r}: ignored")

    def _volumes(self, spec: Mapping[str, Value], at: Path, kept: dict[str, Any]) -> tuple[Volume, ...]:
        raw = spec.get("volumes")
        if raw is None:
            return ()
        if type(raw) is list:
            raw = [item for item in raw if not _is_token_volume(item)]
            kept["volumes"] = raw
            if not raw:
                del kept["volumes"]
                return ()
        return self.fields.shared(self.volumes, raw, (at, "volumes"))

    def _completed(
        self, main: Resizable, init: Resizable, requests: Resources | None, limits: Resources | None, kept: dict[str, Any]
    ) -> dict[str, int]:
        """The requests of the pod as a whole with the API server's defaults, also in what is stored."""
        states = Pod(name="", containers=main, init_containers=init, pod_requests=requests, pod_limits=limits)
        completed = default_pod_requests(states)
        stated = kept["resources"].get("requests") or {}
        added = {name: amount_text(name, amount) for name, amount in completed.items() if name not in stated}
        kept["resources"] = {**kept["resources"], "requests": {**stated, **added}}
        return completed

    def _resized(
        self, main: Resizable, init: Resizable, status: Mapping[str, Value], at: Path, kept: dict[str, Any]
    ) -> tuple[Resizable, Resizable]:
        """The containers with what is allocated to them; their statuses are kept only where that differs from what they request."""
        infeasible = any(
            type(item) is dict and item.get("type") == "PodResizePending" and item.get("reason") == "Infeasible"
            for item in self.fields.items(status.get("conditions"), (at, "conditions"))
        )
        resized = []
        for containers, key in ((main, "containerStatuses"), (init, "initContainerStatuses")):
            made = self.containers.resized(containers, status.get(key), (at, key), infeasible=infeasible)
            resized.append(made)
            if made is not containers:
                kept[key] = [{part: item[part] for part in RESIZE_KEPT if part in item} for item in status[key]]
        return resized[0], resized[1]

    def volumes(self, value: Value, path: Path | None) -> tuple[Volume, ...]:
        """spec.volumes, without the token that every pod gets."""
        return read_volumes(self.fields, value, path)

    def overhead(self, value: Value, path: Path | None) -> dict[str, int]:
        """spec.overhead."""
        return self.fields.amounts(value, path)

    def _constraints(self, spec: Mapping[str, Value], at: Path) -> dict[str, Any]:
        """Those constraints that the spec states, as keywords of Pod."""
        shared, constraints = self.fields.shared, self.constraints
        given: dict[str, Any] = {}
        if spec.get("affinity"):
            given.update(shared(constraints.affinity, spec["affinity"], (at, "affinity")))
        if spec.get("tolerations"):
            given["tolerations"] = shared(constraints.tolerations, spec["tolerations"], (at, "tolerations"))
        if spec.get("topologySpreadConstraints"):
            value, here = spec["topologySpreadConstraints"], (at, "topologySpreadConstraints")
            given["spread_constraints"] = shared(constraints.spread_constraints, value, here)
        if spec.get("nodeSelector"):
            given["node_selector"] = shared(constraints.node_labels, spec["nodeSelector"], (at, "nodeSelector"))
        if spec.get("schedulingGates"):
            given["scheduling_gates"] = shared(self.gates, spec["schedulingGates"], (at, "schedulingGates"))
            if given["scheduling_gates"] and spec.get("nodeName"):
                self.fields.invalid((at, "nodeName"), "cannot be set until all schedulingGates have been removed")
        return given

    def gates(self, value: Value, path: Path | None) -> tuple[str, ...]:
        """spec.schedulingGates, each name once."""
        names: list[str] = []
        for item, here in self.fields.maps(value, path):
            name = self.fields.required_text(item, "name", here)
            error = qualified_name_error(name) if name else ""
            if error or name in names:
                self.fields.invalid((here, "name"), error or f"repeats the gate {name!r}")
            names.append(name)
        return tuple(names)

    def _identity(self, spec: Mapping[str, Value], at: Path) -> dict[str, Any]:
        """Who schedules it, where it is and how important it is, as keywords of Pod."""
        fields = self.fields
        given: dict[str, Any] = {"node_name": self._node_name(spec, "nodeName", at), "priority": fields.integer(spec, "priority", at)}
        if spec.get("priorityClassName"):
            given["priority_class_name"] = fields.text(spec, "priorityClassName", at)
        if spec.get("schedulerName"):
            given["scheduler_name"] = fields.text(spec, "schedulerName", at)
        if spec.get("preemptionPolicy"):
            given["preemption_policy"] = fields.choice(
                spec, "preemptionPolicy", at, ("PreemptLowerPriority", "Never"), "PreemptLowerPriority"
            )
        if spec.get("hostNetwork") is not None:
            given["host_network"] = fields.boolean(spec, "hostNetwork", at)
        grace = fields.integer(spec, "terminationGracePeriodSeconds", at, low=0, high=2**31 - 1)
        if grace is not None:
            given["termination_grace_period_seconds"] = grace
        return given

    def _node_name(self, owner: Mapping[str, Value], key: str, path: Path) -> str:
        value = owner.get(key)
        if value is None or value == "":
            return ""
        if type(value) is str:
            if value not in self.fields.good_nodes:
                error = subdomain_error(value)
                if error:
                    self.fields.invalid((path, key), error)
                else:
                    self.fields.good_nodes.add(value)
            return value
        return self.fields.text(owner, key, path)

    def _phase(self, status: Mapping[str, Value], path: Path) -> str:
        return self.fields.choice(status, "phase", path, PHASES, "Pending") if status.get("phase") else "Pending"

    def conditions(self, value: Value, path: Path | None) -> tuple[tuple[Condition, ...], list[dict[str, str]]]:
        """status.conditions and what of them is stored."""
        return read_conditions(self.fields, value, path)


def read_conditions(fields: Fields, value: Value, path: Path | None) -> tuple[tuple[Condition, ...], list[dict[str, str]]]:
    """Conditions of a pod or node, and their manifests without the times of heartbeats."""
    conditions = tuple(
        Condition(
            type=fields.required_text(item, "type", here),
            status=fields.text(item, "status", here),
            reason=fields.text(item, "reason", here),
            message=fields.text(item, "message", here),
        )
        for item, here in fields.maps(value, path)
    )
    kept = []
    for condition in conditions:
        parts = {"type": condition.type, "status": condition.status, "reason": condition.reason, "message": condition.message}
        kept.append({key: text for key, text in parts.items() if text})
    return conditions, kept


def _is_token_volume(item: Value) -> bool:
    if type(item) is not dict or "projected" not in item:
        return False
    name = item.get("name", EMPTY)
    return type(name) is str and name.startswith("kube-api-access-")
