"""A place in a run, found by its path: what a link to a step names, with everything of its cycle that led there.

The one rule: a path that this run does not have is answered by the nearest decision above it, and said to be inexact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

from playground import chunks, selectors
from playground.models import Run

Event = Mapping[str, Any]
MOST_LOOKED_THROUGH: Final = 200_000
"""Events; most lines are only searched for the path, never decoded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """What one scheduling cycle had found up to the moment: data of its events by kind, dry runs by node, rules in order."""

    id: str
    pod: str
    found: Mapping[str, Mapping[str, Any]]
    checked: Mapping[str, Mapping[str, Any]]
    rules: tuple[Mapping[str, Any], ...]
    victims: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """``event`` is what happened there, ``path`` what the link says or the nearest there is; ``sub`` names a single check inside it."""

    event: Event
    path: str
    is_exact: bool
    cycle: Cycle | None

    @property
    def sub(self) -> str:
        """Such as ``reprieve/shop/web-1``; empty for the whole event."""
        return self.path.removeprefix(self.event["path"]).lstrip("/")


@dataclass(slots=True)
class _Gathering:
    events: list[Event] = field(default_factory=list)
    cycle: str = ""

    def add(self, event: Event) -> None:
        """Keep the events of one cycle at a time."""
        head = cycle_of(event["path"])
        if not head:
            return
        if head != self.cycle:
            self.events, self.cycle = [], head
        self.events.append(event)


def find(run: Run, path: str) -> Moment | None:
    """The moment that ``path`` names; without a path, the first decision of preemption, else the last event. None for an empty log."""
    wanted = path or _first_decision(run)
    found = choose(_read_around(run, wanted), wanted)
    return replace(found, is_exact=True) if found is not None and not path else found


def _first_decision(run: Run) -> str:
    """The path of the first best pick, else of the last event. Lines are only searched: decoding all of them would take seconds."""
    last = b""
    for line in islice(selectors.lines(run), MOST_LOOKED_THROUGH):
        if b'"kind":"preemption.picked"' in line:
            last = line
            break
        last = line
    return str(chunks.decode(last)["path"]) if last else ""


def _read_around(run: Run, path: str) -> Iterator[Event]:
    """The first event, those of the cycle of the path, and those that stand above it."""
    above = [path[:index] for index, sign in enumerate(path) if sign == "/"] + [path]
    wanted = {chunks.encode(each)[1:-1] for each in above}
    cycle = f"{cycle_of(path)}/".encode() if cycle_of(path) else b"\0"  # no path holds that
    for index, line in enumerate(islice(selectors.lines(run), MOST_LOOKED_THROUGH)):
        here = chunks.path_of(line)
        if index == 0 or here in wanted or here.startswith(cycle):
            yield chunks.decode(line)


def choose(events: Iterable[Event], path: str) -> Moment | None:
    """As ``find``, from events in their order."""
    gathering = _Gathering()
    best: Moment | None = None
    nearest = -1
    for event in events:
        gathering.add(event)
        if not path:
            best = _moment(event, event["path"], "", gathering)
            if event["kind"] == "preemption.picked":
                return best
        elif len(shared := _shared(event, path)) > nearest:
            best, nearest = _moment(event, shared, path, gathering), len(shared)
            if best.is_exact:
                return best
    return best


def cycle_of(path: str) -> str:
    """``c3`` of ``c3/candidates/n1``; empty elsewhere."""
    head = path.split("/", 1)[0]
    return head if head[:1] == "c" and head[1:].isdigit() else ""


def substeps(event: Event) -> list[str]:
    """The paths of the single checks inside a node's dry run, in their order."""
    if event["kind"] != "preemption.node_checked" or not event["data"].get("potential_victims"):
        return []
    path = event["path"]
    return [f"{path}/bench", f"{path}/fit", *(f"{path}/reprieve/{step['pod']}" for step in event["data"]["steps"])]


def _shared(event: Event, path: str) -> str:
    """The longest path of this event that is the wanted one or stands above it; empty when there is none."""
    own = event["path"]
    if path == own or (path.startswith(own + "/") and path in substeps(event)):
        return path
    return own if path.startswith(own + "/") else ""


def _moment(event: Event, path: str, wanted: str, gathering: _Gathering) -> Moment:
    cycle = _cycle(gathering) if cycle_of(event["path"]) else None
    return Moment(event=event, path=path or event["path"], is_exact=not wanted or path == wanted, cycle=cycle)


def _cycle(gathering: _Gathering) -> Cycle:
    events = gathering.events
    return Cycle(
        id=gathering.cycle,
        pod=next((each["data"]["pod"] for each in events if each["data"].get("pod")), ""),
        found={each["kind"]: each["data"] for each in events},
        checked={each["data"]["node"]: each["data"] for each in events if each["kind"] == "preemption.node_checked"},
        rules=tuple(each["data"] for each in events if each["kind"] == "preemption.rule_applied"),
        victims=tuple(each["data"]["victim"] for each in events if each["kind"] == "preemption.victim_deleted"),
    )
