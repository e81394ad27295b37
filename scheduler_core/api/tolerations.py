"""Whether tolerations cover a taint. Mirrors Toleration.ToleratesTaint of k8s.io/api/core/v1 at 1.34."""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.api.objects import Taint, Toleration


def tolerates_taint(toleration: Toleration, taint: Taint) -> bool:
    """Whether one toleration covers the taint; an empty key or effect covers every key or effect."""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in ("", "Equal"):
        return toleration.value == taint.value
    return toleration.operator == "Exists"


def tolerates(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    """Whether any of the tolerations covers the taint."""
    return any(tolerates_taint(toleration, taint) for toleration in tolerations)
