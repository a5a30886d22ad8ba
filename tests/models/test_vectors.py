from __future__ import annotations

import numpy as np

from reverie.models.port_values import empty_rows, filled_rows, unit_rows


def test_rows_are_divided_by_their_length() -> None:
    """(3, 4) has length 5 and becomes (.6, .8), whatever type it came in."""
    assert np.allclose(unit_rows([[3, 4], [0, -2]]), [[0.6, 0.8], [0, -1]])
    assert unit_rows(np.array([[3.0, 4.0]], dtype=np.float16)).dtype == np.float32


def test_rows_without_a_direction_are_zero() -> None:
    """Zeros stay zero; a NaN or an infinity makes its row zero and leaves the others alone."""
    raw = [[0, 0], [float("nan"), 1], [float("inf"), 1], [0, 3]]
    assert unit_rows(raw).tolist() == [[0, 0], [0, 0], [0, 0], [0, 1]]


def test_huge_rows_keep_their_direction() -> None:
    """Squares that would overflow 32 bits are summed in 64."""
    assert np.allclose(unit_rows([[1e30, 1e30]]), [[0.5**0.5, 0.5**0.5]])


def test_the_input_is_left_as_it_was() -> None:
    """A float32 array handed in is copied, not changed."""
    raw = np.array([[3, 4]], dtype=np.float32)
    unit_rows(raw)
    assert raw.tolist() == [[3, 4]]


def test_empty_rows_are_zeros() -> None:
    """Any number of rows of the asked width."""
    assert empty_rows(2, 3).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert empty_rows(0, 3).shape == (0, 3)


def test_blank_texts_are_not_embedded() -> None:
    """Their rows are zero, the others' unit rows; where all are blank nothing is asked."""
    asked: list[str] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[3.0, 4.0] for _ in texts]

    assert np.allclose(filled_rows([" ", "tea", ""], 2, embed), [[0, 0], [0.6, 0.8], [0, 0]])
    assert filled_rows(["", "\n"], 2, embed).tolist() == [[0, 0], [0, 0]]
    assert asked == ["tea"]
