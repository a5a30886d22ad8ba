"""The threshold that floats with use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import is_protected, is_within_minimum, stability_for_test, threshold


@pytest.mark.req("D5")
def test_worked_threshold() -> None:
    """“average(access_count across all memories)”: 0, 1, 2, 9 give 3; no memories give 0."""
    assert threshold(np.array([0.0, 1.0, 2.0, 9.0])) == 3.0
    assert threshold(np.array([])) == 0.0


@pytest.mark.req("D5")
def test_far_below_forgetting_is_faster() -> None:
    """θ = 4: below 2 accesses the stability tested is halved (reading 14)."""
    assert stability_for_test(10.0, np.array([0, 1, 2, 9]), 4.0, 0.5, 0.5).tolist() == [5.0, 5.0, 10.0, 10.0]


@pytest.mark.req("D5", "D14")
def test_far_above_use_protects() -> None:
    """θ = 4: above 6 accesses a memory is protected (reading 14)."""
    assert is_protected(np.array([4, 6, 7]), 4.0, 1.5).tolist() == [False, False, True]


@pytest.mark.req("D5")
def test_minimum_retention() -> None:
    """Decisions 45 days, facts 14, others 7, corrections for good."""
    minimum = np.array([45.0, 14.0, 7.0, np.inf])
    assert is_within_minimum(20.0, minimum).tolist() == [True, False, False, True]
    assert is_within_minimum(np.array([45.0, 44.9]), 45.0).tolist() == [False, True]


@pytest.mark.req("D5")
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30))
def test_nobody_is_punished_and_protected(counts: list[int]) -> None:
    """Nothing is both below half and above one and a half of the mean; where all are equal, neither happens."""
    array = np.array(counts, np.float64)
    theta = threshold(array)
    faster = stability_for_test(1.0, array, theta, 0.5, 0.5) < 1.0
    assert not (faster & is_protected(array, theta, 1.5)).any()
    level = np.full(5, array[0])
    assert not (stability_for_test(1.0, level, threshold(level), 0.5, 0.5) < 1.0).any()
    assert not is_protected(level, threshold(level), 1.5).any()
