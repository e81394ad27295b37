"""Answers a lifecycle case: the state after everything has settled, at the start, after each operation and each second.

The one rule: a second in which nothing is due is not simulated, because it would change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scheduler_core.api.scenario import Scenario, scenario_from_document
from scheduler_core.simulation.clock import SECOND
from scheduler_core.simulation.loop import AFTER_OPERATION_MS, Engine, epoch_of
from scheduler_core.trace.recorder import SilentRecorder


def lifecycle_timeline(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The states of the case, each only where it differs from the one before."""
    scenario = scenario_from_document(case)
    states: list[dict[str, Any]] = []
    for state in _states(scenario):
        if not states or {**state, "t": None} != {**states[-1], "t": None}:
            states.append(state)
    return states


def _states(scenario: Scenario) -> Iterator[dict[str, Any]]:
    # the objects of these cases have no resource versions, and their budgets are never recomputed
    engine = Engine(scenario, SilentRecorder(), epoch=epoch_of(scenario.objects), controllers=False, versions=False)
    for _ in engine.set_up(scenario.objects):
        pass
    operations = list(scenario.timeline)
    until = int(scenario.until or 0)
    second = 0
    while second <= until:
        engine.clock.advance_to(second * SECOND)
        engine.tick()
        _settle(engine)
        while operations and operations[0].at <= second:
            engine.operate(operations.pop(0), 0)
            engine.clock.advance_to(engine.clock.now + AFTER_OPERATION_MS)
            _settle(engine)
        yield _state(engine, second)
        second = _next_second(engine, operations, until)


def _next_second(engine: Engine, operations: list[Any], until: int) -> int:
    due = engine.next_instant()
    seconds = [until + 1]
    if due is not None:
        seconds.append(due // SECOND)
    if operations:
        seconds.append(int(operations[0].at))
    return max(min(seconds), engine.clock.now // SECOND + 1)


def _settle(engine: Engine) -> None:
    while engine.step():
        pass


def _state(engine: Engine, second: int) -> dict[str, Any]:
    pods, queue = engine.world.pods, engine.queue
    pending = [pod for pod in pods.values() if not pod.node_name]
    messages = {pod.key: next((c.message for c in pod.conditions if c.type == "PodScheduled"), "") for pod in pending}
    state: dict[str, Any] = {
        "t": second,
        "bound": {pod.key: pod.node_name for pod in pods.values() if pod.node_name},
        "nominated": {pod.key: pod.nominated_node_name for pod in pending if pod.nominated_node_name},
        "terminating": sorted(pod.key for pod in pods.values() if pod.deletion_timestamp is not None),
        "reasons": {key: message for key, message in messages.items() if message},
    }
    state["active"] = sorted(queued.key for queued in queue.active)
    state["backoff"] = sorted(queued.key for queued in queue.backoff)
    state["unschedulable"] = sorted(queued.key for queued in queue.unschedulable)
    return state
