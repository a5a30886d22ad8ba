"""The hot tier: who is in, by which door, in which order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import HotEdges, qualifies, rank, stands

EDGES = HotEdges(utility=0.8, accesses=10, age_days=30, standing_utility=0.5)


@pytest.mark.req("D36")
def test_every_edge() -> None:
    """“Utility >= 0.8, access count >= 10, age < 30 days, state active”: each alone keeps out."""
    utility = np.array([0.8, 0.79, 0.8, 0.8, 0.8])
    accesses = np.array([10.0, 10, 9, 10, 10])
    age = np.array([29.9, 1, 1, 30, 1])
    active = np.array([True, True, True, True, False])
    assert qualifies(utility, accesses, age, active, EDGES).tolist() == [True, False, False, False, False]


@pytest.mark.req("D36")
def test_standing_instructions_have_a_second_door() -> None:
    """Reading 28: whatever their count and age, as long as they are active and not found useless."""
    utility = np.array([0.5, 0.49, 0.9, 0.9])
    standing = np.array([True, True, True, False])
    active = np.array([True, True, False, True])
    assert stands(utility, standing, active, EDGES).tolist() == [True, False, False, False]


@pytest.mark.req("D36")
def test_most_useful_first_and_no_more_than_the_limit() -> None:
    """“Sorted by utility descending”; equals by accesses, then in their order; the rest stays out."""
    utility = np.array([0.8, 0.9, 0.95, 0.9, 0.9])
    accesses = np.array([99.0, 10, 10, 12, 10])
    hot = np.array([True, True, False, True, True])
    assert rank(utility, accesses, hot, 3).tolist() == [3, 1, 4]


@pytest.mark.req("D36")
@given(st.lists(st.floats(0, 1), max_size=40))
def test_never_more_than_fifteen(utility: list[float]) -> None:
    """The limit binds, and the order never rises."""
    array = np.array(utility, np.float64)
    ranked = rank(array, np.zeros(len(array)), array >= 0.8, 15)
    assert len(ranked) == min(15, int((array >= 0.8).sum()))
    assert (np.diff(array[ranked]) <= 0).all()
