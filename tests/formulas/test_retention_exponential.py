"""Ebbinghaus' curve: worked values and laws."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import exponential_retention


@pytest.mark.req("C5")
@pytest.mark.parametrize(("days", "stability", "left"), [(0, 1, 1.0), (1, 1, math.exp(-1)), (6, 3, math.exp(-2))])
def test_worked_values(days: float, stability: float, left: float) -> None:
    """R = e^(−days / stability)."""
    assert float(exponential_retention(days, stability)) == pytest.approx(left)


@pytest.mark.req("C5")
def test_a_new_memory_sleeps_after_two_days_and_a_third() -> None:
    """With S = 1 day, R falls below .1 after ln 10 = 2.3 days (reading 17)."""
    assert float(exponential_retention(2.30, 1)) > 0.1 > float(exponential_retention(2.31, 1))


def test_a_clock_that_ran_backwards_forgets_nothing() -> None:
    """A last access in the future counts as now."""
    assert float(exponential_retention(-3, 1)) == 1.0


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0.5, 1e4))
def test_bounded_and_multiplicative(days: float, more: float, stability: float) -> None:
    """In [0, 1], and two spans one after the other forget as much as both at once."""
    whole = float(exponential_retention(days + more, stability))
    assert 0 <= whole <= 1
    assert whole == pytest.approx(
        float(exponential_retention(days, stability)) * float(exponential_retention(more, stability))
    )
