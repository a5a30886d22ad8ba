"""Steps that make memories dormant: redundancy, the five rules of forgetting, and limits on their number.

Nothing is deleted; dormant memories can be restored.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from reverie.consolidate.clusters import near_pairs
from reverie.consolidate.lossless import left_out
from reverie.consolidate.settings import Forgetting, Redundancy, Resting, Retention, Trimming
from reverie.consolidate.snapshot import Gathering, Outcome, Snapshot, by_age
from reverie.consolidate.tiers import mean_accesses, retrievability_for_test
from reverie.events import changed
from reverie.formulas.arrays import Bools, Floats
from reverie.formulas.retention import is_below_floor, is_protected, is_within_minimum, surplus
from reverie.formulas.scores import activation
from reverie.types import Memory, Relation, RelationKind, State

# Step 11, redundancy: of two memories that say the same, the more useful is kept. Also rule 4 of forgetting.


WHY = "says what another says"
LOOKED_MAX = 1_000
"""Largest number of pairs per run that are skipped for a difference in name, number, date or negation."""


def redundancy(snapshot: Snapshot, settings: Redundancy, now: datetime) -> Outcome:
    """Make the less useful of two near-duplicate memories dormant, up to the limit of pairs per period."""
    expendable = snapshot.free & ~protected(snapshot, settings.retention, settings.used_share)
    gone: set[int] = set()
    linked = snapshot.linked()
    room, judged, differing = settings.limit - spent(snapshot), 0, 0
    gathering = Gathering()
    active = snapshot.active
    pairs = snapshot.pairs  # rule 4 of forgetting has searched all memories that are active now, and more
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
    """Return which memory stays and which goes: by utility, then accesses, then recency."""
    columns = snapshot.columns
    worth = [(float(columns.utility[row]), float(columns.accesses[row]), row) for row in (first, second)]
    return max(worth)[2], min(worth)[2]


def _link(keeper: Memory, loser: Memory, cosine: float, now: datetime) -> Relation:
    """Create the edge from the kept memory to the dormant one, and so to its episodes."""
    return Relation(keeper.id, loser.id, RelationKind.ELABORATES, min(1.0, max(0.0, cosine)), now)


def protected(snapshot: Snapshot, retention: Retention, used_share: float) -> Bools:
    """Compute (n,) whether rules 3 to 5 spare a memory: used far more than the mean, or in its minimum retention."""
    columns = snapshot.columns
    minimum = np.array([retention.of(memory.kind) for memory in snapshot.memories], np.float64)
    often = is_protected(columns.accesses, mean_accesses(snapshot), used_share)
    return often | is_within_minimum(columns.age_days, minimum)


def spent(snapshot: Snapshot) -> int:
    """Count the memories made dormant as redundant in this period."""
    start = snapshot.night.period_start
    lives = (memory.standing for memory in snapshot.memories if memory.standing.superseded_by)
    return sum(
        life.state is State.DORMANT and life.consolidated_at is not None and life.consolidated_at >= start
        for life in lives
    )


# Step 8, forgetting: five rules in order make memories dormant.


def forgetting(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Apply the five rules of forgetting in order, each to the result of those before."""
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
    """Rule 1: of two contradicting memories, make the older dormant."""
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
    """Rule 2: make memories dormant that foresight expiry superseded."""
    del settings, now
    gathering = Gathering()
    for row in np.flatnonzero(snapshot.free & ~snapshot.columns.holds):
        life = snapshot.memories[row].standing
        if life.time_bounded and life.state is State.SUPERSEDED:
            gathering.alter(snapshot.memories[row], "its time is over", state=State.DORMANT)
    return gathering.outcome()


def _useless(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 3: make memories dormant that are of low utility and long unused."""
    del now
    columns = snapshot.columns
    below = is_below_floor(columns.utility, columns.idle_days, settings.floor, settings.idle_days)
    gathering = Gathering()
    for row in np.flatnonzero(below & _expendable(snapshot, settings)):
        gathering.alter(snapshot.memories[row], "useless and unused", state=State.DORMANT)
    return gathering.outcome()


def _redundant(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 4: apply the redundancy step, within the same limit per period."""
    return redundancy(snapshot, settings.redundancy, now)


def _trimmed(snapshot: Snapshot, settings: Forgetting, now: datetime) -> Outcome:
    """Rule 5: above the capacity, make the least useful memories dormant; of equals the least retrievable first.

    Young or much used memories go last, but go if necessary; only pinned and immutable ones always stay.
    """
    del now
    redundant = settings.redundancy
    kept = Trimming(settings.capacity, settings.trimmed, redundant.retention, redundant.used_share)
    return _one_too_many(snapshot, kept, -retrievability_for_test(snapshot, settings.law))


def _expendable(snapshot: Snapshot, settings: Forgetting) -> Bools:
    """Compute (n,) which memories rule 3 may make dormant."""
    spared = protected(snapshot, settings.redundancy.retention, settings.redundancy.used_share)
    return snapshot.active & snapshot.free & ~spared


# Trimming: rule 5 alone, for recipes without forgetting curve. Off unless a limit is set.


def trimming(snapshot: Snapshot, settings: Trimming, now: datetime) -> Outcome:
    """Above the capacity, make the least useful memories dormant; of equals the longest idle for their stability first.

    No curve is needed: every curve orders two memories by idle days over days of stability.
    """
    del now
    return _one_too_many(snapshot, settings, snapshot.columns.idle_days / snapshot.columns.stability_days)


def _one_too_many(snapshot: Snapshot, settings: Trimming, far: Floats) -> Outcome:
    """Make the least useful memories above the capacity dormant; of equals those with largest ``far`` (n,) first."""
    active = np.flatnonzero(snapshot.active)
    if len(active) <= settings.capacity:
        return Outcome()
    ordered = active[np.argsort(-far[active], kind="stable")]
    spared = protected(snapshot, settings.retention, settings.used_share)[ordered]
    exempt = ~snapshot.free[ordered]
    worth = snapshot.columns.utility[ordered] + np.where(spared, 2.0, 0.0)  # spared ones go last
    gathering = Gathering()
    for row in ordered[surplus(worth, exempt, settings.capacity, settings.trimmed)].tolist():
        gathering.alter(snapshot.memories[row], "one too many", state=State.DORMANT)
    return gathering.outcome()


# Resting: limit the number of recallable memories by making episodes dormant. Off unless a limit is set.


STORAGE_MAX = 10.0
"""Upper end of the scale of storage strength, which here counts how often something was said."""
_WORD = re.compile(r"\w+")
_SHORT = 3
"""Words of at most this many letters are ignored if there are longer ones, as in recall."""


def resting(episodes: Sequence[Memory], formed: int, settings: Resting, now: datetime) -> Outcome:
    """Make episodes dormant until ``trimmed`` memories are left, if more than ``capacity`` are active.

    ``episodes`` are the active ones, ``formed`` is the number of active formed memories; these are not changed here.
    """
    if len(episodes) + formed <= settings.capacity:
        return Outcome()
    gathering = Gathering()
    awake = _without_repeats(episodes, settings, gathering)
    surplus = len(awake) + formed - settings.trimmed
    free = [memory for memory in awake if not (memory.standing.pinned or memory.standing.immutable)]
    worth = _activations(free, now)
    for row in np.lexsort((np.arange(len(free)), worth))[: max(0, surplus)].tolist():
        gathering.alter(free[row], "rests: too many are awake", state=State.DORMANT)
    return gathering.outcome()


def _activations(memories: Sequence[Memory], now: datetime) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Compute each memory's activation (n,) from how often it was said and useful when recalled, and its age."""
    lives = [memory.standing for memory in memories]
    used = np.array([2.0 * life.utility * memory.accesses for memory, life in zip(memories, lives, strict=True)])
    told = np.array([life.storage for life in lives])
    ages = np.array([max(1.0, (now - memory.aged_from).total_seconds()) for memory in memories])
    return activation(told + used, ages)


def _without_repeats(episodes: Sequence[Memory], settings: Resting, gathering: Gathering) -> list[Memory]:
    """Make near-repeats by one speaker dormant in favour of the newest, which adds up their counts; return the rest."""
    heirs: dict[str, Memory] = {}
    held: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    words: dict[str, frozenset[str]] = {}
    before = {memory.id: memory for memory in episodes}
    for memory in sorted(episodes, key=by_age, reverse=True):
        own = _words(memory.text)
        newest = _like(memory, own, held, words, settings.share, before)
        if newest is None or memory.standing.pinned or memory.standing.immutable:
            heirs[memory.id], words[memory.id] = memory, own
            for word in own:
                held[memory.speaker, word].append(memory.id)
            continue
        gathering.alter(memory, "rests: told again", state=State.DORMANT, superseded_by=newest)
        heirs[newest] = _told(heirs[newest], memory)
    for name, after in heirs.items():
        gathering.alter(before[name], "told again", storage=after.standing.storage)
    return [heirs[memory.id] for memory in episodes if memory.id in heirs]


def _like(
    memory: Memory,
    own: frozenset[str],
    held: defaultdict[tuple[str, str], list[str]],
    words: dict[str, frozenset[str]],
    share: float,
    before: Mapping[str, Memory],
) -> str | None:
    """Return the id of the newest memory that ``memory`` nearly repeats and that says all it says, or None."""
    shared = Counter(name for word in own for name in held.get((memory.speaker, word), ()))
    near = (name for name, count in shared.items() if count >= share * max(len(own), len(words[name])))
    return next((name for name in near if not left_out(before[name], memory)), None)


def _told(newest: Memory, older: Memory) -> Memory:
    storage = min(STORAGE_MAX, newest.standing.storage + older.standing.storage)
    outcome = Gathering()
    outcome.alter(newest, "told again", storage=storage)
    return changed(newest, outcome.changes[0]) if outcome.changes else newest


def _words(text: str) -> frozenset[str]:
    words = frozenset(_WORD.findall(text.lower()))
    return frozenset(word for word in words if len(word) > _SHORT) or words
