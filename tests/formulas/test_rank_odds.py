"""Rank odds: worked numbers and laws."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.logistic import rank_log_odds

SCORES = st.lists(st.integers(-30, 30).map(float), min_size=1, max_size=25)


def test_the_first_of_four_has_four_times_the_odds_of_the_last() -> None:
    """The logarithms: ln 4 − ln 1, ln 4 − ln 2, ln 4 − ln 3, ln 4 − ln 4."""
    odds = rank_log_odds(np.array([0.1, 9.0, -3.0, 2.0]))
    assert odds.tolist() == pytest.approx([log(4 / 3), log(4), 0.0, log(4 / 2)])


def test_equals_share_what_they_hold() -> None:
    """Two firsts, each with the mean of the first and the second place; of nothing there is nothing."""
    both = (log(3) + log(3 / 2)) / 2
    assert rank_log_odds(np.array([5.0, 5.0, 1.0])).tolist() == pytest.approx([both, both, 0.0])
    assert rank_log_odds(np.array([])).tolist() == []


@given(SCORES)
def test_only_the_order_counts(scores: list[float]) -> None:
    """Raw logits and what a sigmoid makes of them give the same; in [0, ln n], rising with a score."""
    plain = np.array(scores)
    odds = rank_log_odds(plain)
    assert np.array_equal(odds, rank_log_odds(1.0 / (1.0 + np.exp(-plain))))
    assert odds.min() >= 0.0
    assert odds.max() <= log(len(scores)) + 1e-9
    assert odds.sum() == pytest.approx(sum(log(len(scores) / rank) for rank in range(1, len(scores) + 1)))
    assert all(odds[a] > odds[b] for a, one in enumerate(scores) for b, two in enumerate(scores) if one > two)
