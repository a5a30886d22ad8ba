"""The context of an engine: the parts it was composed of, what its collaborators share, and how an event is written.

With what is kept for a while (vectors just asked for, the hot tier, dreams that were retold), and how readers go first
while a dream computes and writes.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from reverie.engine.embedding import BackgroundCatchUp
from reverie.engine.requests import actor, require_scope, require_words
from reverie.errors import Conflict, InvalidInput, ModelUnavailable, NotFound, ReverieError
from reverie.events import Action, Change, Changed, Draft, Payload
from reverie.ops.log import OpsEntry, OpsLog
from reverie.ops.telemetry import NoTelemetry, Telemetry
from reverie.ports import Clock, Embedder, Ids, Mind, Reranker, Store, Transaction, paired
from reverie.recall.settings import RerankSettings
from reverie.recipes.recipe import Recipe
from reverie.screen.values import ScreenSettings
from reverie.types import RECALLED_STATES, FloatArray, Memory, Scope

if TYPE_CHECKING:
    from collections import defaultdict

    from reverie.consolidate.history import Cycle, DreamSummary
    from reverie.encode.neighbours import EdgeCount
    from reverie.encode.session import Sessions
    from reverie.engine.rerank_deadline import Rereading


# Giving way: while a dream computes and writes, whoever recalls goes first.


T = TypeVar("T")

_TURN_S = 0.0001
"""How long a dream may compute before another thread gets its turn; Python's own 5 ms are a whole recall."""
_PAUSE_S = 0.001
_PATIENCE_S = 0.05
"""How long a dream waits for those who recall, between two transactions."""
_SOME = 32
"""After so many things of a loop a dream gives way."""


class Guests:
    """Counts who is recalling right now."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Somebody recalls."""
        with self._lock:
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1

    def let_through(self) -> None:
        """Wait briefly, and longer while a recall is waiting: a lock released and retaken at once lets nobody in."""
        time.sleep(_PAUSE_S)
        self.give_way()

    def give_way(self) -> None:
        """Wait while recalls are running, up to a limit."""
        if not self._count:
            return
        until = time.monotonic() + _PATIENCE_S
        while self._count and time.monotonic() < until:
            time.sleep(_PAUSE_S)

    def paced(self, things: Iterable[T]) -> Iterator[T]:
        """The things, giving way every some of them: a loop in Python would take turns with who recalls to its end."""
        for number, thing in enumerate(things):
            if not number % _SOME:
                self.give_way()
            yield thing


class _Turns:
    """How many dreams compute in this process, and how long a turn was before the first."""

    lock = Lock()
    dreams = 0
    usual_s = 0.0
    settles = False


@contextmanager
def short_turns() -> Iterator[None]:
    """Give other threads their turn sooner while a dream computes."""
    with _Turns.lock:
        if _Turns.dreams == 0:
            _Turns.usual_s = sys.getswitchinterval()
            _Turns.settles = gc.get_freeze_count() == 0  # what somebody else put aside stays aside
            sys.setswitchinterval(min(_TURN_S, _Turns.usual_s))
        _Turns.dreams += 1
    try:
        yield
    finally:
        with _Turns.lock:
            _Turns.dreams -= 1
            if _Turns.dreams == 0:
                sys.setswitchinterval(_Turns.usual_s)
                if _Turns.settles:
                    gc.unfreeze()


def settle() -> None:
    """Spare what a dream has loaded the collection of garbage, until it ends: that halts everybody, for .1 s and more.

    For within ``short_turns``. Nothing is done where somebody else put objects aside.
    """
    with _Turns.lock:
        if _Turns.dreams and _Turns.settles:
            gc.freeze()


# What is kept for a while: vectors just asked for (D24), who is in the hot tier (D36), and dreams that were retold.


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
    """Cache of each scope's hot tier: valid for some minutes, and until something is written."""

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


# The context of an engine: the parts it was composed of, what its collaborators share, and how an event is written.


RETIRED = "a source was taken back"
"""Why what a dream made goes with what it was made of."""


@dataclass(slots=True)
class Parts:
    """What an engine is composed of. ``screen`` None: nothing is screened; ``log`` None: nothing is logged.

    ``place`` is the path the store was opened by, which says where its logs lie.
    """

    store: Store
    embedder: Embedder | None
    clock: Clock
    ids: Ids
    recipe: Recipe
    screen: ScreenSettings | None = field(default_factory=ScreenSettings)
    mind: Mind | None = None
    log: OpsLog | None = None
    telemetry: Telemetry = field(default_factory=NoTelemetry)
    place: str = ":memory:"
    reranker: Reranker | None = None
    rerank: RerankSettings = field(default_factory=RerankSettings)


@dataclass(slots=True)
class LogLine:
    """The ops log line of a running operation; it quotes no memory."""

    what: str = ""
    changed: int | None = None

    def did(self, what: str, changed: int) -> None:
        """Say what came of it."""
        self.what, self.changed = what, changed


class Context:
    """What every collaborator of an engine shares: parts, lock, caches, sessions, and how an event is written."""

    def __init__(self, parts: Parts) -> None:
        """Compose an engine by hand; ``Reverie.open`` does it from a path."""
        self.parts = parts
        self.store = parts.store
        self.embedder = parts.embedder
        self.clock = parts.clock
        self.ids = parts.ids
        self.recipe = parts.recipe
        self.lock = threading.RLock()
        self.caches = EmbeddingCaches()
        self.caches_of_second = EmbeddingCaches()
        self.hot = HotTiers()
        self.hot_now = HotNow()
        self.guests = Guests()
        self.retellings = ToldDreams()
        self.catching_up: BackgroundCatchUp | None = None
        self.rereading: Rereading | None = None
        if parts.reranker is not None:
            self.reread_with(parts.reranker)

    def reread_with(self, reranker: Reranker) -> None:
        """Have a reranker read from now on; whatever that needs is loaded only where there is one."""
        from reverie.engine.rerank_deadline import Rereading

        self.rereading = Rereading(reranker, self.parts.rerank.deadline_ms)

    @cached_property
    def sessions(self) -> Sessions:
        """What each session of this process holds."""
        from reverie.encode.session import Sessions

        return Sessions(self.recipe.working)

    @cached_property
    def edges(self) -> defaultdict[Scope, EdgeCount]:
        """How many edges each scope has, counted as they are written."""
        from collections import defaultdict

        from reverie.encode.neighbours import EdgeCount

        return defaultdict(EdgeCount)

    def memory(self, memory_id: str, scope: Scope) -> Memory:
        """One memory by its id. Raises NotFound, also for an id of another scope."""
        require_scope(scope)
        if not isinstance(memory_id, str):
            raise InvalidInput(f"A memory's id is {type(memory_id).__name__}, not text.", "Give memory.id.")
        with self.lock:
            memory = self.store.memory(scope, memory_id)
        if memory is None:
            raise NotFound(f"There is no memory {memory_id!r} in scope {scope}.", "Look it up with timeline or recall.")
        return memory

    def held(self, memory_id: str, scope: Scope) -> Memory | None:
        """A memory, if it is still there and holds."""
        memory = self.store.memory(scope, memory_id)
        if memory is None or memory.standing.state not in RECALLED_STATES:
            return None
        return memory if memory.holds_at(self.clock.now()) else None

    def append(self, scope: Scope, action: Action, why: str, payload: Payload, durable: bool = True) -> None:
        """Write one event."""
        with self.lock, self.store.begin(durable=durable) as tx:
            tx.append(self.draft(scope, action, why, payload))

    def draft(self, scope: Scope, action: Action, why: str, payload: Payload) -> Draft:
        """Build an event with the current time, the caller as actor, and secrets masked in its reason."""
        return Draft(scope, self.clock.now(), actor(scope), action, self.masked(why), payload, self.ids.salt())

    def retire(self, tx: Transaction, scope: Scope, retired: Sequence[Change]) -> None:
        """Write, as an event of its own, what goes with what was taken back; nothing where nothing does."""
        if retired:
            tx.append(self.draft(scope, Action.CHANGE, RETIRED, Changed(tuple(retired))))

    def masked(self, words: str) -> str:
        """Words that are written beside a memory, a reason or a tag, without what the screen takes out."""
        if not require_words("A reason or a tag", words) or self.parts.screen is None:
            return words
        from reverie.screen.pipeline import screen

        return screen(words, replace(self.parts.screen, quarantine=False)).text

    def vectors(self, texts: list[str]) -> Sequence[FloatArray | None]:
        """A vector a text. A model that cannot be reached costs no message: ``admin.embed`` embeds it later."""
        if self.embedder is None:
            return [None] * len(texts)
        try:
            return list(self.embedder.embed_passages(texts))
        except ModelUnavailable as error:
            self.unembedded(len(texts), error)
            return [None] * len(texts)

    def unembedded(self, texts: int, error: ModelUnavailable) -> None:
        """Say in the ops log that texts stay without vectors for now, and why."""
        self.logged(OpsEntry("embed", input=f"{texts} texts", output=error.message, success=False))

    def embed_again(self, scope: Scope, reworded: Sequence[str]) -> None:
        """Embed memories whose text changed; if the model is unavailable, ``admin.embed`` does it later."""
        if self.embedder is None or not reworded:
            return
        with self.lock:
            memories = [memory for name in reworded if (memory := self.store.memory(scope, name)) is not None]
        rows = zip(memories, self.vectors([memory.text for memory in memories]), strict=True)
        known = [(scope, memory.id, vector) for memory, vector in rows if vector is not None]
        if known:
            with self.lock:
                self.store.put_vectors(self.embedder.info, known)
        self.embed_later()

    def embed_later(self) -> None:
        """Start embedding new memories by the second model in the background."""
        if self.catching_up is not None and paired(self.embedder) is not None:
            self.catching_up.start()

    @contextmanager
    def line(self, op: str, scope: Scope, *ids: str) -> Iterator[LogLine]:
        """The block as a line of the ops log: its name, its scope and the ids it was given, never a text."""
        line, started, success = LogLine(), perf_counter(), False
        try:
            yield line
            success = True
        except ReverieError as error:
            line.what = line.what or type(error).__name__
            raise
        finally:
            took = (perf_counter() - started) * 1000.0
            told = " ".join((str(scope), *filter(None, map(str, ids))))
            made = OpsEntry(op, told, line.what, latency_ms=took, success=success, result_count=line.changed)
            self.logged(replace(made, scope=scope))

    def measured(self, op: str, took_ms: float, **counts: int) -> None:
        """Record an operation's duration and result as metrics: ``reverie.recall``, ``reverie.recall.hits``."""
        telemetry = self.parts.telemetry
        telemetry.measure(op, took_ms)
        for what, count in counts.items():
            telemetry.count(f"{op}.{what}", count)

    def logged(self, entry: OpsEntry) -> None:
        """Write a line into the ops log, where there is one."""
        if self.parts.log is not None:
            self.parts.log.write(entry)


def is_protected(memory: Memory) -> bool:
    """Whether a memory is pinned or immutable."""
    return memory.standing.pinned or memory.standing.immutable


def require_mutable(memory: Memory) -> None:
    """Raise Conflict for a memory that nothing may change."""
    if memory.standing.immutable:
        raise Conflict(
            f"Memory {memory.id} is immutable.",
            "Lift that first: protect(…, immutable=False), or `reverie memory protect ID --off`.",
        )


def require_free(memory: Memory) -> None:
    """Raise Conflict for a memory that nothing may forget."""
    require_mutable(memory)
    if memory.standing.pinned:
        raise Conflict(
            f"Memory {memory.id} is pinned.", "Lift that first: pin(…, pinned=False), or `reverie memory unpin ID`."
        )
