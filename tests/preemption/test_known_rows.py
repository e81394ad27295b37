"""What is known of rows is what one would find out by asking all of them anew, however it was found and whatever happened since."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import KubeObject
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.configuration import profiles_of
from scheduler_core.framework.interface import PreemptionArgs, Profile
from scheduler_core.framework.runner import pre_filter
from scheduler_core.preemption import candidates
from scheduler_core.preemption.bench import Bench
from scheduler_core.preemption.budgets import BudgetBook, covering_budgets
from scheduler_core.preemption.evaluator import Evaluator, PreemptionResult
from scheduler_core.preemption.known import REFUSED, UNKNOWN, KnownRows
from scheduler_core.preemption.walk import can_walk, walk
from scheduler_core.scheduler.cycle import CycleResult, Scheduler
from tests.preemption.crowded_worlds import KINDS, Change, changes, preemptor, worlds

PROFILE: Profile = profiles_of(None, {}).profiles["default-scheduler"]

Question = tuple[str, int, int]
"""A pod that may preempt: its kind, priority and number."""

kinds = st.sampled_from(sorted(KINDS))
priorities = st.sampled_from([10, 100])


@st.composite
def stories(draw: st.DrawFn) -> list[Change | Question]:
    """Pods of one or two kinds that may preempt, three of each before anything happens, and one or two after each change."""
    asked = [(draw(kinds), draw(priorities)) for _ in range(draw(st.integers(1, 2)))]
    steps: list[Change | Question] = [(*each, 0) for each in asked for _ in range(3)]
    for _ in range(draw(st.integers(2, 12))):
        steps.append(draw(changes()))
        steps += [(*draw(st.sampled_from(asked)), draw(st.integers(0, 2))) for _ in range(draw(st.integers(1, 2)))]
    return steps


def filtered(cluster: Cluster, cycle: CycleResult) -> Any:
    """What a cycle found of the nodes, with their nominated pods."""
    return cycle.feasible.tolist(), cycle.hosts.tolist(), cycle.diagnosis.statuses.documents(cluster.names), cycle.fit_error


def answer(cluster: Cluster, cycle: CycleResult, evaluator: Evaluator) -> Any:
    """What a preemption came to, in values that can be compared."""
    result: PreemptionResult = evaluator.preempt(cycle)
    run = result.dry_run
    return (
        result.message,
        result.error,
        result.chosen,
        [info.key for info in result.victims],
        None if result.pick is None else (result.pick.survivors, result.pick.decided_by),
        {node: ([info.key for info in victims.pods], victims.pdb_violations) for node, victims in result.candidates.items()},
        None if run is None else (run.checked, run.stopped_early, run.statuses.documents(cluster.names)),
    )


@pytest.mark.parametrize("few_rows", [0, 8], ids=["by benches", "by walks"])
@pytest.mark.parametrize("wanted", [1, 100], ids=["first of all", "all"])
@settings(max_examples=100, deadline=None)
@given(objects=worlds(), story=stories())
def test_kept_rows_say_what_asking_anew_says(few_rows: int, wanted: int, objects: list[KubeObject], story: list[Change | Question]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "FEW_ROWS", few_rows)
        cluster = Cluster(objects)
        scheduler = Scheduler(cluster, PROFILE)
        args = PreemptionArgs(min_candidate_nodes_percentage=0, min_candidate_nodes_absolute=wanted)
        evaluators = [Evaluator(cluster, args, trace=trace) for trace in (False, True)]
        for step in story:
            if callable(step):
                step(cluster)
                continue
            info = cluster.info_of(preemptor(step[0], step[2], step[1]))
            cycle = scheduler.schedule(info)
            assert filtered(cluster, cycle) == filtered(cluster, Scheduler(cluster, PROFILE, next_start=cycle.start).schedule(info))
            if not len(cycle.feasible):
                kept, asked = (answer(cluster, cycle, evaluator) for evaluator in evaluators)
                assert kept == asked


@settings(deadline=None)
@given(objects=worlds(), kind=kinds, priority=priorities, nominated=st.sampled_from(["", "n0", "n1"]))
def test_a_walk_finds_what_a_bench_finds(objects: list[KubeObject], kind: str, priority: int, nominated: str) -> None:
    cluster = Cluster(objects)
    pod = cluster.info_of(preemptor(kind, 1, priority))
    if nominated:
        cluster.nominator.add(cluster.info_of(preemptor("small", 2, 50)), nominated)
        cluster.nominator.add(pod, nominated)
    found = pre_filter(PROFILE, cluster, pod)
    if not can_walk(found):
        return
    book = BudgetBook(covering_budgets(cluster))
    rows = np.arange(len(cluster))
    walked, benched = (KnownRows(cluster.pods, len(cluster)) for _ in range(2))
    for row in rows.tolist():
        walk(found, row, book, walked)
    bench = Bench(found, rows, book)
    bench.run(most=len(rows))
    bench.tell(benched)
    assert walked.kinds.tolist() == benched.kinds.tolist()
    assert UNKNOWN not in walked.kinds
    assert walked.statuses(rows).documents(cluster.names) == benched.statuses(rows).documents(cluster.names)
    for row in rows[walked.kinds > REFUSED].tolist():
        assert walked.ranks[:, row].tolist() == benched.ranks[:, row].tolist()
        assert walked.victims_of(row) == benched.victims_of(row)
