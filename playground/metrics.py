"""Numbers for Prometheus: what this web process does, and where all runs stand.

The one rule: a scrape costs two small queries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.db.models import Count, Min
from django.utils import timezone
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from playground.models import Run, Status

REGISTRY: Final = CollectorRegistry()
VIEWERS: Final = Gauge("playground_viewers", "Open WebSockets of this process", registry=REGISTRY)
HUBS: Final = Gauge("playground_hubs", "Runs that somebody watches in this process", registry=REGISTRY)
FRAMES: Final = Counter("playground_frames", "Messages with events sent to viewers by this process", registry=REGISTRY)
READS: Final = Counter("playground_log_reads", "Reads of a run's log for viewers by this process", registry=REGISTRY)
SAVES: Final = Counter("playground_saves", "Scenarios saved by this process", registry=REGISTRY)
PARSE_SECONDS: Final = Histogram("playground_parse_seconds", "Time to parse an upload", registry=REGISTRY)


class _Runs(Collector):
    """Runs by status, and how long the oldest one has been waiting."""

    def collect(self) -> Iterator[Metric]:
        """Asked at each scrape."""
        by_status = GaugeMetricFamily("playground_runs", "Runs by status", labels=["status"])
        counted = dict(Run.objects.values_list("status").annotate(Count("pk")))
        for status in Status:
            by_status.add_metric([status.value], counted.get(status.value, 0))
        yield by_status
        oldest = Run.objects.filter(status=Status.QUEUED).aggregate(oldest=Min("created"))["oldest"]
        seconds = (timezone.now() - oldest).total_seconds() if oldest else 0.0
        yield GaugeMetricFamily("playground_oldest_queued_seconds", "Age of the oldest queued run", value=seconds)


REGISTRY.register(_Runs())


def exposition() -> bytes:
    """The text that Prometheus reads."""
    return generate_latest(REGISTRY)
