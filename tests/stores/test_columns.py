"""Growing columns: appended to in any steps, the same values; views stay as they were."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reverie.stores.vectors import GrowingColumn


@given(st.lists(st.lists(st.integers(-9, 9), max_size=90), max_size=12))
def test_blocks_add_up(blocks: list[list[int]]) -> None:
    """The column holds all blocks in order, however they were cut."""
    column = GrowingColumn(np.int64)
    for block in blocks:
        column.extend(block, len(block))
    assert column.values.tolist() == [value for block in blocks for value in block]
    assert len(column) == sum(map(len, blocks))


def test_one_value_can_stand_for_many() -> None:
    """A single value fills its block; rows have their width."""
    column, rows = GrowingColumn(np.int64), GrowingColumn(np.float32, 3)
    column.extend(-1, 4)
    rows.extend(0, 2)
    assert column.values.tolist() == [-1] * 4
    assert rows.values.shape == (2, 3)


def test_growing_leaves_views_alone_and_parting_frees_them() -> None:
    """A view sees neither what is appended nor, after parting, what is changed."""
    column = GrowingColumn(np.int64)
    column.extend([1, 2], 2)
    view = column.values
    column.extend(range(1000), 1000)
    assert view.tolist() == [1, 2]
    view = column.values
    column.part()
    column.values[0] = 9
    assert (view[0], column.values[0]) == (1, 9)


def test_appending_one_by_one_seldom_copies() -> None:
    """Ten thousand appends move the values a few dozen times, not ten thousand times."""
    column = GrowingColumn(np.int64)
    places = set()
    for value in range(10_000):
        column.extend(value, 1)
        places.add(column.values.__array_interface__["data"][0])
    assert len(places) < 60
