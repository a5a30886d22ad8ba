"""Spreading activation: what is linked to an accessed memory fades a little more slowly."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def boosted(stability_days: Values, share: float) -> Floats:
    """Stability of a neighbour, longer by ``share`` ≥ 0 for one access, however many ways lead to it.

    Source: collins-loftus-spreading, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, 1.0 + share)
    return result
