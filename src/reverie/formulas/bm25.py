"""BM25 term weights, and weights by which a message is found through its neighbours."""

from __future__ import annotations

import math

import numpy as np

from reverie.types import FloatArray, IntArray


def idf(containing: int, size: int) -> float:
    """Compute the weight of a term found in ``containing`` of ``size`` texts: ln(1 + (N − n + ½)/(n + ½)), always > 0.

    Source: lucene-bm25
    """
    return math.log1p((size - containing + 0.5) / (containing + 0.5))


def saturation(counts: FloatArray, lengths: FloatArray, mean_length: float, k1: float, b: float) -> FloatArray:
    """Compute BM25's saturated term frequency: tf / (tf + k1·(1 − b + b·length/mean length)), in [0, 1).

    Args:
        counts: (m,) occurrences of the term, ≥ 0.
        lengths: (m,) terms of the texts it occurs in, ≥ 0.
        mean_length: mean over all texts, > 0.
        k1: how slowly the count saturates, ≥ 0.
        b: how strongly long texts are discounted, in [0, 1].

    Source: robertson-bm25
    """
    norm = np.float32(k1 * b / mean_length) * lengths + np.float32(k1 * (1.0 - b))
    result: FloatArray = np.divide(counts, counts + norm, dtype=np.float32)
    return result


# Context of a message: the weight of its neighbours, given its length, and sums over a window.


def neighbour_weight(words: FloatArray, weight: float, full_words: float) -> FloatArray:
    """Compute the weight of a message's neighbours: ``weight`` up to ``full_words`` words, falling as 1/length beyond.

    A short turn ("Yes, in March!") needs its neighbours to be understood; a page does not, and would only displace
    others through them.

    Source: howard-kahana-tcm
    """
    share: FloatArray = np.minimum(1.0, full_words / np.maximum(words, 1.0)).astype(np.float32, copy=False)
    return np.float32(weight) * share


def window_sums(
    values: FloatArray, previous: IntArray, following: IntArray, centres: IntArray, radius: int
) -> FloatArray:
    """Sum ``values`` (n,) over each of (m,) centres and up to ``radius`` neighbours on either side.

    Args:
        values: one per message.
        previous: (n,) index of the preceding message, −1 for none.
        following: (n,) index of the following message, −1 for none.
        centres: (m,) indices of messages.
        radius: number of neighbours on each side, ≥ 0.

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
