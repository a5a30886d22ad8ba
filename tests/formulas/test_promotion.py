"""The three rules of promotion, and who is exempt."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.tiers import Promotion, PromotionCandidate, PromotionEdges, decide_promotion, outlives_session

EDGES = PromotionEdges(accesses=3, utility=0.7, age_days=7, entity_peers=3)
PLAIN = PromotionCandidate(accesses=0, utility=0.5, age_days=1, entity_peers=1)


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        (PLAIN, Promotion.NOT_YET),
        (replace(PLAIN, accesses=2), Promotion.NOT_YET),
        (replace(PLAIN, accesses=3), Promotion.ACCESSED),
        (replace(PLAIN, utility=0.7, age_days=6.9), Promotion.NOT_YET),
        (replace(PLAIN, utility=0.69, age_days=7), Promotion.NOT_YET),
        (replace(PLAIN, utility=0.7, age_days=7), Promotion.USEFUL),
        (replace(PLAIN, entity_peers=2), Promotion.NOT_YET),
        (replace(PLAIN, entity_peers=3), Promotion.CONVERGENT),
    ],
)
def test_every_edge(candidate: PromotionCandidate, expected: Promotion) -> None:
    """“accessCount >= 3”; “utility >= 0.7 AND age >= 7 days”; “>= 3 episodic memories share an entity”."""
    assert decide_promotion(candidate, EDGES) is expected


@pytest.mark.req("D35", "D21")
@given(st.integers(0, 100), st.floats(0, 1), st.floats(0, 1e3), st.integers(0, 100), st.booleans())
def test_pinned_and_immutable_stay(accesses: int, utility: float, age: float, peers: int, pinned: bool) -> None:
    """“pinned and immutable memories are never promoted”, whatever their figures, one flag or the other."""
    candidate = PromotionCandidate(accesses, utility, age, peers, pinned=pinned, immutable=not pinned)
    assert not decide_promotion(candidate, EDGES).moves


@pytest.mark.req("D35")
def test_any_rule_moves() -> None:
    """Each of the three suffices alone."""
    movers = [replace(PLAIN, accesses=3), replace(PLAIN, utility=0.7, age_days=7), replace(PLAIN, entity_peers=3)]
    assert [decide_promotion(candidate, EDGES).moves for candidate in [PLAIN, *movers]] == [False, True, True, True]


@pytest.mark.req("D35")
@pytest.mark.parametrize(
    ("accesses", "importance", "expected"), [(1, 0.59, False), (2, 0.0, True), (0, 0.6, True), (0, 0.59, False)]
)
def test_what_outlives_its_session(accesses: int, importance: float, expected: bool) -> None:
    """“accessCount >= 2 OR importance >= 0.6”."""
    assert outlives_session(accesses, importance, 2, 0.6) is expected
