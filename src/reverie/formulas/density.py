"""How much there is in a message to remember, before anything costly is done with it."""

from __future__ import annotations


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
