"""A heap of named items that also finds, updates and removes them.

The one rule: ties fall as in Go's container/heap, sift for sift, because kube-scheduler's order of pods that are equal in
priority and time is decided by nothing else. Mirrors pkg/scheduler/backend/heap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class KeyedHeap(Generic[T]):
    """Items in order of ``order(item)``, found by ``key(item)``; adding, removing and popping take O(log n)."""

    def __init__(self, key: Callable[[T], str], order: Callable[[T], Any]) -> None:
        self._key = key
        self._order = order
        self._items: list[tuple[Any, T]] = []
        self._at: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: str) -> bool:
        return key in self._at

    def __iter__(self) -> Iterator[T]:
        return (item for _, item in self._items)

    def get(self, key: str) -> T | None:
        """The item of that key."""
        at = self._at.get(key)
        return None if at is None else self._items[at][1]

    def peek(self) -> T | None:
        """The first item, left where it is."""
        return self._items[0][1] if self._items else None

    def add(self, item: T) -> None:
        """Put the item in, or in its new place when its key is there already."""
        key = self._key(item)
        at = self._at.get(key)
        if at is None:
            at = len(self._items)
            self._items.append((self._order(item), item))
            self._at[key] = at
            self._up(at)
            return
        self._items[at] = (self._order(item), item)
        self._fix(at)

    def pop(self) -> T | None:
        """Take the first item out; None when there is none."""
        if not self._items:
            return None
        last = len(self._items) - 1
        self._swap(0, last)
        item = self._drop_last()
        self._down(0, last)
        return item

    def delete(self, key: str) -> T | None:
        """Take the item of that key out; None when it is not here."""
        at = self._at.get(key)
        if at is None:
            return None
        last = len(self._items) - 1
        if at != last:
            self._swap(at, last)
        item = self._drop_last()
        if at != last:
            self._fix(at)
        return item

    def in_order(self) -> list[T]:
        """All items, first to last."""
        return [item for _, item in sorted(self._items, key=lambda entry: entry[0])]

    def _drop_last(self) -> T:
        _, item = self._items.pop()
        del self._at[self._key(item)]
        return item

    def _fix(self, at: int) -> None:
        if not self._down(at, len(self._items)):
            self._up(at)

    def _up(self, at: int) -> None:
        items = self._items
        while True:
            parent = (at - 1) // 2
            if parent == at or at == 0 or not items[at][0] < items[parent][0]:
                return
            self._swap(parent, at)
            at = parent

    def _down(self, start: int, size: int) -> bool:
        items = self._items
        at = start
        while True:
            child = 2 * at + 1
            if child >= size:
                break
            if child + 1 < size and items[child + 1][0] < items[child][0]:
                child += 1
            if not items[child][0] < items[at][0]:
                break
            self._swap(at, child)
            at = child
        return at > start

    def _swap(self, a: int, b: int) -> None:
        items = self._items
        items[a], items[b] = items[b], items[a]
        self._at[self._key(items[a][1])] = a
        self._at[self._key(items[b][1])] = b
