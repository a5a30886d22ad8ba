"""The encoding boost: its range, its middle, and what moves it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import BoostLaw, encoding_boost

LAW = BoostLaw(low=0.7, high=1.3, half_density=3)


@pytest.mark.req("D3")
@pytest.mark.parametrize(
    ("density", "confidence", "expected"),
    [(0, 0, 0.7), (3, 0.5, 1.0), (3, 1.0, 1.15), (6, 0.9, 1 + 0.3 * (2 / 3 - 0.1)), (2, 0.25, 1 + 0.3 * (0.4 - 0.75))],
)
def test_worked_boosts(density: float, confidence: float, expected: float) -> None:
    """1 + .3·(d/(d + 3) + confidence − 1), after decision 9."""
    assert encoding_boost(density, confidence, False, LAW) == pytest.approx(expected)


@pytest.mark.req("D3")
def test_what_somebody_asked_to_remember_gets_the_highest() -> None:
    """An intention to remember outweighs an empty text and a doubtful observer."""
    assert encoding_boost(0, 0, True, LAW) == 1.3


@pytest.mark.req("D3")
@given(st.floats(0, 1e3), st.floats(0, 1), st.floats(0, 1e3), st.booleans())
def test_bounded_and_monotone(density: float, confidence: float, more: float, deliberate: bool) -> None:
    """Within "0.7-1.3"; more to hold on to never lowers it."""
    value = encoding_boost(density, confidence, deliberate, LAW)
    assert 0.7 <= value <= 1.3
    assert value <= encoding_boost(density + more, confidence, deliberate, LAW) + 1e-12


def test_each_side_has_its_own_reach() -> None:
    """With a range of .5 to 1.2, a balance of −½ takes .25 and one of +.01 gives .002."""
    law = BoostLaw(low=0.5, high=1.2, half_density=3)
    assert encoding_boost(0, 0.5, False, law) == pytest.approx(0.75)
    assert encoding_boost(3, 0.51, False, law) == pytest.approx(1.002)
