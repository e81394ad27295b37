"""What happens in a scenario is caused by what its claim names: without the cause, something else happens.

The one rule: a row takes away or changes one cause, and says what the same scenario comes to then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest

from scheduler_core import InvalidInputError, Outcome, holds
from tests.gallery.documents import FILES, document_of, outcome_of

GONE: Final = object()
"""In place of a value: the field is taken out."""

Change = tuple[str, str, Any]
"""(object as Kind/name or "" for the scenario, path of keys and places, value)"""


@dataclass(frozen=True, slots=True)
class Cause:
    """A scenario, what is changed in it, and what is true then."""

    scenario: str
    without: str
    changes: tuple[Change, ...]
    then: str


CPU: Final = "spec containers 0 resources requests cpu"
START: Final = "status startTime"
CAUSES: Final = (
    Cause("01", "the taint", (("Node/n-west", "spec taints", GONE),), 'node("shop/web-3") == "n-west"'),
    Cause("02", "the large request", (("Pod/forecast-1", CPU, "200m"),), 'node("shop/api-1") != ""'),
    Cause("02", "the small request", (("Pod/stream-1", CPU, "3500m"),), '"shop/api-1" in pending'),
    Cause("03", "reservations", (("Node/n1", "status allocatable cpu", "4"),), 'node("science/solver-1") == "n1"'),
    Cause("04", "the other strategy", (("Pod/web-2", "spec schedulerName", GONE),), 'node("shop/web-2") == "n-empty"'),
    Cause("05", "priorities", (("Pod/member-1", "spec priority", 0), ("Pod/member-2", "spec priority", 0)), '"club/walk-in-1" in bound'),
    Cause("06", "the gate that is off", (("", "featureGates", {}),), 'moves("jobs/etl-1")[3] == "unschedulable"'),
    Cause("07", "the gate", (("", "featureGates", {"SchedulerPopFromBackoffQ": False}),), 'moves("jobs/etl-1")[3] == "active"'),
    Cause("08", "another label", (("", "timeline 0 update metadata labels disk", "ssd"),), 'count("queue.skipped") == 0'),
    Cause("09", "the scheduling gate", (("Pod/train-1", "spec schedulingGates", GONE),), 'bound_at("ml/train-1") < 1'),
    Cause("10", "the last minute", (("", "until", 329),), "cycles == 1"),
    Cause("11", "the lesser victim", (("Pod/cache-1", "spec priorityClassName", "batch"),), 'victims == ["shop/cache-1"]'),
    Cause("12", "equality", (("Pod/web-3", "spec priority", 1001),), 'victims == ["shop/web-2"]'),
    Cause("13", "the policy", (("PriorityClass/patient", "preemptionPolicy", GONE),), 'victims == ["science/sleep-1"]'),
    Cause("14", "the default class", (("PriorityClass/standard", "globalDefault", False),), 'victims == [] and "web/blog-2" in pending'),
    Cause(
        "15",
        "the small pod's smallness",
        (("Pod/mailer-1", CPU, "1100m"), ("Pod/ledger-1", CPU, "2900m")),
        'victims == ["bank/ledger-1", "bank/mailer-1"]',
    ),
    Cause("16", "the lower priority", (("Pod/ledger-1", "spec priority", 101),), 'victims == ["jobs/scratch-1"]'),
    Cause("17", "the taint", (("Node/n-gpu", "spec taints", GONE),), 'victims == ["ml/toy-1"]'),
    Cause("18", "the cordon", (("Node/n-cordoned", "spec unschedulable", GONE),), 'victims == ["jobs/batch-2"]'),
    Cause("18", "the taint", (("Node/n-tainted", "spec taints", GONE),), 'victims == ["jobs/batch-4"]'),
    Cause("18", "the label", (("Node/n-hdd", "metadata labels disk", "ssd"),), 'victims == ["jobs/batch-3"]'),
    Cause("18", "smallness", (("Node/n-small", "status allocatable cpu", "2"),), 'victims == ["jobs/batch-1"]'),
    Cause("19", "equality", (("Pod/web-3", "spec priority", 1001),), "len(victims) == 1"),
    Cause(
        "20",
        "the lower sum",
        (("Pod/thumbs-2", "spec priority", 91),),
        'decided_by("shop/checkout") == ["priority-sum"] and node("shop/checkout") == "n-east"',
    ),
    Cause("20", "the difference of the sums", (("Pod/thumbs-1", "spec priority", 10),), 'decided_by("shop/checkout") == ["latest-start"]'),
    Cause("21", "the equal top", (("Pod/index-2", "spec priority", 99),), 'decided_by("shop/checkout") == ["highest-priority"]'),
    Cause("22", "the lowest integer", (("Pod/dust-1", "spec priority", -2147483647),), 'decided_by("shop/checkout") == ["priority-sum"]'),
    Cause("23", "the later start", (("Pod/render-2", START, "2026-03-02T05:00:00Z"),), 'victims == ["jobs/render-1"]'),
    Cause("24", "the tie", (("Pod/render-2", "spec priority", 9),), 'victims == ["jobs/render-2"]'),
    Cause(
        "25",
        "the order of creation",
        (("Pod/web-1", START, "2026-03-02T09:00:00Z"), ("Pod/agent-1", START, "2026-03-02T08:00:00Z")),
        'victims == ["shop/web-1"]',
    ),
    Cause("25", "equality", (("Pod/agent-1", "spec priority", 1),), 'victims == ["shop/web-1"]'),
    Cause("26", "the budget", (("PodDisruptionBudget/search", "spec minAvailable", 0),), 'victims == ["shop/search-1"]'),
    Cause("27", "the budget", (("PodDisruptionBudget/search", "spec minAvailable", 0),), 'victims == ["shop/search-1"]'),
    Cause("28", "the allowance", (("PodDisruptionBudget/search", "spec minAvailable", 0),), 'victims == ["shop/search-2"]'),
    Cause("28", "any allowance", (("PodDisruptionBudget/search", "spec minAvailable", 2),), 'victims == ["shop/search-2"]'),
    Cause("29", "the budget", (("PodDisruptionBudget/guarded", "spec minAvailable", 0),), 'victims == ["bank/low-1"]'),
    Cause(
        "29",
        "the reprieve",
        (("Pod/low-1", CPU, "2500m"), ("Pod/high-1", CPU, "1500m")),
        'victims == ["bank/low-1"] and decided_by("ops/urgent-1") == ["highest-priority"]',
    ),
    Cause("31", "the cordon", (("", "timeline 0 update spec unschedulable", False),), 'node("shop/web-4") == "n-old"'),
    Cause("32", "the grace period", (("Pod/slow-1", "spec terminationGracePeriodSeconds", 5),), 'bound_at("shop/checkout") < 10'),
    Cause("33", "the other room", (("", "timeline", []),), 'node("shop/checkout") == "n1"'),
    Cause("34", "the nomination above it", (("", "timeline 0 create spec priority", 200000),), 'bound_at("jobs/thumbs-1") < 10'),
    Cause("34", "the higher priority", (("", "timeline 1 create spec priority", 50),), 'bound_at("ops/pager-1") >= 30'),
    Cause("35", "the affinity", (("", "timeline 0 create spec affinity", GONE),), 'bound_at("shop/warmer-1") < 10'),
    Cause("36", "the higher priority", (("", "timeline 0 create spec priority", 40),), 'node("shop/checkout") == "n1"'),
    Cause("37", "the higher priority", (("", "timeline 0 create spec priority", 1000),), 'count("preemption.nomination_cleared") == 0'),
    Cause("38", "the grace period", (("Pod/immortal-1", "spec terminationGracePeriodSeconds", 30),), 'bound_at("shop/checkout") == 30'),
    Cause("39", "the gate", (("", "featureGates", {"SchedulerAsyncPreemption": False}),), "cycles == 4"),
    Cause("40", "the gate that is off", (("", "featureGates", {}),), 'cycles == 3 and "gated" in moves("shop/web-2")'),
    Cause("41", "the lower rung", (("PriorityClass/bronze", "value", 1000),), 'victims == ["bank/silver-1"]'),
    Cause("42", "the anti-affinity", (("Pod/hermit-1", "spec affinity", GONE),), 'victims == [] and node("shop/web-1") == "n1"'),
    Cause(
        "43", "the low priority", (("Pod/cache-1", "spec priority", 1000),), 'victims == ["jobs/batch-1"] and node("shop/reader-1") == "n1"'
    ),
    Cause("44", "the zone", (("Node/n-a2", "metadata labels topology.kubernetes.io/zone", "b"),), 'node("shop/web-1") == "n-a2"'),
    Cause("44", "the cordon", (("Node/n-a1", "spec", GONE),), 'victims == ["shop/hermit-1"]'),
    Cause(
        "45", "the constraint", (("Pod/web-2", "spec topologySpreadConstraints", GONE),), 'victims == [] and node("shop/web-2") == "n-b"'
    ),
    Cause("46", "the port", (("Pod/gateway-new", "spec containers 0 ports", GONE),), "victims == []"),
    Cause("47", "the access mode", (("PersistentVolumeClaim/ledger", "spec accessModes", ["ReadWriteOnce"]),), "victims == []"),
    Cause("48", "the affinity to its node", (("Pod/agent-n2", "spec affinity", GONE),), 'not "shop/cart-1" in victims'),
    Cause("49", "the extender", (("", "extenders", []),), 'victims == ["jobs/batch-1"]'),
    Cause(
        "50",
        "the other nodes",
        (("", "objects 0 generate count", 99), ("", "objects 2 generate count", 99)),
        'node("shop/web-1") == "zeppelin"',
    ),
    Cause(
        "51",
        "the arguments",
        (("", "config", {}), ("", "objects 0 generate count", 99), ("", "objects 2 generate count", 99)),
        'victims == ["jobs/bargain-1"]',
    ),
)


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: f"{cause.scenario} {cause.without}")
def test_without_its_cause_a_scenario_ends_otherwise(cause: Cause) -> None:
    document = _named(cause.scenario)
    for change in cause.changes:
        _apply(document, *change)
    outcome = outcome_of(document)
    assert holds(cause.then, outcome)
    assert not all(_holds(expression, outcome) for expression in document["expect"]), "the file's own claims must notice"


def test_a_second_later_the_budget_would_have_held() -> None:
    document = _named("30")
    second = _find(document, "Pod/checkout-2")
    document["objects"].remove(second)
    document["timeline"] = [{"at": 1, "create": second}]
    assert holds('victims == ["shop/web-1", "jobs/log-1"]', outcome_of(document))


def test_every_scenario_has_a_cause_that_can_be_taken_away() -> None:
    numbers = {path.name[:2] for path in FILES}
    assert numbers - {cause.scenario for cause in CAUSES} == {"30"}, "30 has a test of its own"


def _named(number: str) -> dict[str, Any]:
    return document_of(next(path for path in FILES if path.name.startswith(number)))


def _find(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    kind, name = name.split("/")
    return next(item for item in document["objects"] if item.get("kind") == kind and item["metadata"]["name"] == name)


def _apply(document: dict[str, Any], target: str, path: str, value: Any) -> None:
    place: Any = _find(document, target) if target else document
    *way, last = path.split()
    for key in way:
        place = place[int(key)] if isinstance(place, list) else place[key]
    if value is GONE:
        del place[last]
        return
    place[last] = value


def _holds(expression: str, outcome: Outcome) -> bool:
    try:
        return holds(expression, outcome)
    except InvalidInputError:
        return False  # it asks for what did not happen
