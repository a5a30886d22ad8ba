"""Which observations all agents get to read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SharedTruth(StrEnum):
    """Why an observation is shared, or that it is not."""

    BY_PERSON = "a person said so"
    EARNED = "important by use"
    VERIFIED = "verified and important"
    NOT_YET = "not yet"

    @property
    def moves(self) -> bool:
        """Whether the observation is shared."""
        return self is not SharedTruth.NOT_YET


@dataclass(frozen=True, slots=True)
class VaultPromotionEdges:
    """The least importance, and the least of what is verified."""

    importance: float
    verified_importance: float


def verdict(importance: float, verified: bool, by_person: bool, edges: VaultPromotionEdges) -> SharedTruth:
    """The first reason there is to share an observation.

    Source: ocean-vault
    """
    if by_person:
        return SharedTruth.BY_PERSON
    if importance >= edges.importance:
        return SharedTruth.EARNED
    if verified and importance >= edges.verified_importance:
        return SharedTruth.VERIFIED
    return SharedTruth.NOT_YET
