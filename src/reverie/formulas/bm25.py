"""BM25: rarity and saturation of a term; and how much the window around a message lends it."""

from __future__ import annotations

import math

import numpy as np

from reverie.types import FloatArray, IntArray

# BM25: how strongly a term speaks for a text, from counts alone.


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


# How much a message is recalled through its neighbours, given how long it is; and what windows around it hold.


def neighbour_weight(words: FloatArray, weight: float, full_words: float) -> FloatArray:
    """``weight`` for texts up to ``full_words`` long, falling as 1/length beyond.

    A short turn ("Yes, in March!") needs its neighbours to be understood; a page does not, and would only crowd
    out others through them.

    Source: howard-kahana-tcm
    """
    share: FloatArray = np.minimum(1.0, full_words / np.maximum(words, 1.0)).astype(np.float32, copy=False)
    return np.float32(weight) * share


def window_sums(
    values: FloatArray, previous: IntArray, following: IntArray, centres: IntArray, radius: int
) -> FloatArray:
    """(m,) the sum of ``values`` (n,) over each centre and up to ``radius`` neighbours before and behind it.

    Args:
        values: one a message.
        previous: (n,) the message before each, −1 for none.
        following: (n,) the message after each, −1 for none.
        centres: (m,) messages.
        radius: how far the window reaches, ≥ 0.

    Source: howard-kahana-tcm
    """
    sums: FloatArray = values[centres].copy()
    for links in (previous, following):
        at, member = centres, np.arange(len(centres))
        for _ in range(radius):
            at = links[at]
            linked = at >= 0
            at, member = at[linked], member[linked]
            sums[member] += values[at]
    return sums
