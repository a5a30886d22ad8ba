"""Step 6, rehearsal: what is about to be lost is recalled once, and then lasts longer (the testing effect)."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.fading import retrievability
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Rehearsal
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.rehearsal import endangered, rehearsed


def rehearsal(snapshot: Snapshot, settings: Rehearsal, now: datetime) -> Outcome:
    """Rehearse the memories nearest to loss, each once a period, and no more than the limit a period."""
    done = np.array([_is_done(snapshot, row) for row in range(len(snapshot.memories))], np.bool_)
    room = max(0, settings.limit - int(np.count_nonzero(done)))
    among = np.flatnonzero(snapshot.active & snapshot.free & ~done)
    retention = retrievability(snapshot, settings.law)[among]
    gathering = Gathering()
    for row in among[endangered(retention, settings.below, room)].tolist():
        memory = snapshot.memories[row]
        stability = float(rehearsed(memory.standing.stability_days, settings.factor))
        gathering.alter(memory, "about to be lost", stability_days=stability, rehearsed_at=now)
    waiting = int(np.count_nonzero(retention < settings.below)) - len(gathering.changes)
    if waiting:
        gathering.notes.append(f"{waiting} more are endangered and wait for the next period")
    return gathering.outcome()


def _is_done(snapshot: Snapshot, row: int) -> bool:
    last = snapshot.memories[row].standing.rehearsed_at
    return last is not None and last >= snapshot.night.period_start
