"""The state of the open sessions in this process: the last messages, the topic of the talk, and working memory.

Each session of each scope has its own state; nothing of it is stored or shared.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock

import numpy as np

from reverie.events import Changed, Event, Formed, Recalled, apart, changed
from reverie.formulas.centring import unit
from reverie.formulas.retention import effective_stability, power_retention
from reverie.formulas.tiers import EvictionLaw, eviction_score, outlives_session
from reverie.types import FloatArray, Memory, Scope

SESSIONS_KEPT = 256
"""Most sessions with state at once; the longest unused is dropped first."""
_DAY_S = 86_400.0
_HEARD = 4
"""How many last messages are searched for what a pronoun refers to: pronouns rarely refer to earlier ones."""
_TEXT_MAX = 4_000
"""Number of characters of such a message that are kept."""
_SAID_MAX = 1_000
"""Number of characters of a message that are kept for a language model's prompt."""
_TRACE = 0.7
"""Weight of the talk so far when a new message is added to it."""


@dataclass(frozen=True, slots=True)
class WorkingSettings:
    """Limits of working memory: how many items it holds, how they are evicted and fade, and which outlive the session.

    An item is dropped when its retention, which fades ``times`` as fast as its memory's, is less than ``below``;
    so a session that nobody ends empties by itself.
    """

    most: int
    eviction: EvictionLaw
    times: float
    below: float
    least_accesses: int
    least_importance: float


@dataclass(frozen=True, slots=True)
class WorkingItem:
    """One item of working memory: a memory's id and text, and how much it is used."""

    id: str
    text: str
    importance: float
    accesses: int
    added_at: datetime
    last_access: datetime


class WorkingMemory:
    """A session's working memory: a limited number of items; the one with the lowest score is evicted first."""

    def __init__(self, settings: WorkingSettings) -> None:
        self._settings = settings
        self._items: dict[str, WorkingItem] = {}
        self._stability: dict[str, float] = {}

    def put(self, memory: Memory, now: datetime) -> None:
        """Add a memory, or count an access if it is there; if full, evict the weakest item, ties by id."""
        self._fade(now)
        held, importance = self._items.get(memory.id), memory.standing.importance
        self._stability[memory.id] = memory.standing.stability_days
        if held is not None:
            touched = replace(held, text=memory.text, importance=importance, accesses=held.accesses + 1)
            self._items[memory.id] = replace(touched, last_access=now)
            return
        self._items[memory.id] = WorkingItem(memory.id, memory.text, importance, memory.accesses, now, now)
        if len(self._items) > self._settings.most:
            self.drop(min(self._items.values(), key=lambda item: (self._score(item, now), item.id)).id)

    def drop(self, memory_id: str) -> None:
        """Remove an item, as when its memory is no longer valid; unknown ids are ignored."""
        self._items.pop(memory_id, None)
        self._stability.pop(memory_id, None)

    def items(self, now: datetime) -> list[WorkingItem]:
        """Return the items, strongest first, ties by id."""
        self._fade(now)
        return sorted(self._items.values(), key=lambda item: (-self._score(item, now), item.id))

    def outliving(self, now: datetime) -> list[WorkingItem]:
        """Return the items that should outlive the session, because they were used again or are important; by id."""
        self._fade(now)
        law = self._settings
        kept = (
            item
            for item in self._items.values()
            if outlives_session(item.accesses, item.importance, law.least_accesses, law.least_importance)
        )
        return sorted(kept, key=lambda item: item.id)

    def _fade(self, now: datetime) -> None:
        """Remove the items that have faded."""
        for item in list(self._items.values()):
            idle = max(0.0, (now - item.last_access).total_seconds() / _DAY_S)
            stability = effective_stability(self._stability[item.id], self._settings.times)
            if float(power_retention(idle, stability)) < self._settings.below:
                self.drop(item.id)

    def _score(self, item: WorkingItem, now: datetime) -> float:
        idle = (now - item.last_access).total_seconds() / 60.0
        return float(eviction_score(item.importance, idle, item.accesses, self._settings.eviction))


@dataclass(slots=True)
class Session:
    """The state of one session: ``said`` are the last messages for a model's prompt, ``texts`` their plain texts."""

    working: WorkingMemory
    said: deque[str] = field(default_factory=lambda: deque(maxlen=_HEARD))
    texts: deque[str] = field(default_factory=lambda: deque(maxlen=_HEARD))
    talk: FloatArray | None = None

    def attention(self, vector: FloatArray | None) -> float | None:
        """Return the cosine of a vector and the talk so far; None before there is any."""
        if vector is None or self.talk is None or len(vector) != len(self.talk):
            return None
        return float(np.dot(vector, self.talk))

    def heard(self, text: str, vector: FloatArray | None, speaker: str = "") -> None:
        """Add a message to the session: its text, and its vector to the talk."""
        self.said.append(f"{speaker}: {text[:_SAID_MAX]}" if speaker else text[:_SAID_MAX])
        self.texts.append(text[:_TEXT_MAX])
        if vector is not None and vector.any():
            self.talk = vector if self.talk is None or len(self.talk) != len(vector) else _turned(self.talk, vector)


def _turned(talk: FloatArray, vector: FloatArray) -> FloatArray:
    return unit(np.float32(_TRACE) * talk + np.float32(1.0 - _TRACE) * vector)


class Sessions:
    """The state of the open sessions of one process, by scope and name."""

    def __init__(self, settings: WorkingSettings) -> None:
        self._settings = settings
        self._held: OrderedDict[tuple[Scope, str], Session] = OrderedDict()
        self._lock = Lock()

    def of(self, scope: Scope, session: str) -> Session:
        """Return a session's state, a new one if there is none."""
        with self._lock:
            found = self._held.pop((scope, session), None) or Session(WorkingMemory(self._settings))
            self._held[scope, session] = found
            if len(self._held) > SESSIONS_KEPT:
                self._held.popitem(last=False)
        return found

    def find(self, scope: Scope, session: str) -> Session | None:
        """Return a session's state; None if nothing was said or recalled in it here."""
        return self._held.get((scope, session))

    def end(self, scope: Scope, session: str) -> Session | None:
        """Remove a session's state and return it; None if there was none."""
        with self._lock:
            return self._held.pop((scope, session), None)

    def forget(self, scope: Scope) -> None:
        """Remove the state of all sessions of a scope, as after an erasure: they may hold parts of the erased text."""
        with self._lock:
            for key in [key for key in self._held if key[0] == scope]:
                del self._held[key]


def at_hand(events: Sequence[Event], session: str, settings: WorkingSettings, now: datetime) -> list[WorkingItem]:
    """Rebuild a session's working memory from events, and return its items, strongest first.

    Memories that a dream formed belong to no session. Recalls and changes count as accesses.
    """
    working = WorkingMemory(settings)
    held: dict[str, Memory] = {}
    for event in apart(events):
        for memory in _laid(event, session, held):
            held[memory.id] = memory
            working.put(memory, event.at)
    return [item for item in working.items(now) if item.id in held]


def _laid(event: Event, session: str, held: dict[str, Memory]) -> list[Memory]:
    """Return the session's memories that an event formed, changed or recalled; dreams' events count for none."""
    match event.payload:
        case Formed(added, removed, cycle):
            for memory in removed:
                held.pop(memory.id, None)
            return [] if cycle else [memory for memory in added if memory.session == session]
        case Changed(changes, cycle) if not cycle:
            return [changed(held[change.memory], change) for change in changes if change.memory in held]
        case Recalled(memories):
            return [replace(held[name], accesses=held[name].accesses + 1) for name in memories if name in held]
    return []
