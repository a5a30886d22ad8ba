"""The middle of a few vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.centring import centroid


@pytest.mark.req("D10")
def test_worked_middle() -> None:
    """Between (1, 0) and (0, 1) lies (√½, √½); the longer of two does not pull more."""
    expected = [0.5**0.5, 0.5**0.5]
    assert centroid(np.array([[1, 0], [0, 1]], np.float32)).tolist() == pytest.approx(expected)
    assert centroid(np.array([[9, 0], [0, 1]], np.float32)).tolist() == pytest.approx(expected)


def test_opposites_cancel_out() -> None:
    """Where nothing is left, it is the zero vector, and single precision."""
    result = centroid(np.array([[1, 0], [-1, 0]], np.float32))
    assert result.tolist() == [0.0, 0.0]
    assert result.dtype == np.float32


@pytest.mark.req("D10")
@given(st.lists(st.lists(st.floats(0.125, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_length_one_whatever_the_order_and_one_vector_is_its_own_middle(rows: list[list[float]]) -> None:
    """Unit length, the same backwards, and a fixed point for a single vector."""
    array = np.array(rows, np.float32)
    middle = centroid(array)
    assert np.linalg.norm(middle) == pytest.approx(1, abs=1e-5)
    assert np.allclose(middle, centroid(array[::-1]), atol=1e-5)
    assert np.allclose(centroid(middle[np.newaxis]), middle, atol=1e-5)
