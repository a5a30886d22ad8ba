"""Recency by half-life, its floor, its exemptions and its blend."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.freshness import blended, recency, unfading


@pytest.mark.req("A3", "A16.10")
@pytest.mark.parametrize(("hours", "expected"), [(0, 1.0), (168, 0.5), (336, 0.25), (84, 0.5**0.5), (168 * 4, 0.1)])
def test_worked_values(hours: float, expected: float) -> None:
    """Half-life 168 h: a half after a week, a quarter after two, and never below .1."""
    assert float(recency(hours, 168, 0.1)) == pytest.approx(expected)


@pytest.mark.req("A3")
def test_worked_blend() -> None:
    """The final score is (1 − .15)·.8 + .15·.5."""
    assert float(blended(0.8, 0.5, 0.15)) == pytest.approx(0.755)


@pytest.mark.req("A3", "A16.6")
def test_thirty_days_ago_scores_lower_than_today() -> None:
    """The same similarity, accessed today and 30 days ago."""
    scores = blended(np.array([0.8, 0.8]), recency(np.array([0.0, 720.0]), 168, 0.1), 0.15)
    assert scores.tolist() == pytest.approx([0.83, 0.695])


@pytest.mark.req("A4", "A16.7", "A16.8", "A16.9")
def test_the_exempt_do_not_age() -> None:
    """Load-bearing, user-asserted and confirmed memories have recency 1, whatever their age."""
    aged = recency(np.array([720.0, 720.0]), 168, 0.1)
    assert unfading(aged, np.array([True, False])).tolist() == pytest.approx([1.0, 0.1])


@given(st.floats(-10, 1e6), st.floats(1, 1e4), st.floats(0, 1))
def test_bounded_by_floor_and_one(hours: float, half_life: float, floor: float) -> None:
    """Recency lies between its floor and 1, also when a clock ran backwards."""
    assert floor <= float(recency(hours, half_life, floor)) <= 1


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_blend_lies_between_its_parts(similarity: float, fresh: float, weight: float) -> None:
    """No weight leads beyond the two values it blends."""
    result = float(blended(similarity, fresh, weight))
    assert min(similarity, fresh) - 1e-12 <= result <= max(similarity, fresh) + 1e-12
