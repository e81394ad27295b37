"""What pods ask for, computed once for all pods with the very same containers.

The one rule: parsing shares equal containers, so pods of one template are told by identity, and nothing is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scheduler_core.api.objects import Container, Pod, Resources
from scheduler_core.api.resources import host_ports_of, nonzero_requests_of, requests_of

REMEMBERED: Final = 4096
"""Sets of containers that are remembered."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Requests, those for scoring as (milli-CPU, bytes), and host ports; see :class:`PodInfo`. Nobody changes them."""

    requests: Resources
    nonzero: tuple[int, int]
    host_ports: tuple[tuple[str, str, int], ...]


class AskedBefore:
    """What pods asked for so far."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Asked, tuple[Container, ...], tuple[Container, ...]]] = {}
        """by identity of the containers, which are kept as well, so that nothing else gets their identity"""

    def of(self, pod: Pod) -> Asked:
        """What the pod asks for."""
        if pod.overhead or pod.pod_requests is not None or pod.pod_limits is not None:
            return _asked(pod)
        key = (id(pod.containers), id(pod.init_containers))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[key] = (_asked(pod), pod.containers, pod.init_containers)
        return known[0]


def _asked(pod: Pod) -> Asked:
    return Asked(requests_of(pod), nonzero_requests_of(pod), host_ports_of(pod))
