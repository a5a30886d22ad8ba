"""Centring takes off what all vectors share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.formulas.centring import NEAR, TINY, centre, centred_cosines, centred_lengths, unit
from reverie.types import FloatArray


def row(*values: float) -> FloatArray:
    """A float32 vector."""
    return np.array(values, np.float32)


def test_the_mean_of_twenty_counts_half() -> None:
    """n/(n + 20) at n = 20."""
    assert centre(row(0.4, -0.2), 20).tolist() == pytest.approx([0.2, -0.1])


def test_of_nothing_there_is_no_centre() -> None:
    """Without vectors nothing is taken off."""
    assert centre(row(0.0, 0.0), 0).tolist() == [0.0, 0.0]


def test_a_worked_cosine() -> None:
    """Seen from (1, 0), the points (1, 1) and (2, 0) stand at a right angle to one another."""
    assert centred_cosines(row(1, 1), np.array([[2, 0], [1, 3]], np.float32), row(1, 0)).tolist() == [0.0, 1.0]


def test_from_the_origin_it_is_the_plain_cosine() -> None:
    """A point of 0 changes nothing."""
    assert centred_cosines(row(1, 0), np.array([[3, 4]], np.float32), row(0, 0))[0] == pytest.approx(0.6)


def test_an_empty_text_is_like_nothing() -> None:
    """A zero row has similarity 0, whatever the centre."""
    assert centred_cosines(row(1, 0), np.zeros((1, 2), np.float32), row(0.5, 0.5)).tolist() == [0.0]


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3), min_size=1, max_size=9))
def test_bounded(rows: list[list[float]]) -> None:
    """A cosine stays within [−1, 1]; a unit vector has length 1 or 0."""
    array = np.array(rows, np.float32)
    cosines = centred_cosines(array[0], array, centre(array.mean(axis=0), len(array)))
    assert (np.abs(cosines) <= 1 + 1e-3).all()
    lengths = np.linalg.norm(unit(array), axis=1)
    assert (np.isclose(lengths, 1, atol=1e-3) | (lengths == 0)).all()


def test_known_lengths_change_nothing() -> None:
    """Handing in what would be worked out gives the same to the bit."""
    rows = np.random.default_rng(5).standard_normal((9, 33)).astype(np.float32)
    rows[4] = 0
    query, point = rows[0].copy(), centre(rows.mean(axis=0), 9)
    plain = centred_cosines(query, rows, point)
    lengths = centred_lengths(rows, point)
    assert lengths[4] == 0.0
    assert centred_cosines(query, rows, point, lengths).tolist() == plain.tolist()


@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=1, max_size=40))
def test_one_vector_is_made_unit_like_one_of_many(values: list[float]) -> None:
    """The short way for one vector gives what the formula for rows gives, to the bit."""
    one = np.array(values, np.float32)
    length = np.sqrt(np.einsum("...j,...j->...", one, one))[..., np.newaxis]
    rows = np.divide(one, length, out=np.zeros_like(one), where=length > TINY)
    assert unit(one).tobytes() == rows.tobytes()


@given(
    st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3),
    st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3),
    st.integers(-150, 0),
)
def test_bounded_at_every_scale(one: list[float], other: list[float], power: int) -> None:
    """However small two vectors are, a cosine stays within [−1, 1] and a unit vector has length 1 or 0."""
    rows = np.array([one, other], np.float32) * np.float32(2.0**power)
    lengths = np.linalg.norm(unit(rows), axis=1)
    assert (np.isclose(lengths, 1, atol=1e-3) | (lengths == 0)).all()
    for point in (np.zeros(3, np.float32), rows.mean(axis=0)):
        assert (np.abs(centred_cosines(rows[0], rows, point)) <= 1 + 1e-3).all()


@given(
    st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3),
    st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3),
    st.integers(-30, 0),
)
def test_bounded_near_the_centre(point: list[float], away: list[float], power: int) -> None:
    """However near a row lies to the centre, its cosine stays within [−1, 1]."""
    centre_ = np.array(point, np.float32)
    rows = np.array([centre_ + np.array(away, np.float32) * np.float32(2.0**power)], np.float32)
    assert (np.abs(centred_cosines(row(1, 0, 0), rows, centre_)) <= 1 + 1e-3).all()
    assert (np.abs(centred_cosines(rows[0], rows, centre_)) <= 1 + 1e-3).all()


def test_what_is_too_short_to_measure_is_zero() -> None:
    """A length whose square float32 cannot hold counts as 0; one above the bound does not."""
    assert unit(row(TINY / 2, 0)).tolist() == [0.0, 0.0]
    assert unit(row(TINY * 2, 0)).tolist() == [1.0, 0.0]
    assert unit(np.array([[TINY / 2, 0], [TINY * 2, 0]], np.float32)).tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_what_cannot_be_told_from_the_centre_is_like_nothing() -> None:
    """A row nearer to the centre than half precision tells has length 0; one twice as far has not."""
    rows = np.array([[1 + NEAR / 2, 0], [1 + NEAR * 2, 0]], np.float32)
    assert centred_lengths(rows, row(1, 0)).tolist() == [0.0, 2 * NEAR]
