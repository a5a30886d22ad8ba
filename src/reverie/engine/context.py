"""The context that an engine's collaborators share: its parts, lock and caches, and how an event is written.

The caches hold vectors of recent cues, hot tiers and dream summaries. ``Guests`` and ``short_turns`` give recalls
priority while a dream computes and writes.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from threading import Lock
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from reverie.engine.embedding import IDLE_S
from reverie.engine.locks import ScopeLocks
from reverie.engine.requests import actor, caller_name, require_scope, require_words
from reverie.errors import Conflict, InvalidInput, ModelUnavailable, NotFound, ReverieError
from reverie.events import Action, Change, Changed, Draft, Payload, Recorded
from reverie.ops.log import LogLine, OpsEntry, OpsLog, operation
from reverie.ops.telemetry import NoTelemetry, Telemetry
from reverie.ports import Clock, Embedder, Ids, Mind, Reranker, Store, Transaction, distant, paired
from reverie.recall.settings import RerankSettings
from reverie.recipes.recipe import Recipe
from reverie.screen.values import ScreenSettings
from reverie.types import RECALLED_STATES, FloatArray, Memory, Record, Scope

if TYPE_CHECKING:
    from collections import defaultdict

    from reverie.consolidate.history import Cycle, DreamSummary
    from reverie.encode.neighbours import EdgeCount
    from reverie.encode.session import Sessions
    from reverie.engine.counting import RecallCounts
    from reverie.engine.rerank_deadline import Rereading


T = TypeVar("T")

_TURN_S = 0.0001
"""Thread switch interval while a dream computes; Python's default of 5 ms is as long as a whole recall."""
_PAUSE_S = 0.001
_PATIENCE_S = 0.05
"""Longest time that a dream waits for running recalls between two transactions."""
_SOME = 32
"""Number of loop items after which a dream lets recalls go first."""


_LOOK_S = 0.02
_REST_S = 0.5
"""How long no recall must have run before the slower model reads on: prompts and sessions come in bursts."""
_REST_MOST_S = 2.0
"""How long the slower model waits for that before each batch, so that it gets on however busy the engine is."""


class Guests:
    """Counts running recalls, so that a dream and the slower model can wait for them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._ended = 0.0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count one recall as running within the block."""
        with self._lock:
            self._count += 1
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
                self._ended = time.monotonic()

    def rest(self, stop: Callable[[], bool]) -> None:
        """Wait until no recall has run for ``_REST_S``, for at most ``_REST_MOST_S`` and until ``stop`` is true."""
        until = time.monotonic() + _REST_MOST_S
        while (now := time.monotonic()) < until and not stop():
            if not self._count and now - self._ended >= _REST_S:
                return
            time.sleep(_LOOK_S)

    def let_through(self) -> None:
        """Wait a moment, and on while a recall runs: no other thread gets a lock that is retaken at once."""
        time.sleep(_PAUSE_S)
        self.give_way()

    def give_way(self) -> None:
        """Wait while a recall runs, at most ``_PATIENCE_S``; return at once if none runs."""
        if not self._count:
            return
        until = time.monotonic() + _PATIENCE_S
        while self._count and time.monotonic() < until:
            time.sleep(_PAUSE_S)

    def paced(self, things: Iterable[T]) -> Iterator[T]:
        """Yield the items of a loop, and let running recalls go first after every ``_SOME`` of them."""
        for number, thing in enumerate(things):
            if not number % _SOME:
                self.give_way()
            yield thing


class _Turns:
    """Number of dreams computing in this process, and the thread switch interval before the first."""

    lock = Lock()
    dreams = 0
    usual_s = 0.0
    settles = False


@contextmanager
def short_turns() -> Iterator[None]:
    """Shorten the thread switch interval within the block, so that recalls are not delayed by a computing dream."""
    with _Turns.lock:
        if _Turns.dreams == 0:
            _Turns.usual_s = sys.getswitchinterval()
            _Turns.settles = gc.get_freeze_count() == 0  # objects frozen by other code stay frozen
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
    """Exclude a dream's objects from garbage collection until it ends: a collection stops all threads for .1 s or more.

    To be called within ``short_turns``. Does nothing if other code has frozen objects.
    """
    with _Turns.lock:
        if _Turns.dreams and _Turns.settles:
            gc.freeze()


SESSIONS_KEPT = 64
DREAMS_KEPT = 256
Chosen: TypeAlias = tuple[str, ...]
"""Ids of memories."""


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """Limits of an embedding cache: the number of vectors, and for how long each is kept."""

    most: int = 200
    minutes: float = 30.0


class EmbeddingCache:
    """Cache of the cue vectors of one session; the least recently used is dropped first."""

    def __init__(self, settings: CacheSettings) -> None:
        self._settings = settings
        self._held: OrderedDict[bytes, tuple[FloatArray, datetime]] = OrderedDict()
        self._lock = Lock()
        self.hits = 0

    def get(self, text: str, now: datetime, embed: Callable[[str], FloatArray]) -> FloatArray:
        """Return the vector of a text from the cache, or embed it if it is missing or too old."""
        key = sha256(text.encode("utf-8", "surrogatepass")).digest()
        with self._lock:
            held = self._held.pop(key, None)
            if held is not None and timedelta() <= now - held[1] < timedelta(minutes=self._settings.minutes):
                self.hits += 1
                self._held[key] = held
                return held[0]
        vector = embed(text)  # without the lock: a model may take seconds, and other threads embed other texts
        with self._lock:
            self._held[key] = (vector, now)
            if len(self._held) > self._settings.most:
                self._held.popitem(last=False)
        return vector

    def __len__(self) -> int:
        return len(self._held)


HOT_MINUTES = 5.0
"""How long a computed hot tier is reused while nothing is written."""


SCOPES_NOTED = 10_000


class FirstUses:
    """Which scopes were used already; of more than ``SCOPES_NOTED`` the longest unused count as new again."""

    def __init__(self) -> None:
        self._seen: OrderedDict[Scope, None] = OrderedDict()
        self._lock = Lock()

    def is_first(self, scope: Scope) -> bool:
        """Note the use of a scope; return whether it is the first."""
        with self._lock:
            is_new = scope not in self._seen
            self._seen[scope] = None
            self._seen.move_to_end(scope)
            if len(self._seen) > SCOPES_NOTED:
                self._seen.popitem(last=False)
            return is_new


class EmbeddingCaches:
    """The embedding caches of all sessions, one each."""

    def __init__(self, settings: CacheSettings | None = None) -> None:
        self._settings = settings or CacheSettings()
        self._held: OrderedDict[tuple[Scope, str], EmbeddingCache] = OrderedDict()
        self._lock = Lock()

    def of(self, scope: Scope, session: str | None) -> EmbeddingCache:
        """Return the cache of a session, created on first use."""
        key = (scope, session or "")
        with self._lock:
            found = self._held.pop(key, None)
            if found is None:  # an empty cache is falsy
                found = EmbeddingCache(self._settings)
            self._held[key] = found
            if len(self._held) > SESSIONS_KEPT:
                self._held.popitem(last=False)
        return found

    def end(self, scope: Scope, session: str) -> None:
        """Drop the vectors of a session."""
        with self._lock:
            self._held.pop((scope, session), None)

    def forget(self, scope: Scope) -> None:
        """Drop the vectors of all sessions of a scope."""
        with self._lock:
            for key in [key for key in self._held if key[0] == scope]:
                del self._held[key]


def _keep(held: OrderedDict[Scope, T], scope: Scope, value: T) -> None:
    """Put a scope's value last, and drop the least recently used one if there are too many."""
    held[scope] = value
    held.move_to_end(scope)
    if len(held) > SESSIONS_KEPT:
        held.popitem(last=False)


class HotTiers:
    """Cache of each scope's hot tier for recall: ids alone, so that it never returns an erased memory."""

    def __init__(self) -> None:
        self._held: OrderedDict[Scope, tuple[Chosen, datetime]] = OrderedDict()
        self._lock = Lock()

    def get(self, scope: Scope, now: datetime, minutes: float, make: Callable[[], Chosen]) -> Chosen:
        """Return the ids chosen less than ``minutes`` before ``now``, else choose them with ``make``."""
        held = self._held.get(scope)
        if held is None or not timedelta() <= now - held[1] < timedelta(minutes=minutes):
            held = make(), now
        with self._lock:
            _keep(self._held, scope, held)
        return held[0]


class HotNow:
    """Cache of each scope's hot tier, valid for some minutes and until anything is written."""

    def __init__(self) -> None:
        self._held: OrderedDict[Scope, tuple[int, datetime, tuple[str, ...]]] = OrderedDict()
        self._lock = Lock()

    def get(self, scope: Scope, head: int, now: datetime, make: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """Return the ids computed at this journal head less than ``HOT_MINUTES`` before ``now``, else compute them."""
        held = self._held.get(scope)
        if held is None or held[0] != head or not timedelta() <= now - held[1] < timedelta(minutes=HOT_MINUTES):
            held = head, now, make()
        with self._lock:
            _keep(self._held, scope, held)
        return held[2]


class ToldDreams:
    """Cache of the summaries of completed dreams; one stays correct until something is erased."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[Scope, Cycle], tuple[int, DreamSummary]] = OrderedDict()
        self._lock = Lock()

    def get(self, scope: Scope, cycle: Cycle, erased: int, tell: Callable[[], DreamSummary]) -> DreamSummary:
        """Return a dream's summary, cached or computed. ``erased`` is the number of the last erasure event."""
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
        """Drop the summaries of a scope's dreams, which quote memories."""
        with self._lock:
            for key in [key for key in self._held if key[0] == scope]:
                del self._held[key]


RETIRED = "a source was taken back"
"""Reason of the event that retracts what a dream made of a memory that is no longer valid."""


@dataclass(slots=True)
class Parts:
    """The parts that an engine is composed of. ``screen`` None: nothing is screened; ``log`` None: nothing is logged.

    ``place`` is the path that the store was opened with; the folder of its logs follows from it. ``reminders`` is the
    time zone in which requests to be reminded are read from messages; "": they are not read. ``count_within_s``: how
    long recalls may wait to be counted together; 0: each is counted at once.
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
    reminders: str = ""
    count_within_s: float = 0.0


class Context:
    """Shared state of an engine's collaborators: parts, locks, caches, sessions; with methods to write events, logs."""

    def __init__(self, parts: Parts) -> None:
        """Make a context of given parts; ``Reverie.open`` makes one from a path.

        ``at_erasure`` are called after each erasure, to drop what is cached; ``at_first_use`` before each call with
        each scope that it names, to do what is due there the first time; ``owner`` returns whose a memory is that
        another scope granted, else None. ``stop_jobs`` ends the background thread of jobs, if there is one;
        ``catch_up`` has it make missing vectors once nothing was written for so many seconds, and
        ``catch_up_fault`` is why it gave up.
        """
        self.parts = parts
        self.store = parts.store
        self.distant = distant(parts.store)
        self.embedder = parts.embedder
        self.clock = parts.clock
        self.ids = parts.ids
        self.recipe = parts.recipe
        self.locks = ScopeLocks()
        self._making = Lock()
        self._sessions: Sessions | None = None
        self._edges: defaultdict[Scope, EdgeCount] | None = None
        self.caches = EmbeddingCaches()
        self.caches_of_second = EmbeddingCaches()
        self.hot = HotTiers()
        self.hot_now = HotNow()
        self.guests = Guests()
        self.retellings = ToldDreams()
        self.at_erasure: list[Callable[[], None]] = []
        self.owner: Callable[[str, Scope], Scope | None] = lambda *_: None
        self.at_first_use: Callable[[Scope], None] | None = None
        self.catch_up: Callable[[float], None] | None = None
        self.catch_up_fault: ReverieError | None = None
        self.stop_jobs: Callable[[], None] = lambda: None
        self.counts = self._counts(parts)
        self.rereading: Rereading | None = None
        if parts.reranker is not None:
            self.reread_with(parts.reranker)

    def _counts(self, parts: Parts) -> RecallCounts | None:
        """Return what counts recalls later; None if each is counted at once, as where the next depends on it."""
        if not parts.count_within_s or parts.recipe.recall.reads_counts:
            return None
        from reverie.engine.counting import RecallCounts

        return RecallCounts(self, parts.count_within_s)

    def settle(self, scope: Scope) -> None:
        """Write the recalls of a scope that wait to be counted."""
        if self.counts is not None:
            self.counts.settle(scope)

    def reread_with(self, reranker: Reranker) -> None:
        """Use a reranker from now on; the code for it is imported only here."""
        from reverie.engine.rerank_deadline import Rereading

        self.rereading = Rereading(reranker, self.parts.rerank.deadline_ms)

    @property
    def sessions(self) -> Sessions:
        """Return the working memories of this process's sessions."""
        with self._making:
            if self._sessions is None:
                from reverie.encode.session import Sessions

                self._sessions = Sessions(self.recipe.working)
            return self._sessions

    @property
    def edges(self) -> defaultdict[Scope, EdgeCount]:
        """Return the edge counts of each scope, updated as edges are written."""
        with self._making:
            if self._edges is None:
                from collections import defaultdict

                from reverie.encode.neighbours import EdgeCount

                self._edges = defaultdict(EdgeCount)
            return self._edges

    def memory(self, memory_id: str, scope: Scope) -> Memory:
        """Return one memory by its id. Raises NotFound, also for an id of another scope."""
        require_scope(scope)
        if not isinstance(memory_id, str):
            raise InvalidInput(f"A memory's id is {type(memory_id).__name__}, not text.", "Give memory.id.")
        with self.locks.of(scope):
            memory = self.store.memory(scope, memory_id)
        if memory is None:
            raise self._lacking(memory_id, scope)
        return memory

    def _lacking(self, memory_id: str, scope: Scope) -> NotFound:
        """Return the error for a memory that a scope does not have; it says whose it is if it was granted."""
        with self.locks.of(scope):
            giver = self.owner(memory_id, scope)
        if giver is not None:
            return NotFound(
                f"The memory {memory_id!r} is of scope {giver}, which lets {scope} recall it and nothing else.",
                "Only its own scope can change it.",
            )
        return NotFound(f"There is no memory {memory_id!r} in scope {scope}.", "Look it up with timeline or recall.")

    def held(self, memory_id: str, scope: Scope) -> Memory | None:
        """Return a memory if it exists, is valid now and is in a state that is recalled; else None."""
        memory = self.store.memory(scope, memory_id)
        if memory is None or memory.standing.state not in RECALLED_STATES:
            return None
        return memory if memory.holds_at(self.clock.now()) else None

    def append(self, scope: Scope, action: Action, why: str, payload: Payload, durable: bool = True) -> None:
        """Write one event in a transaction of its own."""
        with self.locks.of(scope):
            if self.distant is not None:
                self.distant.append(self.draft(scope, action, why, payload), durable)
                return
            with self.store.begin(scope, durable=durable) as tx:
                tx.append(self.draft(scope, action, why, payload))

    def draft(self, scope: Scope, action: Action, why: str, payload: Payload) -> Draft:
        """Make an event to write: with the current time and caller, and secrets in its reason masked."""
        return Draft(scope, self.clock.now(), actor(scope), action, self.masked(why), payload, self.ids.salt())

    def record(self, scope: Scope, sort: str, name: str) -> Record | None:
        """Return the scope's record of this sort and name, if there is one."""
        return next((one for one in self.store.records(sort, scope=scope) if one.name == name), None)

    def keep_record(self, scope: Scope, sort: str, name: str, after: Record | None) -> None:
        """Write a record in place of the one of its name, or drop that; nothing where it stands already."""
        with self.locks.of(scope):
            before = self.record(scope, sort, name)
            if before != after:
                self.append(scope, Action.RECORD, "", Recorded(before, after))

    def retire(self, tx: Transaction, scope: Scope, retired: Sequence[Change]) -> None:
        """Write the retraction of dependent memories as one event; none if there are no changes."""
        if retired:
            tx.append(self.draft(scope, Action.CHANGE, RETIRED, Changed(tuple(retired))))

    def masked(self, words: str) -> str:
        """Return a reason or a tag with secrets masked by the screen."""
        if not require_words("A reason or a tag", words) or self.parts.screen is None:
            return words
        from reverie.screen.pipeline import screen

        return screen(words, replace(self.parts.screen, quarantine=False)).text

    def vectors(self, texts: list[str]) -> Sequence[FloatArray | None]:
        """Embed texts; None for each if the model cannot be reached, so that ``admin.embed`` embeds them later."""
        if self.embedder is None:
            return [None] * len(texts)
        try:
            return list(self.embedder.embed_passages(texts))
        except ModelUnavailable as error:
            self.unembedded(len(texts), error)
            return [None] * len(texts)

    def unembedded(self, texts: int, error: ModelUnavailable) -> None:
        """Log that texts remain without vectors for now, and why."""
        self.logged(OpsEntry("embed", input=f"{texts} texts", output=error.message, success=False))

    def embed_again(self, scope: Scope, reworded: Sequence[str]) -> None:
        """Embed memories whose text changed; if the model cannot be reached, ``admin.embed`` embeds them later."""
        if self.embedder is None or not reworded:
            return
        with self.locks.of(scope):
            memories = [memory for name in reworded if (memory := self.store.memory(scope, name)) is not None]
        rows = zip(memories, self.vectors([memory.text for memory in memories]), strict=True)
        known = [(scope, memory.id, vector) for memory, vector in rows if vector is not None]
        if known:
            with self.locks.of(scope):
                self.store.put_vectors(self.embedder.info, known)
        self.embed_later()

    def embed_later(self) -> None:
        """Start the background embedding by the slower model of a pair, after something was written."""
        if self.catch_up is not None and paired(self.embedder) is not None:
            self.catch_up(IDLE_S)

    def line(self, op: str, scope: Scope, *ids: str) -> AbstractContextManager[LogLine]:
        """Log the block as one line of the ops log, with its name, caller, scope and the given ids, but no text."""
        told = " ".join((str(scope), *filter(None, map(str, ids))))
        return operation(self.logged, OpsEntry(op, told, who=caller_name(scope), scope=scope))

    def measured(self, op: str, took_ms: float, **counts: int) -> None:
        """Send an operation's duration and counts to telemetry, as ``reverie.recall`` and ``reverie.recall.hits``."""
        telemetry = self.parts.telemetry
        telemetry.measure(op, took_ms)
        for what, count in counts.items():
            telemetry.count(f"{op}.{what}", count)

    def logged(self, entry: OpsEntry) -> None:
        """Write an entry to the ops log, if there is one."""
        if self.parts.log is not None:
            self.parts.log.write(entry)


def is_protected(memory: Memory) -> bool:
    """Whether a memory is pinned or immutable."""
    return memory.standing.pinned or memory.standing.immutable


def require_mutable(memory: Memory) -> None:
    """Raise Conflict for an immutable memory."""
    if memory.standing.immutable:
        raise Conflict(
            f"Memory {memory.id} is immutable.",
            "Lift that first: protect(…, immutable=False), or `reverie memory protect ID --off`.",
        )


def require_free(memory: Memory) -> None:
    """Raise Conflict for a memory that is immutable or pinned."""
    require_mutable(memory)
    if memory.standing.pinned:
        raise Conflict(
            f"Memory {memory.id} is pinned.", "Lift that first: pin(…, pinned=False), or `reverie memory unpin ID`."
        )
