"""Freshness of a memory: recency by half-life, or linear ageing towards the maximum age of its class."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values


def freshness(age_days: float, effective_max_age_days: float, least: float) -> float:
    """Compute freshness: linear from 1 at creation to ``least`` at the effective maximum age, and ``least`` beyond.

    Args:
        age_days: days since creation; a negative age counts as 0.
        effective_max_age_days: > 0; inf for permanent memories, which stay at 1.
        least: in [0, 1].

    Source: ocean-vault
    """
    if math.isinf(effective_max_age_days):
        return 1.0
    share = min(1.0, max(0.0, age_days) / effective_max_age_days)
    return 1.0 - (1.0 - least) * share


# Recency by half-life, and its blend with similarity.


def recency(age_hours: Values, half_life_hours: float, floor: float) -> Floats:
    """Compute recency e^(−ln 2 · age/half-life), never below ``floor``: 1 now, ½ after one half-life.

    Args:
        age_hours: hours since the last access, else since creation; a negative age counts as 0.
        half_life_hours: > 0.
        floor: in [0, 1].

    Source: exocortex-memory
    """
    rate = np.log(2.0) / half_life_hours
    result: Floats = np.maximum(np.exp(-rate * np.maximum(age_hours, 0.0)), floor)
    return result


def unfading(recency: Values, exempt: Bools) -> Floats:
    """Set recency to 1 for memories exempt from ageing: structural, asserted by the user, or confirmed.

    Source: exocortex-memory
    """
    result: Floats = np.where(exempt, 1.0, recency)
    return result


def blended(similarity: Values, recency: Values, weight: float) -> Floats:
    """Blend similarity with recency: (1 − weight)·similarity + weight·recency, for a weight in [0, 1].

    Source: exocortex-memory
    """
    result: Floats = np.add((1.0 - weight) * np.asarray(similarity), weight * np.asarray(recency))
    return result


# Maximum age of an observation: longer for important ones.


_LEAD, _UNIT = "max_age: ", "d"
"""What surrounds the number of days in a tag. The blank keeps words of a message from being read as such a tag."""
_DIGITS_MAX = 6


@dataclass(frozen=True, slots=True)
class Extension:
    """Factor on the maximum age, and the least importance from which it applies."""

    importance: float
    factor: float


def effective_max_age(max_age_days: float, importance: float, extensions: tuple[Extension, ...]) -> float:
    """Compute the declared maximum age times the factor of the highest extension that ``importance`` reaches.

    A permanent memory (inf) stays permanent.

    Source: ocean-vault
    """
    reached = [extension for extension in extensions if importance >= extension.importance]
    if not reached:
        return max_age_days
    return max_age_days * max(reached, key=lambda extension: extension.importance).factor


def age_tag(days: int) -> str:
    """Return the tag that declares a memory's maximum age, written as in the front matter of a vault file.

    Source: ocean-vault
    """
    return f"{_LEAD}{days}{_UNIT}"


def age_in(tag: str) -> float | None:
    """Return the days that a tag declares, or None if it is no maximum-age tag.

    Source: ocean-vault
    """
    digits = tag.removeprefix(_LEAD).removesuffix(_UNIT)
    whole = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX
    return float(digits) if whole and tag == f"{_LEAD}{digits}{_UNIT}" else None


def declared_days(tags: Iterable[str], of_class: float) -> float:
    """Return the longest maximum age in days that a tag declares, at least that of the memory's class.

    Source: ocean-vault
    """
    return max([of_class, *(days for tag in tags if (days := age_in(tag)) is not None)])
