"""The daily sweep over the vault: what is archived, shown to a person, or given more time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Sweep(StrEnum):
    """What becomes of an observation."""

    ARCHIVE = "archive"
    REVIEW = "review"
    EXTEND = "extend"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class SweepEdges:
    """``floor``: below it archived at any age. Past its age: archived below ``low``, extended from ``high`` on."""

    floor: float
    low: float
    high: float


def verdict(age_days: float, effective_max_age_days: float, importance: float, edges: SweepEdges) -> Sweep:
    """The verdict on one observation; between ``low`` and ``high`` and past its age, a person looks at it.

    Source: ocean-vault
    """
    if importance < edges.floor:
        return Sweep.ARCHIVE
    if age_days <= effective_max_age_days:
        return Sweep.KEEP
    if importance < edges.low:
        return Sweep.ARCHIVE
    return Sweep.REVIEW if importance < edges.high else Sweep.EXTEND


def extended(max_age_days: float, factor: float) -> float:
    """The declared maximum age after one extension, ``factor`` ≥ 1 times what it was.

    Source: ocean-vault
    """
    return max_age_days * factor
