"""Recency by half-life, and the blend that lets it move a similarity a little."""

from __future__ import annotations

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values


def recency(age_hours: Values, half_life_hours: float, floor: float) -> Floats:
    """e^(−ln 2 · age/half-life), never below ``floor``: 1 now, ½ after one half-life.

    Args:
        age_hours: since the last access, else since creation; a clock that ran backwards counts as 0.
        half_life_hours: > 0.
        floor: in [0, 1].

    Source: exocortex-memory
    """
    rate = np.log(2.0) / half_life_hours
    result: Floats = np.maximum(np.exp(-rate * np.maximum(age_hours, 0.0)), floor)
    return result


def unfading(recency: Values, exempt: Bools) -> Floats:
    """Recency with 1 where a memory is exempt from ageing: structural, asserted by the user, or confirmed.

    Source: exocortex-memory
    """
    result: Floats = np.where(exempt, 1.0, recency)
    return result


def blended(similarity: Values, recency: Values, weight: float) -> Floats:
    """(1 − weight)·similarity + weight·recency: between the two, whatever the weight in [0, 1].

    Source: exocortex-memory
    """
    result: Floats = np.add((1.0 - weight) * np.asarray(similarity), weight * np.asarray(recency))
    return result
