"""Which item working memory gives up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import EvictionLaw, eviction_score

LAW = EvictionLaw(fade_minutes=30, per_access=0.1)


@pytest.mark.req("D35")
def test_worked_scores() -> None:
    """.8·e^0·(1 + .1·0), .8·e^(−30/30)·(1 + .1·5), .2·e^(−15/30)·(1 + .1·10)."""
    result = eviction_score(np.array([0.8, 0.8, 0.2]), np.array([0.0, 30.0, 15.0]), np.array([0, 5, 10]), LAW)
    assert result.tolist() == pytest.approx([0.8, 1.2 * math.exp(-1), 0.4 * math.exp(-0.5)])


@given(st.floats(0, 1), st.floats(-5, 1e4), st.integers(0, 1000), st.floats(0, 100), st.integers(0, 100))
def test_monotone(importance: float, idle: float, accesses: int, longer: float, more: int) -> None:
    """Longer idle never keeps a place better, more use never worse."""
    score = float(eviction_score(importance, idle, accesses, LAW))
    assert 0 <= float(eviction_score(importance, idle + longer, accesses, LAW)) <= score
    assert score <= float(eviction_score(importance, idle, accesses + more, LAW))
