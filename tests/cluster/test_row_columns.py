"""Kept columns: asked for by each other, and let go while one of them is being computed."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scheduler_core.cluster import row_columns
from scheduler_core.cluster.row_columns import RowColumns

ROWS = np.arange(3)


def test_a_column_that_asks_for_another_is_not_let_go_while_it_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_columns, "KEPT", 2)
    columns = RowColumns()
    columns.reset(3)
    amounts = np.array([1, 2, 3])

    def inner(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return amounts[rows]

    def outer(rows: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = columns.get("inner", rows, inner) * 10
        return found

    assert columns.get("outer", ROWS, outer).tolist() == [10, 20, 30]
    columns.get("another", ROWS, inner)
    amounts[0] = 7
    columns.changed(0)
    assert columns.get("outer", ROWS, outer).tolist() == [70, 20, 30]
