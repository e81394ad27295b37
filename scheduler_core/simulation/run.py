"""A scenario run to its end, as a stream of events.

The one rule: the same scenario gives the same events, byte for byte; a later operation changes nothing of what came before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from scheduler_core.api.objects import Pod
from scheduler_core.api.scenario import Operation, Scenario
from scheduler_core.framework.extender import Extender
from scheduler_core.simulation.clock import SECOND
from scheduler_core.simulation.loop import AFTER_OPERATION_MS, Engine, epoch_of
from scheduler_core.simulation.seed import Seed
from scheduler_core.simulation.settings import RunLimits
from scheduler_core.trace.events import Event
from scheduler_core.trace.recorder import Recorder
from scheduler_core.version import ENGINE_VERSION, MODELS

DEFAULT_LIMITS: Final = RunLimits()
SETTLED: Final = "settled"
UNTIL: Final = "until"
LIMIT: Final = "limit"


class Simulation:
    """One run. ``trace`` tells the reasons of every decision; without it only what happened is told."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        limits: RunLimits = DEFAULT_LIMITS,
        extenders: Sequence[Extender] | None = None,
        trace: bool = True,
    ) -> None:
        self._scenario = scenario
        self._limits = limits
        self._recorder = Recorder()
        self._engine = Engine(
            scenario,
            self._recorder,
            epoch=epoch_of(scenario.objects),
            extenders=extenders,
            seed=Seed(scenario.seed),
            detail=trace,
        )
        self._stopped: tuple[str, float | None] | None = None
        self._reason = SETTLED

    def stop(self, limit: str, value: float | None = None) -> None:
        """Called between two events: the run ends with ``run.limit_reached`` of that name, then ``run.finished``."""
        self._stopped = (limit, value)

    def events(self) -> Iterator[Event]:
        """Every event in order; may be called once."""
        narrator = self._engine.narrator
        self._start()
        yield from self._recorder.drain()
        for _ in self._advance():
            yield from self._recorder.drain()
            self._look_at_limits()
            if self._stopped is not None:
                narrator.limit_reached(*self._stopped)
                self._reason = LIMIT
                break
        narrator.run_finished(self._reason)
        yield from self._recorder.drain()

    # ---- inside --------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        objects = self._scenario.objects
        pods = [item for item in objects if isinstance(item, Pod)]
        nodes = {item.name for item in objects if type(item).__name__ == "Node"}
        missing = sorted({pod.node_name for pod in pods if pod.node_name and pod.node_name not in nodes})
        self._engine.narrator.run_started(
            engine=ENGINE_VERSION,
            models=MODELS,
            seed=self._scenario.seed,
            counts={"nodes": len(nodes), "pods": len(pods), "pending": sum(not pod.node_name for pod in pods)},
            profiles=list(self._engine.profiles),
            warnings=[f"pods are bound to node {name}, which does not exist" for name in missing],
        )

    def _look_at_limits(self) -> None:
        limits = self._limits
        if self._stopped is None and self._engine.attempts.count >= limits.cycles and not self._engine.is_settled():
            self._stopped = ("cycles", limits.cycles)
        if self._stopped is None and limits.events is not None and self._recorder.last_seq >= limits.events:
            self._stopped = ("events", limits.events)

    def _advance(self) -> Iterator[None]:
        """The whole run, in steps after each of which it may be stopped."""
        engine = self._engine
        yield from engine.set_up(self._scenario.objects)
        yield from self._settle()
        operations = list(enumerate(self._scenario.timeline, 1))
        until = None if self._scenario.until is None else round(self._scenario.until * SECOND)
        while True:
            now = self._next(operations, until)
            if now is None:
                return
            engine.clock.advance_to(now)
            if now % SECOND == 0:
                engine.tick()
                yield from self._settle()
            while operations and _at(operations[0]) <= engine.clock.now:
                index, operation = operations.pop(0)
                engine.operate(operation, index)
                engine.clock.advance_to(engine.clock.now + AFTER_OPERATION_MS)
                yield from self._settle()

    def _next(self, operations: Sequence[tuple[int, Operation]], until: int | None) -> int | None:
        """The next time at which something happens; None, with the reason, when the run is over."""
        engine = self._engine
        times = [_at(operations[0])] if operations else []
        due = engine.next_instant()
        if due is not None and (operations or until is not None or not engine.is_settled()):
            times.append(due)
        if until is not None and (not times or min(times) > until):
            engine.clock.advance_to(until)
            self._reason = UNTIL
            return None
        return min(times, default=None)

    def _settle(self) -> Iterator[None]:
        while self._engine.step():
            yield
        yield


def _at(entry: tuple[int, Operation]) -> int:
    return round(entry[1].at * SECOND)


def simulate(scenario: Scenario, *, limits: RunLimits = DEFAULT_LIMITS, trace: bool = True) -> Iterator[Event]:
    """The events of a run of the scenario."""
    return Simulation(scenario, limits=limits, trace=trace).events()
