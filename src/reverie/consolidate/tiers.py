"""Steps of the dream that change how long a memory lasts, and its tier: decay, replay, promotion, drift and others.

In: a snapshot. Out: the changes.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import numpy as np

from reverie.consolidate.settings import (
    CurveLaw,
    Drift,
    EmotionalConsolidation,
    FadingLaw,
    ForesightExpiry,
    Hot,
    Rehearsal,
    Replay,
    TierDecay,
    Tiers,
)
from reverie.consolidate.snapshot import TIERS, Columns, Gathering, Outcome, Snapshot, days_between
from reverie.formulas.arrays import Floats
from reverie.formulas.associations import strengthened
from reverie.formulas.retention import (
    effective_stability,
    endangered,
    exponential_retention,
    fsrs6_retention,
    power_retention,
    rehearsed,
    stability_for_test,
    threshold,
)
from reverie.formulas.tiers import (
    Demotion,
    PromotionCandidate,
    decide_demotion,
    decide_promotion,
    drifted,
    drifted_daily,
    qualifies,
    rank,
    stands,
)
from reverie.types import KIND_CODES, RECALLED_STATES, STATE_CODES, Memory, State, Tier

# Retrievability of memories at the time of the dream.


def retrievability(snapshot: Snapshot, law: FadingLaw) -> Floats:
    """Compute retention (n,) by the recipe's curve, each stability divided by the multiplier of its tier."""
    return _curve(snapshot, law, _stability(snapshot, law))


def retrievability_for_test(snapshot: Snapshot, law: FadingLaw) -> Floats:
    """Compute retention (n,) for tests of forgetting: rarely used memories have only part of their stability."""
    columns = snapshot.columns
    stability = stability_for_test(
        _stability(snapshot, law), columns.accesses, mean_accesses(snapshot), law.rare_share, law.rare_factor
    )
    return _curve(snapshot, law, stability)


def mean_accesses(snapshot: Snapshot) -> float:
    """Compute the BCM threshold: mean accesses of the active memories."""
    return threshold(snapshot.columns.accesses[snapshot.active])


def _stability(snapshot: Snapshot, law: FadingLaw) -> Floats:
    semantic = snapshot.columns.tiers == TIERS[Tier.SEMANTIC]
    multiplier = np.where(semantic, law.semantic, law.episodic)
    return effective_stability(snapshot.columns.stability_days, multiplier)


def _curve(snapshot: Snapshot, law: FadingLaw, stability: Floats) -> Floats:
    idle = snapshot.columns.idle_days
    match law.curve:
        case CurveLaw.POWER:
            return power_retention(idle, stability)
        case CurveLaw.EXPONENTIAL:
            return exponential_retention(idle, stability)
        case CurveLaw.FSRS6:
            return fsrs6_retention(idle, stability)


# Step 1, tier decay: each tier fades at its own speed.


def tier_decay(snapshot: Snapshot, settings: TierDecay, now: datetime) -> Outcome:
    """Mark active memories as fading that are hard to retrieve, and remove the mark where they no longer are."""
    del now  # the columns are already as of the dream's time
    retention = retrievability_for_test(snapshot, settings.law)
    below = retention < settings.fading_below
    movable = snapshot.active & snapshot.free
    states = snapshot.columns.states
    gathering = Gathering()
    for row in snapshot.pace(np.flatnonzero(movable & below & (states == STATE_CODES[State.ACTIVE]))):
        gathering.alter(snapshot.memories[row], "hard to reach", state=State.FADING)
    for row in np.flatnonzero(movable & ~below & (states == STATE_CODES[State.FADING])):
        gathering.alter(snapshot.memories[row], "within reach again", state=State.ACTIVE)
    if movable.any():
        gathering.notes.append(f"mean retention {float(retention[movable].mean()):.2f}")
    return gathering.outcome()


# Step 2, emotional consolidation: flashbulb memories last longer; emotions become tags.


def emotion(snapshot: Snapshot, settings: EmotionalConsolidation, now: datetime) -> Outcome:
    """Strengthen each flashbulb memory once, even a pinned one; tag memories with their emotion."""
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.active & snapshot.columns.fresh & ~snapshot.columns.immutable):
        memory = snapshot.memories[row]
        if memory.standing.flashbulb:
            _strengthen(memory, settings, now, gathering)
        elif memory.standing.emotion and not memory.standing.pinned:
            _tag(memory, gathering)
    return gathering.outcome()


def _strengthen(memory: Memory, settings: EmotionalConsolidation, now: datetime, gathering: Gathering) -> None:
    if memory.standing.consolidated_at is None:
        stability = memory.standing.stability_days * settings.factor
        gathering.alter(memory, "a flashbulb memory", stability_days=stability, consolidated_at=now)


def _tag(memory: Memory, gathering: Gathering) -> None:
    tags = memory.standing.tags
    if memory.standing.emotion not in tags:
        gathering.alter(memory, "an emotion settled", tags=(*tags, memory.standing.emotion))


# Step 3, synaptic replay: memories recalled together are strengthened; expired synaptic tags are removed.


def replay(snapshot: Snapshot, settings: Replay, now: datetime) -> Outcome:
    """Strengthen members of pairs recalled together often enough, and again since the last replay; once per period."""
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
    """Map the rows of pairs recalled together often enough to the last time they were."""
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


# Step 4, promotion and demotion: proven memories become semantic; idle and useless ones dormant.


def tiers(snapshot: Snapshot, settings: Tiers, now: datetime) -> Outcome:
    """Promote episodic memories, then decide for every semantic one, including new ones, whether it becomes dormant.

    A dormant memory keeps its tier.
    """
    del now
    peers = _peers(snapshot)
    episodic = snapshot.columns.tiers == TIERS[Tier.EPISODIC]
    gathering = Gathering()
    for row in snapshot.pace(np.flatnonzero(snapshot.active & snapshot.free).tolist()):
        memory = snapshot.memories[row]
        why = ""
        after: dict[str, Tier | State] = {}
        if episodic[row]:
            verdict = decide_promotion(_candidate(snapshot, row, peers), settings.promotion)
            if not verdict.moves:
                continue
            why, after = verdict.value, {"tier": Tier.SEMANTIC}
        if _sleeps(snapshot, row, settings):
            why = Demotion.IDLE_AND_USELESS.value
            after |= {"state": State.DORMANT}
        gathering.alter(memory, why, **after)
    return gathering.outcome()


def _candidate(snapshot: Snapshot, row: int, peers: Counter[str]) -> PromotionCandidate:
    memory, columns = snapshot.memories[row], snapshot.columns
    return PromotionCandidate(
        accesses=memory.accesses,
        utility=memory.standing.utility,
        age_days=float(columns.age_days[row]),
        entity_peers=max((peers[entity] for entity in memory.entities), default=0),
        pinned=memory.standing.pinned,
        immutable=memory.standing.immutable,
    )


def _sleeps(snapshot: Snapshot, row: int, settings: Tiers) -> bool:
    memory = snapshot.memories[row]
    idle = float(snapshot.columns.idle_days[row])
    return decide_demotion(idle, memory.standing.utility, is_protected(memory), settings.demotion).moves


def is_protected(memory: Memory) -> bool:
    """Whether a memory is exempt from demotion: pinned, immutable or a flashbulb."""
    return memory.standing.pinned or memory.standing.immutable or memory.standing.flashbulb


def _peers(snapshot: Snapshot) -> Counter[str]:
    """Count the active episodic memories that name each entity."""
    counted: Counter[str] = Counter()
    for row in np.flatnonzero(snapshot.active & (snapshot.columns.tiers == TIERS[Tier.EPISODIC])):
        counted.update(set(snapshot.memories[row].entities))
    return counted


# Step 5, utility drift: the utility of unused memories moves towards neutral.


def drift(snapshot: Snapshot, settings: Drift, now: datetime) -> Outcome:
    """Drift the utility of every active memory by the days not yet applied."""
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


# Step 6, rehearsal: memories close to loss are strengthened (the testing effect).


def rehearsal(snapshot: Snapshot, settings: Rehearsal, now: datetime) -> Outcome:
    """Rehearse the memories closest to loss, each once per period, up to the limit per period."""
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


# Step 7, foresight expiry: memories about a time that is over no longer hold.


def foresight(snapshot: Snapshot, settings: ForesightExpiry, now: datetime) -> Outcome:
    """Supersede memories with an end of validity in the past."""
    del settings, now
    recalled = np.isin(snapshot.columns.states, [STATE_CODES[state] for state in RECALLED_STATES])
    gathering = Gathering()
    for row in np.flatnonzero(recalled & snapshot.free & ~snapshot.columns.holds):
        if snapshot.memories[row].standing.time_bounded:
            gathering.alter(snapshot.memories[row], "its time is over", state=State.SUPERSEDED)
    return gathering.outcome()


# The hot tier: the few memories injected for every cue. Nothing is written.


def hot(snapshot: Snapshot, settings: Hot, now: datetime) -> Outcome:
    """Return the ids of the hot memories, most useful first."""
    del now
    ids = tuple(snapshot.memories[row].id for row in hottest(snapshot.columns, settings))
    return Outcome(hot=ids, notes=(f"{len(ids)} memories are hot",))


def hottest(columns: Columns, settings: Hot) -> list[int]:
    """Return the rows of the hot memories, most useful first."""
    active = columns.holds & (columns.states == STATE_CODES[State.ACTIVE])
    semantic = active & (columns.tiers == TIERS[Tier.SEMANTIC])
    first = qualifies(columns.utility, columns.accesses, columns.age_days, semantic, settings.edges)
    standing = np.isin(columns.kinds, [KIND_CODES[kind] for kind in settings.standing])
    second = stands(columns.utility, standing, active, settings.edges)
    return [int(row) for row in rank(columns.utility, columns.accesses, first | second, settings.limit)]
