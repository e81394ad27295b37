"""A hand-written stand-in for scheduler_core's front door: its scenarios say how many events they want, how slowly, and what goes wrong.

The one rule: it knows nothing of Kubernetes. Tags steer it: ``events:500`` ``pause:0.01`` ``bulk:2000`` ``raise:30`` ``limit:20``.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from scheduler_core.errors import EngineBugError, InvalidInputError, Problem

__all__ = ["EngineBugError", "InvalidInputError", "Problem"]
ENGINE_VERSION = "fake"


@dataclass(frozen=True, kw_only=True)
class InputLimits:
    """As the real ones."""

    json_bytes: int = 16 << 20
    yaml_bytes: int = 4 << 20
    nodes: int = 5000
    pods: int = 50000
    operations: int = 10000
    depth: int = 64
    aliases: int = 10000


@dataclass(frozen=True, kw_only=True)
class RunLimits:
    """As the real ones."""

    cycles: int = 20000


@dataclass(frozen=True)
class Scenario:
    """A document and nothing behind it."""

    raw: Mapping[str, Any]

    @property
    def title(self) -> str:
        return str(self.raw["metadata"].get("title", ""))

    @property
    def summary(self) -> str:
        return str(self.raw["metadata"].get("summary", ""))

    @property
    def tags(self) -> tuple[str, ...]:
        return tuple(self.raw["metadata"].get("tags", ()))

    def document(self) -> dict[str, Any]:
        return dict(self.raw)

    @property
    def objects(self) -> tuple[Any, ...]:
        return ()

    def number(self, name: str, default: float) -> float:
        return next((float(tag.split(":")[1]) for tag in self.tags if tag.startswith(f"{name}:")), default)


@dataclass(frozen=True)
class Loaded:
    """As the real one."""

    scenario: Scenario
    warnings: tuple[Problem, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    missing_nodes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Event:
    """As the real one."""

    seq: int
    t: float
    kind: str
    data: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "t": self.t,
            "kind": self.kind,
            "path": f"e{self.seq}",
            "cause": None,
            "phase": None,
            "message": {"id": self.kind, "args": {}},
            "data": dict(self.data),
        }


def load(source: bytes | str, *, limits: InputLimits = InputLimits()) -> Loaded:
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    if len(text) > limits.yaml_bytes:
        raise InvalidInputError([Problem(path="", message="too large")], too_large=True)
    try:
        raw = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InvalidInputError([Problem(path="", message=str(error), line=1)]) from error
    if not isinstance(raw, dict) or raw.get("kind") != "Scenario":
        raise InvalidInputError([Problem(path="kind", message="is not Scenario", line=2)])
    scenario_from_document(raw)
    missing = ("n1",) if "missing" in raw["metadata"].get("tags", ()) else ()
    warnings = tuple(Problem(path=f"nodes.{name}", message="is missing") for name in missing)
    return Loaded(Scenario(raw), counts={"Node": 1}, missing_nodes=missing, warnings=warnings)


def with_missing_nodes(scenario: Scenario) -> Scenario:
    return Scenario({**scenario.raw, "objects": [{"kind": "Node", "metadata": {"name": "n1"}}]})


def preview(scenario: Scenario) -> dict[str, Any]:
    return {"nodes": {}, "pods": {}, "budgets": {}, "fits": {}}


def scenario_from_document(document: Mapping[str, Any]) -> Scenario:
    for index, operation in enumerate(document.get("timeline", ())):
        if not {"create", "update", "delete"} & operation.keys():
            raise InvalidInputError([Problem(path=f"timeline[{index}].create", message="is missing")])
    return Scenario(document)


def canonical_json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def all_extenders(scenario: Scenario, transport: object) -> tuple[()]:
    return ()


class Simulation:
    """Counts to the number of events that the scenario asks for, one second of virtual time each."""

    def __init__(self, scenario: Scenario, *, limits: RunLimits = RunLimits(), extenders: tuple[()] = ()) -> None:
        self._scenario = scenario
        self._stopped = ""

    def stop(self, limit: str, value: float | None = None) -> None:
        self._stopped = limit

    def events(self) -> Iterator[Event]:
        number = self._scenario.number
        total, pause, bulk = int(number("events", 10)), number("pause", 0), "x" * int(number("bulk", 20))
        crash, most = int(number("raise", 0)), int(number("limit", 0))
        total += sum(each["at"] > total - 1 for each in self._scenario.raw.get("timeline", ()))
        later = {round(each["at"]): each for each in self._scenario.raw.get("timeline", ())}
        for seq in range(1, total):
            time.sleep(pause)
            if seq == crash:
                raise EngineBugError("as the scenario asked")
            if self._stopped or seq == most:
                yield Event(seq, float(seq), "run.limit_reached", {"limit": self._stopped or "cycles"})
                yield Event(seq + 1, float(seq), "run.finished", {})
                return
            yield Event(seq, float(seq), "run.started" if seq == 1 else "cycle.started", {"bulk": bulk, "operation": later.get(seq - 1)})
        yield Event(total, float(total), "run.finished", {})


class Replay:
    """Remembers how far it came."""

    def __init__(self) -> None:
        self.t = 0.0
        self.count = 0

    def apply(self, event: Mapping[str, Any]) -> None:
        assert event["seq"] == self.count + 1
        self.t, self.count = event["t"], event["seq"]

    def document(self) -> dict[str, Any]:
        return {"t": self.t, "nodes": {}, "pods": {}, "queues": {"active": []}, "nominations": {}, "budgets": {}, "count": self.count}

    def result(self) -> dict[str, Any]:
        return {"placements": {"default/a": "n1"}, "evicted": [], "pending": {}}


def encode_event(document: Mapping[str, Any]) -> bytes:
    return canonical_json(document)


def narrate(event: Mapping[str, Any], lang: str = "en") -> str:
    return f"{event['kind']} in {lang}"
