"""The engine alone, in processes of its own: the workloads of ``scheduler_core bench``, their growth, openb, a trace, memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.bench import clusters, openb
from tests.bench.figures import KUBE_SCHEDULER, RATIOS, REFERENCE_LOOP_SECONDS, Figure, median
from tests.bench.site import ROOT

WORKLOADS: Final = ("basic", "spread", "antiaffinity", "preempt")
AXES: Final = ("nodes", "pods")
TIMES: Final = 3
MOST_SECONDS: Final = 240


def workloads(loop_seconds: float) -> Iterator[Figure]:
    """Pods a second at 100, 1,000 and 5,000 nodes, as a ratio to kube-scheduler's on a machine of the same speed."""
    faster = REFERENCE_LOOP_SECONDS / loop_seconds
    for workload in WORKLOADS:
        for nodes, (least, aim) in RATIOS.items():
            rates = [_bench(workload, nodes)["pods_per_s"] for _ in range(TIMES)]
            theirs = sum(KUBE_SCHEDULER[workload, nodes]) / 2 * faster
            yield Figure(
                part="engine",
                what=f"{workload} at {nodes:,} nodes",
                unit="×",
                measured=median(rates) / theirs,
                least=least,
                aim=20 if (workload, nodes) == ("preempt", 5000) else aim,
                is_better_high=True,
                more=f"{median(rates):,.0f} pods/s; kube-scheduler on such a machine {theirs:,.0f}",
            )


def curves() -> dict[str, dict[str, list[dict[str, float]]]]:
    """By axis and workload: milliseconds for a cycle against nodes, and against pods."""
    return {axis: {workload: _line(axis, workload) for workload in WORKLOADS} for axis in AXES}


def _line(axis: str, workload: str) -> list[dict[str, float]]:
    command = [sys.executable, "-m", "tests.bench.growth", axis, workload]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=MOST_SECONDS)
    points: list[dict[str, float]] = json.loads(done.stdout)
    return points


def real_cluster() -> Iterator[Figure]:
    """All of openb, from a file to the result."""
    with _file({"apiVersion": "v1", "kind": "List", "items": openb.objects()}) as path:
        seconds, _, out = _simulate(path)
    bound = len(json.loads(out)["placements"])
    more = f"{bound:,} pods placed; without a trace"
    yield Figure(
        part="openb", what="openb, 8,152 pods on 1,523 nodes, from file to result", unit="s", measured=seconds, least=30, aim=8, more=more
    )


def memory() -> Iterator[Figure]:
    """The largest the process gets with 5,000 nodes and 50,000 pods."""
    cluster = clusters.document(clusters.nodes(5000), clusters.running(45_000, 5000, cpu="300m"), clusters.waiting(5000, cpu="500m"))
    with _file(cluster) as path:
        seconds, mebibytes, _ = _simulate(path)
    more = f"45,000 pods run, 5,000 are placed, from file to result in {seconds:.0f} s"
    yield Figure(
        part="memory",
        what="memory of the engine, 5,000 nodes and 50,000 pods",
        unit="MiB",
        measured=mebibytes,
        least=600,
        aim=250,
        more=more,
    )


def trace() -> Iterator[Figure]:
    """The full trace of one preemption cycle, from cycle.started to its last event, encoded; the rest of the run is not counted."""
    for nodes, pods, least, aim in ((100, 1000, 100, 30), (1000, 4000, 2000, 300)):
        cluster = clusters.document(
            clusters.nodes(nodes), clusters.running(pods - 1, nodes, cpu="390m" if nodes == 100 else "900m"), clusters.waiting(1)
        )
        times, count, size = [], 0, 0
        for _ in range(5):
            seconds, count, size = _traced_cycle(cluster)
            times.append(1000 * seconds)
        yield Figure(
            part="trace",
            what=f"full trace of a preemption cycle, {nodes:,} nodes and {pods:,} pods",
            unit="ms",
            measured=median(times),
            least=least,
            aim=aim,
            more=f"{count} events, {size / 1024:,.0f} KiB",
        )


def _traced_cycle(cluster: dict[str, Any]) -> tuple[float, int, int]:
    """Seconds from the first cycle's start to its end, its events and their bytes."""
    from scheduler_core import Simulation, encode_event, load

    events = Simulation(load(json.dumps(cluster).encode()).scenario).events()
    count = size = 0
    began = time.perf_counter()
    for event in events:
        line = encode_event(event.document())
        if not event.path.startswith("c1"):
            if count:
                break
            began = time.perf_counter()  # the last event before the cycle
            continue
        count, size = count + 1, size + len(line)
    return time.perf_counter() - began, count, size


def _bench(workload: str, nodes: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "scheduler_core", "bench", "--workload", workload, "--nodes", str(nodes)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=MOST_SECONDS)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _simulate(path: Path) -> tuple[float, float, bytes]:
    """Seconds, largest resident set in MiB, and the result of a run without a trace. Raises RuntimeError."""
    command = [sys.executable, "-m", "scheduler_core", "simulate", str(path), "--format", "result"]
    began = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        limit = (MOST_SECONDS, MOST_SECONDS)
        process = subprocess.Popen(command, cwd=ROOT, stdout=out, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        if status != 0:
            raise RuntimeError(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
        out.seek(0)
        return seconds, usage.ru_maxrss / 1024, out.read()


class _file:
    """A document as a JSON file, as long as the block lasts."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = document

    def __enter__(self) -> Path:
        self._folder = tempfile.TemporaryDirectory(prefix="playground-bench-")
        path = Path(self._folder.name) / "cluster.json"
        path.write_text(json.dumps(self._document))
        return path

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()
