"""The composite score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.scores import CompositeWeights, composite

V9 = CompositeWeights(similarity=0.40, activation=0.30, importance=0.15, fused=0.15)
OPENCLAW = CompositeWeights(similarity=0.50, activation=0.35, importance=0.15)
unit = st.floats(0, 1)


@pytest.mark.req("D6")
def test_worked_score_of_four_terms() -> None:
    """.40·.8 + .30·.5 + .15·.6 + .15·(1/61 + 1/62)."""
    expected = 0.32 + 0.15 + 0.09 + 0.15 * (1 / 61 + 1 / 62)
    assert float(composite(0.8, 0.5, 0.6, 1 / 61 + 1 / 62, V9)) == pytest.approx(expected)


@pytest.mark.req("C1")
def test_worked_score_of_three_terms() -> None:
    """.5·.8 + .35·.4 + .15·.5; a fused score does not count."""
    assert float(composite(0.8, 0.4, 0.5, 0.9, OPENCLAW)) == pytest.approx(0.615)


@pytest.mark.req("D6", "C1")
@given(unit, unit, unit, unit, unit)
def test_bounded_and_monotone(
    similarity: float, activation: float, importance: float, fused: float, more: float
) -> None:
    """Signals in [0, 1] give a score in [0, 1]; a signal that rises never lowers it."""
    for weights in (V9, OPENCLAW):
        score = float(composite(similarity, activation, importance, fused, weights))
        assert -1e-12 <= score <= 1 + 1e-12
        assert score <= float(composite(max(similarity, more), activation, importance, fused, weights)) + 1e-12
