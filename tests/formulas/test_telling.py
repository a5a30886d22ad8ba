"""Telling and ample length: worked values and laws."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.text_statistics import ample, telling


@pytest.mark.parametrize(
    ("of_self", "of_other", "words", "expected"),
    [
        (2, 0, 40, 0.75),
        (4, 0, 40, 1.0),
        (9, 0, 40, 1.0),
        (0, 2, 40, 0.25),
        (3, 3, 40, 0.5),
        (0, 0, 0, 0.5),
        (0, 1, 2, 0),
    ],
)
def test_worked_telling(of_self: int, of_other: int, words: int, expected: float) -> None:
    """A surplus of a tenth of the words is all or nothing; fewer than eight words count as eight."""
    columns = [np.array([value], np.float32) for value in (of_self, of_other, words)]
    assert telling(*columns)[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("words", "expected"),
    [(0, 0.0), (2, 0.0), (8, 0.5), (16, 0.75), (32, 1), (64, 1), (128, 0.875), (1024, 0.5), (1e6, 0)],
)
def test_worked_length(words: float, expected: float) -> None:
    """From 32 to 64 words ample; a quarter less with each halving, an eighth with each doubling."""
    assert ample(np.array([words], np.float32), 32.0, 64.0, 4.0, 8.0)[0] == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500), st.integers(0, 100_000)), min_size=1, max_size=20))
def test_both_are_bounded(rows: list[tuple[int, int, int]]) -> None:
    """In [0, 1] whatever is counted."""
    of_self, of_other, words = np.array(rows, np.float32).T
    for values in (telling(of_self, of_other, words), ample(words, 32.0, 64.0, 4.0, 8.0)):
        assert values.dtype == np.float32
        assert ((values >= 0) & (values <= 1)).all()
