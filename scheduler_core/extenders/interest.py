"""Which pods an extender wants to hear of. Mirrors IsInterested of pkg/scheduler/extender.go."""

from __future__ import annotations

from collections.abc import Collection

from scheduler_core.cluster.pods import PodInfo


def is_interested(managed_resources: Collection[str], pod: PodInfo) -> bool:
    """Whether a container asks for a resource that the extender manages; one that manages none hears of every pod."""
    if not managed_resources:
        return True
    containers = pod.pod.containers + pod.pod.init_containers
    return any(name in managed_resources for container in containers for name in (*container.requests, *container.limits))
