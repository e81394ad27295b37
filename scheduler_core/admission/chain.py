"""The steps of admission in their order.

The one rule: a step takes objects and gives objects; it never looks at what a later step will do.
"""

from __future__ import annotations

from dataclasses import replace

from scheduler_core.admission.label_keys import merge_label_keys
from scheduler_core.admission.priority import Priorities
from scheduler_core.api.findings import Findings, Path
from scheduler_core.api.objects import Pod
from scheduler_core.api.scenario import Scenario


def admit(scenario: Scenario, places: list[Path | None], findings: Findings) -> Scenario:
    """The scenario with its objects as an API server would have stored them; ``places`` are their paths."""
    priorities = Priorities(scenario.objects, findings)
    objects = tuple(
        merge_label_keys(priorities.admit(value, place)) if type(value) is Pod else value
        for value, place in zip(scenario.objects, places, strict=False)
    )
    return replace(scenario, objects=objects)
