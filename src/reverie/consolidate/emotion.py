"""Step 2, emotional consolidation: flashbulb memories last longer, and what was felt becomes a tag."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Emotion
from reverie.consolidate.snapshot import Snapshot
from reverie.types import Memory


def emotion(snapshot: Snapshot, settings: Emotion, now: datetime) -> Outcome:
    """Strengthen each flashbulb once in its life (though it be pinned: nothing is taken from it); tag emotions."""
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.columns.fresh & ~snapshot.columns.immutable):
        memory = snapshot.memories[row]
        if memory.standing.flashbulb:
            _strengthen(memory, settings, now, gathering)
        elif memory.standing.emotion and not memory.standing.pinned:
            _tag(memory, gathering)
    return gathering.outcome()


def _strengthen(memory: Memory, settings: Emotion, now: datetime, gathering: Gathering) -> None:
    if memory.standing.consolidated_at is None:
        stability = memory.standing.stability_days * settings.factor
        gathering.alter(memory, "a flashbulb memory", stability_days=stability, consolidated_at=now)


def _tag(memory: Memory, gathering: Gathering) -> None:
    tags = memory.standing.tags
    if memory.standing.emotion not in tags:
        gathering.alter(memory, "an emotion settled", tags=(*tags, memory.standing.emotion))
