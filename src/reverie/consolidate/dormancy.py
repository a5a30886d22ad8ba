"""Dormancy candidates (document A): what was never accessed is named to a person; its state stays."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Outcome
from reverie.consolidate.settings import Dormancy
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.dormancy import is_candidate


def dormancy(snapshot: Snapshot, settings: Dormancy, now: datetime) -> Outcome:
    """Name the memories without an access that are old enough."""
    del now
    columns = snapshot.columns
    found = [
        snapshot.memories[row].id
        for row in np.flatnonzero(snapshot.active)
        if is_candidate(
            int(columns.accesses[row]), float(columns.age_days[row]) / settings.cycle_days, settings.threshold_cycles
        )
    ]
    return Outcome(notes=tuple(f"never accessed: {name}" for name in found))
