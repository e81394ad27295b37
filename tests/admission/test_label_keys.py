"""Label keys are merged into selectors once, when the pod is created."""

from __future__ import annotations

from typing import Any

import pytest

from scheduler_core.admission import load
from scheduler_core.api import scenario_from_document
from scheduler_core.api.objects import LabelSelector, Pod, Requirement
from tests.api.builders import listed, pod

LABELS = {"app": "web", "version": "2"}
SELECTOR = {"matchLabels": {"app": "web"}}
IN = Requirement(key="version", operator="In", values=("2",))
NOT_IN = Requirement(key="version", operator="NotIn", values=("2",))


def term(**fields: Any) -> dict[str, Any]:
    return {"topologyKey": "zone", "labelSelector": SELECTOR, **fields}


def admitted(**spec: Any) -> Pod:
    found = load(listed(pod(metadata={"labels": LABELS}, **spec))).scenario.objects[0]
    assert isinstance(found, Pod)
    return found


# claim, the label keys, what the selector gains
KEYS: list[tuple[str, dict[str, Any], tuple[Requirement, ...]]] = [
    ("a key to match", {"matchLabelKeys": ["version"]}, (IN,)),
    ("a key to differ in", {"mismatchLabelKeys": ["version"]}, (NOT_IN,)),
    ("a key that the pod lacks", {"matchLabelKeys": ["tier"]}, ()),
]


@pytest.mark.parametrize(("keys", "gained"), [case[1:] for case in KEYS], ids=[case[0] for case in KEYS])
@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
def test_a_term_of_affinity_gains(kind: str, keys: dict[str, Any], gained: tuple[Requirement, ...]) -> None:
    affinity = {
        "requiredDuringSchedulingIgnoredDuringExecution": [term(**keys)],
        "preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 1, "podAffinityTerm": term(**keys)}],
    }
    found = admitted(affinity={kind: affinity})
    required = found.required_affinity + found.required_anti_affinity
    preferred = found.preferred_affinity + found.preferred_anti_affinity
    expected = LabelSelector(match_labels=(("app", "web"),), match_expressions=gained)
    assert [t.selector for t in (*required, *(wish.term for wish in preferred))] == [expected, expected]


def test_a_spread_constraint_gains_too_and_a_second_reading_changes_nothing() -> None:
    constraint = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": SELECTOR}
    text = listed(pod(metadata={"labels": LABELS}, topologySpreadConstraints=[constraint | {"matchLabelKeys": ["version"]}]))
    scenario = load(text).scenario
    document = scenario.document()
    (found,) = scenario_from_document(document).objects
    assert isinstance(found, Pod)
    assert [c.selector for c in found.spread_constraints] == [LabelSelector(match_labels=(("app", "web"),), match_expressions=(IN,))]
    assert load(listed(*document["objects"])).scenario.document() == document


def test_a_pod_without_label_keys_is_left_as_it_is() -> None:
    found = admitted(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term()]}})
    assert found.required_affinity[0].selector == LabelSelector(match_labels=(("app", "web"),))
