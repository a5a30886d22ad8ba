"""Scaling a list of scores by its best, so that lists of different kinds can be added."""

from __future__ import annotations

import numpy as np

from reverie.types import FloatArray


def scaled(values: FloatArray, best: float) -> FloatArray:
    """``values`` below zero cut to 0 and divided by ``best``; all 0 where nothing scored (``best`` ≤ 0).

    Unlike ranks, this keeps the margins: a clear winner stays a clear winner.

    Source: decision-0007
    """
    if best <= 0.0:
        return np.zeros_like(values)
    result: FloatArray = np.minimum(np.maximum(values / np.float32(best), 0.0), 1.0)
    return result
