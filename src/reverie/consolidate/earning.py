"""Earned importance (document B): references raise it, contradiction and neglect lower it.

What was applied up to ``drifted_at`` is not applied again: new events count, and neglect is put back to what it was
taken from before it is taken anew, so that it never compounds. What a person says of a memory (verified, of use,
important, wrong) moves its importance when it is said: ``engine.tending``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import isclose

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Earning
from reverie.consolidate.snapshot import Snapshot, days_between
from reverie.formulas.earned_importance import Happening, NeglectLaw, earned, moved, neglect
from reverie.types import Memory, Relation, RelationKind

REFERENCES = frozenset({RelationKind.ELABORATES, RelationKind.CAUSES, RelationKind.RELATED_TO})
"""Edges by which one memory refers to another, which it points to."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Something that happened to a memory."""

    at: datetime
    what: Happening


def earning(snapshot: Snapshot, settings: Earning, now: datetime) -> Outcome:
    """Work out each memory's importance from what happened since the last time."""
    happened = _occurrences(snapshot)
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        memory = snapshot.memories[row]
        importance = _importance(memory, happened[memory.id], settings, now)
        if not isclose(importance, memory.standing.importance, abs_tol=1e-9):
            why = "referred to" if importance > memory.standing.importance else "neglected or contradicted"
            gathering.alter(memory, why, importance=importance, drifted_at=now)
    return gathering.outcome()


def _importance(memory: Memory, happened: list[Occurrence], settings: Earning, now: datetime) -> float:
    applied = memory.standing.drifted_at
    before = [event for event in happened if applied is not None and event.at <= applied]
    since = [event for event in happened if applied is None or applied < event.at <= now]
    taken = 0.0 if applied is None else _neglect(memory, before, settings.neglect, applied)
    start = moved(memory.standing.importance, taken)
    after = earned(start, (event.what for event in since), settings.table)
    return moved(after, -_neglect(memory, happened, settings.neglect, now))


def _neglect(memory: Memory, happened: Iterable[Occurrence], law: NeglectLaw, now: datetime) -> float:
    """What neglect takes in all up to a moment, counted from the last reference before it, else from recording."""
    referred = (Happening.REFERENCED, Happening.REFERENCED_BY_OTHER)
    references = (event.at for event in happened if event.what in referred and event.at <= now)
    last = max(references, default=memory.recorded_at)
    return neglect(days_between(max(last, memory.recorded_at), now), law)


def _occurrences(snapshot: Snapshot) -> dict[str, list[Occurrence]]:
    """What the edges tell of each memory, by id and in order of time."""
    found: dict[str, list[Occurrence]] = defaultdict(list)
    for relation in sorted(snapshot.relations, key=_moment):
        source, target = snapshot.row(relation.source), snapshot.row(relation.target)
        if source is None or target is None:
            continue
        one, other = snapshot.memories[source], snapshot.memories[target]
        if relation.kind in REFERENCES:
            own = one.speaker == other.speaker
            what = Happening.REFERENCED if own else Happening.REFERENCED_BY_OTHER
            found[other.id].append(Occurrence(relation.at, what))
        elif relation.kind is RelationKind.CONTRADICTS:
            older = min(one, other, key=lambda memory: (memory.at, memory.recorded_at, memory.id))
            found[older.id].append(Occurrence(relation.at, Happening.CONTRADICTED))
    return found


def _moment(relation: Relation) -> tuple[datetime, str, str]:
    return relation.at, relation.source, relation.target
