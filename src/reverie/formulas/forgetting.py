"""The two rules of forgetting that are figures: what proved useless, and what is one too many."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values
from reverie.types import IntArray


def is_below_floor(utility: Values, idle_days: Values, floor: float, least_idle_days: float) -> Bools:
    """Whether a memory is of less use than ``floor`` and unused for at least ``least_idle_days``, both.

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.less(utility, floor), np.greater_equal(idle_days, least_idle_days))
    return result


def surplus(utility: Floats, exempt: Bools, capacity: int, trimmed: int) -> IntArray:
    """Indices to trim, least useful first: none up to ``capacity`` memories, above it as many as leave ``trimmed``.

    The exempt count towards the capacity but are never among them; of equals the earlier goes.

    Args:
        utility: (m,) of all active memories.
        exempt: (m,) those that must stay.
        capacity: how many may be.
        trimmed: how many are left after trimming, ≤ capacity.

    Source: cognitive-memory-v9
    """
    over = len(utility) - trimmed if len(utility) > capacity else 0
    indices = np.flatnonzero(~exempt)
    order = np.argsort(utility[indices], kind="stable")
    return indices[order][:over].astype(np.int64)
