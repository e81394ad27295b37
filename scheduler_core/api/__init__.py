"""Kubernetes objects: from text or documents to frozen values.

The one rule: whatever comes in, what goes out is either a value that the engine can trust or an InvalidInputError that says
everything that is wrong.
"""

from scheduler_core.api.missing_nodes import missing_nodes, with_missing_nodes
from scheduler_core.api.parse import identity, parse_object
from scheduler_core.api.scenario import Operation, Scenario, canonical_json, scenario_from_document

__all__ = [
    "Operation",
    "Scenario",
    "canonical_json",
    "identity",
    "missing_nodes",
    "parse_object",
    "scenario_from_document",
    "with_missing_nodes",
]
