"""How the cost of a cycle grows, in a process of its own: against nodes, and against pods that are there already.

``python -m tests.bench.growth pods basic`` prints points as JSON. The one rule: each point is a mean over cycles that follow each
other, so a single slow one hides nothing and decides nothing.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from scheduler_core.benchmark import run

NODES: Final = (100, 300, 1000, 3000, 5000, 10_000, 20_000)
PODS: Final = (300, 1000, 3000, 10_000, 30_000, 100_000)
FIXED_NODES: Final = 5000
PREEMPT_NODES: Final = 1000
EACH: Final = (4, 12, 36, 100)
"""Pods on each of the nodes of ``preempt``."""
CYCLES: Final = 250
WARM: Final = 50
"""Cycles before those that count: the first of a kind build what the others reuse."""


def against_nodes(workload: str) -> Iterator[dict[str, Any]]:
    """The mean of a few hundred cycles on clusters of rising size."""
    for nodes in NODES:
        pods = min(nodes, WARM + CYCLES)
        latencies = run(workload, nodes, pods, time.perf_counter).latencies[min(WARM, pods // 2) :]
        yield _point(nodes, latencies)


def against_pods(workload: str) -> Iterator[dict[str, Any]]:
    """The same on nodes of a fixed number that fill up; ``preempt`` has the pods there before it starts."""
    if workload == "preempt":
        for each in EACH:
            latencies = run(workload, PREEMPT_NODES, WARM + CYCLES, time.perf_counter, running_each=each).latencies[WARM:]
            yield _point(PREEMPT_NODES * each, latencies)
        return
    most = FIXED_NODES if workload == "antiaffinity" else max(PODS)
    latencies = run(workload, FIXED_NODES, most, time.perf_counter).latencies
    for pods in (*(size for size in PODS if size < most), most):
        yield _point(pods, latencies[max(pods - CYCLES, 0) : pods])


def _point(at: int, latencies: tuple[float, ...]) -> dict[str, Any]:
    return {"at": at, "cycles": len(latencies), "mean_ms": round(1000 * sum(latencies) / len(latencies), 3)}


def main(axis: str, workload: str) -> None:
    """Print the points of one line."""
    print(json.dumps(list((against_nodes if axis == "nodes" else against_pods)(workload))))


if __name__ == "__main__":
    main(*sys.argv[1:])
