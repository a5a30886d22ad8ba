"""Step 10, consolidation: a theme for each of the largest clusters, which names the episodes it stems from.

It takes the place of no more than it says: a member of which it leaves something out stays, linked to it.
"""

from __future__ import annotations

from datetime import datetime

from reverie.consolidate.making import THEME, Thought, made_since, make
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Consolidation
from reverie.consolidate.snapshot import Snapshot
from reverie.language.coverage import holds
from reverie.types import Kind, Memory, Relation, RelationKind, State


def consolidation(snapshot: Snapshot, settings: Consolidation, now: datetime) -> Outcome:
    """Form themes, as many a period as the limit; members are linked to them, or superseded where that is asked."""
    gathering = Gathering()
    room = max(0, settings.limit - made_since(snapshot, THEME))
    for cluster in snapshot.clusters[:room]:
        members = [snapshot.memories[row] for row in cluster.rows]
        text = snapshot.voice.theme([memory.text for memory in members])
        thought = Thought(Kind.SUMMARY, text, settings.importance, THEME, cluster.label)
        theme = make(snapshot, thought, members)
        gathering.formed.append(theme)
        for memory in members:
            _absorb(memory, theme, settings, now, gathering)
    if len(snapshot.clusters) > room:
        gathering.notes.append(f"{len(snapshot.clusters) - room} clusters wait for another night")
    return gathering.outcome()


def _absorb(memory: Memory, theme: Memory, settings: Consolidation, now: datetime, gathering: Gathering) -> None:
    why = "part of a theme"  # its name is made of the members' words
    if settings.supersede and _is_held(theme, memory):
        gathering.alter(memory, why, state=State.SUPERSEDED, superseded_by=theme.id, consolidated_at=now)
        gathering.related.append(Relation(theme.id, memory.id, RelationKind.SUPERSEDES, 1.0, now))
    else:
        gathering.alter(memory, why, consolidated_at=now)
        gathering.related.append(Relation(memory.id, theme.id, RelationKind.ELABORATES, 1.0, now))


def _is_held(theme: Memory, memory: Memory) -> bool:
    return holds(theme.text, memory.text, same_day=theme.at.date() == memory.at.date())
