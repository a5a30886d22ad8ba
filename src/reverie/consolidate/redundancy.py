"""Step 11, redundancy: of two memories that say the same the more useful stays. Rule four of forgetting is the same."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np

from reverie.consolidate.fading import mean_accesses
from reverie.consolidate.law import left_out
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.pairs import near_pairs
from reverie.consolidate.settings import Redundancy, Retention
from reverie.consolidate.snapshot import Snapshot
from reverie.formulas.arrays import Bools
from reverie.formulas.floating_threshold import is_protected, is_within_minimum
from reverie.types import Memory, Relation, RelationKind, State

WHY = "says what another says"
LOOKED_MAX = 1_000
"""Most pairs of a night that are found to differ in a name, a number, a date or a denial, beside those judged."""


def redundancy(snapshot: Snapshot, settings: Redundancy, now: datetime) -> Outcome:
    """Put the less useful of two near memories to sleep, for at most so many pairs a period."""
    expendable = snapshot.free & ~protected(snapshot, settings.retention, settings.used_share)
    gone: set[int] = set()
    linked = snapshot.linked()
    room, judged, differing = settings.limit - spent(snapshot), 0, 0
    gathering = Gathering()
    active = snapshot.active
    pairs = snapshot.pairs  # the fourth rule of forgetting has looked at all that are active now, and more
    if pairs is None:
        pairs = near_pairs(snapshot, np.flatnonzero(active & ~snapshot.columns.dreamt), settings.above)
    for pair in snapshot.pace(pairs):
        if judged >= room or differing >= LOOKED_MAX:
            gathering.notes.append("the period's comparisons are used up")
            break
        stays, goes = _ranked(snapshot, pair.first, pair.second)
        if {stays, goes} & gone or not (expendable[goes] and active[stays] and active[goes]):
            continue
        keeper, loser = snapshot.memories[stays], snapshot.memories[goes]
        if left_out(keeper, loser):
            differing += 1
            continue
        judged += 1
        gone.add(goes)
        gathering.alter(loser, WHY, state=State.DORMANT, superseded_by=keeper.id, consolidated_at=now)
        if settings.linking and (keeper.id, loser.id, RelationKind.ELABORATES) not in linked:
            gathering.related.append(_link(keeper, loser, pair.cosine, now))
    gathering.notes.append(f"{judged} pairs judged, {differing} say different things")
    return replace(gathering.outcome(), pairs=pairs)


def _ranked(snapshot: Snapshot, first: int, second: int) -> tuple[int, int]:
    """Which stays and which goes: the more useful stays, of equals the more used, then the newer."""
    columns = snapshot.columns
    worth = [(float(columns.utility[row]), float(columns.accesses[row]), row) for row in (first, second)]
    return max(worth)[2], min(worth)[2]


def _link(keeper: Memory, loser: Memory, cosine: float, now: datetime) -> Relation:
    """Leads from the memory that stays to the one that sleeps, and so to its episodes."""
    return Relation(keeper.id, loser.id, RelationKind.ELABORATES, min(1.0, max(0.0, cosine)), now)


def protected(snapshot: Snapshot, retention: Retention, used_share: float) -> Bools:
    """(n,) what rules three to five spare: used far more than the mean, or younger than its category's minimum."""
    columns = snapshot.columns
    minimum = np.array([retention.of(memory.kind) for memory in snapshot.memories], np.float64)
    often = is_protected(columns.accesses, mean_accesses(snapshot), used_share)
    return often | is_within_minimum(columns.age_days, minimum)


def spent(snapshot: Snapshot) -> int:
    """How many memories were put to sleep as redundant in this period."""
    start = snapshot.night.period_start
    lives = (memory.standing for memory in snapshot.memories if memory.standing.superseded_by)
    return sum(
        life.state is State.DORMANT and life.consolidated_at is not None and life.consolidated_at >= start
        for life in lives
    )
