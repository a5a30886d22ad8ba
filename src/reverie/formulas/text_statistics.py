"""Statistics of a text: information density, entropy, self-reference and estimated tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reverie.types import FloatArray

# Information density of a message, before anything costly is done with it.


def density(entities: int, facts: int, temporal: int, corrections: int) -> int:
    """Count the information in a message: distinct entities and facts, temporal signals and corrections, each ≥ 0.

    Source: cognitive-memory-v9
    """
    return entities + facts + temporal + corrections


def is_thin(density: int, least: int) -> bool:
    """Whether a message holds too little to form a memory: its density lies below ``least``.

    Source: cognitive-memory-v9
    """
    return density < least


def entropy(scores: Sequence[float]) -> float:
    """Compute the entropy −Σ p·ln p of the softmax p of scores, in [0, ln n]: low where one stands out; 0 for none.

    Source: shannon-communication
    """
    if not scores:
        return 0.0
    best = max(scores)
    raised = [math.exp(score - best) for score in scores]
    whole = math.fsum(raised)
    return -math.fsum(part / whole * math.log(part / whole) for part in raised if part > 0.0)


# Self-reference of a message and its length, from counts alone.


FULL = 0.1
"""Share of the words at which self-reference counts in full."""
SHORTEST = 8.0
"""Shorter messages are treated as this many words long, so that one pronoun does not decide."""


def telling(of_self: FloatArray, of_other: FloatArray, words: FloatArray) -> FloatArray:
    """Compute self-reference: 1 if a message is about its speaker, 0 if it asks or addresses the other, ½ if neither.

    Args:
        of_self: (m,) number of words for the speaker, ≥ 0.
        of_other: (m,) number of words for the other or of questions, ≥ 0.
        words: (m,) length in words, ≥ 0.

    Source: decision-0021
    """
    surplus = (of_self - of_other) / np.maximum(words, np.float32(SHORTEST)) / np.float32(FULL)
    result: FloatArray = (np.clip(surplus, -1.0, 1.0) + 1.0).astype(np.float32) / np.float32(2.0)
    return result


def ample(words: FloatArray, least: float, most: float, shorter: float, longer: float) -> FloatArray:
    """Score the length of texts: 1 for ``least`` to ``most`` words, less for shorter and longer ones; ≥ 0.

    Each halving below costs 1/``shorter``, each doubling above 1/``longer``: "Yes, sure!" says little.

    Source: decision-0021
    """
    count = np.maximum(words, np.float32(1.0))
    below = np.log2(np.float32(least) / np.minimum(count, np.float32(least))) / np.float32(shorter)
    above = np.log2(np.maximum(count, np.float32(most)) / np.float32(most)) / np.float32(longer)
    result: FloatArray = np.maximum(1.0 - below - above, 0.0).astype(np.float32)
    return result


# Prompt tokens of a text, estimated without a tokeniser.


TOKENS_PER_WORD = 1.3
CHARACTERS_PER_TOKEN = 6.0


def estimated_tokens(text: str) -> int:
    """Estimate the tokens of a text: 1.3 per word, but at least one per six characters (for text without spaces).

    Source: decision-0007
    """
    by_words = TOKENS_PER_WORD * len(text.split())
    by_length = len(text) / CHARACTERS_PER_TOKEN
    return math.ceil(max(by_words, by_length))
