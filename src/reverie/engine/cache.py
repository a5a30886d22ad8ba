"""What is kept for a while: vectors just asked for (D24), who is in the hot tier (D36), and dreams that were retold.

All are bounded in number and in time. Vectors: one cache a session of a scope, so that nothing passes from one to
another; keys are SHA-256, so that it holds no text.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias

from reverie.types import FloatArray, Scope

if TYPE_CHECKING:
    from reverie.consolidate.history import Cycle, DreamSummary

SESSIONS_KEPT = 64
DREAMS_KEPT = 256
Chosen: TypeAlias = tuple[str, ...]
"""Ids of memories."""


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """How many vectors, and for how long."""

    most: int = 200
    minutes: float = 30.0


class EmbeddingCache:
    """The vectors of one session; the one not asked for longest goes first."""

    def __init__(self, settings: CacheSettings) -> None:
        self._settings = settings
        self._held: OrderedDict[bytes, tuple[FloatArray, datetime]] = OrderedDict()
        self._lock = Lock()
        self.hits = 0

    def get(self, text: str, now: datetime, embed: Callable[[str], FloatArray]) -> FloatArray:
        """The vector of a text, embedded now if it is not held or was held too long."""
        key = sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            held = self._held.pop(key, None)
            if held is not None and timedelta() <= now - held[1] < timedelta(minutes=self._settings.minutes):
                self.hits += 1
                self._held[key] = held
                return held[0]
        vector = embed(text)  # not under the lock: a model may take seconds, and others ask for other texts
        with self._lock:
            self._held[key] = (vector, now)
            if len(self._held) > self._settings.most:
                self._held.popitem(last=False)
        return vector

    def __len__(self) -> int:
        return len(self._held)


HOT_MINUTES = 5.0
"""For so long the hot tier is not worked out again while nothing is written (D36)."""


class EmbeddingCaches:
    """A cache a session."""

    def __init__(self, settings: CacheSettings | None = None) -> None:
        self._settings = settings or CacheSettings()
        self._held: OrderedDict[tuple[Scope, str], EmbeddingCache] = OrderedDict()

    def of(self, scope: Scope, session: str | None) -> EmbeddingCache:
        """The cache of a session, a new one if need be."""
        key = (scope, session or "")
        found = self._held.pop(key, None)
        if found is None:  # an empty cache is one, too
            found = EmbeddingCache(self._settings)
        self._held[key] = found
        if len(self._held) > SESSIONS_KEPT:
            self._held.popitem(last=False)
        return found

    def end(self, scope: Scope, session: str) -> None:
        """Forget a session's vectors."""
        self._held.pop((scope, session), None)

    def forget(self, scope: Scope) -> None:
        """Forget the vectors of every session of a scope."""
        for key in [key for key in self._held if key[0] == scope]:
            del self._held[key]


class HotTiers:
    """Who is in each scope's hot tier (D36), for some minutes: names alone, so that nothing erased comes out of it."""

    def __init__(self) -> None:
        self._held: OrderedDict[Scope, tuple[Chosen, datetime]] = OrderedDict()

    def get(self, scope: Scope, now: datetime, minutes: float, make: Callable[[], Chosen]) -> Chosen:
        """Those chosen less than so many minutes before ``now``, else chosen now."""
        held = self._held.pop(scope, None)
        if held is None or not timedelta() <= now - held[1] < timedelta(minutes=minutes):
            held = make(), now
        self._held[scope] = held
        if len(self._held) > SESSIONS_KEPT:
            self._held.popitem(last=False)
        return held[0]


class HotNow:
    """The hot tier of each scope as it was last worked out: for some minutes, and until anything is written."""

    def __init__(self) -> None:
        self._held: OrderedDict[Scope, tuple[int, datetime, tuple[str, ...]]] = OrderedDict()

    def get(self, scope: Scope, head: int, now: datetime, make: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """The names worked out at this head of the journal less than ``HOT_MINUTES`` before ``now``, else now."""
        held = self._held.pop(scope, None)
        if held is None or held[0] != head or not timedelta() <= now - held[1] < timedelta(minutes=HOT_MINUTES):
            held = head, now, make()
        self._held[scope] = held
        if len(self._held) > SESSIONS_KEPT:
            self._held.popitem(last=False)
        return held[2]


class ToldDreams:
    """Dreams that came to their end, retold: the journal says the same of them until something is erased."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[Scope, Cycle], tuple[int, DreamSummary]] = OrderedDict()
        self._lock = Lock()

    def get(self, scope: Scope, cycle: Cycle, erased: int, tell: Callable[[], DreamSummary]) -> DreamSummary:
        """What is held of a dream as it stands, or told now. ``erased`` is the number of the last erasure."""
        if cycle.ended is None:
            return tell()
        with self._lock:
            held = self._held.get((scope, cycle))
        if held is not None and held[0] == erased:
            return held[1]
        told = tell()
        with self._lock:
            self._held[scope, cycle] = erased, told
            if len(self._held) > DREAMS_KEPT:
                self._held.popitem(last=False)
        return told

    def forget(self, scope: Scope) -> None:
        """Forget the dreams of a scope: they quote memories."""
        with self._lock:
            for key in [key for key in self._held if key[0] == scope]:
                del self._held[key]
