"""What is recalled together grows together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.associations import pair_boost, strengthened


@pytest.mark.req("D31")
def test_stability_grows_by_two_percent() -> None:
    """5 days become 5.1."""
    assert float(strengthened(5.0, 0.02)) == pytest.approx(5.1)


@pytest.mark.req("D31")
def test_a_pair_counts_from_the_third_time_on() -> None:
    """“Pairs with co-activation count >= 3 receive a retrieval boost (0.05)”."""
    assert pair_boost(np.array([0, 2, 3, 40]), 3, 0.05).tolist() == [0.0, 0.0, 0.05, 0.05]


@given(st.floats(0.01, 1e4), st.floats(0, 1))
def test_it_never_weakens(stability: float, share: float) -> None:
    """Monotone; a share of 0 changes nothing."""
    assert float(strengthened(stability, share)) >= stability
    assert float(strengthened(stability, 0.0)) == stability
