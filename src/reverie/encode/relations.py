"""Relate: the edges of a new memory to its neighbours, and of causes to effects within one message. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.encode.facts import Thought
from reverie.encode.neighbours import Near
from reverie.encode.settings import RelateSettings
from reverie.language.text.coverage import Linkable, link
from reverie.ports import Bond
from reverie.types import Memory, Relation, RelationKind

_PRUNABLE = {RelationKind.RELATED_TO: 0, RelationKind.SAME_ENTITY: 1, RelationKind.ELABORATES: 2}
"""The kinds that may go, the first of them first. Supersedes, contradicts and causes never go."""


def relate(memory: Memory, near: Sequence[Near], now: datetime, settings: RelateSettings) -> list[Relation]:
    """Edges from a new memory to those near it by the heuristics, at most one a pair."""
    own = _linkable(memory)
    found: list[Relation] = []
    for other in near:
        linked = link(own, _linkable(other.memory), settings.thresholds)
        if linked is not None:
            kind, confidence = linked
            found.append(Relation(memory.id, other.memory.id, RelationKind(kind), confidence, now))
    return found


def bound(memory: Memory, others: Sequence[Memory], bonds: Sequence[Bond], now: datetime) -> list[Relation]:
    """The edges a model drew. What it takes for superseded is only contradicted: closing is the gate's affair."""
    found: list[Relation] = []
    for bond in bonds:
        if bond.other < len(others):
            ends = (memory.id, others[bond.other].id) if bond.from_new else (others[bond.other].id, memory.id)
            kind = RelationKind.CONTRADICTS if bond.kind is RelationKind.SUPERSEDES else bond.kind
            found.append(Relation(*ends, kind, bond.confidence, now))
    return found


def caused(formed: Sequence[tuple[Thought, str]], now: datetime, confidence: float) -> list[Relation]:
    """Edges from causes to effects that one message names with a connective, between what its thoughts became.

    ``formed``: each thought with the id of the memory it made or was found to be.
    """
    became = {thought.part: name for thought, name in formed}
    pairs = ((became.get(thought.because), name) for thought, name in formed if thought.because)
    return [
        Relation(cause, effect, RelationKind.CAUSES, confidence, now)
        for cause, effect in pairs
        if cause is not None and cause != effect
    ]


def prune(relations: Sequence[Relation], most: int, keep: int) -> list[Relation]:
    """Which edges go once there are ``most``: the least of the prunable kinds, least confident first, to ``keep``.

    Ties by source, target and kind, so that the same graph loses the same edges.
    """
    if len(relations) < most:
        return []
    prunable = [relation for relation in relations if relation.kind in _PRUNABLE]
    prunable.sort(key=lambda r: (_PRUNABLE[r.kind], r.confidence, r.source, r.target))
    return prunable[: len(relations) - keep]


class EdgeCount:
    """About how many edges a scope has, so that not every edge written has all of them read.

    They are read at first, when they may have become too many, and after so many were added as a pruning takes away:
    another process, a dream or a hand adds some too, and some never go.
    """

    def __init__(self) -> None:
        self._looked: int | None = None
        self._added = 0

    def is_due(self, added: int, settings: RelateSettings) -> bool:
        """Note edges that were added; whether all of them must be looked at."""
        self._added += added
        if self._looked is None or self._added >= settings.most - settings.keep:
            return True
        return self._looked < settings.most <= self._looked + self._added

    def looked(self, count: int) -> None:
        """Note how many there are."""
        self._looked, self._added = count, 0


def _linkable(memory: Memory) -> Linkable:
    return Linkable(frozenset(memory.entities), memory.kind, memory.text)
