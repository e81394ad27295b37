"""Where an answer differs from kube-scheduler's; order counts only where kube-scheduler gives one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Difference = tuple[str, Any, Any]

_STATES = ("bound", "nominated", "reasons")
_QUEUES = ("active", "backoff", "unschedulable", "terminating")


def case_differences(want: Mapping[str, Any], got: Mapping[str, Any]) -> list[Difference]:
    """The differences between the expected answer to a case and the engine's, the first ones first."""
    if "timeline" in want:
        return _timeline_differences(want["timeline"], got.get("timeline") or [])
    found: list[Difference] = []
    for k, (a, b) in enumerate(zip(want["cycles"], got["cycles"], strict=False)):
        found += [(f"cycle[{k}].{name}", x, y) for name, x, y in _cycle_differences(a, b)]
    found += _differs("number of cycles", len(want["cycles"]), len(got["cycles"]))
    for key in ("placements", "evicted"):
        if key in want:
            found += _differs(key, want[key], got.get(key))
    return found


def _timeline_differences(want: list[Mapping[str, Any]], got: list[Mapping[str, Any]]) -> list[Difference]:
    for a, b in zip(want, got, strict=False):
        if _state(a) != _state(b):
            return [(f"timeline t={a['t']}", _state(a), _state(b))]
    return list(_differs("timeline length", len(want), len(got)))


def _state(value: Mapping[str, Any]) -> tuple[Any, ...]:
    return (value["t"], *(value.get(k) or {} for k in _STATES), *(sorted(value.get(k) or []) for k in _QUEUES))


def _cycle_differences(want: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[Difference]:
    if want.get("error"):
        yield from _differs("error (any)", True, bool(got.get("error")))
        return
    for key, form in _CYCLE.items():
        yield from _differs(key, form(want.get(key)), form(got.get(key)))
    for node, plugins in (want.get("scores") or {}).items():
        answer = (got.get("scores") or {}).get(node, {})
        names = set(plugins) | set(answer)
        yield from _differs(f"scores.{node}", {n: plugins.get(n, 0) for n in names}, {n: answer.get(n, 0) for n in names})
    yield from _differs("preemption (run or not)", bool(want.get("preemption")), bool(got.get("preemption")))
    if want.get("preemption") and got.get("preemption"):
        for key, form in _PREEMPTION.items():
            yield from _differs(f"preemption.{key}", form(want["preemption"].get(key)), form(got["preemption"].get(key)))


def _differs(name: str, want: Any, got: Any) -> Iterator[Difference]:
    if want != got:
        yield name, want, got


def _status(value: Any) -> tuple[Any, ...]:
    value = value or {}
    return value.get("code"), value.get("plugin") or "", sorted(value.get("reasons") or [])


def _statuses(value: Any) -> dict[str, Any]:
    return {node: _status(entry) for node, entry in (value or {}).items()}


def _candidates(value: Any) -> dict[str, Any]:
    return {node: (entry.get("victims") or [], entry.get("pdbViolations", 0)) for node, entry in (value or {}).items()}


def _text(value: Any) -> str:
    return value or ""


def _sorted(value: Any) -> list[Any]:
    return sorted(value or [])


_CYCLE = {
    "error": _text,
    "pod": _text,
    "preFilter": _status,
    "filter": _statuses,
    "feasible": _sorted,
    "hosts": lambda value: value or [],
    "totals": lambda value: value or {},
    "fitError": _text,
    "chosen": _text,
    "nominated": _text,
}
_PREEMPTION = {
    "eligible": bool,
    "message": _text,
    "candidates": _candidates,
    "nodeStatuses": _statuses,
    "afterExtenders": _candidates,
    "picks": _sorted,
}
