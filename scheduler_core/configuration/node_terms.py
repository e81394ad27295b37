"""Node selector terms as they stand in NodeAffinityArgs: judged, then as values. Mirrors component-helpers' nodeaffinity.

The one rule: an empty term matches no node, so nothing in it can be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.names import label_value_error, qualified_name_error
from scheduler_core.api.objects import NodeSelectorTerm, Requirement
from scheduler_core.configuration import field_errors as text

_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")
_FIELD_OPERATORS: Final = ("In", "NotIn")
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")

Raw = Mapping[str, Any]


def read_term(raw: Raw, path: Path, findings: Findings) -> NodeSelectorTerm:
    """One term, decoded already; what is wrong goes to the findings."""
    expressions: Sequence[Raw] = raw.get("matchExpressions", ())
    fields: Sequence[Raw] = raw.get("matchFields", ())
    for index, item in enumerate(expressions):
        _check_expression(item, ((path, "matchExpressions"), index), findings)
    for index, item in enumerate(fields):
        _check_field(item, ((path, "matchFields"), index), findings)
    return NodeSelectorTerm(match_expressions=_requirements(expressions), match_fields=_requirements(fields))


def _requirements(listed: Sequence[Raw]) -> tuple[Requirement, ...]:
    return tuple(
        Requirement(key=item.get("key", ""), operator=item.get("operator", ""), values=tuple(item.get("values", ()))) for item in listed
    )


def _check_expression(item: Raw, path: Path, findings: Findings) -> None:
    key, operator, values = item.get("key", ""), item.get("operator", ""), item.get("values", [])
    if operator not in _OPERATORS:
        findings.problem((path, "operator"), text.not_supported(operator, _OPERATORS))
        return
    error = qualified_name_error(key)
    if error:
        findings.problem((path, "key"), text.invalid(key, error))
    here = (path, "values")
    if operator in ("In", "NotIn") and not values:
        findings.problem(here, text.invalid(values, "for 'in', 'notin' operators, values set can't be empty"))
    elif operator in ("Exists", "DoesNotExist") and values:
        findings.problem(here, text.invalid(values, "values set must be empty for exists and does not exist"))
    elif operator in ("Gt", "Lt"):
        _check_bound(values, here, findings)
    for index, value in enumerate(values):
        error = label_value_error(value)
        if error:
            findings.problem((here, index), text.invalid(value, error))


def _check_bound(values: Sequence[str], path: Path, findings: Findings) -> None:
    if len(values) != 1:
        findings.problem(path, text.invalid(list(values), "for 'Gt', 'Lt' operators, exactly one value is required"))
    for index, value in enumerate(values):
        if not _INTEGER.fullmatch(value) or not -(2**63) <= int(value) < 2**63:
            findings.problem((path, index), text.invalid(value, "for 'Gt', 'Lt' operators, the value must be an integer"))


def _check_field(item: Raw, path: Path, findings: Findings) -> None:
    operator, values = item.get("operator", ""), item.get("values", [])
    if operator not in _FIELD_OPERATORS:
        findings.problem((path, "operator"), text.not_supported(operator, _FIELD_OPERATORS))
    elif len(values) != 1:
        findings.problem((path, "values"), text.invalid(list(values), "must have one element"))
