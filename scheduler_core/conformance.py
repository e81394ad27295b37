"""Answers conformance cases in the form of their "expected" part: JSON values in, JSON values out.

The one rule: objects are read exactly as written, without admission or a disruption controller, and every choice that
upstream leaves to chance is the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scheduler_core.api.objects import Pod
from scheduler_core.api.scenario import scenario_from_document
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.cluster.pods import PodInfo
from scheduler_core.configuration import Configuration, profiles_of
from scheduler_core.extenders.rules import extenders_of
from scheduler_core.framework.extender import Extender, Victims
from scheduler_core.preemption.evaluator import Evaluator, PreemptionResult
from scheduler_core.scheduler.cycle import NO_NODES, CycleResult, Scheduler
from scheduler_core.simulation.lifecycle import lifecycle_timeline

NOT_HELPFUL = "preemption is not helpful for scheduling"


def answer(case: Mapping[str, Any]) -> dict[str, Any]:
    """The engine's answer to one case."""
    if case["mode"] == "lifecycle":
        return {"name": case["name"], "timeline": lifecycle_timeline(case)}
    bench = _Bench(case)
    if case["mode"] == "sequence":
        return {"name": case["name"], **_sequence(bench)}
    return {"name": case["name"], "cycles": [bench.cycle(info)[0] for info in bench.pending]}


class _Bench:
    """A cluster as given, its schedulers by profile, and the pending pods in the order listed."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        scenario = scenario_from_document(case)
        self.cluster = Cluster(scenario.objects)
        self.configuration: Configuration = profiles_of(scenario.config, scenario.feature_gates)
        self.extenders: tuple[Extender, ...] = extenders_of(scenario.extenders)
        self.pending = [self.cluster.info_of(item) for item in scenario.objects if isinstance(item, Pod) and not item.node_name]
        for info in self.pending:
            if info.pod.nominated_node_name:
                self.nominate(info, info.pod.nominated_node_name)

    def nominate(self, info: PodInfo, node: str) -> None:
        """Nominate the pod as kube-scheduler's nominator knows one that is in no queue, as here: no requests, priority 0."""
        pod = info.pod
        bare = self.cluster.info_of(Pod(name=pod.name, namespace=pod.namespace, uid=pod.uid))
        self.cluster.nominator.add(bare, node)

    def cycle(self, info: PodInfo) -> tuple[dict[str, Any], CycleResult, PreemptionResult | None]:
        """One cycle of one pod, as JSON values and as it is."""
        profile = self.configuration.profiles[info.pod.scheduler_name]
        scheduler = Scheduler(self.cluster, profile, self.extenders, self.configuration.percentage_of_nodes_to_score)
        result = scheduler.schedule(info)
        preemption = None
        if not result.error and not len(result.feasible) and profile.preemption is not None and result.fit_error != NO_NODES:
            preemption = Evaluator(self.cluster, profile.preemption, self.extenders).preempt(result)
        document = _cycle_document(self.cluster, result, preemption)
        if self.extenders and preemption is not None and preemption.candidates and "preemption" in document:
            document["preemption"]["afterExtenders"] = victims_document(preemption.after_extenders)
        return document, result, preemption


def _cycle_document(cluster: Cluster, result: CycleResult, preemption: PreemptionResult | None) -> dict[str, Any]:
    document: dict[str, Any] = {"pod": result.pod.key}
    error = result.error or (preemption.error if preemption else "") or (result.fit_error if result.fit_error == NO_NODES else "")
    if error:
        return {**document, "error": error}
    names = cluster.names
    if result.diagnosis.pre_filter is not None:
        document["preFilter"] = result.diagnosis.pre_filter.document()
    document["filter"] = result.diagnosis.statuses.documents(names)
    document["feasible"] = [names[row] for row in result.feasible.tolist()]
    if len(result.feasible):
        document |= _score_document(cluster, result)
        document["hosts"] = sorted(names[row] for row in result.hosts.tolist())
        return document
    document["fitError"] = result.fit_error
    if preemption is not None:
        document["preemption"] = _preemption_document(cluster.names, preemption)
    return document


def _score_document(cluster: Cluster, result: CycleResult) -> dict[str, Any]:
    scores = result.scores
    if scores is None:
        return {}
    columns = {**scores.columns().weighted, **{f"extender/{name}": column for name, column in result.extender_scores.items()}}
    names = [cluster.names[row] for row in scores.rows.tolist()]
    return {
        "scores": {node: {plugin: int(column[k]) for plugin, column in columns.items()} for k, node in enumerate(names)},
        "totals": {node: int(scores.totals[k]) for k, node in enumerate(names)},
    }


def _preemption_document(names: Sequence[str], result: PreemptionResult) -> dict[str, Any]:
    document: dict[str, Any] = {"eligible": result.eligibility.eligible}
    if not result.eligibility.eligible:
        return {**document, "message": result.message}
    if not len(result.potential):
        return {**document, "message": NOT_HELPFUL}
    document["candidates"] = victims_document(result.candidates)
    if result.dry_run is not None:
        document["nodeStatuses"] = result.dry_run.statuses.documents(names)
    document["picks"] = sorted(result.pick.survivors) if result.pick else []
    return document


def victims_document(candidates: Mapping[str, Victims]) -> dict[str, Any]:
    """Candidates as JSON values."""
    return {
        node: {"victims": [info.key for info in victims.pods], "pdbViolations": victims.pdb_violations}
        for node, victims in candidates.items()
    }


def _sequence(bench: _Bench) -> dict[str, Any]:
    """Pods one after another, with preemption carried out at once; see the conformance notes."""
    run = _Sequence(bench)
    cycles = list(run.cycles())
    return {"cycles": cycles, "placements": run.placements, "evicted": run.evicted}


class _Sequence:
    def __init__(self, bench: _Bench) -> None:
        self._bench = bench
        self._queue = list(bench.pending)
        self._waiting: list[PodInfo] = []
        self._order = {info.key: k for k, info in enumerate(bench.pending)}
        self.placements: dict[str, str] = {}
        self.evicted: list[str] = []

    def cycles(self) -> Iterator[dict[str, Any]]:
        """Highest priority first, then in the order listed, until none is queued."""
        while self._queue:
            info = min(self._queue, key=lambda i: (-i.priority, self._order[i.key]))
            self._queue.remove(info)
            document, result, preemption = self._bench.cycle(info)
            if result.host is not None:
                document["chosen"] = self._place(info, result.host)
            elif preemption is not None and preemption.chosen:
                document["nominated"] = self._preempt(info, preemption)
            else:
                self._give_up(info, preemption)
            yield document

    def _place(self, info: PodInfo, row: int) -> str:
        cluster = self._bench.cluster
        node = cluster.names[row]
        cluster.nominator.delete(info.key)
        cluster.add_pod(info, node)
        self.placements[info.key] = node
        return node

    def _preempt(self, info: PodInfo, preemption: PreemptionResult) -> str:
        cluster, node = self._bench.cluster, preemption.chosen
        for victim in preemption.victims:
            cluster.remove_pod(victim.key)
            self.placements.pop(victim.key, None)
            self.evicted.append(victim.key)
        for other in cluster.nominator.on(node):
            if other.priority < info.priority:
                self._nominate(other, "")
        self._nominate(info, node)
        self._queue += [info, *self._waiting]
        self._waiting.clear()
        return node

    def _give_up(self, info: PodInfo, preemption: PreemptionResult | None) -> None:
        self._waiting.append(info)
        if preemption is not None and preemption.eligibility.eligible:
            self._nominate(info, "")

    def _nominate(self, info: PodInfo, node: str) -> None:
        object.__setattr__(info.pod, "nominated_node_name", node)
        if node:
            self._bench.nominate(info, node)
        else:
            self._bench.cluster.nominator.delete(info.key)


def answers(cases: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Answers to many cases, in order."""
    return (answer(case) for case in cases)
