"""Selectors match exactly as upstream's do."""

from __future__ import annotations

import pytest

from scheduler_core.api.objects import LabelSelector, NodeSelectorTerm, Requirement
from scheduler_core.api.selectors import label_selector_matches, node_selector_term_matches, selector_error, selector_text


def needs(key: str, operator: str, *values: str) -> Requirement:
    return Requirement(key=key, operator=operator, values=values)


LABELS = {"app": "web", "tier": "", "gen": "7", "word": "seven", "big": str(2**63)}

EXPRESSIONS = [
    ("In takes one of the values", needs("app", "In", "db", "web"), True),
    ("In wants the key", needs("zone", "In", "a"), False),
    ("In with the empty value is not a missing key", needs("zone", "In", ""), False),
    ("In takes the empty value", needs("tier", "In", ""), True),
    ("NotIn refuses the value", needs("app", "NotIn", "web"), False),
    ("NotIn holds where the key is missing", needs("zone", "NotIn", "a"), True),
    ("Exists takes an empty value", needs("tier", "Exists"), True),
    ("Exists wants the key", needs("zone", "Exists"), False),
    ("DoesNotExist wants no key", needs("app", "DoesNotExist"), False),
    ("DoesNotExist holds where the key is missing", needs("zone", "DoesNotExist"), True),
    ("Gt compares numbers, not text", needs("gen", "Gt", "06"), True),
    ("Gt is strict", needs("gen", "Gt", "7"), False),
    ("Lt compares numbers", needs("gen", "Lt", "10"), True),
    ("Lt wants the key", needs("zone", "Lt", "10"), False),
    ("a label that is no number is never greater", needs("word", "Gt", "1"), False),
    ("a label beyond int64 is no number", needs("big", "Gt", "1"), False),
    ("a bound that is no number matches nothing", needs("gen", "Lt", "many"), False),
    ("an unknown operator matches nothing", needs("app", "Like", "web"), False),
]


@pytest.mark.parametrize(("claim", "requirement", "matches"), EXPRESSIONS, ids=[row[0] for row in EXPRESSIONS])
def test_an_expression(claim: str, requirement: Requirement, matches: bool) -> None:
    term = NodeSelectorTerm(match_expressions=(requirement,))

    assert node_selector_term_matches(term, LABELS, "n1") is matches, claim


def test_a_selector_that_is_none_selects_nothing_and_an_empty_one_everything() -> None:
    assert not label_selector_matches(None, LABELS)
    assert label_selector_matches(LabelSelector(), {})


def test_labels_and_expressions_must_all_hold() -> None:
    selector = LabelSelector(match_labels=(("app", "web"),), match_expressions=(needs("zone", "DoesNotExist"),))

    assert label_selector_matches(selector, LABELS)
    assert not label_selector_matches(selector, {**LABELS, "zone": "a"})
    assert not label_selector_matches(selector, {"app": "db"})


def test_an_empty_term_matches_no_node() -> None:
    assert not node_selector_term_matches(NodeSelectorTerm(), LABELS, "n1")


@pytest.mark.parametrize(
    ("operator", "value", "matches"), [("In", "n1", True), ("In", "n2", False), ("NotIn", "n1", False), ("NotIn", "n2", True)]
)
def test_a_field_is_compared_with_the_name(operator: str, value: str, matches: bool) -> None:
    assert node_selector_term_matches(NodeSelectorTerm(match_fields=(needs("metadata.name", operator, value),)), {}, "n1") is matches


def test_a_term_with_a_broken_expression_matches_nothing_even_where_the_others_hold() -> None:
    term = NodeSelectorTerm(match_expressions=(needs("app", "In", "web"), needs("zone", "NotIn")))

    assert not node_selector_term_matches(term, LABELS, "n1")


TEXTS = [
    (None, "<none>"),
    (LabelSelector(), ""),
    (LabelSelector(match_labels=(("tier", "back"), ("app", "web"))), "app=web,tier=back"),
    (LabelSelector(match_expressions=(needs("app", "In", "web", "db"),)), "app in (db,web)"),
    (
        LabelSelector(match_expressions=(needs("app", "NotIn", "web"), needs("a", "Exists"), needs("b", "DoesNotExist"))),
        "a,app notin (web),!b",
    ),
]


@pytest.mark.parametrize(("selector", "text"), TEXTS)
def test_a_selector_is_written_as_kubectl_writes_it(selector: LabelSelector | None, text: str) -> None:
    assert selector_text(selector) == text


def test_a_label_selector_knows_no_numbers() -> None:
    assert selector_error(LabelSelector(match_expressions=(needs("gen", "Gt", "1"),))) == "'Gt' is not a valid label selector operator"
    assert selector_error(LabelSelector(match_labels=(("app", "web"),))) == ""
