"""How much is injected, by confidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.gates import Band, band


@pytest.mark.req("D26")
@pytest.mark.parametrize(
    ("confidence", "expected"),
    [
        (1.0, Band.FULL),
        (0.7, Band.FULL),
        (0.6999, Band.SUMMARY),
        (0.4, Band.SUMMARY),
        (0.3999, Band.WITHHELD),
        (-0.2, Band.WITHHELD),
    ],
)
def test_every_edge(confidence: float, expected: Band) -> None:
    """“>= 0.7 full, 0.4 - 0.7 summary only, < 0.4 not injected”."""
    assert band(confidence, 0.7, 0.4) is expected


@pytest.mark.req("D26")
@given(st.floats(-1, 1), st.floats(-1, 1))
def test_more_confidence_never_shows_less(one: float, other: float) -> None:
    """Monotone from withheld over summary to full."""
    order = [Band.WITHHELD, Band.SUMMARY, Band.FULL]
    low, high = sorted([one, other])
    assert order.index(band(low, 0.7, 0.4)) <= order.index(band(high, 0.7, 0.4))
