"""ImageLocality: prefers nodes that have the pod's images already. Mirrors plugins/imagelocality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.framework.interface import MAX_NODE_SCORE, IndexArray, IntArray, PreScoreResult

_MIB: Final = 1024 * 1024
_MIN_BYTES: Final = 23 * _MIB
_MAX_BYTES_PER_CONTAINER: Final = 1000 * _MIB


@dataclass(frozen=True, slots=True)
class _Image:
    """An image by name: its size where it was first seen, and the rows that have it."""

    size_bytes: int
    rows: list[int]


@dataclass(frozen=True, slots=True)
class ImageLocality:
    """The plugin; it has no arguments."""

    name: str = "ImageLocality"

    def pre_score(self, cluster: Cluster, pod: PodInfo, rows: IndexArray) -> PreScoreResult:
        """Never skipped."""
        containers = pod.pod.init_containers + pod.pod.containers
        names = tuple(normalized_image_name(container.image) for container in containers)
        return PreScoreResult(_Score(cluster.static((self.name, names), lambda: _scores(cluster, names))), lasting=True)


class _Score:
    looks_at_pods = False

    def __init__(self, scores: IntArray) -> None:
        self._scores = scores

    def raw(self, rows: IndexArray) -> IntArray:
        return self._scores[rows]

    def normalize(self, raw: IntArray) -> IntArray:
        return raw


def normalized_image_name(name: str) -> str:
    """The image's name with the tag ``latest`` where it has none."""
    return name if name.rfind(":") > name.rfind("/") else f"{name}:latest"


def _images(cluster: Cluster) -> dict[str, _Image]:
    found: dict[str, _Image] = {}
    for row, node in enumerate(cluster.nodes):
        for image in node.images:
            for name in image.names:
                entry = found.setdefault(name, _Image(image.size_bytes, []))
                if not entry.rows or entry.rows[-1] != row:
                    entry.rows.append(row)
    return found


def _scores(cluster: Cluster, names: tuple[str, ...]) -> IntArray:
    images = cluster.static("images", lambda: _images(cluster))
    total = np.zeros(len(cluster), np.int64)
    for name in names:
        image = images.get(name)
        if image is not None:
            spread = len(image.rows) / len(cluster)
            total[image.rows] += int(image.size_bytes * spread)
    most = _MAX_BYTES_PER_CONTAINER * len(names)
    clamped = np.clip(total, _MIN_BYTES, most)
    return MAX_NODE_SCORE * (clamped - _MIN_BYTES) // max(most - _MIN_BYTES, 1)
