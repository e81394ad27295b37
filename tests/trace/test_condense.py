"""Statuses of many nodes: short in the log, whole for who looks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.trace.condense import FIELD, condensed, expanded
from tests.simulation.stories import Story, node, pod

_CPU = {"code": "Unschedulable", "plugin": "NodeResourcesFit", "reasons": ["Insufficient cpu"]}
_TAINT = {"code": "UnschedulableAndUnresolvable", "plugin": "TaintToleration", "reasons": ["node(s) had untolerated taint {a: b}"]}


@given(st.permutations(range(150)), st.lists(st.sampled_from([_CPU, _TAINT, None]), min_size=150, max_size=150))
def test_what_was_condensed_comes_back_whole(order: list[int], verdicts: list[dict[str, object] | None]) -> None:
    names = [f"n{k}" for k in range(150)]
    statuses = {names[k]: verdict for k in order if (verdict := verdicts[k]) is not None}
    data = {"pod": "default/p", "statuses": statuses}
    short = condensed(data, {name: k for k, name in enumerate(names)})
    assert (FIELD in short) == (len(statuses) > 100)
    assert expanded(short, names) == data


def test_a_failed_cycle_of_many_nodes_is_a_short_event() -> None:
    full = [item for k in range(300) for item in (node(f"n{k}", "1"), pod(f"low-{k}", "1", priority=100, on=f"n{k}"))]
    filtered = Story([*full, pod("high", "1", priority=1)]).of("cycle.filtered")[0]
    assert len(filtered["data"]["statuses"]) == 20
    assert filtered["data"][FIELD] == [{"status": filtered["data"]["statuses"]["n0"], "nodes": "0-299"}]


def test_a_node_made_again_has_a_number_of_its_own() -> None:
    from scheduler_core.trace.recorder import Recorder

    recorder = Recorder()
    for name in [f"n{k}" for k in range(150)] + ["n3"]:
        recorder.record("object.created", "t", {"kind": "Node", "name": name})
    recorder.record("cycle.filtered", "c1/filter", {"statuses": {f"n{k}": _CPU for k in range(150)}})
    assert recorder.drain()[-1].data[FIELD] == [{"status": _CPU, "nodes": "0-2,4-150"}]
