"""Which semantic memories go to sleep: long unused and of little use, both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Demotion(StrEnum):
    """Why a memory is put to sleep, or why it stays."""

    IDLE_AND_USELESS = "long unused and of little use"
    EXEMPT = "pinned, immutable or a flashbulb"
    IN_USE = "used or useful"

    @property
    def moves(self) -> bool:
        """Whether the memory is put to sleep."""
        return self is Demotion.IDLE_AND_USELESS


@dataclass(frozen=True, slots=True)
class DemotionEdges:
    """From how many idle days on, and below which utility."""

    idle_days: float
    utility: float


def decide(idle_days: float, utility: float, protected: bool, edges: DemotionEdges) -> Demotion:
    """The decision; ``protected`` is pinned, immutable or flashbulb, which none of this touches.

    Source: pahf-tiers, cognitive-memory-v9
    """
    if protected:
        return Demotion.EXEMPT
    if idle_days >= edges.idle_days and utility < edges.utility:
        return Demotion.IDLE_AND_USELESS
    return Demotion.IN_USE
