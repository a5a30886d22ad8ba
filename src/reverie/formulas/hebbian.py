"""What is recalled together grows together."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def strengthened(stability_days: Values, share: float) -> Floats:
    """Stability of a memory that was injected together with others: longer by ``share`` ≥ 0.

    Source: hebb-organization, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, 1.0 + share)
    return result


def pair_boost(count: Values, least: float, boost: float) -> Floats:
    """What a memory gains when its partner is a hit: ``boost`` if they came together at least ``least`` times, else 0.

    Where a memory has several partners among the hits, ``count`` is the highest of them: it gains once.

    Source: hebb-organization, cognitive-memory-v9
    """
    result: Floats = np.where(np.greater_equal(count, least), boost, 0.0)
    return result
