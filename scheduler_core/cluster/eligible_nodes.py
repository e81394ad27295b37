"""Which nodes a pod may use by its node selector, its required node affinity and its tolerations.

The one rule: the answer hangs on node objects alone, so it is one column, kept until a node changes.
Mirrors component-helpers/scheduling/corev1.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from scheduler_core.api.objects import Node, Pod, Toleration
from scheduler_core.api.selectors import node_selector_term_matches
from scheduler_core.api.tolerations import tolerates
from scheduler_core.cluster.cluster import Cluster

REPELLING: Final = ("NoSchedule", "NoExecute")


def required_matches(pod: Pod, node: Node) -> bool:
    """Whether the node meets the pod's node selector and required node affinity. Mirrors GetRequiredNodeAffinity(...).Match."""
    if any(node.labels.get(key) != value for key, value in pod.node_selector):
        return False
    terms = pod.required_node_affinity
    return terms is None or any(node_selector_term_matches(term, node.labels, node.name) for term in terms)


def required_nodes(cluster: Cluster, pod: Pod) -> NDArray[np.bool_] | None:
    """(nodes,) bool: the nodes that the pod's selector and required affinity allow; None for all of them."""
    if not pod.node_selector and pod.required_node_affinity is None:
        return None

    def build() -> NDArray[np.bool_]:
        return np.array([required_matches(pod, node) for node in cluster.nodes], np.bool_)

    return cluster.static(("required nodes", pod.node_selector, pod.required_node_affinity), build)


def tolerated_nodes(cluster: Cluster, tolerations: tuple[Toleration, ...]) -> NDArray[np.bool_]:
    """(nodes,) bool: the nodes without a NoSchedule or NoExecute taint that is not tolerated."""

    def build() -> NDArray[np.bool_]:
        repels = (any(t.effect in REPELLING and not tolerates(tolerations, t) for t in node.taints) for node in cluster.nodes)
        return ~np.fromiter(repels, np.bool_, len(cluster))

    return cluster.static(("tolerated nodes", tolerations), build)
