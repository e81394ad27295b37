"""The signature of a pod: everything of it that plugins may look at when they filter and score nodes.

The one rule: rather no signature than a wrong one. What two pods of one signature are told differs only by what changed in between,
so answers can be kept. The same idea as pod signatures in kube-scheduler's opportunistic batching (KEP-5598).
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from scheduler_core.api.objects import Container, Pod, Resources

INERT_VOLUMES: Final = frozenset({"", "configMap", "downwardAPI", "emptyDir", "hostPath", "projected", "secret"})
"""Sources of volumes that no plugin looks at."""


def signature_of(pod: Pod) -> Hashable | None:
    """A value equal for pods that get equal answers; None where a volume or a state of its own makes the pod one of a kind."""
    if any(volume.source not in INERT_VOLUMES for volume in pod.volumes):
        return None
    return (
        pod.namespace,
        tuple(pod.labels.items()),
        pod.owners,
        pod.node_name,
        pod.node_selector,
        pod.required_node_affinity,
        pod.preferred_node_affinity,
        pod.required_affinity,
        pod.preferred_affinity,
        pod.required_anti_affinity,
        pod.preferred_anti_affinity,
        pod.tolerations,
        pod.spread_constraints,
        tuple(_of_container(container) for container in pod.containers),
        tuple(_of_container(container) for container in pod.init_containers),
        _of(pod.overhead),
        _of(pod.pod_requests),
        _of(pod.pod_limits),
        pod.host_network,
    )


def _of_container(container: Container) -> Hashable:
    return (
        container.image,
        _of(container.requests),
        _of(container.fine_requests),
        _of(container.allocated),
        _of(container.limits),
        container.ports,
        container.restart_policy,
    )


def _of(resources: Resources | None) -> Hashable:
    return None if resources is None else tuple(resources.items())
