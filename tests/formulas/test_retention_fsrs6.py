"""The curve of FSRS-6: its definition, and how it differs from document D's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas import retention as power
from reverie.formulas.retention import fsrs6_retention


@pytest.mark.req("D1")
@given(st.floats(0.1, 1e4), st.floats(0.05, 0.8))
def test_after_one_stability_nine_in_ten_are_left(stability: float, decay: float) -> None:
    """R(S) = .9 whatever S and w20: that is how stability is defined."""
    assert float(fsrs6_retention(stability, stability, decay)) == pytest.approx(0.9)


@pytest.mark.req("D1")
def test_worked_values() -> None:
    """With w20 = .1542, f = .9^(−1/.1542) − 1 = .98036; after ten stabilities (1 + 9.8036)^(−.1542) is left."""
    factor = 0.9 ** (-1 / 0.1542) - 1
    assert factor == pytest.approx(0.98036, abs=1e-4)
    assert float(fsrs6_retention(20, 2)) == pytest.approx((1 + 10 * factor) ** -0.1542)
    assert float(fsrs6_retention(0, 2)) == 1.0


@pytest.mark.req("D1")
def test_it_is_not_the_curve_document_d_calls_by_its_name() -> None:
    """After nine stabilities FSRS-6 leaves more than .7, document D's formula .25 (reading 2)."""
    assert float(fsrs6_retention(9, 1)) > 0.7
    assert float(power.power_retention(9, 1)) == pytest.approx(0.25)


@given(st.floats(0, 1e5), st.floats(0, 1e5), st.floats(0.01, 1e4))
def test_bounded_and_monotone(days: float, more: float, stability: float) -> None:
    """In (0, 1]; longer never leaves more."""
    left = float(fsrs6_retention(days, stability))
    assert 0 < float(fsrs6_retention(days + more, stability)) <= left <= 1
