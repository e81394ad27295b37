"""From the worker to many viewers: real WebSocket clients in a process of their own, on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.bench import clusters
from tests.bench.figures import Figure
from tests.bench.site import ROOT, Site, site

CROWDS = (200, 1000)


class ViewersError(Exception):
    """Viewers lost events, or could not watch to the end."""


def one_viewer() -> Iterator[Figure]:
    """Events a second that reach one client: of a run while it runs, and of one that lies in the log."""
    with site() as playground:
        scenario = playground.save(classroom(nodes=100, pods=1500))
        began = time.time()
        run = playground.start(scenario)
        live = watch(playground, run, 1)
        seconds = live["last_end"] - began
        ran = playground.finish(run)
        more = f"{live['events']:,} events, {live['bytes'] / 2**20:.0f} MiB; the worker took {ran['seconds']:.1f} s"
        yield _rate("events streamed while the run runs, from Run on", live["events"] / seconds, more)
        stored = watch(playground, run, 1)
        seconds = stored["last_end"] - stored["began"]
        yield _rate(
            "events streamed from the log of a finished run", stored["events"] / seconds, f"in {seconds:.1f} s", least=5000, aim=20_000
        )
        deflated = watch(playground, run, 1, frames="deflate")
        seconds = deflated["last_end"] - deflated["began"]
        more = f"{deflated['bytes'] / 2**20:.1f} MiB instead of {stored['bytes'] / 2**20:.1f}"
        yield _rate("the same in deflated frames, as browsers ask for them", deflated["events"] / seconds, more)


def crowds() -> Iterator[Figure]:
    """Viewers that are all connected before the run begins: nothing lost, and how far behind the last one is."""
    for count, frames in product(CROWDS, ("", "deflate")):
        with site(worker=False) as playground:
            run = playground.start(playground.save(classroom(nodes=8, pods=60)))
            found = watch(playground, run, count, then=playground.worker.start, frames=frames)
        more = f"{found['events']:,} events delivered, {found['bytes'] / 2**20:.0f} MiB, none lost, repeated or out of order"
        least = 1.0 if count == CROWDS[0] else None
        yield Figure(
            part="viewers",
            what=f"{count:,} viewers of one run{', deflated frames' if frames else ''}: the last one is behind the first by",
            unit="s",
            measured=found["lag_s"],
            least=least,
            aim=1.0,
            more=more,
        )


def watch(playground: Site, run: str, count: int, *, then: Any = None, frames: str = "") -> dict[str, Any]:
    """What ``count`` viewers in another process saw; ``then`` is called when all are connected. Raises ViewersError."""
    command = [sys.executable, "-m", "tests.bench.viewers", "--count", str(count), playground.socket(run, frames=frames)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        if then is not None:
            then()
        found: dict[str, Any] = json.loads(process.stdout.readline())
    if found["fault_count"] or found["ended"] != count:
        raise ViewersError(f"{found['ended']} of {count} viewers saw the end; {found['fault_count']} faults: {found['faults']}")
    return found


def classroom(*, nodes: int, pods: int) -> dict[str, Any]:
    """A run that a class may watch: full nodes, small pods that find room, some large ones that preempt."""
    return clusters.document(
        clusters.nodes(nodes), clusters.running(nodes * 2, nodes, cpu="500m"), clusters.waiting(pods, cpu="100m", priority=10)
    )


def _rate(what: str, measured: float, more: str, *, least: float | None = None, aim: float | None = None) -> Figure:
    return Figure(part="stream", what=what, unit="events/s", measured=measured, least=least, aim=aim, is_better_high=True, more=more)
