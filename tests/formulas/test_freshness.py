"""Freshness falls in a straight line."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.freshness import freshness


@pytest.mark.req("B8")
@pytest.mark.parametrize(("age", "expected"), [(0, 1.0), (15, 0.525), (30, 0.05), (300, 0.05), (-2, 1.0)])
def test_worked_values(age: float, expected: float) -> None:
    """From 1 at creation to .05 at 30 days (reading 15), halfway 1 − .95/2, and .05 beyond."""
    assert freshness(age, 30, 0.05) == pytest.approx(expected)


@pytest.mark.req("B8", "B5")
def test_the_permanent_stays_fresh() -> None:
    """What has no end does not fade."""
    assert freshness(5000, math.inf, 0.05) == 1.0


@given(st.floats(0, 1e4), st.floats(0, 1e4), st.floats(1, 1e3))
def test_bounded_and_falling(age: float, more: float, most: float) -> None:
    """In [.05, 1]; older is never fresher; a longer life never less fresh."""
    value = freshness(age, most, 0.05)
    assert 0.05 - 1e-12 <= freshness(age + more, most, 0.05) <= value <= 1
    assert value <= freshness(age, most * 2, 0.05) + 1e-12
