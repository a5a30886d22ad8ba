"""Two strengths of one memory: how deeply it is stored, which only grows, and how easily it comes, which fades.

The second is ``retention_power.retention``: 1 at each access.
"""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values

LEAST = 1.0
MOST = 10.0


def storage_gain(retrieval: Values, easy: float, hard: float) -> Floats:
    """The worth of a successful retrieval: ``easy`` when the memory was at hand, up to ``hard`` when nearly lost.

    Args:
        retrieval: retrieval strength just before the access, in [0, 1].
        easy: gain at retrieval 1, in [0, hard].
        hard: gain at retrieval 0, in [easy, 1].

    Source: bjork-disuse, decision-0008
    """
    result: Floats = np.asarray(hard - (hard - easy) * np.clip(retrieval, 0.0, 1.0), np.float64)
    return result


def storage_after(storage: Values, gain: Values) -> Floats:
    """Storage strength after a successful retrieval: the share ``gain`` of what is missing to 10 is won.

    Args:
        storage: in [1, 10].
        gain: in [0, 1].

    Source: bjork-disuse, decision-0008
    """
    held = np.clip(storage, LEAST, MOST)
    result: Floats = np.asarray(held + np.clip(gain, 0.0, 1.0) * (MOST - held), np.float64)
    return result


def is_tip_of_tongue(storage: Values, retrieval: Values, high: float, low: float) -> Bools:
    """Well stored (at least ``high``) and yet hard to reach (less than ``low``).

    Source: cognitive-memory-v9
    """
    result: Bools = np.logical_and(np.greater_equal(storage, high), np.less(retrieval, low))
    return result
