"""Freshness: how recent a memory is, by half-life or by the greatest age of its kind."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from reverie.formulas.arrays import Bools, Floats, Values

# How fresh an observation is: it fades evenly towards the end of its time.


def freshness(age_days: float, effective_max_age_days: float, least: float) -> float:
    """From 1 at creation in a straight line to ``least`` at the effective maximum age, and ``least`` beyond.

    Args:
        age_days: since creation; a clock that ran backwards counts as 0.
        effective_max_age_days: > 0; inf for what is permanent, which stays at 1.
        least: in [0, 1].

    Source: ocean-vault
    """
    if math.isinf(effective_max_age_days):
        return 1.0
    share = min(1.0, max(0.0, age_days) / effective_max_age_days)
    return 1.0 - (1.0 - least) * share


# Recency by half-life, and the blend that lets it move a similarity a little.


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


# How long an observation may stay: what proved important stays longer.


_LEAD, _UNIT = "max_age: ", "d"
"""What stands around the days of a tag; with a blank in it, so that no word of a message is taken for one."""
_DIGITS_MAX = 6


@dataclass(frozen=True, slots=True)
class Extension:
    """From which importance on the maximum age is multiplied, and by what."""

    importance: float
    factor: float


def effective_max_age(max_age_days: float, importance: float, extensions: tuple[Extension, ...]) -> float:
    """The declared maximum age times the factor of the highest extension that ``importance`` reaches.

    What is permanent (inf) stays so; nothing else becomes it.

    Source: ocean-vault
    """
    reached = [extension for extension in extensions if importance >= extension.importance]
    if not reached:
        return max_age_days
    return max_age_days * max(reached, key=lambda extension: extension.importance).factor


def age_tag(days: int) -> str:
    """The tag that declares a maximum age for one memory, in the words of the front matter of a vault's file.

    Source: ocean-vault
    """
    return f"{_LEAD}{days}{_UNIT}"


def age_in(tag: str) -> float | None:
    """The days that a tag declares; None where it declares none.

    Source: ocean-vault
    """
    digits = tag.removeprefix(_LEAD).removesuffix(_UNIT)
    whole = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX
    return float(digits) if whole and tag == f"{_LEAD}{digits}{_UNIT}" else None


def declared_days(tags: Iterable[str], of_class: float) -> float:
    """The longest maximum age that a tag declares; never less than its class has.

    Source: ocean-vault
    """
    return max([of_class, *(days for tag in tags if (days := age_in(tag)) is not None)])
