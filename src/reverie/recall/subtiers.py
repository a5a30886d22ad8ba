"""Sub-tiers (D37): whose experience an episodic memory is, and what kind of knowledge a semantic one."""

from __future__ import annotations

from enum import StrEnum

from reverie.language import patterns
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
    if memory.kind is Kind.PATTERN or patterns.found("schematic", memory.text):
        return SubTier.SCHEMATIC
    if memory.kind is Kind.SKILL or patterns.found("procedural", memory.text):
        return SubTier.PROCEDURAL
    return SubTier.FACTUAL
