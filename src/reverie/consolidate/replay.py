"""Step 3, synaptic replay: what was recalled together grows together; synaptic tags that ran out are taken away."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Replay
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.hebbian import strengthened
from reverie.types import Memory


def replay(snapshot: Snapshot, settings: Replay, now: datetime) -> Outcome:
    """Strengthen each member of a pair that met often enough, and again since it was last replayed; once a night."""
    met = _met(snapshot, settings)
    allowed = snapshot.active & snapshot.free
    gathering = Gathering()
    for row in sorted(met):
        memory = snapshot.memories[row]
        if allowed[row] and _is_due(memory, met[row], snapshot.night.period_start):
            stability = float(strengthened(memory.standing.stability_days, settings.share))
            gathering.alter(memory, "recalled together", stability_days=stability, replayed_at=now)
    for row in np.flatnonzero(snapshot.free).tolist():
        until = snapshot.memories[row].standing.tagged_until
        if until is not None and until <= now:
            gathering.alter(snapshot.memories[row], "its tag ran out", tagged_until=None)
    return gathering.outcome()


def _met(snapshot: Snapshot, settings: Replay) -> dict[int, datetime]:
    """Rows of memories in pairs that met often enough, with when they last did."""
    last: dict[int, datetime] = {}
    for pair in snapshot.companions:
        if pair.count >= settings.least_count:
            for name in (pair.first, pair.second):
                row = snapshot.row(name)
                if row is not None:
                    last[row] = max(pair.last, last.get(row, pair.last))
    return last


def _is_due(memory: Memory, last: datetime, period_start: datetime) -> bool:
    replayed = memory.standing.replayed_at
    return replayed is None or (replayed < period_start and replayed < last)
