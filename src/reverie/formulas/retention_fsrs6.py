"""The forgetting curve of FSRS-6, the scheduler flashcard programs fit to billions of reviews."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values

DECAY = 0.1542
"""w20 of the published default parameters."""


def retention(elapsed_days: Values, stability_days: Values, decay: float = DECAY) -> Floats:
    """Chance of recall: (1 + f·t/S)^(−w20) with f = .9^(−1/w20) − 1, in (0, 1]; exactly .9 after S days.

    Args:
        elapsed_days: days since the last access; a clock that ran backwards counts as 0.
        stability_days: S, > 0: the days after which nine in ten are recalled.
        decay: w20, > 0; the smaller, the heavier the tail.

    Source: fsrs-6
    """
    factor = 0.9 ** (-1.0 / decay) - 1.0
    elapsed = np.maximum(elapsed_days, 0.0)
    result: Floats = (1.0 + factor * elapsed / np.asarray(stability_days, np.float64)) ** -decay
    return result
