"""How useful a memory has proved: pulled towards success or failure at each use, adrift towards neutral without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Floats, Values


@dataclass(frozen=True, slots=True)
class UtilityWeights:
    """Shares of meaning, utility and importance in the weighted score; each ≥ 0, sum 1."""

    semantic: float
    utility: float
    importance: float


def after_use(utility: Values, target: Values, alpha: float) -> Floats:
    """Utility u becomes u + α·(target − u): one step of ``alpha`` in [0, 1] towards 1 (it helped) or 0 (it did not).

    Source: cognitive-memory-v9
    """
    held = np.asarray(utility, np.float64)
    result: Floats = np.add(held, alpha * (np.asarray(target, np.float64) - held))
    return result


def drifted(utility: Values, days: Values, rate: float, neutral: float = 0.5) -> Floats:
    """As the document writes it, u + rate·days·(neutral − u); from 1/rate days on exactly ``neutral``, never past it.

    Args:
        utility: in [0, 1].
        days: unused days not yet applied, ≥ 0.
        rate: share a day, ≥ 0.
        neutral: where it drifts to.

    Source: cognitive-memory-v9, decision-0011
    """
    share = np.clip(np.multiply(rate, days), 0.0, 1.0)
    held = np.asarray(utility, np.float64)
    result: Floats = np.add(held, share * (neutral - held))
    return result


def drifted_daily(utility: Values, days: Values, rate: float, neutral: float = 0.5) -> Floats:
    """The same step once for each day: neutral + (u − neutral)·(1 − rate)^days; a week is seven days, however applied.

    Args:
        utility: in [0, 1].
        days: unused days not yet applied, ≥ 0; parts of a day count in proportion.
        rate: share a day, in [0, 1).
        neutral: where it drifts to.

    Source: decision-0011
    """
    left = np.power(1.0 - rate, np.maximum(days, 0.0))
    result: Floats = np.add(neutral, (np.asarray(utility, np.float64) - neutral) * left)
    return result


def weighted(semantic: Values, utility: Values, importance: Values, weights: UtilityWeights) -> Floats:
    """The weighted sum of the three: meaning decides, the other two break ties.

    Source: cognitive-memory-v9
    """
    result: Floats = np.asarray(
        weights.semantic * np.asarray(semantic)
        + weights.utility * np.asarray(utility)
        + weights.importance * np.asarray(importance),
        np.float64,
    )
    return result
