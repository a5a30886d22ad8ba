"""BM25: worked numbers and the laws it obeys."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.bm25 import idf, saturation


def test_idf_of_a_worked_example() -> None:
    """Two of ten texts: ln(1 + 8.5/2.5)."""
    assert idf(2, 10) == pytest.approx(math.log(1 + 8.5 / 2.5))


@given(st.integers(1, 1000), st.integers(0, 1000))
def test_idf_is_positive_and_falls_with_frequency(containing: int, more: int) -> None:
    """A term found more often never weighs more, and never less than nothing."""
    size = containing + more
    assert 0 < idf(containing, size) <= idf(max(containing - 1, 0), size)


def test_saturation_of_a_worked_example() -> None:
    """Two occurrences in a text of mean length with k1 = 1.5: 2 / (2 + 1.5)."""
    result = saturation(np.array([2.0], np.float32), np.array([8.0], np.float32), 8.0, 1.5, 0.75)
    assert result[0] == pytest.approx(2 / 3.5)


def test_a_text_twice_as_long_counts_less() -> None:
    """Length 16 at mean 8 and b = .75 raises the denominator to 1 + 1.5·(.25 + .75·2)."""
    result = saturation(np.array([1.0], np.float32), np.array([16.0], np.float32), 8.0, 1.5, 0.75)
    assert result[0] == pytest.approx(1 / (1 + 1.5 * (0.25 + 0.75 * 2)))


@given(st.floats(1, 1e4), st.floats(0, 1e5))
def test_saturation_is_bounded_and_grows_with_the_count(count: float, length: float) -> None:
    """More occurrences never count less, and no number of them reaches 1."""
    counts = np.array([count, count + 1], np.float32)
    low, high = saturation(counts, np.full(2, length, np.float32), 20.0, 1.5, 0.75)
    assert 0 < low <= high < 1 + 1e-6
