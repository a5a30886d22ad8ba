"""One score out of several signals, and what a shared entity, the running session or a weak source add or take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values


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


def entity_boosted(score: Values, matches: Values, boost: float) -> Floats:
    """``score`` plus ``boost`` for each entity that cue and memory share.

    Source: cognitive-memory-v9
    """
    result: Floats = np.add(score, np.multiply(boost, matches))
    return result


def episode_boosted(score: Values, same_session: Bools, boost: float) -> Floats:
    """``score`` plus ``boost`` where the memory was formed in the session that asks.

    Source: cognitive-memory-v9
    """
    result: Floats = np.add(score, np.where(same_session, boost, 0.0))
    return result
