"""Sub-tiers (D37): whose experience an episodic memory is, and what kind of knowledge a semantic one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from reverie.language import patterns
from reverie.recall.boosts import moved
from reverie.recall.quest import Quest
from reverie.recipes.v9.wordlists import WORDS
from reverie.types import Kind, Memory, Tier


class SubTier(StrEnum):
    """The six sub-tiers."""

    PERSONAL = "personal"
    OBSERVED = "observed"
    VICARIOUS = "vicarious"
    SCHEMATIC = "schematic"
    PROCEDURAL = "procedural"
    FACTUAL = "factual"


def sub_tier(memory: Memory) -> SubTier:
    """Episodic by source (its user's, observed, another agent's), semantic by content (rule, procedure, fact)."""
    if memory.standing.tier is Tier.SEMANTIC:
        return _by_content(memory)
    sources = memory.standing.data_sources
    if sources[:1] == ("federation",):  # who told it first
        return SubTier.VICARIOUS
    return SubTier.PERSONAL if "user_message" in sources or memory.role == "user" else SubTier.OBSERVED


def _by_content(memory: Memory) -> SubTier:
    if memory.kind is Kind.PATTERN or patterns.found("schematic", memory.text, WORDS):
        return SubTier.SCHEMATIC
    if memory.kind is Kind.SKILL or patterns.found("procedural", memory.text, WORDS):
        return SubTier.PROCEDURAL
    return SubTier.FACTUAL


@dataclass(frozen=True, slots=True)
class SubTierBoost:
    """Multiplies by the factor of the memory's sub-tier (D37)."""

    factors: tuple[tuple[SubTier, float], ...]
    name: str = "sub-tier boost"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, boosted."""
        found, factors = list(quest.candidates), dict(self.factors)
        return moved(quest, found, (c.scaled("sub-tier", 1.0, factors[sub_tier(c.memory)]) for c in found))
