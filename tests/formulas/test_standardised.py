"""Scores as distances from their mean, and their fusion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import fuse_standardised, standardised

scores_of = st.lists(st.floats(-100, 100), min_size=2, max_size=12)


@pytest.mark.req("D6")
def test_worked_values() -> None:
    """1, 2, 3: mean 2, standard deviation √(2/3)."""
    assert standardised(np.array([1.0, 2.0, 3.0])).tolist() == pytest.approx([-math.sqrt(1.5), 0.0, math.sqrt(1.5)])


def test_equal_scores_tell_nothing_apart() -> None:
    """No division by a spread of 0; nothing in, nothing out."""
    assert standardised(np.array([0.1, 0.1, 0.1])).tolist() == [0.0, 0.0, 0.0]
    assert standardised(np.array([])).tolist() == []


@pytest.mark.req("D6")
def test_worked_fusion() -> None:
    """``b`` is best in one list and absent from the other, where it counts as the last: .6·1 − .4·1."""
    fused = fuse_standardised([{"a": 1.0, "b": 3.0}, {"c": 5.0, "a": 4.0}], [0.6, 0.4])
    assert fused == pytest.approx({"a": -1.0, "b": 0.2, "c": -0.2})


def test_an_empty_list_has_no_say() -> None:
    """A search that found nothing changes nothing."""
    assert fuse_standardised([{"a": 1.0, "b": 3.0}, {}], [1.0, 1.0]) == pytest.approx({"a": -1.0, "b": 1.0})


@given(scores_of, st.floats(0.1, 50), st.floats(-50, 50))
def test_scale_and_origin_do_not_matter(scores: list[float], scale: float, origin: float) -> None:
    """The same scores in another unit are the same after standardising."""
    array = np.round(np.array(scores), 3)
    assert np.allclose(standardised(array), standardised(scale * array + origin), atol=1e-6)


@given(scores_of)
def test_mean_zero_spread_one_and_order_kept(scores: list[float]) -> None:
    """Mean 0, spread 1 (or 0 where all are equal), and nothing overtakes."""
    array = np.round(np.array(scores), 3)
    result = standardised(array)
    assert result.mean() == pytest.approx(0, abs=1e-9)
    assert result.std() == pytest.approx(1) or not result.any()
    assert (np.diff(result[np.argsort(array, kind="stable")]) >= 0).all()


@pytest.mark.req("D6")
def test_weights_multiply() -> None:
    """Of 1, 2, 3 the best lies √1.5 above the mean: with weight .6 it gains .6·√1.5."""
    fused = fuse_standardised([{"a": 1.0, "b": 2.0, "c": 3.0}], [0.6])
    assert fused == pytest.approx({"a": -0.6 * math.sqrt(1.5), "b": 0.0, "c": 0.6 * math.sqrt(1.5)})
