"""Falling asleep in two steps: active → fading → dormant, one step a run, by Ebbinghaus' curve (document C)."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Falling
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.falling import fallen
from reverie.formulas.retention_exponential import retention


def falling_asleep(snapshot: Snapshot, settings: Falling, now: datetime) -> Outcome:
    """One step for each memory; a second run takes the second step, in the same period too (reading 25)."""
    del now
    columns = snapshot.columns
    left = retention(columns.idle_days, columns.stability_days)
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & ~columns.pinned & ~columns.immutable):
        memory = snapshot.memories[row]
        state = fallen(memory.standing.state, float(left[row]), settings.edges)
        gathering.alter(memory, f"retention {float(left[row]):.2f}", state=state)
    return gathering.outcome()
