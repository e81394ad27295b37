"""A queue with a clock to set, a gate to close, and a list of what it told."""

from __future__ import annotations

from typing import Any

from scheduler_core.api.objects import Container, Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.queue.hints import PLUGINS, HintMap
from scheduler_core.queue.nominator import PodNominator
from scheduler_core.queue.queued import QueuedPod
from scheduler_core.queue.scheduling_queue import Advice, Gate, QueueSettings, SchedulingQueue

FIT = "NodeResourcesFit"


def pod(name: str, priority: int = 0, *, cpu: int = 1000, **fields: Any) -> Pod:
    """A pod that asks for milli-CPU."""
    return Pod(name=name, priority=priority, containers=(Container(name="c", requests={"cpu": cpu}),), **fields)


class Bench:
    """A queue and its surroundings; ``now`` is in milliseconds."""

    def __init__(self, **settings: Any) -> None:
        self.now = 0
        self.closed: set[str] = set()
        self.told: list[tuple[str, str | None, str, str, str]] = []
        self.skips: list[tuple[str, str, tuple[str, ...]]] = []
        cluster = Cluster()
        self.live: dict[str, Pod] = {}
        self.nominator = PodNominator(cluster.nominator, live=self.live.get, info_of=cluster.info_of)
        self.queue = SchedulingQueue(
            clock=self,
            hints=HintMap({"default-scheduler": (*PLUGINS, "Extender")}),
            pre_enqueue=self.gate,
            nominator=self.nominator,
            observer=self,
            settings=QueueSettings(**settings),
        )

    def gate(self, pod: Pod) -> Gate | None:
        """PreEnqueue."""
        if pod.scheduling_gates:
            return Gate("SchedulingGates", "waiting for scheduling gates")
        return Gate("DefaultPreemption", "waiting") if pod.key in self.closed else None

    def moved(self, queued: QueuedPod, came_from: str | None, to: str, event: str, advice: Advice) -> None:
        """See QueueObserver."""
        self.told.append((queued.pod.name, came_from, to, event, advice.plugin))

    def skipped(self, queued: QueuedPod, where: str, event: str, advice: Advice) -> None:
        """See QueueObserver."""
        self.skips.append((queued.pod.name, event, advice.asked))

    def add(self, *pods: Pod) -> None:
        """New pods."""
        for item in pods:
            self.live[item.key] = item
            self.queue.add(item)

    def fail(self, *plugins: str) -> str:
        """Take the next pod out and give it back, rejected by plugins, or by an error when there is none."""
        queued = self.queue.pop()
        assert queued is not None
        queued.unschedulable_plugins = set(plugins)
        return self.queue.add_unschedulable(queued)

    def popped(self) -> list[str]:
        """Take out everything that comes out."""
        names = []
        while (queued := self.queue.pop()) is not None:
            names.append(queued.pod.name)
        return names

    def where(self, name: str) -> str | None:
        """The queue that a pod is in."""
        return self.queue.where(f"default/{name}")
