"""Log-odds and probability, by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.logistic import Term, probability

ODDS = st.floats(-1e6, 1e6)


def test_a_value_two_deviations_above_the_mean() -> None:
    """.3 · (.9 − .5) / .2 = .6."""
    assert Term(mean=0.5, deviation=0.2, weight=0.3).log_odds(0.9) == pytest.approx(0.6)


def test_what_never_varied_says_nothing() -> None:
    """A deviation of 0 adds nothing, whatever the value."""
    assert Term(mean=0.5, deviation=0.0, weight=0.3).log_odds(0.9) == 0.0


def test_worked_probability() -> None:
    """−1 + .6 + .4 = 0 is one half; ln 3 is three quarters."""
    assert probability(-1.0, [0.6, 0.4]) == pytest.approx(0.5)
    assert probability(math.log(3.0), []) == pytest.approx(0.75)


@given(ODDS, st.lists(ODDS, max_size=5))
def test_bounded_and_symmetric(intercept: float, parts: list[float]) -> None:
    """Between 0 and 1, and the opposite log-odds give the opposite chance."""
    chance = probability(intercept, parts)
    assert 0.0 < chance < 1.0
    assert probability(-intercept, [-part for part in parts]) == pytest.approx(1.0 - chance, abs=1e-12)
