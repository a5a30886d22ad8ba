"""Step 7, foresight expiry: what was said of a time that is over no longer holds."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Foresight
from reverie.consolidate.snapshot import Snapshot
from reverie.types import RECALLED_STATES, STATE_CODES, State


def foresight(snapshot: Snapshot, settings: Foresight, now: datetime) -> Outcome:
    """Supersede what was bounded in time and whose time is over; its validity is closed already."""
    del settings, now
    recalled = np.isin(snapshot.columns.states, [STATE_CODES[state] for state in RECALLED_STATES])
    gathering = Gathering()
    for row in np.flatnonzero(recalled & snapshot.free & ~snapshot.columns.holds):
        if snapshot.memories[row].standing.time_bounded:
            gathering.alter(snapshot.memories[row], "its time is over", state=State.SUPERSEDED)
    return gathering.outcome()
