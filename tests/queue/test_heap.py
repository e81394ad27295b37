"""The heap behind the queues: order, and ties as Go's container/heap lets them fall."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.queue.heap import KeyedHeap


def heap_of(*items: tuple[int, str]) -> KeyedHeap[tuple[int, str]]:
    heap: KeyedHeap[tuple[int, str]] = KeyedHeap(lambda item: item[1], lambda item: item[0])
    for item in items:
        heap.add(item)
    return heap


def drained(heap: KeyedHeap[tuple[int, str]]) -> list[str]:
    names = []
    while (item := heap.pop()) is not None:
        names.append(item[1])
    return names


@given(st.lists(st.integers(0, 20), max_size=40), st.sets(st.integers(0, 39)))
def test_what_comes_out_is_in_order_whatever_was_taken_away(numbers: list[int], gone: set[int]) -> None:
    heap = heap_of(*((number, str(k)) for k, number in enumerate(numbers)))
    for k in gone:
        heap.delete(str(k))
    left = [number for k, number in enumerate(numbers) if k not in gone]
    assert [numbers[int(name)] for name in drained(heap)] == sorted(left)


def test_ties_fall_as_in_go() -> None:
    # container/heap moves the last item to the top when the first is popped
    assert drained(heap_of((1, "a"), (1, "b"), (1, "c"), (1, "d"))) == ["a", "d", "c", "b"]


def test_adding_an_item_again_moves_it() -> None:
    heap = heap_of((1, "a"), (2, "b"))
    heap.add((0, "b"))
    assert drained(heap) == ["b", "a"]


def test_what_is_not_there_cannot_be_deleted() -> None:
    heap = heap_of((1, "a"))
    assert heap.delete("b") is None
    assert "a" in heap and heap.get("b") is None
