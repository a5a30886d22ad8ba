"""TF-IDF search of the vault."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_similarity import idf, is_searchable, score, weighted


@pytest.mark.req("B8")
def test_worked_idf() -> None:
    """ln((N + 1)/(df + 1)) + 1: in 1 of 9 texts ln 5 + 1, in all of them 1 (reading 15)."""
    assert idf(1, 9) == pytest.approx(math.log(5) + 1)
    assert idf(9, 9) == 1.0


@pytest.mark.req("B8")
def test_worked_score() -> None:
    """The source ranks by cosine × importance × freshness: .4·.5·.9."""
    assert score({"a": 2.0, "b": 1.0}, {"a": 1.0, "c": 2.0}, 0.5, 0.9) == pytest.approx(0.18)


@pytest.mark.req("B8")
def test_a_term_counts_by_its_rarity() -> None:
    """Two of a common word weigh 2, one of a rare word more; what no text holds weighs nothing."""
    idfs = {"lead": 1.0, "insurance": 2.6}
    assert weighted({"lead": 2, "insurance": 1, "zeppelin": 4}, idfs) == {"lead": 2.0, "insurance": 2.6}


@pytest.mark.req("B8")
@pytest.mark.parametrize(
    ("importance", "age", "found"), [(0.11, 30, True), (0.1, 1, False), (0.9, 30.1, False), (0.9, 0, True)]
)
def test_what_search_looks_at(importance: float, age: float, found: bool) -> None:
    """“importance (> 0.1) and age”: a maximum of 30 days."""
    assert is_searchable(importance, age, 30, 0.1) is found


@given(st.integers(1, 1000), st.integers(0, 1000))
def test_rarer_never_weighs_less(containing: int, more: int) -> None:
    """Monotone, and at least 1."""
    assert 1 <= idf(containing, containing + more) <= idf(containing - 1, containing + more)


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_score_is_bounded_by_each_factor(importance: float, freshness: float) -> None:
    """No score exceeds importance or freshness."""
    value = score({"a": 1.0}, {"a": 3.0}, importance, freshness)
    assert 0 <= value <= min(importance, freshness) + 1e-12
