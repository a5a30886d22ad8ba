"""Sharing (document B): what proved itself is marked as true for all agents. The copy itself is the vault's to make."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Sharing
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.vault_promotion import verdict


def sharing(snapshot: Snapshot, settings: Sharing, now: datetime) -> Outcome:
    """Mark each memory that earned it, once."""
    del now
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        memory = snapshot.memories[row]
        life = memory.standing
        if settings.done_tag in life.tags:
            continue
        found = verdict(life.importance, life.verified, settings.asked_tag in life.tags, settings.edges)
        if found.moves:
            gathering.alter(memory, found.value, tags=(*life.tags, settings.done_tag))
    return gathering.outcome()
