"""The decay sweep (document B): what is past its age is archived, shown to a person, or given more time."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Sweep
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.max_age import effective_max_age
from reverie.formulas.sweep import Sweep as Verdict
from reverie.formulas.sweep import extended, verdict
from reverie.types import State


def sweep(snapshot: Snapshot, settings: Sweep, now: datetime) -> Outcome:
    """Put the archived to sleep; name what a person should look at; leave what earned more time."""
    del now
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        memory = snapshot.memories[row]
        importance, age_days = memory.standing.importance, float(snapshot.columns.age_days[row])
        most = effective_max_age(settings.ages.of(memory.kind), importance, settings.extensions)
        found = verdict(age_days, most, importance, settings.edges)
        if found is Verdict.ARCHIVE:
            gathering.alter(memory, "archived: past its age or of no importance", state=State.DORMANT)
        elif found is Verdict.REVIEW:
            gathering.notes.append(f"for review: {memory.id}")
        elif found is Verdict.EXTEND:
            gathering.notes.append(f"extended to {extended(most, settings.extend_by):.0f} days: {memory.id}")
    return gathering.outcome()
