"""Maximal marginal relevance: what is relevant and not already said."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats
from reverie.types import IntArray


def mmr(relevance: Floats, similarity: Floats, lambda_: float, top_k: int) -> IntArray:
    """Indices in order of choice, each time the best of λ·relevance − (1 − λ)·(likeness to the likest chosen).

    Args:
        relevance: (m,) scores in [0, 1].
        similarity: (m, m), symmetric, in [0, 1].
        lambda_: 1 is relevance alone, 0 difference alone.
        top_k: how many to choose; all m where there are fewer.

    Ties go to the lower index; the first choice has nothing to differ from.

    Source: carbonell-goldstein-mmr
    """
    marginal = lambda_ * np.asarray(relevance, np.float64)
    nearest = np.zeros(len(marginal))
    chosen: list[int] = []
    left = np.ones(len(marginal), dtype=bool)
    for _ in range(min(top_k, len(marginal))):
        best = int(np.argmax(np.where(left, marginal - (1.0 - lambda_) * nearest, -np.inf)))
        chosen.append(best)
        left[best] = False
        nearest = np.maximum(nearest, similarity[best])
    return np.array(chosen, np.int64)
