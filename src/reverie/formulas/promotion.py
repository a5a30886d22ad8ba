"""Which episodic memories become semantic, and which items of working memory outlive their session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Promotion(StrEnum):
    """Why a memory moves up, or why it stays."""

    ACCESSED = "accessed often"
    USEFUL = "useful for long"
    CONVERGENT = "several memories share its entity"
    EXEMPT = "pinned or immutable"
    NOT_YET = "no rule met"

    @property
    def moves(self) -> bool:
        """Whether the memory moves up."""
        return self not in (Promotion.EXEMPT, Promotion.NOT_YET)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the rules ask of a memory. ``entity_peers`` counts episodic memories, itself too, that share an entity."""

    accesses: int
    utility: float
    age_days: float
    entity_peers: int
    pinned: bool = False
    immutable: bool = False


@dataclass(frozen=True, slots=True)
class PromotionEdges:
    """Each rule's least: accesses; utility together with an age; memories around one entity."""

    accesses: int
    utility: float
    age_days: float
    entity_peers: int


def decide(candidate: Candidate, edges: PromotionEdges) -> Promotion:
    """The first rule that is met; pinned and immutable memories stay where they are.

    Source: tulving-episodic-semantic, cognitive-memory-v9
    """
    if candidate.pinned or candidate.immutable:
        return Promotion.EXEMPT
    if candidate.accesses >= edges.accesses:
        return Promotion.ACCESSED
    if candidate.utility >= edges.utility and candidate.age_days >= edges.age_days:
        return Promotion.USEFUL
    return Promotion.CONVERGENT if candidate.entity_peers >= edges.entity_peers else Promotion.NOT_YET


def outlives_session(accesses: int, importance: float, least_accesses: int, least_importance: float) -> bool:
    """Whether an item of working memory is a candidate for the store: used often enough, or important enough.

    Source: miller-seven, cognitive-memory-v9
    """
    return accesses >= least_accesses or importance >= least_importance
