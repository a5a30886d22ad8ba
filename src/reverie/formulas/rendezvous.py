"""Which of several places a key belongs to, by rendezvous hashing with weights."""

from __future__ import annotations

import math

LEAST, MOST = 2.0**-65, 1.0 - 2.0**-53
"""Uniform numbers are taken within these, where their logarithm is finite and not 0."""


def rendezvous_score(uniform: float, weight: float) -> float:
    """Return w / −ln u of a place's weight w ≥ 0 and a number u, uniform in (0, 1), that key and place hash to.

    A key belongs to the place of the highest score: with probability w / Σw. Where a place is added, keys move to it
    alone, and its share of them.

    Source: thaler-rendezvous.
    """
    return weight / -math.log(min(max(uniform, LEAST), MOST))
