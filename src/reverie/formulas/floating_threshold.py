"""How much use is much is decided by the store itself: the mean count of accesses over its active memories.

Far below it, forgetting is faster; far above, a memory is protected.
"""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values


def threshold(accesses: Floats) -> float:
    """θ: the mean of (m,) access counts; 0 where there are none.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    return float(np.mean(accesses)) if np.size(accesses) else 0.0


def stability_for_test(stability_days: Values, accesses: Values, theta: float, share: float, factor: float) -> Floats:
    """The stability a forgetting test uses: times ``factor`` (½) where accesses lie below ``share`` (½) of θ.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    result: Floats = np.multiply(stability_days, np.where(np.less(accesses, share * theta), factor, 1.0))
    return result


def is_protected(accesses: Values, theta: float, share: float) -> Bools:
    """Whether use protects from forgetting: accesses above ``share`` (1½) times θ.

    Source: bienenstock-bcm, cognitive-memory-v9
    """
    result: Bools = np.greater(accesses, share * theta)
    return result


def is_within_minimum(age_days: Values, minimum_days: Values) -> Bools:
    """Whether a memory is younger than its category's minimum retention; one without end (inf) always is.

    Source: cognitive-memory-v9
    """
    result: Bools = np.less(age_days, minimum_days)
    return result
