"""Mood-congruent recall."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import congruent


@pytest.mark.req("D32")
def test_worked_boost() -> None:
    """A glad mood lifts glad memories by 10 %, leaves sad and neutral ones; a sad mood the other way round."""
    valence = np.array([0.4, -0.4, 0.0])
    assert congruent(0.5, 0.9, valence, 1.1).tolist() == pytest.approx([0.55, 0.5, 0.5])
    assert congruent(0.5, -0.1, valence, 1.1).tolist() == pytest.approx([0.5, 0.55, 0.5])


@pytest.mark.req("D32")
@given(st.floats(0, 2), st.floats(-1, 1))
def test_no_mood_changes_nothing(score: float, valence: float) -> None:
    """Without a mood every score stays."""
    assert float(congruent(score, 0.0, valence, 1.1)) == score


@given(st.floats(0, 2), st.floats(-1, 1), st.floats(-1, 1))
def test_it_only_lifts_and_by_no_more_than_the_factor(score: float, mood: float, valence: float) -> None:
    """Bounded by score and 1.1·score; turning both moods round changes nothing."""
    value = float(congruent(score, mood, valence, 1.1))
    assert score <= value <= 1.1 * score
    assert value == float(congruent(score, -mood, -valence, 1.1))
