"""Pattern-defeating quicksort as Go's sort.Slice does it, so that things that compare as equal come out in the order that Go leaves.

The one rule: which elements are compared and swapped, and when, is part of the answer. Up to twelve elements are inserted one by one and
stay in order; more of them do not. Orson Peters' algorithm with the choices of Go 1.24, which kube-scheduler 1.34 is built with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

INSERTED: Final = 12
"""The most elements that are simply inserted one by one."""
_MEDIAN_FROM: Final = 8
_NINTHER_FROM: Final = 50
_EVERY_PAIR: Final = 12
"""Swaps in the choice of a pivot when every pair looked at was the wrong way round."""
_REPAIRS: Final = 5
_WORD: Final = 2**64 - 1
XORSHIFT = (13, 7, 17)
"""Shifts of the numbers that break patterns; Go before 1.24 had 13, 17 and 5."""

T = TypeVar("T")
Less = Callable[[T, T], bool]


def sort_as_go(items: list[T], less: Less[T]) -> None:
    """Sort in place; ``less`` need not be consistent: it is asked as Go would ask it."""
    _Sorting(items, less).sort(0, len(items), len(items).bit_length())


class _Sorting(Generic[T]):
    """One list being sorted; ranges are [low, high)."""

    def __init__(self, items: list[T], less: Less[T]) -> None:
        self._items = items
        self._less = less

    def sort(self, low: int, high: int, bad_luck: int) -> None:
        """Sort a range; after ``bad_luck`` lopsided partitions a heap does the rest."""
        balanced = partitioned = True
        while high - low > INSERTED:
            if bad_luck == 0:
                self._heap_sort(low, high)
                return
            if not balanced:
                self._shuffle(low, high)
                bad_luck -= 1
            pivot, swaps = self._pivot(low, high)
            if swaps == _EVERY_PAIR:
                self._items[low:high] = self._items[low:high][::-1]
                pivot, swaps = high - 1 - (pivot - low), 0
            if balanced and partitioned and swaps == 0 and self._repair(low, high):
                return
            if low > 0 and not self._is_less(low - 1, pivot):
                low = self._part_equals(low, high, pivot)
                continue
            middle, partitioned = self._part(low, high, pivot)
            left, right = middle - low, high - middle
            balanced = min(left, right) >= (high - low) // 8
            if left < right:
                self.sort(low, middle, bad_luck)
                low = middle + 1
            else:
                self.sort(middle + 1, high, bad_luck)
                high = middle
        self._insert_all(low, high)

    def _is_less(self, a: int, b: int) -> bool:
        return self._less(self._items[a], self._items[b])

    def _swap(self, a: int, b: int) -> None:
        self._items[a], self._items[b] = self._items[b], self._items[a]

    def _insert_all(self, low: int, high: int) -> None:
        for start in range(low + 1, high):
            at = start
            while at > low and self._is_less(at, at - 1):
                self._swap(at, at - 1)
                at -= 1

    def _pivot(self, low: int, high: int) -> tuple[int, int]:
        """The place of a pivot, and how many pairs on the way to it were the wrong way round."""
        length = high - low
        places = [low + length // 4 * k for k in (1, 2, 3)]
        swaps = 0
        if length >= _NINTHER_FROM:
            for k, place in enumerate(places):
                places[k], more = self._median(place - 1, place, place + 1)
                swaps += more
        if length < _MEDIAN_FROM:
            return places[1], swaps
        pivot, more = self._median(*places)
        return pivot, swaps + more

    def _median(self, a: int, b: int, c: int) -> tuple[int, int]:
        swaps = 0
        if self._is_less(b, a):
            a, b, swaps = b, a, swaps + 1
        if self._is_less(c, b):
            b, c, swaps = c, b, swaps + 1
        if self._is_less(b, a):
            a, b, swaps = b, a, swaps + 1
        return b, swaps

    def _repair(self, low: int, high: int) -> bool:
        """Put a few neighbours right, in the hope that the rest is in order; whether it was."""
        at = low + 1
        for _ in range(_REPAIRS):
            while at < high and not self._is_less(at, at - 1):
                at += 1
            if at == high:
                return True
            if high - low < _NINTHER_FROM:
                return False
            self._swap(at, at - 1)
            if at - low >= 2:
                self._sink(range(at - 1, 0, -1))
            if high - at >= 2:
                self._sink(range(at + 1, high))
        return False

    def _sink(self, places: range) -> None:
        for place in places:
            if not self._is_less(place, place - 1):
                return
            self._swap(place, place - 1)

    def _part(self, low: int, high: int, pivot: int) -> tuple[int, bool]:
        """Smaller elements to the left of the pivot, the others to its right: its place, and whether they all stood there."""
        self._swap(low, pivot)
        left, right = self._meet(low, low + 1, high - 1)
        if left > right:
            self._swap(right, low)
            return right, True
        while left <= right:
            self._swap(left, right)
            left, right = self._meet(low, left + 1, right - 1)
        self._swap(right, low)
        return right, False

    def _meet(self, pivot: int, left: int, right: int) -> tuple[int, int]:
        while left <= right and self._is_less(left, pivot):
            left += 1
        while left <= right and not self._is_less(right, pivot):
            right -= 1
        return left, right

    def _part_equals(self, low: int, high: int, pivot: int) -> int:
        """Elements equal to the pivot to the left, where nothing is smaller: the place of the first that is greater."""
        self._swap(low, pivot)
        left, right = low + 1, high - 1
        while True:
            while left <= right and not self._is_less(low, left):
                left += 1
            while left <= right and self._is_less(low, right):
                right -= 1
            if left > right:
                return left
            self._swap(left, right)
            left, right = left + 1, right - 1

    def _shuffle(self, low: int, high: int) -> None:
        """Break whatever pattern makes partitions lopsided, the same way every time."""
        length = high - low
        if length < _MEDIAN_FROM:
            return
        word = length
        middle = low + length // 4 * 2
        up, down, up_again = XORSHIFT
        for place in (middle - 1, middle, middle + 1):
            word ^= word << up & _WORD
            word ^= word >> down
            word ^= word << up_again & _WORD
            other = word & ((1 << length.bit_length()) - 1)
            self._swap(place, low + (other - length if other >= length else other))

    def _heap_sort(self, low: int, high: int) -> None:
        count = high - low
        for root in range((count - 1) // 2, -1, -1):
            self._sift_down(low, root, count)
        for last in range(count - 1, -1, -1):
            self._swap(low, low + last)
            self._sift_down(low, 0, last)

    def _sift_down(self, low: int, root: int, count: int) -> None:
        while (child := 2 * root + 1) < count:
            if child + 1 < count and self._is_less(low + child, low + child + 1):
                child += 1
            if not self._is_less(low + root, low + child):
                return
            self._swap(low + root, low + child)
            root = child
