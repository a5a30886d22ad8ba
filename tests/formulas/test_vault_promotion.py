"""Which observations are shared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.vault import SharedTruth, VaultPromotionEdges, sharing_verdict

EDGES = VaultPromotionEdges(importance=0.8, verified_importance=0.6)


@pytest.mark.req("B7")
@pytest.mark.parametrize(
    ("importance", "verified", "by_person", "expected"),
    [
        (0.8, False, False, SharedTruth.EARNED),
        (0.79, False, False, SharedTruth.NOT_YET),
        (0.6, True, False, SharedTruth.VERIFIED),
        (0.59, True, False, SharedTruth.NOT_YET),
        (0.0, False, True, SharedTruth.BY_PERSON),
    ],
)
def test_every_edge(importance: float, verified: bool, by_person: bool, expected: SharedTruth) -> None:
    """“importance ≥ 0.8 OR verified AND importance ≥ 0.6 OR human explicitly promotes it”."""
    found = sharing_verdict(importance, verified, by_person, EDGES)
    assert found is expected
    assert found.moves is (expected is not SharedTruth.NOT_YET)


@given(st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_more_important_is_never_shared_less(one: float, other: float, verified: bool) -> None:
    """Monotone in importance."""
    low, high = sorted([one, other])
    assert sharing_verdict(low, verified, False, EDGES).moves <= sharing_verdict(high, verified, False, EDGES).moves
