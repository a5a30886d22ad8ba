"""Deduplication (document A): of two memories that say the same, the better vouched for stays; doubt is flagged."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.law import left_out
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.pairs import near_pairs
from reverie.consolidate.settings import Deduplication
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.dedup_resolution import Duplicate, Resolution, resolve
from reverie.formulas.similarity_scales import a0_to_cosine
from reverie.types import Memory, Relation, RelationKind, State

WHY = "deprecated as a duplicate"


def deduplication(snapshot: Snapshot, settings: Deduplication, now: datetime) -> Outcome:
    """Resolve the nearest pairs, as many a period as the limit; what is flagged is only named."""
    above = float(a0_to_cosine(settings.above))
    linked = snapshot.linked()
    gone: set[int] = set()
    room = settings.limit - _spent(snapshot)
    gathering = Gathering()
    for pair in near_pairs(snapshot, np.flatnonzero(snapshot.active), above, settings.nearest):
        if room <= 0:
            break
        rows = pair.first, pair.second
        if gone & set(rows) or not any(snapshot.columns.fresh[row] for row in rows):
            continue
        room -= 1
        first, second = (snapshot.memories[row] for row in rows)
        found = resolve(_duplicate(first, settings), _duplicate(second, settings), settings.auto_deprecate_inferred)
        if found.is_flag:
            gathering.notes.append(f"{found.value}: {first.id}, {second.id}")
            continue
        stays, goes = (first, second) if found is Resolution.KEEP_FIRST else (second, first)
        if lost := left_out(stays, goes):
            gathering.notes.append(f"kept {goes.id}: {stays.id} does not hold {', '.join(lost)}")
            continue
        gone.add(rows[1] if stays is first else rows[0])
        gathering.alter(goes, WHY, state=State.SUPERSEDED, superseded_by=stays.id, consolidated_at=now)
        if (stays.id, goes.id, RelationKind.SUPERSEDES) not in linked:
            gathering.related.append(Relation(stays.id, goes.id, RelationKind.SUPERSEDES, pair.cosine, now))
    return gathering.outcome()


def _duplicate(memory: Memory, settings: Deduplication) -> Duplicate:
    life = memory.standing
    return Duplicate(
        created_s=memory.recorded_at.timestamp(),
        load_bearing=life.pinned or life.immutable or settings.load_bearing in life.tags,
        confirmed=life.verified,
        user_asserted=any(source in settings.asserted for source in life.data_sources),
    )


def _spent(snapshot: Snapshot) -> int:
    """How many were deprecated in this period."""
    start = snapshot.night.period_start
    lives = (memory.standing for memory in snapshot.memories if memory.standing.superseded_by)
    return sum(
        life.state is State.SUPERSEDED and life.consolidated_at is not None and life.consolidated_at >= start
        for life in lives
    )
