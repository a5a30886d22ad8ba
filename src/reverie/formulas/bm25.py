"""BM25: how strongly a term speaks for a text, from counts alone."""

from __future__ import annotations

import math

import numpy as np

from reverie.types import FloatArray


def idf(containing: int, size: int) -> float:
    """Weight of a term found in ``containing`` of ``size`` texts: ln(1 + (N − n + ½)/(n + ½)), always > 0.

    Source: lucene-bm25
    """
    return math.log1p((size - containing + 0.5) / (containing + 0.5))


def saturation(counts: FloatArray, lengths: FloatArray, mean_length: float, k1: float, b: float) -> FloatArray:
    """How far repeating a term counts: tf / (tf + k1·(1 − b + b·length/mean length)), in [0, 1).

    Args:
        counts: (m,) occurrences of the term, ≥ 0.
        lengths: (m,) terms of the texts it occurs in, ≥ 0.
        mean_length: mean over all texts, > 0.
        k1: how late the count saturates, ≥ 0.
        b: how much a long text is discounted, in [0, 1].

    Source: robertson-bm25
    """
    norm = np.float32(k1 * b / mean_length) * lengths + np.float32(k1 * (1.0 - b))
    result: FloatArray = np.divide(counts, counts + norm, dtype=np.float32)
    return result
