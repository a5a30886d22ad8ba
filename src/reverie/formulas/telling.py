"""How much a message tells of its speaker, and whether its length lets it say something: from counts alone."""

from __future__ import annotations

import numpy as np

from reverie.types import FloatArray

FULL = 0.1
"""Share of the words at which a message is wholly one or the other."""
SHORTEST = 8.0
"""Words a shorter message is taken to have, so that one pronoun does not decide."""


def telling(of_self: FloatArray, of_other: FloatArray, words: FloatArray) -> FloatArray:
    """1 where a message speaks of its speaker, 0 where it asks or addresses the other, ½ where it does neither.

    Args:
        of_self: (m,) words for oneself, ≥ 0.
        of_other: (m,) words for the other, and of questions, ≥ 0.
        words: (m,) length in words, ≥ 0.

    Source: decision-0021
    """
    surplus = (of_self - of_other) / np.maximum(words, np.float32(SHORTEST)) / np.float32(FULL)
    result: FloatArray = (np.clip(surplus, -1.0, 1.0) + 1.0).astype(np.float32) / np.float32(2.0)
    return result


def ample(words: FloatArray, least: float, most: float, shorter: float, longer: float) -> FloatArray:
    """1 for texts of ``least`` to ``most`` words; less by 1/``shorter`` a halving, by 1/``longer`` a doubling; ≥ 0.

    "Yes, sure!" says little, and a page says much else.

    Source: decision-0021
    """
    count = np.maximum(words, np.float32(1.0))
    below = np.log2(np.float32(least) / np.minimum(count, np.float32(least))) / np.float32(shorter)
    above = np.log2(np.maximum(count, np.float32(most)) / np.float32(most)) / np.float32(longer)
    result: FloatArray = np.maximum(1.0 - below - above, 0.0).astype(np.float32)
    return result
