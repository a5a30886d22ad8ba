"""The posterior of a success rate, against binomial sums and by its laws."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.beta import beta_below, lower_bound, posterior_mean

COUNTS = st.floats(0.0, 1e5)


@pytest.mark.parametrize("alpha", [1, 2, 7, 30])
@pytest.mark.parametrize("beta", [1, 3, 20])
@pytest.mark.parametrize("rate", [0.01, 0.3, 0.5, 0.95])
def test_for_whole_numbers_it_is_a_binomial_tail(alpha: int, beta: int, rate: float) -> None:
    """P(Beta(a, b) ≤ x) = P(at least a successes in a + b − 1 trials of x)."""
    trials = alpha + beta - 1
    tail = sum(comb(trials, k) * rate**k * (1.0 - rate) ** (trials - k) for k in range(alpha, trials + 1))
    assert beta_below(rate, alpha, beta) == pytest.approx(tail, abs=1e-12)


def test_worked_bounds() -> None:
    """Beta(1, 1) exceeds .05 with 95 %; Beta(4, 1) has the distribution x⁴, so .05 to the fourth root."""
    assert lower_bound(0, 0) == pytest.approx(0.05)
    assert lower_bound(3, 0) == pytest.approx(0.05**0.25)
    assert posterior_mean(3, 0) == pytest.approx(0.8)
    assert posterior_mean(0, 0) == 0.5


@given(COUNTS, COUNTS)
def test_bounded_below_the_mean_and_rising_with_success(good: float, bad: float) -> None:
    """A success never lowers the bound, a failure never raises it."""
    bound = lower_bound(good, bad)
    assert 0.0 <= bound < posterior_mean(good, bad) < 1.0
    assert lower_bound(good + 1.0, bad) >= bound - 1e-9
    assert lower_bound(good, bad + 1.0) <= bound + 1e-9
