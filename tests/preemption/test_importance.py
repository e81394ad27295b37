"""The order of importance is that of kube-scheduler's sort, ties included."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.api.objects import Node, Pod
from scheduler_core.cluster.cluster import Cluster
from scheduler_core.preemption import pattern_sort
from scheduler_core.preemption.importance import by_importance, importance_order
from scheduler_core.preemption.pattern_sort import sort_as_go

STARTS = st.one_of(st.none(), st.integers(0, 3))
PODS = st.lists(st.tuples(st.integers(0, 2), STARTS), max_size=40)


@pytest.mark.parametrize(
    ("length", "published"),
    [
        (12, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1]),
        (13, [5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, -1]),
        (14, [5, 7, 1, 2, 3, 4, 0, 12, 9, 8, 6, 10, 11, -1]),
    ],
)
def test_ties_fall_as_a_program_built_with_go_1_21_was_seen_to_leave_them(
    length: int, published: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern_sort, "XORSHIFT", (13, 17, 5))
    notes = [(-1, "x"), *((number, "test") for number in range(length - 1))]
    sort_as_go(notes, lambda one, other: one[1] < other[1])
    assert [number for number, _ in notes] == published


@settings(deadline=None)
@given(st.lists(st.integers(0, 60), max_size=400), st.sampled_from(("as drawn", "rising", "falling")))
def test_what_comes_out_is_sorted(numbers: list[int], order: str) -> None:
    if order != "as drawn":
        numbers.sort(reverse=order == "falling")
    found = list(numbers)
    sort_as_go(found, lambda one, other: one < other)
    assert found == sorted(numbers)


def test_a_sort_that_is_told_yes_every_time_ends() -> None:
    for length in range(200):
        numbers = list(range(length))
        sort_as_go(numbers, lambda one, other: True)
        assert sorted(numbers) == list(range(length))


def test_up_to_twelve_equal_pods_stay_in_order_and_are_turned_around_without_a_start() -> None:
    assert names_by_importance([(0, 5)] * 12) == [f"pod-{k}" for k in range(12)]
    assert names_by_importance([(0, None)] * 12) == [f"pod-{k}" for k in reversed(range(12))]


def test_more_than_twelve_pods_with_ties_do_not() -> None:
    equal = [6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]
    assert names_by_importance([(0, 5), *[(1, 5)] * 12]) == [f"pod-{k}" for k in (*equal, 0)]


@settings(deadline=None)
@given(PODS, PODS)
def test_columns_are_sorted_as_lists_are(first: list[tuple[int, int | None]], second: list[tuple[int, int | None]]) -> None:
    cluster = Cluster([Node(name="a"), Node(name="b"), *running("a", first), *running("b", second)])
    slots = np.array([slot for row in (1, 0) for slot in cluster.pods_on[row]], np.int64)
    groups = cluster.pods.row[slots]
    found = [cluster.pods.infos[slot].key for slot in slots[importance_order(cluster.pods, slots, groups)].tolist()]
    lists = [[cluster.pods.infos[slot] for slot in cluster.pods_on[row]] for row in (0, 1)]
    assert found == [info.key for infos in lists for info in by_importance(infos)]


def names_by_importance(pods: Sequence[tuple[int, int | None]]) -> list[str]:
    cluster = Cluster([Node(name="a"), *running("a", pods)])
    return [info.pod.name for info in by_importance([cluster.pods.infos[slot] for slot in cluster.pods_on[0]])]


def running(node: str, pods: Sequence[tuple[int, int | None]]) -> list[Pod]:
    prefix = "pod" if node == "a" else "other"
    return [Pod(name=f"{prefix}-{k}", node_name=node, priority=priority, start_time=start) for k, (priority, start) in enumerate(pods)]
