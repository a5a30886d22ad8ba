"""The testing effect: what is about to be lost is recalled once, and then lasts longer."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values
from reverie.types import IntArray


def endangered(retention: Floats, below: float, limit: int) -> IntArray:
    """Indices of at most ``limit`` of (m,) memories whose retention lies below ``below``, nearest to loss first.

    Source: roediger-karpicke-testing, cognitive-memory-v9
    """
    indices = np.flatnonzero(retention < below)
    order = np.argsort(retention[indices], kind="stable")
    return indices[order][:limit].astype(np.int64)


def rehearsed(stability_days: Values, factor: float) -> Floats:
    """Stability after a rehearsal, ``factor`` ≥ 1 times what it was.

    Source: roediger-karpicke-testing, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, factor)
    return result
