"""Host scales and the way back to the cosine."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.similarity_scales import (
    Answering,
    a0_to_cosine,
    cosine_to_a0,
    cosine_to_l2,
    cosine_to_openclaw,
    l2_to_cosine,
    l2_to_similarity,
    lowest_cosine,
    openclaw_to_cosine,
    similarity_to_l2,
    uncrowded,
)


@pytest.mark.req("C1")
def test_worked_similarity_of_a_distance() -> None:
    """1/(1 + d): distance 0 is 1, distance 1 a half, distance 3 a quarter."""
    assert [float(l2_to_similarity(d)) for d in (0.0, 1.0, 3.0)] == [1.0, 0.5, 0.25]


@pytest.mark.req("C7")
def test_openclaw_merges_from_a_cosine_of_912_on() -> None:
    """Its .85 means cos .912 (reading 16)."""
    assert float(openclaw_to_cosine(0.85)) == pytest.approx(0.912, abs=5e-4)


@pytest.mark.req("A11")
def test_agent_zero_deduplicates_from_a_cosine_of_eight_tenths_on() -> None:
    """Its .90 means cos .80 (reading 16)."""
    assert float(a0_to_cosine(0.90)) == pytest.approx(0.80)


@pytest.mark.req("C1")
def test_distance_of_unit_vectors() -> None:
    """Squared distance: 0 for the same, 2 at a right angle, 4 for the opposite."""
    assert [float(cosine_to_l2(c)) for c in (1.0, 0.0, -1.0)] == [0.0, 2.0, 4.0]


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_there_and_back_again_in_order(one: float, other: float) -> None:
    """Each scale has an inverse and keeps the order."""
    low, high = sorted([one, other])
    for there, back in (
        (cosine_to_a0, a0_to_cosine),
        (cosine_to_openclaw, openclaw_to_cosine),
        (cosine_to_l2, l2_to_cosine),
    ):
        assert float(back(there(one))) == pytest.approx(one, abs=1e-9)
    assert float(cosine_to_a0(low)) <= float(cosine_to_a0(high))
    assert float(cosine_to_openclaw(low)) <= float(cosine_to_openclaw(high))


@given(st.floats(0, 1e6))
def test_a_distance_comes_back(distance: float) -> None:
    """Similarity and distance lead to one another."""
    assert float(similarity_to_l2(l2_to_similarity(distance))) == pytest.approx(distance, rel=1e-6, abs=1e-9)


def test_a_crowded_cosine_is_stretched_away_from_one() -> None:
    """Four times as far from 1: .9 reads as .6, 1 as 1, and nothing falls below −1."""
    assert [float(uncrowded(cosine, 4.0)) for cosine in (0.9, 1.0, 0.0)] == pytest.approx([0.6, 1.0, -1.0])


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(1, 10))
def test_stretching_keeps_the_order(one: float, other: float, spread: float) -> None:
    """What was nearer stays nearer, or as near."""
    low, high = sorted([one, other])
    assert uncrowded(low, spread) <= uncrowded(high, spread)


@pytest.mark.req("D26")
def test_a_question_reads_its_cosine_by_log_odds_and_back() -> None:
    """Slope 10, intercept −3: .3 is even odds; .7 lies at (ln(.7/.3) + 3)/10, and is found again by halving."""
    law = Answering(slope=10.0, intercept=-3.0)
    edge = (math.log(0.7 / 0.3) + 3.0) / 10.0
    assert law.confidence(0.3) == pytest.approx(0.5)
    assert law.confidence(edge) == pytest.approx(0.7)
    assert lowest_cosine(law.confidence, 0.7) == pytest.approx(edge)
    assert lowest_cosine(law.confidence, 1.0) == 1.0
