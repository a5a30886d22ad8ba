"""Ebbinghaus' curve: what is left falls by the same share every day."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def retention(elapsed_days: Values, stability_days: Values) -> Floats:
    """Share still retrievable: e^(−t/S), in [0, 1], 1 at the moment of access and .37 after S days.

    Args:
        elapsed_days: days since the last access; a clock that ran backwards counts as 0.
        stability_days: S, > 0.

    Source: openclaw-cognitive-memory, ebbinghaus-forgetting
    """
    result: Floats = np.exp(-np.maximum(elapsed_days, 0.0) / np.asarray(stability_days, np.float64))
    return result
