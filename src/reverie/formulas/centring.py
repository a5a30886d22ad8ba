"""Centred vectors: subtract what all vectors of a scope share, then compare them by cosine; and centroids."""

from __future__ import annotations

import numpy as np

from reverie.types import FloatArray

PRIOR = 20.0
"""Number of vectors at which the mean counts half. 2026-11-21, four development sets: 10 to 50 within a point."""

TINY = 1e-15
"""Vectors of this length or less count as zero: float32 loses digits in the squares of their components."""

NEAR = 2.0**-11
"""Rows nearer to the centre than this share of its length count as the centre: half precision is no more exact."""


def centre(mean: FloatArray, count: int) -> FloatArray:
    """Compute the point to centre on: the mean of ``count`` vectors, shrunk towards 0 by n/(n + 20).

    Source: mu-all-but-the-top
    """
    result: FloatArray = mean * np.float32(count / (count + PRIOR))
    return result


def unit(rows: FloatArray) -> FloatArray:
    """Scale vectors (along the last axis) to length 1; vectors of length ``TINY`` or less become zero.

    Source: mu-all-but-the-top
    """
    if rows.ndim == 1:  # a single vector is the most frequent case: same result in half the time
        length = np.sqrt(np.einsum("j,j->", rows, rows))
        return rows / length if length > TINY else np.zeros_like(rows)
    lengths = np.sqrt(np.einsum("...j,...j->...", rows, rows))[..., np.newaxis]
    result: FloatArray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > TINY)
    return result


def centred_lengths(rows: FloatArray, point: FloatArray) -> FloatArray:
    """Compute the distances of ``rows`` (m, d) from ``point``; 0 for a zero row and for one too near to tell from it.

    Source: mu-all-but-the-top
    """
    return centred(np.array(rows), point)[1]


def centred(rows: FloatArray, point: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Subtract ``point`` from ``rows`` (m, d) in place; return the rows and their ``centred_lengths``.

    Source: mu-all-but-the-top
    """
    zero = rows[:, 0] == 0  # few rows, as a rule, of which the rest is then looked at
    zero[zero] = ~rows[zero].any(axis=1)
    rows -= point
    lengths: FloatArray = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    nearest = max(TINY, NEAR * float(np.sqrt(np.einsum("j,j->", point, point))))
    lengths[zero | (lengths <= nearest)] = 0.0
    return rows, lengths


def centred_cosines(
    query: FloatArray,
    rows: FloatArray,
    point: FloatArray,
    lengths: FloatArray | None = None,
) -> FloatArray:
    """Compute cosines of ``query`` (d,) with ``rows`` (m, d), both relative to ``point``; 0 for undefined directions.

    The direction is undefined for a zero row and for a row that cannot be told from the point (``NEAR``, ``TINY``).

    Args:
        query: the vector to compare with.
        rows: the vectors to compare.
        point: origin for both.
        lengths: (m,) result of ``centred_lengths`` for the rows, if known.

    Source: mu-all-but-the-top
    """
    if lengths is None:
        lengths = centred_lengths(rows, point)
    towards = unit(query - point)
    # (x − μ)·q computed as x·q − μ·q: one pass over the rows; a zero row keeps length 0, so its cosine stays 0
    along = np.einsum("ij,j->i", rows, towards) - np.einsum("j,j->", point, towards)
    result: FloatArray = np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 0)
    return result


def centroid(vectors: FloatArray) -> FloatArray:
    """Compute the mean direction (d,) of (n, d) vectors, n ≥ 1, as a unit vector; 0 where they cancel out.

    Each vector counts equally, whatever its length.

    Source: gao-hyde
    """
    result: FloatArray = unit(unit(vectors).mean(axis=0)).astype(np.float32)
    return result
