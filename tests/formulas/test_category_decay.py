"""Category decay lowers importance at scoring time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import decayed


@pytest.mark.req("D8")
def test_worked_decay() -> None:
    """Ten days: a preference (0) keeps .8, a fact (.005), a decision (.02) and another (.05) lose e^(−rate·10)."""
    result = decayed(0.8, np.array([0.0, 0.005, 0.02, 0.05]), 10.0)
    assert result.tolist() == pytest.approx([0.8, 0.8 * 0.951229, 0.8 * 0.818731, 0.8 * 0.606531], rel=1e-5)


@pytest.mark.req("D8")
@given(st.floats(0, 1), st.floats(0, 1), st.floats(-5, 1e4), st.floats(0, 1e3))
def test_bounded_and_monotone(importance: float, rate: float, days: float, more: float) -> None:
    """Between 0 and the stored importance; longer unused never counts more; rate 0 never decays."""
    value = float(decayed(importance, rate, days))
    assert 0 <= float(decayed(importance, rate, days + more)) <= value <= importance
    assert float(decayed(importance, 0.0, days)) == importance


@pytest.mark.req("D8")
def test_at_the_moment_of_access_nothing_has_decayed() -> None:
    """Zero days, and a clock that ran backwards, leave the stored importance."""
    assert decayed(0.8, 0.05, np.array([0.0, -4.0])).tolist() == [0.8, 0.8]
