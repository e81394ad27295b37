"""Two scenarios beside each other: what differs in the input, and the elimination tables of their runs as one.

The one rule: pure; where the runs part is found in aligning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from playground.runs.moments import cycle_of

Event = Mapping[str, Any]
MOST_FIELDS: Final = 40
MOST_TABLES: Final = 6
MOST_DIFFERENCES: Final = 200
RULES: Final = ("pdb-violations", "highest-priority", "priority-sum", "victim-count", "latest-start", "first")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field that differs: its path, and its value on both sides as text; None where it is not set."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """An object, or a setting of the scenario, that is not the same on both sides."""

    kind: str
    name: str
    what: Literal["added", "removed", "changed"]
    fields: tuple[Field, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A value of a rule for a node in both runs; None where the node was out already, or the rule was not asked."""

    one: int | float | None
    other: int | float | None

    @property
    def differs(self) -> bool:
        """Whether both have a value, and not the same one, or only one has."""
        return self.one != self.other


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A row of the merged elimination table; ``out_*`` is the number of the rule that struck it, 0 for none."""

    node: str
    cells: tuple[Cell, ...]
    out_one: int
    out_other: int
    wins_one: bool
    wins_other: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The best pick of one cycle in both runs; ``rules`` are the columns that at least one of them asked."""

    cycle: str
    pod: str
    rules: tuple[str, ...]
    candidates: tuple[Candidate, ...]


# -- the input --------------------------------------------------------------------------------------------------------
def documents(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[Difference]:
    """What differs between two Scenario documents: settings first, then objects in the order of the first, then new ones."""
    settings = [_difference("Scenario", "", _without_objects(one), _without_objects(other))]
    before, after = _by_name(one), _by_name(other)
    objects = [_difference(kind, name, before.get((kind, name)), after.get((kind, name))) for kind, name in {**before, **after}]
    return [each for each in [*settings, *objects] if each is not None]


def _without_objects(document: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if key not in {"objects", "apiVersion", "kind"}}


def _by_name(document: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    found = {}
    for each in document.get("objects") or ():
        metadata = each.get("metadata") or {}
        namespace = metadata.get("namespace")
        found[each.get("kind", ""), f"{namespace}/{metadata.get('name')}" if namespace else str(metadata.get("name"))] = each
    return found


def _difference(kind: str, name: str, before: Any, after: Any) -> Difference | None:
    if before == after:
        return None
    if before is None or after is None:
        return Difference(kind=kind, name=name, what="added" if before is None else "removed", fields=(), more=0)
    fields = list(fields_that_differ(before, after))
    return Difference(kind=kind, name=name, what="changed", fields=tuple(fields[:MOST_FIELDS]), more=max(0, len(fields) - MOST_FIELDS))


def fields_that_differ(before: Any, after: Any) -> Iterator[Field]:
    """Every leaf that is not the same, by its path."""
    flat_before, flat_after = dict(_leaves(before)), dict(_leaves(after))
    for path in {**flat_before, **flat_after}:
        if flat_before.get(path) != flat_after.get(path):
            yield Field(path=path, before=flat_before.get(path), after=flat_after.get(path))


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    match value:
        case Mapping() if value:
            for key, each in value.items():
                yield from _leaves(each, f"{path}.{key}" if path else str(key))
        case list() | tuple() if value:
            for index, each in enumerate(value):
                yield from _leaves(each, f"{path}[{_label(each, index)}]")
        case _:
            yield path, _written(value)


def _label(value: Any, index: int) -> str:
    """Items that have a name are known by it, so that one more before them changes nothing."""
    name = (value.get("name") or value.get("pod")) if isinstance(value, Mapping) else None
    return str(name) if isinstance(name, str) else str(index)


def _written(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value) if not isinstance(value, Mapping | list | tuple) else ("{}" if isinstance(value, Mapping) else "[]")


# -- the elimination tables -------------------------------------------------------------------------------------------
def tables(one: Sequence[Event], other: Sequence[Event]) -> list[Table]:
    """The best picks of both runs, cycle by cycle; those that differ first, at most MOST_TABLES."""
    left, right = _picks(one), _picks(other)
    found = [_table(cycle, left.get(cycle), right.get(cycle)) for cycle in {**left, **right}]
    order = sorted(found, key=lambda table: (not _differs(table), int(table.cycle[1:])))
    return order[:MOST_TABLES]


@dataclass(slots=True)
class _Pick:
    pod: str
    rules: dict[str, Mapping[str, Any]]
    candidates: list[str]
    winner: str


def _picks(events: Iterable[Event]) -> dict[str, _Pick]:
    picks: dict[str, _Pick] = {}
    for event in events:
        if event["kind"] not in {"preemption.rule_applied", "preemption.picked", "preemption.candidates_finished"}:
            continue
        data = event["data"]
        pick = picks.setdefault(cycle_of(event["path"]), _Pick(data["pod"], {}, [], ""))
        match event["kind"]:
            case "preemption.candidates_finished":
                pick.candidates = list(data["candidates"])
            case "preemption.rule_applied":
                pick.rules[data["rule"]] = data
            case _:
                pick.winner = data["node"]
    return {cycle: pick for cycle, pick in picks.items() if pick.winner}


def _table(cycle: str, one: _Pick | None, other: _Pick | None) -> Table:
    sides = (one, other)
    rules = tuple(rule for rule in RULES if any(side and rule in side.rules for side in sides))
    nodes = dict.fromkeys(node for side in sides if side for node in side.candidates)
    pod = next(side.pod for side in sides if side)
    return Table(cycle=cycle, pod=pod, rules=rules, candidates=tuple(_candidate(node, rules, one, other) for node in nodes))


def _candidate(node: str, rules: Sequence[str], one: _Pick | None, other: _Pick | None) -> Candidate:
    return Candidate(
        node=node,
        cells=tuple(Cell(one=_value(one, rule, node), other=_value(other, rule, node)) for rule in rules),
        out_one=_out(one, node),
        out_other=_out(other, node),
        wins_one=bool(one and one.winner == node),
        wins_other=bool(other and other.winner == node),
    )


def _value(pick: _Pick | None, rule: str, node: str) -> int | float | None:
    return pick.rules[rule]["values"].get(node) if pick and rule in pick.rules else None


def _out(pick: _Pick | None, node: str) -> int:
    rules = pick.rules.values() if pick else ()
    return next((rule["number"] for rule in rules if node in rule["values"] and node not in rule["survivors"]), 0)


def _differs(table: Table) -> bool:
    return any(each.wins_one != each.wins_other or any(cell.differs for cell in each.cells) for each in table.candidates)
