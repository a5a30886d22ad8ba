"""The hot tier: the few memories that are injected whatever the cue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Bools, Floats
from reverie.types import IntArray


@dataclass(frozen=True, slots=True)
class HotEdges:
    """Least utility and accesses, and the age (since creation, days) that must not be reached.

    ``standing_utility`` is the least utility of what comes by the second door, whatever its count and age.
    """

    utility: float
    accesses: float
    age_days: float
    standing_utility: float


def qualifies(utility: Floats, accesses: Floats, age_days: Floats, active: Bools, edges: HotEdges) -> Bools:
    """Which of m memories are useful, often used, young and active enough.

    Source: cognitive-memory-v9
    """
    result: Bools = active & (utility >= edges.utility) & (accesses >= edges.accesses) & (age_days < edges.age_days)
    return result


def stands(utility: Floats, standing: Bools, active: Bools, edges: HotEdges) -> Bools:
    """Which of m memories come by the second door: active standing instructions and preferences, not found useless.

    Source: cognitive-memory-v9
    """
    result: Bools = active & standing & (utility >= edges.standing_utility)
    return result


def rank(utility: Floats, accesses: Floats, hot: Bools, limit: int) -> IntArray:
    """Indices of at most ``limit`` hot memories: most useful first, then most used, then in their order.

    Source: cognitive-memory-v9
    """
    indices = np.flatnonzero(hot)
    order = np.lexsort((-accesses[indices], -utility[indices]))
    return indices[order][:limit].astype(np.int64)
