"""Claims about a run's result, such as ``victims == ["shop/a"]``, so that a scenario can be tested like code.

The one rule: an expression is data, read by a small interpreter of its own; nothing in it is ever executed as Python.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scheduler_core.errors import InvalidInputError, Problem

MAX_LENGTH: Final = 2000

_COMPARE: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


class Outcome:
    """What expressions may ask of a finished run: its events, folded once."""

    def __init__(self, events: Sequence[Mapping[str, Any]], result: Mapping[str, Any]) -> None:
        self.names: dict[str, Any] = {
            "victims": list(result["evicted"]),
            "placements": dict(result["placements"]),
            "pending": dict(result["pending"]),
            "bound": sorted(result["placements"]),
            "cycles": sum(event["kind"] == "cycle.started" for event in events),
        }
        self._events = events
        self.functions: dict[str, Callable[..., Any]] = {
            "node": lambda pod: result["placements"].get(pod, ""),
            "reason": lambda pod: result["pending"].get(pod, ""),
            "nominated": self._nominated,
            "decided_by": self._decided_by,
            "victims_of": self._victims_of,
            "message": self._message,
            "count": lambda kind: sum(event["kind"] == kind for event in events),
            "moves": self._moves,
            "waits": self._waits,
            "bound_at": self._bound_at,
            "len": len,
            "sorted": sorted,
        }

    def _of(self, kind: str, pod: str) -> list[Mapping[str, Any]]:
        return [event for event in self._events if event["kind"] == kind and event["data"]["pod"] == pod]

    def _nominated(self, pod: str) -> list[str]:
        """The nodes to which the pod was nominated, in order."""
        return [event["data"]["node"] for event in self._of("preemption.nominated", pod)]

    def _decided_by(self, pod: str) -> list[str]:
        """The rules that decided the pod's preemptions, in order."""
        return [event["data"]["decided_by"] for event in self._of("preemption.picked", pod)]

    def _victims_of(self, pod: str) -> list[str]:
        """The pods deleted for this one, in order."""
        return [event["data"]["victim"] for event in self._of("preemption.victim_deleted", pod)]

    def _message(self, pod: str) -> list[str]:
        """The condition texts of the pod's failed cycles, in order."""
        return [event["data"]["message"] for event in self._of("cycle.failed", pod)]

    def _moves(self, pod: str) -> list[str]:
        """Where the queue put the pod, in order."""
        return [event["data"]["to"] for event in self._of("queue.moved", pod)]

    def _waits(self, pod: str) -> list[float]:
        """The lengths of the pod's backoffs in seconds, in order."""
        moves = [event for event in self._of("queue.moved", pod) if event["data"]["to"] == "backoff"]
        return [round(event["data"]["until"] - event["t"], 3) for event in moves if event["data"]["until"] is not None]

    def _bound_at(self, pod: str) -> float | None:
        """The second at which the pod was bound, None when it was not."""
        bound = self._of("pod.bound", pod)
        return bound[-1]["t"] if bound else None


def holds(expression: str, outcome: Outcome) -> bool:
    """Whether the claim is true of the outcome; raises InvalidInputError where it cannot be read."""
    if len(expression) > MAX_LENGTH:
        raise _invalid(expression[:60] + "...", f"is longer than {MAX_LENGTH} characters")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
        return bool(_value(tree.body, outcome))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise _invalid(expression, str(error)) from error


def _value(node: ast.expr, outcome: Outcome) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in outcome.names:
            return outcome.names[name]
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, outcome) for item in items]
        case ast.Dict(keys=keys, values=values):
            return {_value(key, outcome): _value(value, outcome) for key, value in zip(keys, values, strict=True) if key is not None}
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, outcome)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, outcome)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, outcome) for part in parts)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(_value(part, outcome) for part in parts)
        case ast.Compare():
            return _compare(node, outcome)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in outcome.functions:
            return outcome.functions[name](*(_value(arg, outcome) for arg in args))
        case ast.Subscript(value=value, slice=key):
            return _item(_value(value, outcome), _value(key, outcome))
    raise ValueError(f"{ast.unparse(node)!r} is not understood")


def _compare(node: ast.Compare, outcome: Outcome) -> bool:
    left = _value(node.left, outcome)
    for symbol, right_node in zip(node.ops, node.comparators, strict=True):
        compare = _COMPARE.get(type(symbol))
        if compare is None:
            raise ValueError(f"{type(symbol).__name__} is not understood")
        right = _value(right_node, outcome)
        if not compare(left, right):
            return False
        left = right
    return True


def _item(container: Any, key: Any) -> Any:
    try:
        return container[key]
    except (KeyError, IndexError):
        return None


def _invalid(expression: str, message: str) -> InvalidInputError:
    return InvalidInputError((Problem(path=f"expect {expression!r}", message=message),))
