"""What a session is about right now: what was said last, where its talk has been, and working memory (D35).

State of one process and one session of one scope: nothing here is stored, and nothing passes from one to another.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from reverie.events import Changed, Event, Formed, Recalled, changed
from reverie.formulas.centring import unit
from reverie.formulas.retention import effective_stability, power_retention
from reverie.formulas.tiers import EvictionLaw, eviction_score, outlives_session
from reverie.types import FloatArray, Memory, Scope

SESSIONS_KEPT = 256
"""Sessions remembered at once; those longest silent go first."""
_DAY_S = 86_400.0
_HEARD = 4
"""Messages that a pronoun may look back to: what was said longer ago is rarely meant."""
_TEXT_MAX = 4_000
"""Characters of such a message that are held."""
_SAID_MAX = 1_000
"""Characters of a message that a language model is told later."""
_TRACE = 0.7
"""What is left of the talk so far when something new is said."""


@dataclass(frozen=True, slots=True)
class WorkingSettings:
    """Working memory: how many items, how they are evicted and fade, and which outlive the session.

    An item is let go where its retention, fading ``times`` as fast as its memory does (D1), has fallen below ``below``:
    so a session that nobody ended is over all the same.
    """

    most: int
    eviction: EvictionLaw
    times: float
    below: float
    least_accesses: int
    least_importance: float


@dataclass(frozen=True, slots=True)
class WorkingItem:
    """One item of working memory."""

    id: str
    text: str
    importance: float
    accesses: int
    added_at: datetime
    last_access: datetime


class WorkingMemory:
    """At most so many items; the one with the lowest eviction score goes first, ties by id."""

    def __init__(self, settings: WorkingSettings) -> None:
        self._settings = settings
        self._items: dict[str, WorkingItem] = {}
        self._stability: dict[str, float] = {}

    def put(self, memory: Memory, now: datetime) -> None:
        """Add a memory, or touch it where it is held; a full buffer gives up its weakest item."""
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
        """Let go of an item that no longer holds, so that it takes no place."""
        self._items.pop(memory_id, None)
        self._stability.pop(memory_id, None)

    def items(self, now: datetime) -> list[WorkingItem]:
        """Return the items in working memory, strongest first, ties by id."""
        self._fade(now)
        return sorted(self._items.values(), key=lambda item: (-self._score(item, now), item.id))

    def outliving(self, now: datetime) -> list[WorkingItem]:
        """What should outlive the session: used again, or important; by id."""
        self._fade(now)
        law = self._settings
        kept = (
            item
            for item in self._items.values()
            if outlives_session(item.accesses, item.importance, law.least_accesses, law.least_importance)
        )
        return sorted(kept, key=lambda item: item.id)

    def _fade(self, now: datetime) -> None:
        """Remove items that have faded."""
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
    """One session in this process: ``said`` is the context for a language model, ``texts`` the same verbatim."""

    working: WorkingMemory
    said: deque[str] = field(default_factory=lambda: deque(maxlen=_HEARD))
    texts: deque[str] = field(default_factory=lambda: deque(maxlen=_HEARD))
    talk: FloatArray | None = None

    def attention(self, vector: FloatArray | None) -> float | None:
        """Cosine of something said to the talk so far; None before there is any."""
        if vector is None or self.talk is None or len(vector) != len(self.talk):
            return None
        return float(np.dot(vector, self.talk))

    def heard(self, text: str, vector: FloatArray | None, speaker: str = "") -> None:
        """Take in what was said: its words and its direction."""
        self.said.append(f"{speaker}: {text[:_SAID_MAX]}" if speaker else text[:_SAID_MAX])
        self.texts.append(text[:_TEXT_MAX])
        if vector is not None and vector.any():
            self.talk = vector if self.talk is None or len(self.talk) != len(vector) else _turned(self.talk, vector)


def _turned(talk: FloatArray, vector: FloatArray) -> FloatArray:
    return unit(np.float32(_TRACE) * talk + np.float32(1.0 - _TRACE) * vector)


class Sessions:
    """The sessions of one process, by scope and name."""

    def __init__(self, settings: WorkingSettings) -> None:
        self._settings = settings
        self._held: OrderedDict[tuple[Scope, str], Session] = OrderedDict()

    def of(self, scope: Scope, session: str) -> Session:
        """The session, begun now if it is new here."""
        found = self._held.pop((scope, session), None) or Session(WorkingMemory(self._settings))
        self._held[scope, session] = found
        if len(self._held) > SESSIONS_KEPT:
            self._held.popitem(last=False)
        return found

    def find(self, scope: Scope, session: str) -> Session | None:
        """The session, if anything was said or recalled in it here."""
        return self._held.get((scope, session))

    def end(self, scope: Scope, session: str) -> Session | None:
        """Forget a session; what it held, None where there was none."""
        return self._held.pop((scope, session), None)

    def forget(self, scope: Scope) -> None:
        """Forget every session of a scope: something in it was erased, and a name or a word of it may be held."""
        for key in [key for key in self._held if key[0] == scope]:
            del self._held[key]


def at_hand(events: Sequence[Event], session: str, settings: WorkingSettings, now: datetime) -> list[WorkingItem]:
    """The session's working memory as its messages left it, strongest first.

    What a dream formed belongs to no session; what was recalled or changed since is touched again.
    """
    working = WorkingMemory(settings)
    held: dict[str, Memory] = {}
    for event in events:
        for memory in _laid(event, session, held):
            held[memory.id] = memory
            working.put(memory, event.at)
    return [item for item in working.items(now) if item.id in held]


def _laid(event: Event, session: str, held: dict[str, Memory]) -> list[Memory]:
    """The memories of the session that an event of a write formed or changed."""
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
