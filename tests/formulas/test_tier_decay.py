"""Tiers forget at different speeds, without compounding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.retention import effective_stability, power_retention


@pytest.mark.req("D35")
def test_worked_stabilities() -> None:
    """Working 10×, episodic 3×, semantic 1×: of 30 days are left 3, 10 and 30."""
    assert effective_stability(30.0, np.array([10.0, 3.0, 1.0])).tolist() == pytest.approx([3.0, 10.0, 30.0])


@pytest.mark.req("D35")
def test_the_dormant_are_frozen() -> None:
    """A multiplier of 0: retention is 1 after any time."""
    frozen = effective_stability(np.array([2.0]), np.array([0.0]))
    assert frozen.tolist() == [np.inf]
    assert power_retention(10_000.0, frozen).tolist() == [1.0]


@pytest.mark.req("D35")
@given(st.floats(0.01, 1e4), st.floats(0, 1e4), st.floats(1, 10), st.floats(1, 10))
def test_a_higher_multiplier_never_remembers_longer(stability: float, days: float, one: float, other: float) -> None:
    """“higher multiplier means faster forgetting”."""
    slow, fast = sorted([one, other])
    kept = power_retention(days, effective_stability(stability, np.array([slow, fast])))
    assert kept[0] >= kept[1]
