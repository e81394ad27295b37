"""The computed form of every pod that the scheduler knows of, kept in step with the pod.

The one rule: a pod has one PodInfo at a time, whether it waits or is placed.
"""

from __future__ import annotations

from scheduler_core.api.objects import Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo


class PodInfos:
    """PodInfo by key of the pod."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._infos: dict[str, PodInfo] = {}

    def adopt(self) -> None:
        """Take over the pods that the cluster was filled with."""
        self._infos.update(self._cluster.known)

    def of(self, pod: Pod) -> PodInfo:
        """The PodInfo of the pod as it is now."""
        info = self._infos.get(pod.key)
        if info is None:
            info = self._cluster.info_of(pod)
        elif info.pod is not pod:
            info = self._renew(info, pod)
        self._infos[pod.key] = info
        return info

    def place(self, pod: Pod) -> None:
        """Put the pod on the node that it is bound to, or note that its object changed."""
        info = self._infos.get(pod.key)
        if info is not None and pod.key in self._cluster.known:
            self._infos[pod.key] = self._cluster.replace_pod(info, pod)
            return
        self._cluster.add_pod(self.of(pod))

    def forget(self, key: str) -> None:
        """The pod is gone."""
        info = self._infos.pop(key, None)
        if info is not None:
            self._cluster.forget(info)

    def _renew(self, info: PodInfo, pod: Pod) -> PodInfo:
        known = info.pod
        if info.key in self._cluster.known or not _same_spec(known, pod):
            return self._cluster.replace_pod(info, pod)
        info.pod = pod
        return info


def _same_spec(a: Pod, b: Pod) -> bool:
    """Whether nothing differs that a PodInfo is computed from; a status alone leaves the parts of the spec the same."""
    return (
        a.containers is b.containers
        and a.init_containers is b.init_containers
        and a.pod_requests is b.pod_requests
        and a.priority == b.priority
    )
