"""The machine that measures: what it is, how fast a plain loop runs, and how much else it does."""

from __future__ import annotations

import os
import platform
import sys
import time
from pathlib import Path
from typing import Any


def loop_seconds(steps: int = 10_000_000) -> float:
    """Seconds of processor time for ``steps`` of ``x += i*i % 7``: to compare machines by."""
    began = time.process_time()
    x = 0
    for i in range(steps):
        x += i * i % 7
    return (time.process_time() - began) * 10_000_000 / steps


def describe() -> dict[str, Any]:
    """Everything that a reader needs to judge the figures."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": sys.version.split()[0],
        "loop_s": round(min(loop_seconds() for _ in range(2)), 2),
        "load": round(os.getloadavg()[0], 1),
    }


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
