"""Likeness of two texts by the terms they share: the measure of diversity, and of search in the vault."""

from __future__ import annotations

import math
from collections.abc import Mapping


def text_cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Cosine of two sparse vectors, term → count or weight ≥ 0; in [0, 1], 0 where one is empty.

    Source: salton-buckley-weighting
    """
    if len(other) < len(one):
        one, other = other, one
    shared = math.fsum(weight * other[term] for term, weight in one.items() if term in other)
    if shared == 0.0:
        return 0.0
    return min(1.0, shared / (_length(one) * _length(other)))


def _length(vector: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(weight * weight for weight in vector.values()))
