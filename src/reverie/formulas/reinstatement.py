"""How much a message is recalled through its neighbours, given how long it is."""

from __future__ import annotations

import numpy as np

from reverie.types import FloatArray


def neighbour_weight(words: FloatArray, weight: float, full_words: float) -> FloatArray:
    """``weight`` for texts up to ``full_words`` long, falling as 1/length beyond.

    A short turn ("Yes, in March!") needs its neighbours to be understood; a page does not, and would only crowd
    out others through them.

    Source: howard-kahana-tcm
    """
    share: FloatArray = np.minimum(1.0, full_words / np.maximum(words, 1.0)).astype(np.float32)
    return np.float32(weight) * share
