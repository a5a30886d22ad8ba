"""Importance as scoring sees it: some categories lose weight with every day unused, the stored value stays."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def decayed(importance: Values, rate_per_day: Values, days: Values) -> Floats:
    """importance·e^(−rate·days), in [0, importance]; a rate of 0 never decays.

    Args:
        importance: in [0, 1].
        rate_per_day: the category's, ≥ 0.
        days: since the last access; a clock that ran backwards counts as 0.

    Source: cognitive-memory-v9
    """
    result: Floats = np.multiply(importance, np.exp(-np.asarray(rate_per_day) * np.maximum(days, 0.0)))
    return result
