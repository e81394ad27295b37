"""The fold that turns a log back into states: ``apply`` one event document after another.

The one rule: it reads only what is in the events, exactly as ``static/js/trace/reducer.js`` does; a test holds the two together.
``docs/events.md`` has the form of a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

LANES: Final = ("active", "backoff", "unschedulable", "gated")
_OUTSIDE: Final[Mapping[str, Any]] = {"queue": None, "until": None, "attempts": 0, "reason": "", "plugins": [], "doomed_by": None}

Entry = dict[str, Any]


class Replay:
    """A state, and how each kind of event changes it; entries are replaced, never changed."""

    def __init__(self, events: Iterable[Mapping[str, Any]] = ()) -> None:
        self.t: float = 0.0
        self.seq = 0
        self.nodes: dict[str, Entry] = {}
        self.pods: dict[str, Entry] = {}
        self.queues: dict[str, dict[str, None]] = {lane: {} for lane in LANES}
        self.nominations: dict[str, str] = {}
        self.budgets: dict[str, Entry] = {}
        self._awaited: set[str] = set()
        """nodes that pods name and that are not there"""
        self._placed: dict[str, str] = {}
        self._evicted: list[str] = []
        for event in events:
            self.apply(event)

    def apply(self, event: Mapping[str, Any]) -> None:
        """Take in the next event of the log."""
        self.t, self.seq = event["t"], event["seq"]
        step = _STEPS.get(event["kind"])
        if step is not None:
            step(self, event["data"])

    def document(self) -> dict[str, Any]:
        """The state as JSON values."""
        return {
            "t": self.t,
            "nodes": dict(self.nodes),
            "pods": dict(self.pods),
            "queues": {lane: list(keys) for lane, keys in self.queues.items()},
            "nominations": dict(self.nominations),
            "budgets": dict(self.budgets),
        }

    def result(self) -> dict[str, Any]:
        """``placements`` of pods that this run bound and that are still there, ``evicted`` in order, ``pending`` with reasons."""
        return {
            "placements": {key: node for key, node in self._placed.items() if key in self.pods},
            "evicted": list(self._evicted),
            "pending": {key: pod["reason"] for key, pod in self.pods.items() if not pod["node"] and not pod["terminating"]},
        }

    # ---- pieces --------------------------------------------------------------------------------------------------

    def _change(self, key: str, **changes: Any) -> None:
        pod = self.pods.get(key)
        if pod is not None:
            self.pods[key] = {**pod, **changes}

    def _put_on(self, key: str, name: str | None) -> None:
        node, pod = self.nodes.get(name or ""), self.pods.get(key)
        if node is None and name:
            self._awaited.add(name)
        if node is None or pod is None or key in node["pods"]:
            return
        self.nodes[node["name"]] = {**node, "pods": [*node["pods"], key], "requested": _sum(node["requested"], pod["requests"], 1)}

    def _take_off(self, key: str, name: str | None) -> None:
        node, pod = self.nodes.get(name or ""), self.pods.get(key)
        if node is None or pod is None or key not in node["pods"]:
            return
        left = [other for other in node["pods"] if other != key]
        self.nodes[node["name"]] = {**node, "pods": left, "requested": _sum(node["requested"], pod["requests"], -1)}

    def _leave_queues(self, key: str) -> None:
        for keys in self.queues.values():
            keys.pop(key, None)

    def _drop(self, key: str) -> None:
        pod = self.pods.get(key)
        if pod is None:
            return
        self._take_off(key, pod["node"])
        self._leave_queues(key)
        self.nominations.pop(key, None)
        self._placed.pop(key, None)
        del self.pods[key]

    def _set_pod(self, view: Mapping[str, Any]) -> None:
        key = view["key"]
        old = self.pods.get(key)
        if old is not None:
            self._take_off(key, old["node"])
        kept = {name: old[name] for name in _OUTSIDE} if old is not None else dict(_OUTSIDE)
        self.pods[key] = {**view, **kept}
        self._put_on(key, view["node"])
        if view["nominated"]:
            self.nominations[key] = view["nominated"]
        else:
            self.nominations.pop(key, None)

    def _set_node(self, view: Mapping[str, Any]) -> None:
        old = self.nodes.get(view["name"])
        if old is not None:
            self.nodes[view["name"]] = {**view, "pods": old["pods"], "requested": old["requested"]}
            return
        self.nodes[view["name"]] = {**view, "pods": [], "requested": {}}
        if view["name"] in self._awaited:
            self._awaited.discard(view["name"])
            for key in [key for key, pod in self.pods.items() if pod["node"] == view["name"]]:
                self._put_on(key, view["name"])

    # ---- kinds ---------------------------------------------------------------------------------------------------

    def _object_set(self, data: Mapping[str, Any]) -> None:
        match data["kind"]:
            case "Pod":
                self._set_pod(data["view"])
            case "Node":
                self._set_node(data["view"])
            case "PodDisruptionBudget":
                self.budgets[data["view"]["key"]] = dict(data["view"])

    def _object_deleted(self, data: Mapping[str, Any]) -> None:
        key = f"{data['namespace']}/{data['name']}" if data["namespace"] else data["name"]
        match data["kind"]:
            case "Pod":
                self._drop(key)
            case "Node":
                self.nodes.pop(data["name"], None)
                self._awaited.add(data["name"])
            case "PodDisruptionBudget":
                self.budgets.pop(key, None)

    def _queue_moved(self, data: Mapping[str, Any]) -> None:
        key = data["pod"]
        self._leave_queues(key)
        if key not in self.pods:
            return
        self.queues[data["to"]][key] = None
        self._change(key, queue=data["to"], until=data["until"], attempts=data["attempts"], plugins=data["plugins"])

    def _cycle_started(self, data: Mapping[str, Any]) -> None:
        self._leave_queues(data["pod"])
        self._change(data["pod"], queue="scheduling", until=None, attempts=data["attempt"])

    def _cycle_failed(self, data: Mapping[str, Any]) -> None:
        self._change(data["pod"], reason=data["message"], plugins=data["plugins"])

    def _assumed(self, data: Mapping[str, Any]) -> None:
        key = data["pod"]
        self._change(key, node=data["node"], queue=None, until=None, nominated=None, reason="")
        self.nominations.pop(key, None)
        self._put_on(key, data["node"])

    def _bound(self, data: Mapping[str, Any]) -> None:
        self._placed[data["pod"]] = data["node"]
        self._change(data["pod"], phase="Running", start_time=data["start_time"])

    def _bind_failed(self, data: Mapping[str, Any]) -> None:
        self._take_off(data["pod"], data["node"])
        self._change(data["pod"], node=None, reason=data["error"])

    def _terminating(self, data: Mapping[str, Any]) -> None:
        self._change(data["pod"], terminating=True, until=data["until"])

    def _gone(self, data: Mapping[str, Any]) -> None:
        self._drop(data["pod"])

    def _victim_deleted(self, data: Mapping[str, Any]) -> None:
        self._evicted.append(data["victim"])
        self._change(data["victim"], doomed_by=data["pod"])

    def _nomination_cleared(self, data: Mapping[str, Any]) -> None:
        self.nominations.pop(data["cleared"], None)
        self._change(data["cleared"], nominated=None)

    def _nominated(self, data: Mapping[str, Any]) -> None:
        self.nominations[data["pod"]] = data["node"]
        self._change(data["pod"], nominated=data["node"])


_STEPS: Final[Mapping[str, Callable[[Replay, Mapping[str, Any]], None]]] = {
    "object.created": Replay._object_set,
    "object.updated": Replay._object_set,
    "object.deleted": Replay._object_deleted,
    "queue.moved": Replay._queue_moved,
    "cycle.started": Replay._cycle_started,
    "cycle.failed": Replay._cycle_failed,
    "pod.assumed": Replay._assumed,
    "pod.bound": Replay._bound,
    "pod.bind_failed": Replay._bind_failed,
    "pod.terminating": Replay._terminating,
    "pod.gone": Replay._gone,
    "preemption.victim_deleted": Replay._victim_deleted,
    "preemption.nomination_cleared": Replay._nomination_cleared,
    "preemption.nominated": Replay._nominated,
}


def _sum(total: Mapping[str, int], part: Mapping[str, int], sign: int) -> dict[str, int]:
    result = dict(total)
    for resource, amount in part.items():
        value = result.get(resource, 0) + sign * amount
        if value:
            result[resource] = value
        else:
            result.pop(resource, None)
    return result
