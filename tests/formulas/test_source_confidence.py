"""A weak source is ranked down, and by how much."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import ranked_down


@pytest.mark.req("D22")
def test_worked_penalty() -> None:
    """½ + ½·confidence/.3 below .3 (decision 10): at .25 a factor of .917, at 0 a half."""
    result = ranked_down(0.6, np.array([0.0, 0.15, 0.25, 0.3, 0.9]), 0.3, 0.5)
    assert result.tolist() == pytest.approx([0.3, 0.45, 0.55, 0.6, 0.6])


@pytest.mark.req("D22")
@given(st.floats(0.01, 10), st.floats(0, 0.2999))
def test_below_the_line_a_memory_ranks_lower_and_is_not_lost(score: float, confidence: float) -> None:
    """Strictly behind an equal memory from a good source, and never below half of it."""
    low, line = float(ranked_down(score, confidence, 0.3, 0.5)), float(ranked_down(score, 0.3, 0.3, 0.5))
    assert score / 2 <= low < line == score


@given(st.floats(0, 1), st.floats(0, 1))
def test_more_trust_never_costs(one: float, other: float) -> None:
    """Monotone in confidence."""
    low, high = ranked_down(1.0, np.array(sorted([one, other])), 0.3, 0.5)
    assert low <= high
