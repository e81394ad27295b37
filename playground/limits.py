"""The limits of this installation, each with the environment variable that changes it; shown at /docs/limits.

The one rule: a number that protects the server is named here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from playground import environment

MIB = 1024 * 1024


def _limit(variable: str, default: int, meaning: str) -> int:
    chosen: int = field(
        default_factory=lambda: environment.number(variable, default),
        metadata={"variable": variable, "default": default, "meaning": meaning},
    )
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Every limit; made once, from the environment, when the settings are read."""

    json_bytes: int = _limit("MAX_JSON_BYTES", 16 * MIB, "bytes of an uploaded JSON document, after decompression")
    yaml_bytes: int = _limit("MAX_YAML_BYTES", 4 * MIB, "bytes of an uploaded YAML document, after decompression")
    nodes: int = _limit("MAX_NODES", 5_000, "nodes of a scenario")
    pods: int = _limit("MAX_PODS", 50_000, "pods of a scenario")
    operations: int = _limit("MAX_OPERATIONS", 10_000, "operations of a timeline")
    depth: int = _limit("MAX_DEPTH", 64, "levels of nesting")
    aliases: int = _limit("MAX_ALIASES", 10_000, "YAML aliases")
    cycles: int = _limit("MAX_CYCLES", 20_000, "scheduling cycles of a run")
    run_seconds: int = _limit("MAX_RUN_SECONDS", 60, "seconds of worker time of a run")
    log_bytes: int = _limit("MAX_LOG_BYTES", 2048 * MIB, "bytes of a run's events, before compression")
    extender_seconds: int = _limit("MAX_EXTENDER_SECONDS", 5, "seconds for one call of an HTTP extender")
    extender_bytes: int = _limit("MAX_EXTENDER_BYTES", 16 * MIB, "bytes of the answer of an HTTP extender")
    saves_per_hour: int = _limit("MAX_SAVES_PER_HOUR", 300, "saved scenarios an hour for one browser")
    runs_per_hour: int = _limit("MAX_RUNS_PER_HOUR", 600, "runs an hour for one browser")
    address_factor: int = _limit("ADDRESS_FACTOR", 20, "times as much for one address, behind which a class may sit")
    runs_at_once: int = _limit("MAX_RUNS_AT_ONCE", 10, "runs of one browser that wait or run at the same time")
    sockets_per_browser: int = _limit("MAX_SOCKETS_PER_BROWSER", 50, "open WebSockets of one browser, for each web process")
    sockets_per_address: int = _limit("MAX_SOCKETS_PER_ADDRESS", 2_000, "open WebSockets of one address, for each web process")

    def rows(self) -> Iterator[tuple[str, int, int, str]]:
        """(variable, value here, default, meaning) of every limit, in the order above."""
        for each in fields(self):
            yield each.metadata["variable"], getattr(self, each.name), each.metadata["default"], each.metadata["meaning"]
