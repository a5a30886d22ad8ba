"""The hot tier, refreshed: the few memories that are injected whatever the cue. It is a view; nothing is written."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from reverie.consolidate.outcome import Outcome
from reverie.consolidate.settings import Hot
from reverie.consolidate.snapshot import TIERS, Snapshot
from reverie.formulas.hot_tier import qualifies, rank, stands
from reverie.types import KIND_CODES, STATE_CODES, State, Tier


def hot(snapshot: Snapshot, settings: Hot, now: datetime) -> Outcome:
    """The ids of the hot memories, most useful first."""
    del now
    columns = snapshot.columns
    active = columns.holds & (columns.states == STATE_CODES[State.ACTIVE])
    semantic = active & (columns.tiers == TIERS[Tier.SEMANTIC])
    first = qualifies(columns.utility, columns.accesses, columns.age_days, semantic, settings.edges)
    standing = np.isin(columns.kinds, [KIND_CODES[kind] for kind in settings.standing])
    second = stands(columns.utility, standing, active, settings.edges)
    rows = rank(columns.utility, columns.accesses, first | second, settings.limit)
    ids = tuple(snapshot.memories[row].id for row in rows)
    return Outcome(hot=ids, notes=(f"{len(ids)} memories are hot",))
