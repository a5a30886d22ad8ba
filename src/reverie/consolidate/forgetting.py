"""Steps that put memories to sleep: by redundancy, by five rules in order, and by a limit to how many may be recalled.

Nothing is deleted; what sleeps can be woken.
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

# Step 11, redundancy: of two memories that say the same the more useful stays. Rule four of forgetting is the same.


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


# Step 8, forgetting: five rules in order put memories to sleep. Nothing is deleted; what sleeps can be woken.


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
    redundant = settings.redundancy
    kept = Trimming(settings.capacity, settings.trimmed, redundant.retention, redundant.used_share)
    return _one_too_many(snapshot, kept, -retrievability_for_test(snapshot, settings.law))


def _expendable(snapshot: Snapshot, settings: Forgetting) -> Bools:
    """(n,) what the third rule may put to sleep."""
    spared = protected(snapshot, settings.redundancy.retention, settings.redundancy.used_share)
    return snapshot.active & snapshot.free & ~spared


# Trimming: the fifth rule by itself, for a recipe in which nothing fades. Off unless a limit is asked for.


def trimming(snapshot: Snapshot, settings: Trimming, now: datetime) -> Outcome:
    """Where there are too many the least useful rest, of equally useful ones what lies unused longest for its strength.

    No curve is asked: each puts two memories in the order of idle days over days of stability.
    """
    del now
    return _one_too_many(snapshot, settings, snapshot.columns.idle_days / snapshot.columns.stability_days)


def _one_too_many(snapshot: Snapshot, settings: Trimming, far: Floats) -> Outcome:
    """The least useful above the capacity, of equally useful ones first what is hardest to reach: ``far``, (n,)."""
    active = np.flatnonzero(snapshot.active)
    if len(active) <= settings.capacity:
        return Outcome()
    ordered = active[np.argsort(-far[active], kind="stable")]
    spared = protected(snapshot, settings.retention, settings.used_share)[ordered]
    exempt = ~snapshot.free[ordered]
    worth = snapshot.columns.utility[ordered] + np.where(spared, 2.0, 0.0)  # after all others, whatever their utility
    gathering = Gathering()
    for row in ordered[surplus(worth, exempt, settings.capacity, settings.trimmed)].tolist():
        gathering.alter(snapshot.memories[row], "one too many", state=State.DORMANT)
    return gathering.outcome()


# Resting: where a recipe limits how many memories may be recalled, the words of the rest rest. Off unless it does.


STORAGE_MAX = 10.0
"""The end of the scale of storage strength (D2), which counts the tellings here."""
_WORD = re.compile(r"\w+")
_SHORT = 3
"""Words of so many letters or fewer are left out where there are longer ones, as the read path does."""


def resting(episodes: Sequence[Memory], formed: int, settings: Resting, now: datetime) -> Outcome:
    """The changes that bring the awake memories down to ``trimmed`` where they are more than ``capacity``.

    ``episodes`` are the awake ones, ``formed`` how many formed memories are awake; these are not touched here.
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
    """Compute each memory's activation, (n,), from how often it was said and was useful when recalled, and its age."""
    lives = [memory.standing for memory in memories]
    used = np.array([2.0 * life.utility * memory.accesses for memory, life in zip(memories, lives, strict=True)])
    told = np.array([life.storage for life in lives])
    ages = np.array([max(1.0, (now - memory.recorded_at).total_seconds()) for memory in memories])
    return activation(told + used, ages)


def _without_repeats(episodes: Sequence[Memory], settings: Resting, gathering: Gathering) -> list[Memory]:
    """Make all but the newest of each speaker's near-duplicates dormant and return the rest; the newest counts them."""
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
    """The newest memory that ``memory`` is a near-repeat of, which holds all that it says (``law``)."""
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
