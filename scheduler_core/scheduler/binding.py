"""Who binds a pod: an extender that can and cares, else the profile's bind plugin. Mirrors extendersBinding of schedule_one.go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.extender import Extender, ExtenderError


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtenderBinding:
    """An extender took the binding upon itself; ``error`` is "" when it succeeded."""

    extender: str
    error: str = ""


def bind_by_extenders(extenders: Sequence[Extender], pod: PodInfo, node: str) -> ExtenderBinding | None:
    """The first extender that binds decides, unless it fails and may be ignored; None leaves it to the bind plugin."""
    for extender in extenders:
        if not extender.binds or not extender.is_interested(pod):
            continue
        try:
            extender.bind(pod, node)
        except ExtenderError as error:
            if extender.ignorable:
                continue
            return ExtenderBinding(extender=extender.name, error=str(error))
        return ExtenderBinding(extender=extender.name)
    return None
