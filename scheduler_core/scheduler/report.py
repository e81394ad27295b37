"""Turns a cycle's result into events: what was filtered and why, how the rest scored, who was chosen.

The one rule: everything that the page explains is in the event, so that nobody asks the engine again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from scheduler_core.cluster.cluster import Cluster
from scheduler_core.framework.interface import IntArray
from scheduler_core.scheduler.cycle import CycleResult
from scheduler_core.trace.recorder import Recorder

MOST_SPELLED_OUT: Final = 100
"""Nodes of which every score is spelled out; of more, those of the best, and all as columns."""
BEST: Final = 20


def report_cycle(recorder: Recorder, cluster: Cluster, result: CycleResult, *, path: str, cause: int) -> int:
    """Record ``cycle.filtered``, ``cycle.scored`` and ``cycle.selected`` as they apply; the ``seq`` of the last, or ``cause``."""
    if not recorder.enabled or (result.error and result.pod_filter is None):
        return cause
    last = _filtered(recorder, cluster, result, path=path, cause=cause)
    if result.host is None:
        return last
    if result.scores is not None:
        last = _scored(recorder, cluster, result, path=path, cause=last)
    return _selected(recorder, cluster, result, path=path, cause=last)


def _filtered(recorder: Recorder, cluster: Cluster, result: CycleResult, *, path: str, cause: int) -> int:
    names, diagnosis, found = cluster.names, result.diagnosis, result.pod_filter
    feasible = [names[row] for row in result.feasible.tolist()]
    data: dict[str, Any] = {
        "pod": result.pod.key,
        "pre_filter": diagnosis.pre_filter.document() if diagnosis.pre_filter else None,
        "pre_filter_nodes": sorted(found.nodes) if found is not None and found.nodes is not None else None,
        "statuses": diagnosis.statuses.documents(names),
        "feasible": feasible,
        "evaluated": result.evaluated,
        "total": result.total,
        "start": result.start,
        "wanted": result.wanted,
        "nominated_first": result.nominated_first or None,
        "with_nominated": _with_nominated(cluster, result),
        "skipped": list(found.skipped) if found is not None else [],
        "extenders": [call.document() for call in result.extender_calls],
        "fit_error": result.fit_error,
    }
    variant = "" if feasible else "rejected" if diagnosis.pre_filter else "none"
    args = {"pod": result.pod.key, "count": len(feasible), "total": result.total}
    if diagnosis.pre_filter:
        args["plugin"] = diagnosis.pre_filter.plugin
    return recorder.record("cycle.filtered", f"{path}/filter", data, variant=variant, args=args, cause=cause)


def _with_nominated(cluster: Cluster, result: CycleResult) -> dict[str, list[str]]:
    """Nodes filtered twice, with the nominated pods that were put on them the first time."""
    nominator, pod = cluster.nominator, result.pod
    counted = {
        node: [other.key for other in nominator.on(node) if other.priority >= pod.priority and other.key != pod.key]
        for node in nominator.nodes()
    }
    return {node: pods for node, pods in counted.items() if pods and node in cluster.row_of}


def _scored(recorder: Recorder, cluster: Cluster, result: CycleResult, *, path: str, cause: int) -> int:
    scores = result.scores
    assert scores is not None, "only scored cycles come here"
    rows = scores.rows.tolist()
    columns = scores.columns()
    weighted = {**columns.weighted, **{f"extender/{name}": column for name, column in result.extender_scores.items()}}
    shown = _best(scores.totals, BEST) if len(rows) > MOST_SPELLED_OUT else range(len(rows))
    data: dict[str, Any] = {
        "pod": result.pod.key,
        "scores": _by_node(cluster, rows, weighted, shown),
        "normalized": _by_node(cluster, rows, columns.normalized, shown),
        "raw": _by_node(cluster, rows, columns.raw, shown),
        "weights": dict(scores.weights),
        "totals": dict(zip((cluster.names[row] for row in rows), scores.totals.tolist(), strict=True)),
        "skipped": list(scores.skipped),
    }
    if len(rows) > MOST_SPELLED_OUT:
        data["columns"] = {"raw": _columns(columns.raw), "normalized": _columns(columns.normalized), "weighted": _columns(weighted)}
    best = cluster.names[int(result.hosts[0])]
    args = {"pod": result.pod.key, "count": len(rows), "best": best, "total": int(scores.totals.max())}
    return recorder.record("cycle.scored", f"{path}/score", data, args=args, cause=cause)


def _best(totals: IntArray, count: int) -> list[int]:
    """Positions of the highest totals, in order of name."""
    return sorted(np.argsort(-totals, kind="stable")[:count].tolist())


def _by_node(cluster: Cluster, rows: Sequence[int], columns: Mapping[str, IntArray], positions: Iterable[int]) -> dict[str, dict[str, int]]:
    return {cluster.names[rows[k]]: {plugin: int(column[k]) for plugin, column in columns.items()} for k in positions}


def _columns(columns: Mapping[str, IntArray]) -> dict[str, int | list[int]]:
    """Each plugin's scores in the order of ``totals``; one number where all are the same."""
    return {plugin: int(column[0]) if (column == column[0]).all() else column.tolist() for plugin, column in columns.items()}


def _selected(recorder: Recorder, cluster: Cluster, result: CycleResult, *, path: str, cause: int) -> int:
    assert result.host is not None, "only cycles that found a host come here"
    host = cluster.names[result.host]
    ties = [cluster.names[row] for row in result.hosts.tolist()]
    data = {
        "pod": result.pod.key,
        "host": host,
        "ties": ties,
        "total": int(result.scores.totals.max()) if result.scores is not None else None,
        "draw": result.draw,
    }
    args = {"pod": result.pod.key, "node": host, "count": len(ties)}
    return recorder.record("cycle.selected", f"{path}/select", data, variant="tie" if len(ties) > 1 else "", args=args, cause=cause)
