"""Whether labels meet a selector, exactly as upstream decides it.

The one rule: a selector that is None selects nothing, an empty one everything, and an empty node selector term nothing. An
expression that upstream cannot turn into a requirement makes the whole term match nothing. Mirrors apimachinery's labels and
metav1.LabelSelectorAsSelector, and component-helpers' nodeaffinity, at 1.34.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from scheduler_core.api.names import label_value_error, qualified_name_error
from scheduler_core.api.objects import LabelSelector, NodeSelectorTerm, Requirement

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_INT64: Final = 2**63


def is_empty(selector: LabelSelector) -> bool:
    """Whether the selector selects everything."""
    return not selector.match_labels and not selector.match_expressions


def label_selector_matches(selector: LabelSelector | None, labels: Mapping[str, str]) -> bool:
    """Whether the labels meet every label and expression of the selector."""
    if selector is None:
        return False
    for key, value in selector.match_labels:
        if labels.get(key) != value:
            return False
    return all(requirement_matches(requirement, labels) for requirement in selector.match_expressions)


def requirement_matches(requirement: Requirement, labels: Mapping[str, str]) -> bool:
    """Whether the labels meet one expression; NotIn and DoesNotExist hold where the key is missing."""
    operator, key = requirement.operator, requirement.key
    if operator == "In":
        return labels.get(key) in requirement.values
    if operator == "NotIn":
        return labels.get(key) not in requirement.values
    if operator == "Exists":
        return key in labels
    if operator == "DoesNotExist":
        return key not in labels
    if operator in ("Gt", "Lt") and key in labels and requirement.values:
        return _compares(operator, _int64(labels[key]), _int64(requirement.values[0]))
    return False


def node_selector_term_matches(term: NodeSelectorTerm, labels: Mapping[str, str], name: str) -> bool:
    """Whether a node of that name and labels meets all expressions of the term; an empty term matches no node."""
    if not term.match_expressions and not term.match_fields:
        return False
    if any(node_requirement_error(requirement) for requirement in term.match_expressions):
        return False
    if not all(requirement_matches(requirement, labels) for requirement in term.match_expressions):
        return False
    return all(_field_matches(requirement, name) for requirement in term.match_fields)


def node_requirement_error(requirement: Requirement) -> str:
    """Why upstream's labels.NewRequirement refuses an expression of a node selector, or ""."""
    operator, values = requirement.operator, requirement.values
    if operator in ("In", "NotIn") and not values:
        return "for 'in', 'notin' operators, values set can't be empty"
    if operator in ("Exists", "DoesNotExist") and values:
        return "values set must be empty for exists and does not exist"
    if operator in ("Gt", "Lt"):
        if len(values) != 1:
            return "for 'Gt', 'Lt' operators, exactly one value is required"
        if _int64(values[0]) is None:
            return "for 'Gt', 'Lt' operators, the value must be an integer"
    elif operator not in ("In", "NotIn", "Exists", "DoesNotExist"):
        return f"{operator!r} is not a valid label selector operator"
    return qualified_name_error(requirement.key) or next(filter(None, map(label_value_error, values)), "")


def selector_error(selector: LabelSelector | None) -> str:
    """Why metav1.LabelSelectorAsSelector refuses the selector, or ""."""
    if selector is None:
        return ""
    for key, value in selector.match_labels:
        error = qualified_name_error(key) or label_value_error(value)
        if error:
            return error
    for requirement in selector.match_expressions:
        if requirement.operator in ("Gt", "Lt"):
            return f"{requirement.operator!r} is not a valid label selector operator"
        error = node_requirement_error(requirement)
        if error:
            return error
    return ""


def selector_text(selector: LabelSelector | None) -> str:
    """The selector as kubectl prints it: ``app=web,tier in (back,front),!legacy``, sorted by key.

    kubectl prints ``<none>`` for an empty selector as well as for none; here an empty one, which selects everything, is "".
    """
    if selector is None:
        return "<none>"
    texts = [
        *((key, f"{key}={value}") for key, value in selector.match_labels),
        *((requirement.key, _requirement_text(requirement)) for requirement in selector.match_expressions),
    ]
    return ",".join(text for _, text in sorted(texts, key=lambda part: part[0]))


def _requirement_text(requirement: Requirement) -> str:
    key, values = requirement.key, ",".join(sorted(requirement.values))
    match requirement.operator:
        case "In":
            return f"{key} in ({values})"
        case "NotIn":
            return f"{key} notin ({values})"
        case "Exists":
            return key
        case "DoesNotExist":
            return f"!{key}"
        case "Gt":
            return f"{key}>{values}"
        case "Lt":
            return f"{key}<{values}"
    return f"{key} {requirement.operator} ({values})"


def _compares(operator: str, label: int | None, bound: int | None) -> bool:
    if label is None or bound is None:
        return False
    return label > bound if operator == "Gt" else label < bound


def _int64(text: str) -> int | None:
    """strconv.ParseInt(text, 10, 64), None for an error."""
    if len(text) > 64 or not _INTEGER.fullmatch(text):
        return None
    number = int(text)
    return number if -_INT64 <= number < _INT64 else None


def _field_matches(requirement: Requirement, name: str) -> bool:
    """One expression over fields; only metadata.name with In or NotIn and one value is a selector at all."""
    if len(requirement.values) != 1 or requirement.operator not in ("In", "NotIn"):
        return False
    value = name if requirement.key == "metadata.name" else ""
    return (value == requirement.values[0]) is (requirement.operator == "In")
