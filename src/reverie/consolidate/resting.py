"""Resting: where a recipe limits how many memories may be recalled, the words of the rest rest. Off unless it does.

In: the awake episodes and how many formed memories are awake. Out: changes. First what was said again later rests, for
the newest says it too; it takes over how often it was told. Then, of what is still too many, the least active. Nothing
is deleted: what rests is in the timeline, bears its id, and can be revived (decision 0024).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from reverie.consolidate.law import left_out
from reverie.consolidate.outcome import Gathering, Outcome
from reverie.consolidate.settings import Resting
from reverie.consolidate.snapshot import by_age
from reverie.events import changed
from reverie.formulas.activation import activation
from reverie.types import Memory, State

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
    """(n,) by how often each was told and was of use when recalled, and how long ago it was said."""
    lives = [memory.standing for memory in memories]
    used = np.array([2.0 * life.utility * memory.accesses for memory, life in zip(memories, lives, strict=True)])
    told = np.array([life.storage for life in lives])
    ages = np.array([max(1.0, (now - memory.recorded_at).total_seconds()) for memory in memories])
    return activation(told + used, ages)


def _without_repeats(episodes: Sequence[Memory], settings: Resting, gathering: Gathering) -> list[Memory]:
    """What remains where each group of near-repeats by one speaker is left to its newest, which counts the tellings."""
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
