"""Statuses of many nodes in few words: nodes that share a status stand together, as ranges of their numbers.

The one rule: nothing is lost; ``expanded`` gives back what ``condensed`` was given. ``static/js/trace/expand.js`` does it on the page.

A node's number is its place among all ``object.created`` of nodes in the log, from 0. With 5,000 nodes, every cycle that fails has as
many statuses of 100 bytes; a log of thousands of such cycles would be gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

MOST_SPELLED_OUT: Final = 100
"""Statuses of so many nodes stand in an event as they are."""
FIRST: Final = 20
"""Of more, so many do."""
FIELD: Final = "status_groups"
KINDS: Final = frozenset({"cycle.filtered", "preemption.candidates_finished"})

Status = Mapping[str, Any]


def condensed(data: Mapping[str, Any], numbers: Mapping[str, int]) -> Mapping[str, Any]:
    """``data`` with statuses in groups ``[{status, nodes}]``; unchanged when they are few, or of nodes without a number."""
    statuses: Mapping[str, Status] = data["statuses"]
    if len(statuses) <= MOST_SPELLED_OUT or not statuses.keys() <= numbers.keys():
        return data
    return {**data, "statuses": dict(islice(statuses.items(), FIRST)), FIELD: _groups(statuses, numbers)}


def expanded(data: Mapping[str, Any], names: Sequence[str]) -> Mapping[str, Any]:
    """The opposite of ``condensed``: ``names`` are the nodes in the order of their numbers."""
    if FIELD not in data:
        return data
    statuses = {names[number]: group["status"] for group in data[FIELD] for number in numbers_of(group["nodes"])}
    return {**{key: value for key, value in data.items() if key != FIELD}, "statuses": statuses}


def numbers_of(ranges: str) -> Iterator[int]:
    """The numbers in a text such as ``0-19,25``."""
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _groups(statuses: Mapping[str, Status], numbers: Mapping[str, int]) -> list[dict[str, Any]]:
    """One entry for each different status, in the order in which they first come."""
    found: dict[str, tuple[Status, list[int]]] = {}
    last: Status | None = None
    members: list[int] = []
    for name, status in statuses.items():
        if status is not last and status != last:
            last = status
            members = found.setdefault(repr(status), (status, []))[1]
        members.append(numbers[name])
    return [{"status": status, "nodes": ",".join(_ranges(sorted(members)))} for status, members in found.values()]


def _ranges(ordered: Iterable[int]) -> Iterator[str]:
    first = last = -2
    for number in ordered:
        if number == last + 1:
            last = number
            continue
        if last >= 0:
            yield _range(first, last)
        first = last = number
    if last >= 0:
        yield _range(first, last)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
