"""The neighbours' weight: full for short turns, falling as 1/length."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.bm25 import neighbour_weight, window_sums


@pytest.mark.parametrize(("words", "expected"), [(0, 0.4), (5, 0.4), (60, 0.4), (120, 0.2), (600, 0.04)])
def test_worked_weights(words: int, expected: float) -> None:
    """Weight .4 up to 60 words, half of it at 120, a tenth at 600."""
    assert neighbour_weight(np.array([words], np.float32), 0.4, 60.0)[0] == pytest.approx(expected)


@given(st.lists(st.integers(0, 100_000), min_size=2, max_size=20))
def test_longer_never_weighs_more(words: list[int]) -> None:
    """Monotone in length, within [0, weight]."""
    weights = neighbour_weight(np.array(sorted(words), np.float32), 0.4, 60.0)
    assert (np.diff(weights) <= 0).all()
    assert ((weights >= 0) & (weights <= np.float32(0.4))).all()


def test_a_window_sum_by_hand() -> None:
    """Four in a chain, of which the last stands alone: radius 2 reaches two steps to either side."""
    values = np.array([1, 2, 4, 8], np.float32)
    previous, following = np.array([-1, 0, 1, -1]), np.array([1, 2, -1, -1])
    assert window_sums(values, previous, following, np.array([0, 2, 3]), 2).tolist() == [7.0, 7.0, 8.0]
    assert window_sums(values, previous, following, np.array([1]), 0).tolist() == [2.0]
