"""Vectors about their centre: centred unit vectors, their cosines, and centroids."""

from __future__ import annotations

import numpy as np

from reverie.types import FloatArray

# Centring: what all texts of a scope have in common is taken off before two of them are compared.


PRIOR = 20.0
"""Vectors it takes until the mean counts for half. 2026-11-21, four development sets: 10 to 50 within a point."""

TINY = 1e-15
"""A vector this short or shorter is taken for zero: the squares of its parts lie where float32 loses digits."""

NEAR = 2.0**-11
"""Of the centre's length: what lies nearer to it is taken for the centre. A half-precision row is no more exact."""


def centre(mean: FloatArray, count: int) -> FloatArray:
    """The point to centre on: the mean of ``count`` vectors, drawn towards 0 by n/(n + 20) while they are few.

    Source: mu-all-but-the-top
    """
    result: FloatArray = mean * np.float32(count / (count + PRIOR))
    return result


def unit(rows: FloatArray) -> FloatArray:
    """Vectors (the last axis) divided by their length; a zero vector stays zero, one of ``TINY`` length becomes zero.

    Source: mu-all-but-the-top
    """
    if rows.ndim == 1:  # one vector, as most often: the same numbers for half the time
        length = np.sqrt(np.einsum("j,j->", rows, rows))
        return rows / length if length > TINY else np.zeros_like(rows)
    lengths = np.sqrt(np.einsum("...j,...j->...", rows, rows))[..., np.newaxis]
    result: FloatArray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > TINY)
    return result


def centred_lengths(rows: FloatArray, point: FloatArray) -> FloatArray:
    """Compute the distance of each row of ``rows`` (m, d) from ``point``; 0 for a zero row and for one equal to it.

    Source: mu-all-but-the-top
    """
    seen = rows - point
    lengths: FloatArray = np.sqrt(np.einsum("ij,ij->i", seen, seen))
    nearest = max(TINY, NEAR * float(np.sqrt(np.einsum("j,j->", point, point))))
    lengths[~rows.any(axis=1) | (lengths <= nearest)] = 0.0
    return lengths


def centred_cosines(
    query: FloatArray,
    rows: FloatArray,
    point: FloatArray,
    lengths: FloatArray | None = None,
) -> FloatArray:
    """Cosines of ``query`` (d,) with ``rows`` (m, d), both seen from ``point``; 0 where there is no direction.

    There is none for a row that is all zero, nor for what cannot be told from the point (``NEAR``, ``TINY``).

    Args:
        query: the vector to compare with.
        rows: the vectors to compare.
        point: where both are seen from.
        lengths: (m,) what ``centred_lengths`` gives for the rows, if known.

    Source: mu-all-but-the-top
    """
    if lengths is None:
        lengths = centred_lengths(rows, point)
    towards = unit(query - point)
    # (x − μ)·q as x·q − μ·q: one pass over the rows; a zero row keeps its length 0, so its cosine stays 0
    along = np.einsum("ij,j->i", rows, towards) - np.einsum("j,j->", point, towards)
    result: FloatArray = np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 0)
    return result


# The middle of a few vectors: one query that stands for all its variants.


def centroid(vectors: FloatArray) -> FloatArray:
    """(d,) mean of (n, d) vectors, n ≥ 1, brought to length 1; 0 where they cancel out.

    Each vector counts alike whatever its length.

    Source: gao-hyde
    """
    result: FloatArray = unit(unit(vectors).mean(axis=0)).astype(np.float32)
    return result
