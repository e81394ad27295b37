"""The second act of a preemption, told from the log: the nominated pod comes back, lands where it was nominated or elsewhere, and victims
leave, at times in vain.

The one rule: it says exactly what ``static/js/trace/second_act.js`` says; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Message = dict[str, Any]
Data = Mapping[str, Any]


@dataclass(slots=True)
class SecondAct:
    """What must be remembered of a log for it; ``told`` takes its events in order.

    Whoever only wants to remember may leave out all kinds but REMEMBERED, and of these pods that were created without a nomination.
    """

    priorities: dict[str, int] = field(default_factory=dict)
    nodes: dict[str, str] = field(default_factory=dict)
    nominations: dict[str, str] = field(default_factory=dict)
    preemptors: dict[str, str] = field(default_factory=dict)
    cycle: str = ""
    claimed: str = ""

    def told(self, event: Mapping[str, Any]) -> Message | None:
        """What the event is in the second act, ``{id, args}`` in place of its own message; None where it tells itself."""
        step = _STEPS.get(event["kind"])
        if step is None:
            return None
        head = event["path"].partition("/")[0]
        if event["kind"] == "cycle.started":
            self.cycle, self.claimed = head, event["data"]["nominated"] or ""
        return step(self, event["data"], self.claimed if head == self.cycle else "")

    # ---- what is remembered --------------------------------------------------------------------------------------

    def _object_set(self, data: Data, _claimed: str) -> None:
        if data["kind"] != "Pod":
            return
        view = data["view"]
        self.priorities[view["key"]] = view["priority"]
        _put(self.nodes, view["key"], view["node"])
        _put(self.nominations, view["key"], view["nominated"])

    def _object_deleted(self, data: Data, _claimed: str) -> None:
        if data["kind"] == "Pod":
            self._forget(f"{data['namespace']}/{data['name']}" if data["namespace"] else data["name"])

    def _forget(self, key: str) -> None:
        for kept in (self.priorities, self.nodes, self.nominations):
            kept.pop(key, None)

    def _assumed(self, data: Data, _claimed: str) -> None:
        _put(self.nodes, data["pod"], data["node"] if data["pod"] in self.priorities else None)
        self.nominations.pop(data["pod"], None)

    def _bind_failed(self, data: Data, _claimed: str) -> None:
        self.nodes.pop(data["pod"], None)

    def _victim_deleted(self, data: Data, _claimed: str) -> None:
        self.preemptors[data["victim"]] = data["pod"]

    def _nomination_cleared(self, data: Data, _claimed: str) -> None:
        self.nominations.pop(data["cleared"], None)

    def _nominated(self, data: Data, _claimed: str) -> None:
        self.nominations[data["pod"]] = data["node"]

    # ---- what is told --------------------------------------------------------------------------------------------

    def _started(self, data: Data, claimed: str) -> Message | None:
        self.priorities[data["pod"]] = data["priority"]
        return _message("returns", pod=data["pod"], claimed=claimed, attempt=data["attempt"]) if claimed else None

    def _filtered(self, data: Data, claimed: str) -> Message | None:
        feasible = data.get("feasible")
        if not claimed or feasible is None:  # nobody asked for the nodes
            return None
        if not feasible:
            return _message("no_room", pod=data["pod"], claimed=claimed, total=data["total"])
        if claimed not in feasible:
            return _message("claim_fails", pod=data["pod"], claimed=claimed, count=len(feasible))
        return _message("claim_holds", pod=data["pod"], claimed=claimed) if data["nominated_first"] == claimed else None

    def _selected(self, data: Data, claimed: str) -> Message | None:
        pod, host = data["pod"], data["host"]
        if claimed:
            return _message("lands" if claimed == host else "elsewhere", pod=pod, node=host, claimed=claimed)
        own = self.priorities.get(pod, 0)
        waiting = (other for other, node in self.nominations.items() if node == host and other != pod)
        robbed = next((other for other in waiting if self.priorities.get(other, 0) < own), None)
        return _message("stolen", pod=pod, node=host, waiting=robbed) if robbed else None

    def _gone(self, data: Data, _claimed: str) -> Message | None:
        pod, left = data["pod"], data["node"]
        self._forget(pod)
        waiting = self.preemptors.get(pod)
        if waiting is None or waiting not in self.priorities:
            return None
        runs_on = self.nodes.get(waiting)
        if runs_on and runs_on != left:
            return _message("in_vain", pod=pod, node=left, waiting=waiting, claimed=runs_on)
        return _message("room", pod=pod, node=left, waiting=waiting) if self.nominations.get(waiting) == left else None


def _put(kept: dict[str, str], key: str, value: str | None) -> None:
    if value:
        kept[key] = value
    else:
        kept.pop(key, None)


def _message(name: str, **args: Any) -> Message:
    return {"id": f"act.{name}", "args": args}


_STEPS: Final[Mapping[str, Callable[[SecondAct, Data, str], Message | None]]] = {
    "object.created": SecondAct._object_set,
    "object.updated": SecondAct._object_set,
    "object.deleted": SecondAct._object_deleted,
    "cycle.started": SecondAct._started,
    "cycle.filtered": SecondAct._filtered,
    "cycle.selected": SecondAct._selected,
    "pod.assumed": SecondAct._assumed,
    "pod.bind_failed": SecondAct._bind_failed,
    "pod.gone": SecondAct._gone,
    "preemption.victim_deleted": SecondAct._victim_deleted,
    "preemption.nomination_cleared": SecondAct._nomination_cleared,
    "preemption.nominated": SecondAct._nominated,
}
REMEMBERED: Final = frozenset(_STEPS) - {"cycle.filtered", "cycle.selected"}
