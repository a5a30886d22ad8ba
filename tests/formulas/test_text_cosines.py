"""Likeness of all texts of a pool agrees with that of each pair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_similarity import text_cosine, text_cosines

vector = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 9), max_size=6)


@pytest.mark.req("D9")
def test_worked_matrix() -> None:
    """Two texts share half of their words, the third nothing."""
    result = text_cosines([{"a": 1, "b": 1}, {"b": 1, "c": 1}, {"d": 3}])
    assert result.ravel().tolist() == pytest.approx([1, 0.5, 0, 0.5, 1, 0, 0, 0, 1])


def test_no_texts_and_empty_texts() -> None:
    """An empty pool gives an empty matrix; an empty text is like nothing, not even itself."""
    assert text_cosines([]).shape == (0, 0)
    assert text_cosines([{}, {"a": 1}]).tolist() == [[0.0, 0.0], [0.0, 1.0]]


@pytest.mark.req("D9")
@given(st.lists(vector, max_size=6))
def test_it_agrees_with_the_pairs(texts: list[dict[str, int]]) -> None:
    """Each cell is the cosine of its two texts."""
    expected = [text_cosine(one, other) for one in texts for other in texts]
    assert np.allclose(text_cosines(texts).ravel(), expected)
