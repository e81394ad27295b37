"""Containers of a pod: their resources, ports and the checks between them.

The one rule: where an object is read as one to be created, the API server's defaults are part of it, in its value and in what is
stored (a limit without a request is the request, ports of the host network stand on the host); otherwise it is read as written.
Mirrors pkg/apis/core/v1/defaults.go and validation.go at 1.34.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from scheduler_core.api.fields import Fields, Value
from scheduler_core.api.findings import Path
from scheduler_core.api.names import label_error, qualified_name_error
from scheduler_core.api.objects import Container, ContainerPort

KEPT: Final = ("name", "image", "resources", "ports", "restartPolicy")
"""What of a container is stored. Commands, environments and probes decide nothing and may hold secrets."""
KNOWN: Final = frozenset(KEPT) | frozenset(
    """args command env envFrom imagePullPolicy lifecycle livenessProbe readinessProbe resizePolicy restartPolicyRules securityContext
    startupProbe stdin stdinOnce terminationMessagePath terminationMessagePolicy tty volumeDevices volumeMounts workingDir""".split()  # noqa: SIM905 - a list of names reads better as words
)
STANDARD: Final = frozenset({"cpu", "memory", "ephemeral-storage"})
PROTOCOLS: Final = ("TCP", "UDP", "SCTP")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainerSet:
    """All containers of a pod, and what of their manifests is stored."""

    containers: tuple[Container, ...]
    init_containers: tuple[Container, ...]
    manifests: Mapping[str, Any]


class Containers:
    """Reads the containers of pods."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields

    def read(self, value: list[Value], path: Path | None) -> ContainerSet:
        """From ``[containers, initContainers, hostNetwork]`` of the spec at ``path``."""
        main, init, host_network = value
        manifests: dict[str, Any] = {}
        names: set[str] = set()
        containers = self._read_list(main, (path, "containers"), names, manifests, host_network=host_network)
        init_containers = self._read_list(init, (path, "initContainers"), names, manifests, host_network=host_network)
        if not containers and (main is None or main == []):
            self.fields.invalid((path, "containers"), "is required: a pod has at least one container")
        self._check_host_ports(containers, (path, "containers"))
        return ContainerSet(containers=containers, init_containers=init_containers, manifests=manifests)

    def pod_resources(self, value: Value, path: Path | None) -> tuple[dict[str, int] | None, dict[str, int] | None]:
        """spec.resources, the requests and limits of the pod as a whole; None where it states none."""
        raw = self.fields.mapping(value, path)
        requests = self._amounts(raw.get("requests"), (path, "requests"))
        limits = self._amounts(raw.get("limits"), (path, "limits"))
        for kind, amounts in (("requests", requests), ("limits", limits)):
            for name in amounts:
                if name not in ("cpu", "memory") and not name.startswith("hugepages-"):
                    self.fields.invalid(((path, kind), name), f"{name!r} cannot be set for a whole pod: only cpu, memory and hugepages can")
        self._check_limits(requests, limits, (path, "requests"))
        if raw.get("claims"):
            self.fields.findings.warn((path, "claims"), "resource claims are not modelled: ignored")
        return requests or None, limits or None

    def _read_list(
        self, value: Value, path: Path, names: set[str], manifests: dict[str, Any], *, host_network: bool
    ) -> tuple[Container, ...]:
        containers = []
        kept = []
        for raw, here in self.fields.maps(value, path):
            item = _with_defaults(raw, host_network=host_network) if self.fields.findings.strict else raw
            container = self._read_one(item, here, host_network=host_network)
            if container.name and container.name in names:
                self.fields.invalid((here, "name"), f"repeats the container name {container.name!r}")
            names.add(container.name)
            containers.append(container)
            kept.append({key: item[key] for key in KEPT if item.get(key) is not None})
        if kept:
            manifests[str(path[1])] = kept
        return tuple(containers)

    def _read_one(self, item: Mapping[str, Value], path: Path, *, host_network: bool) -> Container:
        fields = self.fields
        name = fields.required_text(item, "name", path)
        if name and label_error(name):
            fields.invalid((path, "name"), label_error(name))
        for key in sorted(item.keys() - KNOWN):
            fields.findings.warn((path, key), f"unknown field {key[:80]!r}: ignored")
        at, resources = (path, "resources"), fields.mapping(item.get("resources"), (path, "resources"))
        requests = self._amounts(resources.get("requests"), (at, "requests"))
        limits = self._amounts(resources.get("limits"), (at, "limits"))
        self._check_limits(requests, limits, (at, "requests"))
        if resources.get("claims"):
            fields.findings.warn((at, "claims"), "resource claims are not modelled: ignored")
        return Container(
            name=name,
            image=fields.text(item, "image", path),
            requests=requests,
            fine_requests=fields.fine_amounts(resources["requests"]) if requests else {},
            limits=limits,
            ports=self._ports(item.get("ports"), (path, "ports"), host_network=host_network),
            restart_policy=self._restart_policy(item, path),
        )

    def resized(self, containers: tuple[Container, ...], value: Value, path: Path | None, *, infeasible: bool) -> tuple[Container, ...]:
        """The containers with what the kubelet has allocated, from their statuses; the same tuple where no one is being resized."""
        allocated: dict[str, dict[str, int]] = {}
        for item, here in self.fields.maps(value, path):
            at, resources = (here, "resources"), self.fields.mapping(item.get("resources"), (here, "resources"))
            given = self.fields.amounts(item.get("allocatedResources"), (here, "allocatedResources"))
            actual = self.fields.amounts(resources.get("requests"), (at, "requests"))
            if given or actual:
                allocated[str(item.get("name"))] = {name: max(given.get(name, 0), actual.get(name, 0)) for name in (*given, *actual)}
        counted = []
        for container in containers:
            found = allocated.get(container.name)
            if found is not None and not infeasible:
                found = {name: max(found.get(name, 0), container.requests.get(name, 0)) for name in (*container.requests, *found)}
            counted.append(container if found is None or found == container.requests else replace(container, allocated=found))
        return containers if all(a is b for a, b in zip(counted, containers, strict=True)) else tuple(counted)

    def _restart_policy(self, item: Mapping[str, Value], path: Path) -> str:
        if not item.get("restartPolicy"):
            return ""
        return self.fields.choice(item, "restartPolicy", path, ("Always", "Never", "OnFailure"), "Never")

    def _amounts(self, value: Value, path: Path) -> dict[str, int]:
        amounts = self.fields.amounts(value, path)
        for name in amounts:
            error = qualified_name_error(name)
            if not error and "/" not in name and name not in STANDARD and not name.startswith("hugepages-"):
                error = f"{name!r} is not a resource: use cpu, memory, ephemeral-storage, hugepages-SIZE or a name with a domain"
            if error:
                self.fields.invalid((path, name), error)
        return amounts

    def _check_limits(self, requests: Mapping[str, int], limits: Mapping[str, int], path: Path) -> None:
        for name, amount in requests.items():
            limit = limits.get(name)
            if limit is not None and amount > limit:
                self.fields.invalid((path, name), f"must not exceed the limit of {name}")
            elif limit is not None and amount != limit and _never_overcommitted(name):
                self.fields.invalid((path, name), f"must equal the limit of {name}: it cannot be overcommitted")

    def _ports(self, value: Value, path: Path, *, host_network: bool) -> tuple[ContainerPort, ...]:
        return tuple(self._port(item, here, host_network=host_network) for item, here in self.fields.maps(value, path))

    def _port(self, item: Mapping[str, Value], path: Path, *, host_network: bool) -> ContainerPort:
        fields = self.fields
        if item.get("containerPort") is None:
            fields.invalid((path, "containerPort"), "is required: 1 to 65535")
        container_port = fields.integer(item, "containerPort", path, low=1, high=65535) or 0
        host_port = fields.integer(item, "hostPort", path, low=0, high=65535) or 0
        host_ip = fields.text(item, "hostIP", path)
        if host_ip and not _is_ip(host_ip):
            fields.invalid((path, "hostIP"), f"{host_ip[:80]!r} is not an IP address")
        if host_network and host_port and host_port != container_port:
            fields.invalid((path, "hostPort"), "must match containerPort when hostNetwork is true")
        return ContainerPort(
            container_port=container_port,
            host_port=host_port,
            host_ip=host_ip,
            protocol=fields.choice(item, "protocol", path, PROTOCOLS, "TCP"),
        )

    def _check_host_ports(self, containers: tuple[Container, ...], path: Path) -> None:
        seen = set()
        for index, container in enumerate(containers):
            for place, port in enumerate(container.ports):
                claim = (port.protocol, port.host_ip, port.host_port)
                if port.host_port and claim in seen:
                    self.fields.invalid(
                        ((((path, index), "ports"), place), "hostPort"), f"repeats the host port {port.host_port}/{port.protocol}"
                    )
                seen.add(claim)


def _with_defaults(item: Mapping[str, Value], *, host_network: bool) -> Mapping[str, Value]:
    """The container as the API server defaults it: limits are requests, ports of the host network stand on the host."""
    resources, ports = item.get("resources"), item.get("ports")
    if type(resources) is dict and type(resources.get("limits")) is dict:
        requests = resources.get("requests") or {}
        if type(requests) is dict and not resources["limits"].keys() <= requests.keys():
            item = {**item, "resources": {**resources, "requests": {**resources["limits"], **requests}}}
    if host_network and type(ports) is list:
        item = {**item, "ports": [_on_the_host(port) for port in ports]}
    return item


def _on_the_host(port: Value) -> Value:
    if type(port) is dict and not port.get("hostPort") and port.get("containerPort") is not None:
        return {**port, "hostPort": port["containerPort"]}
    return port


def _never_overcommitted(name: str) -> bool:
    return name.startswith("hugepages-") or (name not in STANDARD and "kubernetes.io/" not in name)


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
