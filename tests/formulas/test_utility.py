"""Utility moves at use, drifts without, and never overshoots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import UtilityWeights, after_use, drifted, drifted_daily, weighted

unit = st.floats(0, 1)


@pytest.mark.req("D15")
def test_worked_use() -> None:
    """α = .1: from .5, a success gives .55 and a failure .45."""
    assert after_use(np.array([0.5, 0.5]), np.array([1.0, 0.0]), 0.1).tolist() == pytest.approx([0.55, 0.45])


@pytest.mark.req("D15")
def test_one_bad_session_does_not_tank_a_useful_memory() -> None:
    """.9 after one failure is .81."""
    assert float(after_use(0.9, 0.0, 0.1)) == pytest.approx(0.81)


@pytest.mark.req("D15")
def test_worked_drift() -> None:
    """By u + .01·days·(.5 − u): in ten days .9 becomes .86 and .1 becomes .14."""
    assert drifted(np.array([0.9, 0.1]), 10, 0.01).tolist() == pytest.approx([0.86, 0.14])


@pytest.mark.req("D15")
def test_drift_by_the_letter_ends_at_neutral() -> None:
    """After 100 days, and after a thousand, utility is .5, not beyond it (decision 11)."""
    assert drifted(0.9, np.array([100.0, 1000.0]), 0.01).tolist() == pytest.approx([0.5, 0.5])


@pytest.mark.req("D15")
def test_day_by_day_the_two_drifts_agree() -> None:
    """One day moves both by .01 of the way; 30 days at once part them, .78 and .796."""
    assert float(drifted_daily(0.9, 1, 0.01)) == pytest.approx(float(drifted(0.9, 1, 0.01)))
    assert float(drifted(0.9, 30, 0.01)) == pytest.approx(0.78)
    assert float(drifted_daily(0.9, 30, 0.01)) == pytest.approx(0.796, abs=5e-4)


@pytest.mark.req("D15")
def test_worked_weighted_score() -> None:
    """.6·.8 + .2·.5 + .2·.4."""
    assert float(weighted(0.8, 0.5, 0.4, UtilityWeights(0.6, 0.2, 0.2))) == pytest.approx(0.66)


@given(unit, unit, unit)
def test_use_stays_bounded_and_moves_towards_the_target(utility: float, target: float, alpha: float) -> None:
    """Never past the target, never away from it."""
    moved = float(after_use(utility, target, alpha))
    assert 0 <= moved <= 1
    assert abs(moved - target) <= abs(utility - target) + 1e-12


@pytest.mark.req("D15")
@given(unit, st.floats(0, 1e4))
def test_drift_never_crosses_neutral(utility: float, days: float) -> None:
    """However long unused, utility stays on its side of .5, and .5 stays .5."""
    for drift in (drifted, drifted_daily):
        moved = float(drift(utility, days, 0.01))
        assert (moved - 0.5) * (utility - 0.5) >= -1e-12
        assert abs(moved - 0.5) <= abs(utility - 0.5) + 1e-12
        assert float(drift(0.5, days, 0.01)) == 0.5


@pytest.mark.req("D15")
@given(unit, st.floats(0, 500), st.floats(0, 500))
def test_daily_drift_does_not_depend_on_how_often_it_is_applied(utility: float, one: float, other: float) -> None:
    """Two spans in turn are the whole span at once, and no time is no drift (readings 8 and 25)."""
    twice = drifted_daily(drifted_daily(utility, one, 0.01), other, 0.01)
    assert float(twice) == pytest.approx(float(drifted_daily(utility, one + other, 0.01)))
    assert float(drifted_daily(utility, 0, 0.01)) == pytest.approx(utility)
    assert float(drifted(utility, 0, 0.01)) == utility
