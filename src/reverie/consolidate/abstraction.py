"""Step 12, abstraction: the habit behind each of the largest clusters, as a pattern of its own."""

from __future__ import annotations

from datetime import datetime

from reverie.consolidate.making import PATTERN, Thought, is_made, is_outdated, is_retired, made_since, make
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Abstraction
from reverie.consolidate.snapshot import Snapshot
from reverie.types import Kind, Memory, Relation, RelationKind


def abstraction(snapshot: Snapshot, settings: Abstraction, now: datetime) -> Outcome:
    """Form a pattern for each of the top clusters that has none yet, as many a period as the limit."""
    gathering = Gathering()
    room = max(0, settings.limit - made_since(snapshot, PATTERN))
    known = {(one.standing.tags[1], one.speaker) for one in snapshot.memories if _is_known(snapshot, one)}
    for cluster in snapshot.clusters[: settings.limit]:
        members = [snapshot.memories[row] for row in cluster.rows]
        about = (cluster.label, members[0].speaker)
        if room == 0 or about in known:
            continue
        room -= 1
        known.add(about)
        text = snapshot.voice.pattern([memory.text for memory in members])
        thought = Thought(Kind.PATTERN, text, settings.importance, PATTERN, cluster.label)
        pattern = make(snapshot, thought, members)
        gathering.formed.append(pattern)
        gathering.related += [_edge(memory, pattern, now) for memory in members]
    return gathering.outcome()


def _is_known(snapshot: Snapshot, memory: Memory) -> bool:
    return is_made(memory, PATTERN) and not is_retired(memory) and not is_outdated(snapshot, memory)


def _edge(memory: Memory, pattern: Memory, now: datetime) -> Relation:
    return Relation(memory.id, pattern.id, RelationKind.ELABORATES, 1.0, now)
