"""Step 1, tier decay: each tier fades at its own speed; what is hard to reach is marked as fading.

Nothing of the decay itself is stored, so nothing compounds: only the mark is.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.fading import retrievability_for_test
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import TierDecay
from reverie.consolidate.snapshot import Snapshot
from reverie.types import STATE_CODES, State


def tier_decay(snapshot: Snapshot, settings: TierDecay, now: datetime) -> Outcome:
    """Mark active memories that fade, and take the mark from those that no longer do."""
    del now  # the columns are as of the night's moment
    retention = retrievability_for_test(snapshot, settings.law)
    below = retention < settings.fading_below
    movable = snapshot.active & snapshot.free
    states = snapshot.columns.states
    gathering = Gathering()
    for row in snapshot.pace(np.flatnonzero(movable & below & (states == STATE_CODES[State.ACTIVE]))):
        gathering.alter(snapshot.memories[row], "hard to reach", state=State.FADING)
    for row in np.flatnonzero(movable & ~below & (states == STATE_CODES[State.FADING])):
        gathering.alter(snapshot.memories[row], "within reach again", state=State.ACTIVE)
    if movable.any():
        gathering.notes.append(f"mean retention {float(retention[movable].mean()):.2f}")
    return gathering.outcome()
