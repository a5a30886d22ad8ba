"""The bootstrap: what must hold of intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.statistics import difference, intervals, resample


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(0, 1000))
def test_an_interval_lies_within_the_values(values: list[float], seed: int) -> None:
    """Low ≤ high, and neither leaves the range of what was measured; the mean is the plain mean."""
    column = np.array(values)[:, np.newaxis]
    found = intervals(column, resample(len(values), seed))
    slack = 1e-9
    assert min(values) - slack <= found.low[0] <= found.high[0] <= max(values) + slack
    assert found.mean[0] == pytest.approx(np.mean(values))


def test_every_resample_is_a_draw_of_as_many_questions() -> None:
    """Weights are whole numbers of questions, and sum to one."""
    weights = resample(7, seed=3)
    assert weights.shape == (1000, 7)
    assert np.allclose(weights.sum(axis=1), 1.0)
    assert np.allclose(weights * 7, np.round(weights * 7))


def test_the_same_seed_gives_the_same_interval() -> None:
    """And another seed another one."""
    values = np.linspace(0, 1, 50)[:, np.newaxis]
    first, again, other = (intervals(values, resample(50, seed)) for seed in (1, 1, 2))
    assert (first.low, first.high) == (again.low, again.high)
    assert first.low != other.low


def test_the_interval_narrows_as_questions_grow() -> None:
    """About as one over the root of their number: ten times as many questions, a third of the width."""
    widths = []
    for n in (100, 1000):
        values = (np.arange(n) % 2).astype(float)[:, np.newaxis]
        found = intervals(values, resample(n, seed=0))
        widths.append(float(found.high[0] - found.low[0]))
    assert widths[0] / widths[1] == pytest.approx(10**0.5, rel=0.15)
    assert widths[0] == pytest.approx(2 * 1.96 * 0.05, rel=0.1)


def test_a_paired_difference_sees_what_two_intervals_hide() -> None:
    """A system a hair better on every question is better for sure, though the two intervals overlap."""
    theirs = np.linspace(0, 0.9, 60)
    found = difference(theirs + 0.05, theirs, resample(60, seed=0))
    assert found.low == pytest.approx(0.05)
    assert found.high == pytest.approx(0.05)
    assert (found.better, found.worse) == (60, 0)
    own = intervals(np.stack([theirs, theirs + 0.05], axis=1), resample(60, seed=0))
    assert own.high[0] > own.low[1]
