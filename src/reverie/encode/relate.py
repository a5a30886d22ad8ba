"""Relate: the edges of a new memory to its neighbours, and of causes to effects within one message. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.encode.nearest import Near
from reverie.encode.settings import RelateSettings
from reverie.encode.thoughts import Thought
from reverie.language.analyzer import index_terms
from reverie.language.linking import Linkable, causes, link
from reverie.ports import Mind
from reverie.types import Memory, Relation, RelationKind

_PRUNABLE = {RelationKind.RELATED_TO: 0, RelationKind.SAME_ENTITY: 1, RelationKind.ELABORATES: 2}
"""The kinds that may go, the first of them first. Supersedes, contradicts and causes never go."""


def relate(
    memory: Memory, near: Sequence[Near], now: datetime, settings: RelateSettings, mind: Mind | None
) -> list[Relation]:
    """Edges from a new memory to those near it, at most one a pair: the model's word first, else the heuristics."""
    own = _linkable(memory)
    found: list[Relation] = []
    for other in near:
        said = mind.relate(memory.text, other.memory.text) if mind else None
        linked = said or link(own, _linkable(other.memory), settings.thresholds)
        if linked is not None:
            kind, confidence = linked
            found.append(Relation(memory.id, other.memory.id, RelationKind(kind), confidence, now))
    return found


def caused(text: str, laid: Sequence[tuple[Thought, Memory]], now: datetime, confidence: float) -> list[Relation]:
    """Edges from causes to effects that one message names with a connective, between two memories formed of it."""
    if len(laid) < 2:
        return []
    found: list[Relation] = []
    for cause, effect in causes(text):
        source, target = _of(cause, laid), _of(effect, laid)
        if source and target and source != target:
            found.append(Relation(source, target, RelationKind.CAUSES, confidence, now))
    return found


def prune(relations: Sequence[Relation], most: int, keep: int) -> list[Relation]:
    """Which edges go once there are ``most``: the least of the prunable kinds, least confident first, to ``keep``.

    Ties by source, target and kind, so that the same graph loses the same edges.
    """
    if len(relations) < most:
        return []
    prunable = [relation for relation in relations if relation.kind in _PRUNABLE]
    prunable.sort(key=lambda r: (_PRUNABLE[r.kind], r.confidence, r.source, r.target))
    return prunable[: len(relations) - keep]


def _of(words: str, laid: Sequence[tuple[Thought, Memory]]) -> str | None:
    return next((memory.id for thought, memory in laid if words in thought.part or thought.part in words), None)


def _linkable(memory: Memory) -> Linkable:
    return Linkable(frozenset(memory.entities), frozenset(index_terms(memory.text)), memory.kind)
