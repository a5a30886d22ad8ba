"""Spreading activation strengthens neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import spread_boosted


@pytest.mark.req("D13")
def test_neighbours_gain_two_percent() -> None:
    """“connected memories receive a 2% stability boost”: 10 and 1 days become 10.2 and 1.02."""
    assert spread_boosted(np.array([10.0, 1.0]), 0.02).tolist() == pytest.approx([10.2, 1.02])


@given(st.floats(0.01, 1e4), st.floats(0, 1))
def test_it_never_weakens(stability: float, share: float) -> None:
    """Monotone; a share of 0 changes nothing."""
    assert float(spread_boosted(stability, share)) >= stability
    assert float(spread_boosted(stability, 0.0)) == stability
