"""Tiers forget at different speeds: the stability a test uses is the stored one divided by the tier's multiplier.

Nothing is stored, so nothing compounds from one dream to the next.
"""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def effective_stability(stability_days: Values, multiplier: Values) -> Floats:
    """stability/multiplier; a multiplier of 0 is frozen, with a stability without end.

    Source: pahf-tiers, cognitive-memory-v9
    """
    stability, times = np.broadcast_arrays(np.asarray(stability_days, np.float64), np.asarray(multiplier, np.float64))
    result: Floats = np.divide(stability, times, out=np.full(stability.shape, np.inf), where=times > 0)
    return result
