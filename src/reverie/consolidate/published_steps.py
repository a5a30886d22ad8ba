"""Steps of the dream that only the published designs have (documents A, B and C).

In: a snapshot. Out: changes, and notes for a person.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from math import isclose

import numpy as np

from reverie.consolidate.clusters import near_pairs
from reverie.consolidate.lossless import left_out
from reverie.consolidate.settings import (
    ClusterCandidates,
    Deduplication,
    Dormancy,
    Earning,
    Falling,
    Links,
    Sharing,
    SweepSettings,
)
from reverie.consolidate.snapshot import Gathering, Outcome, Snapshot, days_between
from reverie.formulas.associations import links as linked_by_tags
from reverie.formulas.freshness import age_in, age_tag, declared_days, effective_max_age
from reverie.formulas.gates import Duplicate, Resolution, resolve
from reverie.formulas.retention import exponential_retention
from reverie.formulas.similarity_scales import a0_to_cosine
from reverie.formulas.tiers import fallen, is_candidate
from reverie.formulas.vault import NeglectLaw, ObservationHappening, earned, extended, moved, neglect, sharing_verdict
from reverie.formulas.vault import Sweep as Verdict
from reverie.formulas.vault import sweep_verdict as sweep_verdict
from reverie.types import Companions, Memory, Relation, RelationKind, State

# Cluster candidates (document A): pairs that are often recalled together; only reported.


def company(snapshot: Snapshot, settings: ClusterCandidates, now: datetime) -> Outcome:
    """Report the pairs that were recalled together more often than the threshold, most frequent first."""
    del now
    often = [pair for pair in snapshot.companions if pair.count > settings.above]
    return Outcome(notes=tuple(_told(pair) for pair in sorted(often, key=_by_count)))


def _by_count(pair: Companions) -> tuple[int, str, str]:
    return -pair.count, pair.first, pair.second


def _told(pair: Companions) -> str:
    return f"{pair.first}, {pair.second}: {pair.count} times, {pair.since:%Y-%m-%d} to {pair.last:%Y-%m-%d}"


# Deduplication (document A): of two memories that say the same, the more reliable is kept; doubtful pairs are flagged.


WHY = "deprecated as a duplicate"


def deduplication(snapshot: Snapshot, settings: Deduplication, now: datetime) -> Outcome:
    """Resolve the nearest pairs of duplicates, up to the limit per period; flagged pairs are only reported."""
    above = float(a0_to_cosine(settings.above))
    linked = snapshot.linked()
    gone: set[int] = set()
    room = settings.limit - _spent(snapshot)
    gathering = Gathering()
    for pair in near_pairs(snapshot, np.flatnonzero(snapshot.active), above, settings.nearest):
        if room <= 0:
            break
        rows = pair.first, pair.second
        if gone & set(rows) or not any(snapshot.columns.fresh[row] for row in rows):
            continue
        room -= 1
        first, second = (snapshot.memories[row] for row in rows)
        found = resolve(_duplicate(first, settings), _duplicate(second, settings), settings.auto_deprecate_inferred)
        if found.is_flag:
            gathering.notes.append(f"{found.value}: {first.id}, {second.id}")
            continue
        stays, goes = (first, second) if found is Resolution.KEEP_FIRST else (second, first)
        if lost := left_out(stays, goes):
            gathering.notes.append(f"kept {goes.id}: {stays.id} does not hold {', '.join(lost)}")
            continue
        gone.add(rows[1] if stays is first else rows[0])
        gathering.alter(goes, WHY, state=State.SUPERSEDED, superseded_by=stays.id, consolidated_at=now)
        if (stays.id, goes.id, RelationKind.SUPERSEDES) not in linked:
            gathering.related.append(Relation(stays.id, goes.id, RelationKind.SUPERSEDES, pair.cosine, now))
    return gathering.outcome()


def _duplicate(memory: Memory, settings: Deduplication) -> Duplicate:
    life = memory.standing
    return Duplicate(
        created_s=memory.recorded_at.timestamp(),
        load_bearing=life.pinned or life.immutable or settings.load_bearing in life.tags,
        confirmed=life.verified,
        user_asserted=any(source in settings.asserted for source in life.data_sources),
    )


def _spent(snapshot: Snapshot) -> int:
    """Count the memories deprecated as duplicates in this period."""
    start = snapshot.night.period_start
    lives = (memory.standing for memory in snapshot.memories if memory.standing.superseded_by)
    return sum(
        life.state is State.SUPERSEDED and life.consolidated_at is not None and life.consolidated_at >= start
        for life in lives
    )


# Dormancy candidates (document A): memories never accessed are reported; their state stays.


def dormancy(snapshot: Snapshot, settings: Dormancy, now: datetime) -> Outcome:
    """Report the memories that are old enough and were never accessed."""
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


# Earned importance (document B): references raise it; contradiction and neglect lower it.


REFERENCES = frozenset({RelationKind.ELABORATES, RelationKind.CAUSES, RelationKind.RELATED_TO})
"""Kinds of edges by which the source refers to the target."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event that affects a memory's importance, and its time."""

    at: datetime
    what: ObservationHappening


def earning(snapshot: Snapshot, settings: Earning, now: datetime) -> Outcome:
    """Update each memory's importance by what happened since the last update."""
    happened = _occurrences(snapshot)
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        memory = snapshot.memories[row]
        importance = _importance(memory, happened[memory.id], settings, now)
        if not isclose(importance, memory.standing.importance, abs_tol=1e-9):
            why = "referred to" if importance > memory.standing.importance else "neglected or contradicted"
            gathering.alter(memory, why, importance=importance, drifted_at=now)
    return gathering.outcome()


def _importance(memory: Memory, happened: list[Occurrence], settings: Earning, now: datetime) -> float:
    applied = memory.standing.drifted_at
    before = [event for event in happened if applied is not None and event.at <= applied]
    since = [event for event in happened if applied is None or applied < event.at <= now]
    taken = 0.0 if applied is None else _neglect(memory, before, settings.neglect, applied)
    start = moved(memory.standing.importance, taken)
    after = earned(start, (event.what for event in since), settings.table)
    return moved(after, -_neglect(memory, happened, settings.neglect, now))


def _neglect(memory: Memory, happened: Iterable[Occurrence], law: NeglectLaw, now: datetime) -> float:
    """Compute the loss by neglect up to ``now``, since the last reference before it, else since recording."""
    referred = (ObservationHappening.REFERENCED, ObservationHappening.REFERENCED_BY_OTHER)
    references = (event.at for event in happened if event.what in referred and event.at <= now)
    last = max(references, default=memory.recorded_at)
    return neglect(days_between(max(last, memory.recorded_at), now), law)


def _occurrences(snapshot: Snapshot) -> dict[str, list[Occurrence]]:
    """Derive from the edges what happened to each memory, by id, in order of time."""
    found: dict[str, list[Occurrence]] = defaultdict(list)
    for relation in sorted(snapshot.relations, key=_moment):
        source, target = snapshot.row(relation.source), snapshot.row(relation.target)
        if source is None or target is None:
            continue
        one, other = snapshot.memories[source], snapshot.memories[target]
        if relation.kind in REFERENCES:
            own = one.speaker == other.speaker
            what = ObservationHappening.REFERENCED if own else ObservationHappening.REFERENCED_BY_OTHER
            found[other.id].append(Occurrence(relation.at, what))
        elif relation.kind is RelationKind.CONTRADICTS:
            older = min(one, other, key=lambda memory: (memory.at, memory.recorded_at, memory.id))
            found[older.id].append(Occurrence(relation.at, ObservationHappening.CONTRADICTED))
    return found


def _moment(relation: Relation) -> tuple[datetime, str, str]:
    return relation.at, relation.source, relation.target


# Dormancy in two steps (document C): active → fading → dormant, one step per run, by Ebbinghaus' curve.


def falling_asleep(snapshot: Snapshot, settings: Falling, now: datetime) -> Outcome:
    """Move each memory at most one step towards dormancy; a second run in the period moves it again (reading 25)."""
    del now
    columns = snapshot.columns
    left = exponential_retention(columns.idle_days, columns.stability_days)
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & ~columns.pinned & ~columns.immutable):
        memory = snapshot.memories[row]
        state = fallen(memory.standing.state, float(left[row]), settings.edges)
        gathering.alter(memory, f"retention {float(left[row]):.2f}", state=state)
    return gathering.outcome()


# Related links (document A): memories that share enough tags are linked in both directions.


CONFIDENCE = 1.0
ROWS_MAX = 2_000
"""Number of latest memories whose tags are compared in a run."""


def links(snapshot: Snapshot, settings: Links, now: datetime) -> Outcome:
    """Add missing links; existing ones stay and count towards a memory's limit."""
    allowed = snapshot.active & ~snapshot.columns.immutable & ~snapshot.columns.dreamt
    rows = np.flatnonzero(allowed).tolist()[-ROWS_MAX:]
    places = {snapshot.memories[row].id: place for place, row in enumerate(rows)}
    existing: dict[int, list[int]] = defaultdict(list)
    for relation in snapshot.relations:
        if relation.kind is RelationKind.RELATED_TO and relation.source in places:
            existing[places[relation.source]].append(places.get(relation.target, -1))
    tags = [snapshot.memories[row].standing.tags for row in rows]
    held = [existing[place] for place in range(len(rows))]
    found = linked_by_tags(tags, held, settings.least_shared, settings.limit)
    gathering = Gathering()
    for place, targets in enumerate(found):
        source = snapshot.memories[rows[place]].id
        for other in targets[len(held[place]) :]:
            target = snapshot.memories[rows[other]].id
            gathering.related.append(Relation(source, target, RelationKind.RELATED_TO, CONFIDENCE, now))
    return gathering.outcome()


# Sharing (document B): mark observations as true for all agents; the vault copies them.


def sharing(snapshot: Snapshot, settings: Sharing, now: datetime) -> Outcome:
    """Mark each memory that qualifies for sharing, once."""
    del now
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        memory = snapshot.memories[row]
        life = memory.standing
        if settings.done_tag in life.tags:
            continue
        found = sharing_verdict(life.importance, life.verified, settings.asked_tag in life.tags, settings.edges)
        if found.moves:
            gathering.alter(memory, found.value, tags=(*life.tags, settings.done_tag))
    return gathering.outcome()


# The decay sweep (document B): memories past their age are archived, reviewed or extended.


def sweep(snapshot: Snapshot, settings: SweepSettings, now: datetime) -> Outcome:
    """Extend the age of important memories, make archived ones dormant, and report those a person should review."""
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
    """Yield the memories that the sweep examines, with their age in days."""
    for row in np.flatnonzero(snapshot.active & snapshot.free):
        yield snapshot.memories[row], float(snapshot.columns.age_days[row])


def _declared(memory: Memory, settings: SweepSettings) -> float:
    return declared_days(memory.standing.tags, settings.ages.of(memory.kind))


def _most(memory: Memory, declared: float, settings: SweepSettings) -> float:
    return effective_max_age(declared, memory.standing.importance, settings.extensions)


def _verdict(memory: Memory, age_days: float, declared: float, settings: SweepSettings) -> Verdict:
    return sweep_verdict(age_days, _most(memory, declared, settings), memory.standing.importance, settings.edges)
