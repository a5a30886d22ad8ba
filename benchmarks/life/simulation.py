"""One life: a conversation observed message by message, its questions asked, some memories protected, and dreams.

In: an engine over an empty store, its clock, a haystack. Out: what was said and what became of it, who was protected,
and each dream with the state before and after it, as one line: two stores of one digest hold the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

from benchmarks.systems.reverie import message
from benchmarks.values import Haystack, Item
from reverie import FixedClock, Reverie, Scope
from reverie.answers import Receipt
from reverie.consolidate.history import DreamReport
from reverie.ports import Store
from reverie.types import Memory

# How a scope stands, in one line: a store in, a digest out. Two stores of one digest hold the same.


def state_digest(store: Store, scope: Scope) -> str:
    """SHA-256 over the scope's memories as they stand and the edges between them, whatever led there."""
    total = sha256()
    for memory in sorted(store.memories(scope), key=lambda memory: memory.id):
        total.update(repr(memory).encode())
    for relation in store.relations(scope):
        total.update(repr(relation).encode())
    return total.hexdigest()


# The life itself.

SCOPE = Scope(agent="benchmark", user="reader", project="life")
DAYS = 2
"""Dreams that count, a day apart; each is followed by a second one of the same day."""

BEDTIME = timedelta(days=1)
AGAIN_AFTER = timedelta(minutes=5)
WARD_EVERY = 10
"""One memory of so many is protected."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message, and what became of it."""

    item: Item
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Slept:
    """A dream: its report, the state's digest before and after it, and whether it was the day's first."""

    report: DreamReport
    before: str
    after: str
    first: bool


@dataclass(slots=True)
class Life:
    """What happened, in order. ``wards`` are the protected memories as they stood before the first dream.

    ``elsewhere`` counts the episodes that the recipe's own read path does not find by their words, but the default's.
    """

    engine: Reverie
    clock: FixedClock
    path: Path
    said: list[Said] = field(default_factory=list)
    wards: dict[str, Memory] = field(default_factory=dict)
    nights: list[Slept] = field(default_factory=list)
    asked: int = 0
    elsewhere: int = 0

    @property
    def state(self) -> str:
        """The digest of all memories and edges as they stand."""
        return state_digest(self.engine._context.store, SCOPE)


def live(life: Life, haystack: Haystack, chance: random.Random) -> Life:
    """Observe the conversation, ask its questions, protect a tenth of what is kept and formed, and dream."""
    engine, clock = life.engine, life.clock
    for item in haystack.items:
        clock.at = item.at
        life.said.append(Said(item, engine.observe(message(item), SCOPE)))
    engine.admin.embed()
    for question in haystack.questions:  # so that a dream finds memories that were used, alone and together
        clock.at = question.asked_at
        engine.recall(question.text, SCOPE)
        life.asked += 1
    _protect(life, chance)
    latest = max(clock.at, max(item.at for item in haystack.items))
    clock.at = latest.replace(hour=1, minute=0, second=0, microsecond=0)
    for _ in range(DAYS):
        clock.at += BEDTIME
        _sleep(life, first=True)
        clock.at += AGAIN_AFTER
        _sleep(life, first=False)
    return life


def _protect(life: Life, chance: random.Random) -> None:
    """Pin, protect, or both, in turn, a random tenth of the formed memories and of the episodes."""
    engine = life.engine
    formed = [memory.id for memory in engine.admin.formed(SCOPE)]
    episodes = list(dict.fromkeys(said.receipt.id for said in life.said))
    for place, memory_id in enumerate([*_tenth(formed, chance), *_tenth(episodes, chance)]):
        if place % 3 != 1:
            engine.admin.pin(memory_id, SCOPE)
        if place % 3 != 0:
            engine.admin.protect(memory_id, SCOPE)
        life.wards[memory_id] = engine.memory(memory_id, SCOPE)


def _tenth(ids: Sequence[str], chance: random.Random) -> list[str]:
    return sorted(chance.sample(ids, -(-len(ids) // WARD_EVERY)))


def _sleep(life: Life, *, first: bool) -> None:
    before = life.state
    report = life.engine.dream(SCOPE)
    life.nights.append(Slept(report, before, life.state, first))
