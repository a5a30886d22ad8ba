"""One score out of several signals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats, Values


@dataclass(frozen=True, slots=True)
class CompositeWeights:
    """Shares of the signals, each ≥ 0. Three-term recipes leave ``fused`` at 0."""

    similarity: float
    activation: float
    importance: float
    fused: float = 0.0


def composite(
    similarity: Values, activation: Values, importance: Values, fused: Values, weights: CompositeWeights
) -> Floats:
    """The weighted sum of the signals, each in [0, 1]; ``fused`` is the reciprocal-rank score as it is, at most 2/61.

    Source: cognitive-memory-v9, openclaw-cognitive-memory
    """
    result: Floats = np.asarray(
        weights.similarity * np.asarray(similarity)
        + weights.activation * np.asarray(activation)
        + weights.importance * np.asarray(importance)
        + weights.fused * np.asarray(fused),
        np.float64,
    )
    return result
