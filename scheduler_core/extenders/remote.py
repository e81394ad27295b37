"""An extender behind a wire: kube-scheduler's extender protocol v1, whoever carries the bytes.

The one rule: what stands here is the protocol and nothing of the network; a :class:`ExtenderTransport` is injected. Mirrors HTTPExtender of
pkg/scheduler/extender.go and k8s.io/kube-scheduler/extender/v1 at 1.34.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from scheduler_core.api.objects import Node, Pod
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.extenders.interest import is_interested
from scheduler_core.framework.extender import ExtenderError, ExtenderFilterResult, PodsOn, Victims

DEFAULT_TIMEOUT_SECONDS: Final = 5.0
_OK: Final = 200
_INT64: Final = 2**63
_UNITS: Final = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION: Final = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtenderRequest:
    """What a transport sends: a JSON body, how long it may take in seconds, and ``tlsConfig`` as written."""

    url: str
    body: bytes
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    tls: Mapping[str, Any] = field(default_factory=dict)


class ExtenderTransport(Protocol):
    """Carries requests to an extender."""

    def post(self, request: ExtenderRequest) -> tuple[int, bytes]:
        """The status and the body of the answer; raises ExtenderError when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteExtender:
    """An extender of a KubeSchedulerConfiguration; an empty verb does not exist."""

    name: str
    transport: ExtenderTransport = field(repr=False)
    filter_verb: str = ""
    prioritize_verb: str = ""
    preempt_verb: str = ""
    bind_verb: str = ""
    weight: int = 0
    ignorable: bool = False
    node_cache_capable: bool = False
    managed_resources: frozenset[str] = frozenset()
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    tls: Mapping[str, Any] = field(default_factory=dict)

    @property
    def filters(self) -> bool:
        return bool(self.filter_verb)

    @property
    def prioritizes(self) -> bool:
        return bool(self.prioritize_verb)

    @property
    def binds(self) -> bool:
        return bool(self.bind_verb)

    @property
    def preempts(self) -> bool:
        return bool(self.preempt_verb)

    def is_interested(self, pod: PodInfo) -> bool:
        return is_interested(self.managed_resources, pod)

    def filter(self, pod: PodInfo, nodes: Sequence[Node]) -> ExtenderFilterResult:
        answer = _Answer(self._send(self.filter_verb, self._node_args(pod, nodes)), "ExtenderFilterResult")
        error = answer.text("Error")
        if error:
            raise ExtenderError(error)
        names = answer.strings("NodeNames") if self.node_cache_capable else None
        kept = self._known(names, nodes) if names is not None else answer.node_names("Nodes")
        return ExtenderFilterResult(
            nodes=kept,
            failed=answer.string_map("FailedNodes"),
            failed_and_unresolvable=answer.string_map("FailedAndUnresolvableNodes"),
            knows_only_objects=names is None,
        )

    def prioritize(self, pod: PodInfo, nodes: Sequence[Node]) -> Mapping[str, int]:
        return _scores(self._send(self.prioritize_verb, self._node_args(pod, nodes)))

    def preempt(self, pod: PodInfo, victims: Mapping[str, Victims], pods_on: PodsOn) -> Mapping[str, Victims]:
        args: dict[str, Any] = {"Pod": _pod(pod.pod), "NodeNameToVictims": None, "NodeNameToMetaVictims": None}
        if self.node_cache_capable:
            args["NodeNameToMetaVictims"] = {node: _victims(found, lambda p: {"UID": uid_of(p)}) for node, found in victims.items()}
        else:
            args["NodeNameToVictims"] = {node: _victims(found, _pod) for node, found in victims.items()}
        answer = _Answer(self._send(self.preempt_verb, args), "ExtenderPreemptionResult")
        return {node: self._victims_of(node, meta, pods_on) for node, meta in answer.victims("NodeNameToMetaVictims")}

    def bind(self, pod: PodInfo, node: str) -> None:
        args = {"PodName": pod.pod.name, "PodNamespace": pod.pod.namespace, "PodUID": uid_of(pod.pod), "Node": node}
        error = _Answer(self._send(self.bind_verb, args), "ExtenderBindingResult").text("Error")
        if error:
            raise ExtenderError(error)

    def _send(self, verb: str, args: Mapping[str, Any]) -> Any:
        url = f"{self.name.rstrip('/')}/{verb}"
        body = json.dumps(args, ensure_ascii=False, separators=(",", ":")).encode()
        status, answer = self.transport.post(ExtenderRequest(url=url, body=body, timeout_seconds=self.timeout_seconds, tls=self.tls))
        if status != _OK:
            raise ExtenderError(f"failed {verb} with extender at URL {url}, code {status}")
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise ExtenderError(f"{verb} of the extender at URL {url} did not answer with JSON: {error}") from error

    def _node_args(self, pod: PodInfo, nodes: Sequence[Node]) -> dict[str, Any]:
        names = [node.name for node in nodes] if self.node_cache_capable else None
        items = None if self.node_cache_capable else {"metadata": {}, "items": [_node(node) for node in nodes]}
        return {"Pod": _pod(pod.pod), "Nodes": items, "NodeNames": names}

    def _known(self, names: Sequence[str], nodes: Sequence[Node]) -> Sequence[str]:
        shown = {node.name for node in nodes}
        for name in names:
            if name not in shown:
                raise ExtenderError(f'extender "{self.name}" claims a filtered node "{name}" which is not found in the input node list')
        return names

    def _victims_of(self, node: str, meta: _Answer, pods_on: PodsOn) -> Victims:
        """Pods on the node by their UID: an extender may name others than those it was shown."""
        pods = pods_on(node)
        if pods is None:
            raise ExtenderError(f'nodeinfo not found for node name "{node}"')
        by_uid = {uid_of(info.pod): info for info in pods}
        found = []
        for uid in meta.uids("Pods"):
            if uid not in by_uid:
                claim = f"extender: {self.name} claims to preempt pod (UID: {uid}) on node: {node}"
                raise ExtenderError(f"{claim}, but the pod is not found on that node")
            found.append(by_uid[uid])
        return Victims(tuple(found), meta.integer("NumPDBViolations"))


def remote_extenders(documents: Iterable[Mapping[str, Any] | None], transport: ExtenderTransport) -> tuple[RemoteExtender, ...]:
    """The extenders of a configuration, in order; the documents have been checked."""
    return tuple(_extender(document, transport) for document in documents)


def uid_of(pod: Pod) -> str:
    """What identifies the pod on the wire: its UID, or its key where it was given none."""
    return pod.uid or pod.key


def seconds_of(duration: str) -> float:
    """A duration as Go writes it (``1m30s``, ``500ms``) in seconds; 0 for what is none."""
    found = _DURATION.findall(duration)
    if "".join(number + unit for number, unit in found) != duration:
        return 0.0
    return sum(float(number) * _UNITS[unit] for number, unit in found)


def _extender(document: Mapping[str, Any] | None, transport: ExtenderTransport) -> RemoteExtender:
    """From a document as written, where null says as little as nothing."""
    raw = {key: value for key, value in (document or {}).items() if value is not None}
    return RemoteExtender(
        name=raw.get("urlPrefix", ""),
        transport=transport,
        filter_verb=raw.get("filterVerb", ""),
        prioritize_verb=raw.get("prioritizeVerb", ""),
        preempt_verb=raw.get("preemptVerb", ""),
        bind_verb=raw.get("bindVerb", ""),
        weight=raw.get("weight", 0),
        ignorable=raw.get("ignorable", False),
        node_cache_capable=raw.get("nodeCacheCapable", False),
        managed_resources=frozenset((resource or {}).get("name") or "" for resource in raw.get("managedResources", ())),
        timeout_seconds=seconds_of(raw.get("httpTimeout", "")) or DEFAULT_TIMEOUT_SECONDS,
        tls=raw.get("tlsConfig", {}),
    )


# ---- what goes out ---------------------------------------------------------------------------------------------------


def _pod(pod: Pod) -> dict[str, Any]:
    metadata = {**pod.manifest.get("metadata", {}), "name": pod.name, "namespace": pod.namespace, "uid": uid_of(pod)}
    return {**pod.manifest, "metadata": metadata}


def _node(node: Node) -> dict[str, Any]:
    return {**node.manifest, "metadata": {**node.manifest.get("metadata", {}), "name": node.name}}


def _victims(victims: Victims, shown: Callable[[Pod], dict[str, Any]]) -> dict[str, Any]:
    return {"Pods": [shown(info.pod) for info in victims.pods], "NumPDBViolations": victims.pdb_violations}


# ---- what comes back -------------------------------------------------------------------------------------------------


def _scores(answer: Any) -> dict[str, int]:
    """A HostPriorityList; several scores for one host add up."""
    if answer is None:
        return {}
    if not isinstance(answer, list):
        raise _wrong("HostPriorityList", "a list", answer)
    scores: dict[str, int] = {}
    for item in answer:
        entry = _Answer(item, "HostPriority")
        host = entry.text("Host")
        scores[host] = scores.get(host, 0) + entry.integer("Score")
    return scores


class _Answer:
    """A JSON object by Go's rules: names of fields in any case, null for empty, and nothing of another type."""

    def __init__(self, raw: Any, name: str) -> None:
        if raw is None:
            raw = {}
        if not isinstance(raw, dict):
            raise _wrong(name, "an object", raw)
        self._name = name
        self._fields = {key.lower(): value for key, value in raw.items()}

    def _get(self, name: str) -> Any:
        return self._fields.get(name.lower())

    def text(self, name: str) -> str:
        value = self._get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._wrong(name, "text", value)
        return value

    def integer(self, name: str) -> int:
        value = self._get(name)
        if value is None:
            return 0
        if type(value) is not int or not -_INT64 <= value < _INT64:
            raise self._wrong(name, "a whole number", value)
        return value

    def strings(self, name: str) -> list[str] | None:
        value = self._get(name)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._wrong(name, "a list of text", value)
        return value

    def string_map(self, name: str) -> dict[str, str]:
        value = self._get(name)
        if value is None:
            return {}
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self._wrong(name, "a map of text", value)
        return value

    def node_names(self, name: str) -> list[str]:
        """The names of the nodes of a NodeList."""
        items = _Answer(self._get(name), "NodeList")._list("items")
        return [_Answer(_Answer(item, "Node")._get("metadata"), "ObjectMeta").text("name") for item in items]

    def victims(self, name: str) -> list[tuple[str, _Answer]]:
        value = self._get(name)
        if value is None:
            return []
        if not isinstance(value, dict):
            raise self._wrong(name, "a map", value)
        return [(node, _Answer(item, "MetaVictims")) for node, item in value.items()]

    def uids(self, name: str) -> list[str]:
        return [_Answer(item, "MetaPod").text("UID") for item in self._list(name)]

    def _list(self, name: str) -> list[Any]:
        value = self._get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._wrong(name, "a list", value)
        return value

    def _wrong(self, name: str, wanted: str, value: Any) -> ExtenderError:
        return _wrong(f"{self._name}.{name}", wanted, value)


def _wrong(what: str, wanted: str, value: Any) -> ExtenderError:
    names = {dict: "object", list: "array", str: "string", bool: "bool", type(None): "null"}
    return ExtenderError(f"json: cannot unmarshal {names.get(type(value), 'number')} into {what}: it must be {wanted}")
