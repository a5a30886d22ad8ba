"""Step 5, utility drift: what is not used comes nearer to neutral, neither useful nor useless.

Days count from the moment up to which drift was applied, or from the last access if that is later.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Drift
from reverie.consolidate.snapshot import Snapshot, days_between
from reverie.formulas.utility import drifted, drifted_daily
from reverie.types import Memory


def drift(snapshot: Snapshot, settings: Drift, now: datetime) -> Outcome:
    """Let the utility of every active memory drift by the days not applied yet."""
    rows = np.flatnonzero(snapshot.active & snapshot.free & (snapshot.columns.utility != settings.neutral))
    days = np.array([days_between(_from(snapshot.memories[row]), now) for row in snapshot.pace(rows)], np.float64)
    law = drifted_daily if settings.daily else drifted
    after = law(snapshot.columns.utility[rows], days, settings.rate, settings.neutral)
    gathering = Gathering()
    for row, elapsed, utility in snapshot.pace(zip(rows.tolist(), days.tolist(), after.tolist(), strict=True)):
        if elapsed > 0.0:
            gathering.alter(snapshot.memories[row], "unused", utility=utility, drifted_at=now)
    return gathering.outcome()


def _from(memory: Memory) -> datetime:
    known = (memory.recorded_at, memory.last_access, memory.standing.drifted_at)
    return max(moment for moment in known if moment is not None)
