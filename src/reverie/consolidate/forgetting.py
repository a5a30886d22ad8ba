"""Step 8, forgetting: five rules in order put memories to sleep. Nothing is deleted; what sleeps can be woken.

What is pinned or immutable is spared by every rule; what is used far more than the mean, or younger than its category
is kept at least, by the third and fourth, and goes last by the fifth.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import numpy as np

from reverie.consolidate.fading import retrievability_for_test
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.redundancy import protected, redundancy
from reverie.consolidate.settings import Forgetting
from reverie.consolidate.snapshot import Snapshot, by_age
from reverie.formulas.arrays import Bools
from reverie.formulas.forgetting import is_below_floor, surplus
from reverie.types import Relation, RelationKind, State


def forgetting(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Apply the five rules, each to what the ones before have left."""
    total = Gathering()
    for rule in (_contradicted, _expired, _useless, _redundant, _trimmed):
        outcome = rule(snapshot, settings, now)
        total.changes += outcome.changes
        total.related += outcome.related
        total.notes += outcome.notes
        total.texts |= outcome.texts
        snapshot = snapshot.after(outcome)
    return replace(total.outcome(), pairs=snapshot.pairs)


def _contradicted(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 1: of two memories that contradict each other the older sleeps."""
    del settings, now
    active, free = snapshot.active, snapshot.free
    gone: set[int] = set()
    gathering = Gathering()
    for relation in snapshot.relations:
        if relation.kind is not RelationKind.CONTRADICTS:
            continue
        rows = _rows(snapshot, relation)
        if len(rows) < 2 or gone & set(rows) or not all(active[row] for row in rows):
            continue
        older = min(rows, key=lambda row: by_age(snapshot.memories[row]))
        if free[older]:
            gone.add(older)
            gathering.alter(snapshot.memories[older], "contradicted by a newer memory", state=State.DORMANT)
    return gathering.outcome()


def _rows(snapshot: Snapshot, relation: Relation) -> list[int]:
    found = (snapshot.row(relation.source), snapshot.row(relation.target))
    return [row for row in found if row is not None]


def _expired(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 2: what foresight expiry superseded sleeps."""
    del settings, now
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.free & ~snapshot.columns.holds):
        life = snapshot.memories[row].standing
        if life.time_bounded and life.state is State.SUPERSEDED:
            gathering.alter(snapshot.memories[row], "its time is over", state=State.DORMANT)
    return gathering.outcome()


def _useless(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 3: what proved useless and lies idle sleeps."""
    del now
    columns = snapshot.columns
    below = is_below_floor(columns.utility, columns.idle_days, settings.floor, settings.idle_days)
    gathering = Gathering()
    for row in np.flatnonzero(below & _expendable(snapshot, settings)):
        gathering.alter(snapshot.memories[row], "useless and unused", state=State.DORMANT)
    return gathering.outcome()


def _redundant(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 4: the redundancy step's own function, on the same allowance."""
    return redundancy(snapshot, settings.redundancy, now)


def _trimmed(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 5: too many; the least useful sleep, of equally useful ones the hardest to reach first.

    What is young for its category or much used goes last, but a capacity is a capacity: only what is protected stays.
    """
    del now
    active = np.flatnonzero(snapshot.active)
    if len(active) <= settings.capacity:
        return Outcome()
    retention = retrievability_for_test(snapshot, settings.law)[active]
    ordered = active[np.argsort(retention, kind="stable")]
    spared = ~_expendable(snapshot, settings)[ordered]
    exempt = ~snapshot.free[ordered]
    worth = snapshot.columns.utility[ordered] + np.where(spared, 2.0, 0.0)  # after all others, whatever their utility
    found = surplus(worth, exempt, settings.capacity, settings.trimmed)
    gathering = Gathering()
    for row in ordered[found].tolist():
        gathering.alter(snapshot.memories[row], "one too many", state=State.DORMANT)
    return gathering.outcome()


def _expendable(snapshot: Snapshot, settings: Forgetting) -> Bools:
    """(n,) what the last three rules may put to sleep."""
    spared = protected(snapshot, settings.redundancy.retention, settings.redundancy.used_share)
    return snapshot.active & snapshot.free & ~spared
