"""Statistics of a text: information density, entropy, self-reference and estimated tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reverie.types import FloatArray

# How much there is in a message to remember, before anything costly is done with it.


def density(entities: int, facts: int, temporal: int, corrections: int) -> int:
    """The count of distinct entities and facts and of signals of time and correction, each ≥ 0.

    Source: cognitive-memory-v9
    """
    return entities + facts + temporal + corrections


def is_thin(density: int, least: int) -> bool:
    """Whether a message holds too little to form anything from: its density lies below ``least``.

    Source: cognitive-memory-v9
    """
    return density < least


# How evenly scores are spread: 0 where one stands out, the logarithm of their number where all are alike.


def entropy(scores: Sequence[float]) -> float:
    """−Σ p·ln p of p = e^score / Σ e^score, in [0, ln n]; 0 for none.

    Source: shannon-communication
    """
    if not scores:
        return 0.0
    best = max(scores)
    raised = [math.exp(score - best) for score in scores]
    whole = math.fsum(raised)
    return -math.fsum(part / whole * math.log(part / whole) for part in raised if part > 0.0)


# How much a message tells of its speaker, and whether its length lets it say something: from counts alone.


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


# What injecting a text costs a language model, estimated without its tokeniser.


TOKENS_PER_WORD = 1.3
CHARACTERS_PER_TOKEN = 6.0


def estimated_tokens(text: str) -> int:
    """1.3 tokens a word, and at least one for every six characters (text without spaces is not free).

    Source: decision-0007
    """
    by_words = TOKENS_PER_WORD * len(text.split())
    by_length = len(text) / CHARACTERS_PER_TOKEN
    return math.ceil(max(by_words, by_length))
