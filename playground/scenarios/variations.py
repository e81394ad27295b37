"""One click on a setting: what could be different in a scenario, offered from what it contains.

The one rule: a variation changes one thing and names it; the answer is another scenario, laid beside this one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

MOST_BUDGETS: Final = 4
MOST_PODS: Final = 3
ASYNC: Final = "SchedulerAsyncPreemption"
Document = dict[str, Any]
Manifest = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """``key`` names it in a form; ``text`` is a key of the wording with ``args``; ``apply`` changes a copy of the document in place."""

    key: str
    text: str
    args: Mapping[str, Any]
    apply: Callable[[Document], None] = field(repr=False)


def of(document: Mapping[str, Any]) -> list[Variation]:
    """The variations of a Scenario document, the most telling first."""
    return [*_budgets(document), *_policies(document), *_priorities(document), *_gates(document), _seed(document)]


def varied(document: Mapping[str, Any], key: str) -> Document | None:
    """The document with one variation applied; None for a key that it does not have."""
    chosen = next((each for each in of(document) if each.key == key), None)
    if chosen is None:
        return None
    changed: Document = copy.deepcopy(dict(document))
    chosen.apply(changed)
    return changed


# -- disruption budgets -----------------------------------------------------------------------------------------------
def _budgets(document: Mapping[str, Any]) -> Iterator[Variation]:
    for index, budget in _objects(document, "PodDisruptionBudget", MOST_BUDGETS):
        for name in ("minAvailable", "maxUnavailable"):
            value = (budget.get("spec") or {}).get(name)
            if isinstance(value, int):
                yield from (_budget(index, budget, name, value, change) for change in (1, -1) if value + change >= 0)
        yield Variation(key=f"pdb.{index}.none", text="vary.pdb.none", args={"name": _name(budget)}, apply=_without(index))


def _budget(index: int, budget: Manifest, name: str, value: int, change: int) -> Variation:
    def apply(document: Document) -> None:
        changed = document["objects"][index]
        changed["spec"][name] = value + change
        changed.pop("status", None)  # what it allows follows from the new number

    args = {"name": _name(budget), "field": name, "before": value, "after": value + change}
    return Variation(key=f"pdb.{index}.{'up' if change > 0 else 'down'}", text="vary.pdb", args=args, apply=apply)


def _without(index: int) -> Callable[[Document], None]:
    def apply(document: Document) -> None:
        del document["objects"][index]

    return apply


# -- pods that wait ---------------------------------------------------------------------------------------------------
def _policies(document: Mapping[str, Any]) -> Iterator[Variation]:
    for index, pod in _waiting(document):
        policy = pod["spec"].get("preemptionPolicy") or "PreemptLowerPriority"
        other = "PreemptLowerPriority" if policy == "Never" else "Never"
        args = {"name": _name(pod), "before": policy, "after": other}
        yield Variation(key=f"policy.{index}", text="vary.policy", args=args, apply=_set_in_spec(index, preemptionPolicy=other))


def _priorities(document: Mapping[str, Any]) -> Iterator[Variation]:
    classes = _classes(document)
    running = [_priority(pod, classes) for _, pod in _objects(document, "Pod") if (pod.get("spec") or {}).get("nodeName")]
    for index, pod in _waiting(document):
        before = _priority(pod, classes)
        choices = {"top": max(running, default=before), "bottom": min(running, default=before)}
        for word, after in choices.items():
            if after != before and (word == "top" or after != choices["top"]):
                args = {"name": _name(pod), "before": before, "after": after}
                yield Variation(key=f"priority.{index}.{word}", text="vary.priority", args=args, apply=_set_priority(index, after))


def _set_priority(index: int, priority: int) -> Callable[[Document], None]:
    def apply(document: Document) -> None:
        spec = document["objects"][index]["spec"]
        spec.pop("priorityClassName", None)  # a class would say otherwise
        spec["priority"] = priority

    return apply


def _set_in_spec(index: int, **values: Any) -> Callable[[Document], None]:
    def apply(document: Document) -> None:
        document["objects"][index]["spec"].update(values)

    return apply


# -- settings ---------------------------------------------------------------------------------------------------------
def _gates(document: Mapping[str, Any]) -> Iterator[Variation]:
    is_on = bool((document.get("featureGates") or {}).get(ASYNC, True))

    def apply(changed: Document) -> None:
        changed["featureGates"] = {**(changed.get("featureGates") or {}), ASYNC: not is_on}

    yield Variation(key="gate.async", text="vary.async.off" if is_on else "vary.async.on", args={}, apply=apply)


def _seed(document: Mapping[str, Any]) -> Variation:
    seed = int(document.get("seed") or 0)

    def apply(changed: Document) -> None:
        changed["seed"] = seed + 1

    return Variation(key="seed", text="vary.seed", args={"before": seed, "after": seed + 1}, apply=apply)


# -- looking into documents -------------------------------------------------------------------------------------------
def _objects(document: Mapping[str, Any], kind: str, most: int | None = None) -> list[tuple[int, Manifest]]:
    found = [(index, each) for index, each in enumerate(document.get("objects") or ()) if each.get("kind") == kind]
    return found[:most]


def _waiting(document: Mapping[str, Any]) -> list[tuple[int, Manifest]]:
    """Pods without a node, the most important first."""
    pods = [(index, pod) for index, pod in _objects(document, "Pod") if pod.get("spec") and not pod["spec"].get("nodeName")]
    classes = _classes(document)
    return sorted(pods, key=lambda item: (-_priority(item[1], classes), item[0]))[:MOST_PODS]


def _classes(document: Mapping[str, Any]) -> dict[str, int]:
    """Priorities by the name of their class; the global default under the empty name."""
    found = {"system-node-critical": 2_000_001_000, "system-cluster-critical": 2_000_000_000}
    for _, each in _objects(document, "PriorityClass"):
        found[each["metadata"]["name"]] = int(each.get("value") or 0)
        if each.get("globalDefault"):
            found[""] = int(each.get("value") or 0)
    return found


def _priority(pod: Manifest, classes: Mapping[str, int]) -> int:
    spec = pod.get("spec") or {}
    value = spec.get("priority")
    return value if isinstance(value, int) else classes.get(spec.get("priorityClassName") or "", 0)


def _name(manifest: Manifest) -> str:
    metadata = manifest.get("metadata") or {}
    return f"{metadata.get('namespace') or 'default'}/{metadata.get('name', '')}"
