"""How two texts hang together: same entities, one adding to the other, loosely related.

In: entities, kind and text of two memories. Out: a relation's name with its confidence. No model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from reverie.language.analyzer import index_terms

SAME_ENTITY, ELABORATES, RELATED_TO = "same_entity", "elaborates", "related_to"


@dataclass(frozen=True, slots=True)
class Linking:
    """Thresholds of document D's heuristics: shared entities, shares of common words in [0, 1], and confidences."""

    same_entity_min: int = 2
    elaborates_above: float = 0.30
    elaborates_entities_min: int = 1
    related_above: float = 0.15
    same_entity_confidence: float = 0.7
    elaborates_confidence: float = 0.5
    related_confidence: float = 0.4


@dataclass(frozen=True)  # without slots: the stems are read when they are asked for
class Linkable:
    """What the heuristics look at: the names in a text, what kind of memory it is, and the stems of its words."""

    entities: frozenset[str]
    kind: str
    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems."""
        return frozenset(index_terms(self.text))


class Link(NamedTuple):
    """A relation between two texts: its name as document D has it, and the confidence in [0, 1]."""

    relation: str
    confidence: float


_PUBLISHED = Linking()


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """The share of common words among all words of two texts, in [0, 1]; 0 if both are empty."""
    return len(first & second) / len(first | second) if first or second else 0.0


def link(first: Linkable, second: Linkable, by: Linking = _PUBLISHED) -> Link | None:
    """The strongest relation that shows between two texts, None if none does. Which is first makes no difference."""
    entities = len(first.entities & second.entities)
    if entities >= by.same_entity_min:
        return Link(SAME_ENTITY, by.same_entity_confidence)
    if entities < by.elaborates_entities_min and first.kind != second.kind:
        return None  # whatever words they share
    words = overlap(first.terms, second.terms)
    if words > by.elaborates_above and entities >= by.elaborates_entities_min:
        return Link(ELABORATES, by.elaborates_confidence)
    if words > by.related_above and first.kind == second.kind:
        return Link(RELATED_TO, by.related_confidence)
    return None
