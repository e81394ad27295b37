"""The profiles of a configuration, ready to run.

The one rule: every profile has its own plugins and its own streams of chance, and all share one world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.configuration import Configuration
from scheduler_core.framework.extender import Extender
from scheduler_core.framework.interface import Profile
from scheduler_core.preemption.evaluator import Evaluator
from scheduler_core.scheduler.cycle import Scheduler
from scheduler_core.simulation.seed import Seed


@dataclass(frozen=True, slots=True)
class ProfileRun:
    """A profile at work: its scheduler, and its evaluator of preemption unless that is disabled."""

    scheduler: Scheduler
    evaluator: Evaluator | None

    @property
    def profile(self) -> Profile:
        """Which plugins run where."""
        return self.scheduler.profile


def profile_runs(
    cluster: Cluster, configuration: Configuration, extenders: Sequence[Extender], *, seed: Seed | None, trace: bool
) -> Mapping[str, ProfileRun]:
    """Every profile by scheduler name; without a seed the first of equals is taken everywhere, and dry runs start at the first node."""
    runs: dict[str, ProfileRun] = {}
    for name, profile in configuration.profiles.items():
        scheduler = Scheduler(
            cluster,
            profile,
            extenders,
            configuration.percentage_of_nodes_to_score,
            draw=seed.draw(f"host/{name}") if seed else None,
        )
        evaluator = None
        if profile.preemption is not None:
            evaluator = Evaluator(
                cluster,
                profile.preemption,
                extenders,
                draw_offset=seed.draw(f"offset/{name}") if seed else None,
                draw_tie=seed.draw(f"tie/{name}") if seed else None,
                trace=trace,
            )
        runs[name] = ProfileRun(scheduler, evaluator)
    return runs
