"""The gate says whether it held back, and the best score."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.gates import GateAnswer, gate


@pytest.mark.req("C3")
@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([0.35, 0.1], GateAnswer(gated=False, best=0.35)),
        ([0.1, 0.349], GateAnswer(gated=True, best=0.349)),
        ([0.9], GateAnswer(gated=False, best=0.9)),
        ([], GateAnswer(gated=True, best=0.0)),
    ],
)
def test_every_edge(scores: list[float], expected: GateAnswer) -> None:
    """“results.length === 0 || results[0].score < confidenceThreshold”, at .35."""
    assert gate(scores, 0.35) == expected


@pytest.mark.req("C3")
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.floats(0, 1))
def test_the_order_of_the_scores_does_not_matter(scores: list[float], threshold: float) -> None:
    """The best decides, wherever it stands."""
    assert gate(scores, threshold) == gate(sorted(scores), threshold)
