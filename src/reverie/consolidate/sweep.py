"""The decay sweep (document B): what is past its age is archived, shown to a person, or given more time.

More time is written down as the memory's own maximum age, which search keeps to as well and the next sweep reads.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Sweep
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.max_age import age_in, age_tag, declared_days, effective_max_age
from reverie.formulas.sweep import Sweep as Verdict
from reverie.formulas.sweep import extended, verdict
from reverie.types import Memory, State


def sweep(snapshot: Snapshot, settings: Sweep, now: datetime) -> Outcome:
    """Give more time to what earned it, put the archived to sleep, name what a person should look at."""
    del now
    gathering = Gathering()
    for memory, age_days in _free(snapshot):
        declared = days = _declared(memory, settings)
        while (found := _verdict(memory, age_days, days, settings)) is Verdict.EXTEND:
            days = math.ceil(extended(days, settings.extend_by))
        if days > declared:
            tags = (*(tag for tag in memory.standing.tags if age_in(tag) is None), age_tag(int(days)))
            gathering.alter(memory, "given more time: past its age and of importance", tags=tags)
            gathering.notes.append(f"extended to {_most(memory, days, settings):.0f} days: {memory.id}")
        elif found is Verdict.ARCHIVE:
            gathering.alter(memory, "archived: past its age or of no importance", state=State.DORMANT)
        elif found is Verdict.REVIEW:
            gathering.notes.append(f"for review: {memory.id}")
    return gathering.outcome()


def _free(snapshot: Snapshot) -> Iterator[tuple[Memory, float]]:
    """What the sweep looks at, and how many days old it is."""
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        yield snapshot.memories[row], float(snapshot.columns.age_days[row])


def _declared(memory: Memory, settings: Sweep) -> float:
    return declared_days(memory.standing.tags, settings.ages.of(memory.kind))


def _most(memory: Memory, declared: float, settings: Sweep) -> float:
    return effective_max_age(declared, memory.standing.importance, settings.extensions)


def _verdict(memory: Memory, age_days: float, declared: float, settings: Sweep) -> Verdict:
    return verdict(age_days, _most(memory, declared, settings), memory.standing.importance, settings.edges)
