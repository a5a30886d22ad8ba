"""The power law of forgetting in the form document D gives it: a heavy tail, so that old knowledge never quite goes."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Floats, Values


def retention(elapsed_days: Values, stability_days: Values) -> Floats:
    """Share still retrievable: (1 + t/(9·S))⁻², in (0, 1], 1 at the moment of access.

    Args:
        elapsed_days: days since the last access; a clock that ran backwards counts as 0.
        stability_days: S, > 0; after S days (10/9)⁻² = .81 is left.

    Source: cognitive-memory-v9, wixted-ebbesen-forgetting
    """
    elapsed = np.maximum(elapsed_days, 0.0)
    result: Floats = (1.0 + elapsed / (9.0 * np.asarray(stability_days, np.float64))) ** -2.0
    return result
