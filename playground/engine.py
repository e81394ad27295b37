"""The only door to scheduler_core: bytes and plain documents on this side, the engine's values on the other.

The one rule: nobody else in the playground imports the engine, and nobody here decides what the engine should do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import scheduler_core as core
from playground import chunks
from playground.limits import Limits
from scheduler_core import (
    REMEMBERED,
    EngineBugError,
    ExtenderError,
    ExtenderRequest,
    ExtenderTransport,
    InvalidInputError,
    Problem,
    SecondAct,
)

__all__ = [
    "FINAL_KINDS",
    "REMEMBERED",
    "EngineBugError",
    "ExtenderError",
    "ExtenderRequest",
    "ExtenderTransport",
    "InvalidInputError",
    "Parsed",
    "Problem",
    "SecondAct",
    "Session",
    "Story",
    "canonical",
    "check",
    "parse",
    "sentence",
    "version",
]

FINAL_KINDS: Final = frozenset({"run.finished", "run.limit_reached"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """A scenario that can be run. ``document`` is its canonical JSON in UTF-8: what ids are made from."""

    document: bytes
    title: str
    summary: str
    tags: tuple[str, ...]
    counts: dict[str, int]
    warnings: tuple[Problem, ...]
    missing_nodes: tuple[str, ...]


class Session:
    """One simulation: ``events`` yields (seq, kind, JSON line); ``stop`` between two events makes it end by a limit.

    The extenders of the scenario's configuration are only asked when there is a transport.
    """

    def __init__(self, document: bytes, *, cycles: int, transport: ExtenderTransport | None = None) -> None:
        scenario = core.scenario_from_document(chunks.decode(document))
        extenders = core.all_extenders(scenario, transport)
        self._simulation = core.Simulation(scenario, limits=core.RunLimits(cycles=cycles), extenders=extenders)

    def events(self) -> Iterator[tuple[int, str, bytes]]:
        """Every event from the first on; the same scenario gives the same bytes."""
        for event in self._simulation.events():
            yield event.seq, event.kind, bytes(core.encode_event(event.document()))

    def stop(self, limit: str, value: float) -> None:
        """End the run with the event that says which limit it met, and how much that is."""
        self._simulation.stop(limit, value)


class Story:
    """The state after each event, folded from the lines of a log."""

    def __init__(self) -> None:
        self._replay = core.Replay()

    def apply(self, lines: Iterable[bytes]) -> None:
        """Go on by these events."""
        for line in lines:
            self._replay.apply(chunks.decode(line))

    def state(self) -> dict[str, Any]:
        """``{t, nodes, pods, queues, nominations, budgets}`` as in docs/events.md."""
        return dict(self._replay.document())

    def result(self) -> dict[str, Any]:
        """``{placements, evicted, pending}``."""
        return dict(self._replay.result())


def version() -> str:
    """The engine's version; a run is only continued by the one that began it."""
    return str(core.ENGINE_VERSION)


def parse(source: bytes, *, limits: Limits, make_missing_nodes: bool = False) -> Parsed:
    """YAML or JSON as people have it. Raises InvalidInputError with every problem found."""
    loaded = core.load(source, limits=_input_limits(limits))
    scenario = core.with_missing_nodes(loaded.scenario) if make_missing_nodes and loaded.missing_nodes else loaded.scenario
    counts = dict(loaded.counts)
    if scenario is not loaded.scenario:
        counts["Node"] = counts.get("Node", 0) + len(loaded.missing_nodes)
    return _parsed(scenario, counts=counts, warnings=tuple(loaded.warnings), missing_nodes=tuple(loaded.missing_nodes))


def check(source: bytes, *, limits: Limits) -> dict[str, Any]:
    """What can be said of a text while it is being written: ``{problems, warnings, counts, missing_nodes, made_up, facts}``.

    ``problems`` and ``warnings`` are {path, line, message}; ``made_up`` has manifests for the missing nodes; ``facts`` is the engine's
    preview, or null when there are problems. Raises InvalidInputError only for what is too large.
    """
    try:
        loaded = core.load(source, limits=_input_limits(limits))
    except InvalidInputError as error:
        if error.too_large:
            raise
        problems = [each.document() for each in error.problems]
        return {"problems": problems, "warnings": [], "counts": {}, "missing_nodes": [], "made_up": [], "facts": None}
    missing = loaded.missing_nodes
    made_up = core.with_missing_nodes(loaded.scenario).objects[: len(missing)] if missing else ()
    return {
        "problems": [],
        "warnings": [each.document() for each in loaded.warnings],
        "counts": dict(loaded.counts),
        "missing_nodes": list(missing),
        "made_up": [each.manifest for each in made_up],
        "facts": core.preview(loaded.scenario),
    }


def canonical(document: Mapping[str, Any]) -> bytes:
    """Sorted keys, compact, UTF-8: equal documents give equal bytes."""
    return bytes(core.canonical_json(document))


def sentence(event: Mapping[str, Any], language: str) -> str:
    """An event as a sentence, ``en`` or ``zh-hans``."""
    return str(core.narrate(event, language))


def _parsed(scenario: Any, *, counts: dict[str, int], warnings: tuple[Problem, ...], missing_nodes: tuple[str, ...]) -> Parsed:
    return Parsed(
        document=canonical(scenario.document()),
        title=scenario.title,
        summary=scenario.summary,
        tags=tuple(scenario.tags),
        counts=counts,
        warnings=warnings,
        missing_nodes=missing_nodes,
    )


def _input_limits(limits: Limits) -> Any:
    return core.InputLimits(
        json_bytes=limits.json_bytes,
        yaml_bytes=limits.yaml_bytes,
        nodes=limits.nodes,
        pods=limits.pods,
        operations=limits.operations,
        depth=limits.depth,
        aliases=limits.aliases,
    )
