"""Likeness by shared terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_similarity import text_cosine

vector = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9), max_size=6)


@pytest.mark.req("D9", "B8")
def test_worked_value() -> None:
    """a·2 b·1 against a·1 c·2: 2·1 / (√5·√5)."""
    assert text_cosine({"a": 2, "b": 1}, {"a": 1, "c": 2}) == pytest.approx(2 / 5)


@pytest.mark.req("D9")
def test_nothing_shared_and_nothing_there() -> None:
    """Texts without a common term, or without any, are not alike."""
    assert text_cosine({"a": 2}, {"b": 1}) == 0.0
    assert text_cosine({}, {}) == 0.0


@given(vector, vector, st.integers(1, 50))
def test_symmetric_bounded_and_blind_to_length(one: dict[str, int], other: dict[str, int], times: int) -> None:
    """In [0, 1], the same both ways, and a text said many times over is as like."""
    value = text_cosine(one, other)
    assert 0 <= value <= 1
    assert value == pytest.approx(text_cosine(other, one))
    assert value == pytest.approx(text_cosine({term: times * count for term, count in one.items()}, other))
    assert text_cosine(one, one) == pytest.approx(1.0 if one else 0.0)
