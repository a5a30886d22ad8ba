"""What little the source of a memory is trusted takes from its score."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def ranked_down(score: Values, confidence: Values, threshold: float, least: float) -> Floats:
    """``score`` unchanged from ``threshold`` on; below, times a factor that falls evenly to ``least`` at confidence 0.

    Args:
        score: ≥ 0.
        confidence: of the source, in [0, 1].
        threshold: > 0.
        least: the factor at confidence 0, in [0, 1].

    Source: cognitive-memory-v9, decision-0010
    """
    share = np.clip(np.divide(confidence, threshold), 0.0, 1.0)
    result: Floats = np.multiply(score, least + (1.0 - least) * share)
    return result
