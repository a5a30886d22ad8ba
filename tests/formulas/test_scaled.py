"""Scaling by the best keeps margins and stays within [0, 1]."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import scaled


def test_the_best_becomes_one_and_margins_stay() -> None:
    """4 of 8 is a half; below zero is nothing."""
    assert scaled(np.array([8, 4, -1], np.float32), 8.0).tolist() == pytest.approx([1.0, 0.5, 0.0])


def test_a_list_in_which_nothing_scored_is_all_zero() -> None:
    """No division by a best of 0."""
    assert scaled(np.zeros(3, np.float32), 0.0).tolist() == [0.0, 0.0, 0.0]


@given(st.lists(st.floats(0, 1e3, width=32), min_size=1, max_size=20))
def test_bounded_and_order_kept(values: list[float]) -> None:
    """Nothing leaves [0, 1], and nothing overtakes."""
    array = np.array(values, np.float32)
    result = scaled(array, float(array.max()))
    assert ((result >= 0) & (result <= 1)).all()
    assert (np.diff(result[np.argsort(array, kind="stable")]) >= 0).all()
