"""The context of an engine: the parts it was composed of, what its collaborators share, and how an event is written."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

from reverie.engine.cache import EmbeddingCaches, HotNow, HotTiers, ToldDreams
from reverie.engine.embedding import BackgroundCatchUp, paired
from reverie.engine.reader_priority import Guests
from reverie.engine.requests import actor, require_scope, require_words
from reverie.errors import Conflict, InvalidInput, ModelUnavailable, NotFound, ReverieError
from reverie.events import Action, Change, Changed, Draft, Payload
from reverie.ops.log import OpsEntry, OpsLog
from reverie.ops.telemetry import NoTelemetry, Telemetry
from reverie.ports import Clock, Embedder, Ids, Mind, Reranker, Store, Transaction
from reverie.recall.settings import RerankSettings
from reverie.recipes.recipe import Recipe
from reverie.screen.values import ScreenSettings
from reverie.types import RECALLED_STATES, FloatArray, Memory, Scope

if TYPE_CHECKING:  # the write path's rooms are loaded by the first write: a recall needs none of them
    from collections import defaultdict

    from reverie.encode.relations import EdgeCount
    from reverie.encode.session import Sessions
    from reverie.engine.rerank_deadline import Rereading


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
class Line:
    """What the ops log is to say of an operation under way: in words that quote no memory, and how much it changed."""

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

        from reverie.encode.relations import EdgeCount

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
        """An event as it will be written: at the time of now, by whoever calls, with its reason masked."""
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
        """A vector a text. A model that cannot be reached costs no message: ``catch_up`` embeds it later."""
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
        """The vectors of memories whose words changed; where the model is down, ``catch_up`` makes them later."""
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
        """Something was written: the model that stands beside the quick one reads it in the background."""
        if self.catching_up is not None and paired(self.embedder) is not None:
            self.catching_up.start()

    @contextmanager
    def line(self, op: str, scope: Scope, *ids: str) -> Iterator[Line]:
        """The block as a line of the ops log: its name, its scope and the ids it was given, never a text."""
        line, started, success = Line(), perf_counter(), False
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
        """Tell metrics how long an operation took, and what came of it: ``reverie.recall``, ``reverie.recall.hits``."""
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
            "Lift that first: protect(…, immutable=False), or `reverie protect ID --off`.",
        )


def require_free(memory: Memory) -> None:
    """Raise Conflict for a memory that nothing may forget."""
    require_mutable(memory)
    if memory.standing.pinned:
        raise Conflict(
            f"Memory {memory.id} is pinned.", "Lift that first: pin(…, pinned=False), or `reverie unpin ID`."
        )
