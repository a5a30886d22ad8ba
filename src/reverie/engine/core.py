"""``Reverie``: the one public class. It hands clock, chance, store and model to the stages, and holds no logic else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

from reverie.encode.accept import accept, in_utc
from reverie.encode.pipeline import Hand, Incoming, commit
from reverie.engine.asking import Ask, require_scope
from reverie.engine.embedding import BackgroundCatchUp, catch_up
from reverie.engine.opening import open_embedder, open_store, refresh_terms
from reverie.engine.replaying import replay
from reverie.engine.runtime import RandomIds, SystemClock
from reverie.errors import Conflict, ModelUnavailable, NotFound, StoreBusy, StoreFull, StoreReadOnly
from reverie.events import Action, Draft, Erased, Event, Forgotten, Payload, Recalled
from reverie.ports import Clock, Embedder, Ids, Store
from reverie.recall.explain import Explanation, explain
from reverie.recall.pipeline import recall
from reverie.recipes.default import REVERIE
from reverie.recipes.recipe import Recipe
from reverie.types import Fault, FloatArray, Memory, Message, Receipt, Recollection, Scope, Stats, Step, TimeWindow

IMPORT_BATCH = 256


@dataclass(frozen=True, slots=True)
class Imported:
    """What a bulk import did: how many messages were ``new``, and how many ``known`` already.

    ``conflicts`` are ids known with other words, speaker or session: those messages were not kept.
    """

    new: int
    known: int
    conflicts: tuple[str, ...] = ()


class Reverie:
    """A memory: it keeps what was said and recalls the right few sentences, within the scope each call names.

    Safe to share between threads; several processes may open the same path at once.

    >>> from datetime import UTC, datetime
    >>> from reverie import Reverie, Scope
    >>> scope = Scope(agent="helper", user="ada", project="home")
    >>> with Reverie.open(":memory:", embedder=None) as memory:
    ...     _ = memory.remember("My sister Zeynep moved to Izmir in May.", scope, at=datetime(2026, 6, 1, tzinfo=UTC))
    ...     _ = memory.remember("The printer is out of toner again.", scope, at=datetime(2026, 6, 2, tzinfo=UTC))
    ...     answer = memory.recall("Where does my sister live?", scope)
    ...     print(answer.hits[0].memory.text)
    My sister Zeynep moved to Izmir in May.
    """

    def __init__(
        self, store: Store, embedder: Embedder | None, clock: Clock, ids: Ids, recipe: Recipe = REVERIE
    ) -> None:
        """Compose an engine by hand; ``Reverie.open`` does it from a path."""
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._ids = ids
        self._recipe = recipe
        self._lock = threading.RLock()
        self._catching_up: BackgroundCatchUp | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        embedder: Embedder | str | None = "default",
        create: bool = True,
        clock: Clock | None = None,
        ids: Ids | None = None,
        background: bool = True,
    ) -> Self:
        """Open the store at ``path``, or make it.

        Args:
            path: a file, a folder that holds ``reverie.db``, or ":memory:".
            embedder: an embedder, the specification of one ("default", "hash", "openai:…"), or None for text alone.
            create: False: raise StoreMissing instead of making a new store.
            clock: where the time comes from; the machine's by default.
            ids: where ids and salts come from; the operating system's chance by default.
            background: embed what has no vector of this model in a thread; recall goes by text meanwhile.

        Raises:
            StoreError: the path cannot be opened; its kind and ``mend`` say why and what to do.
            ModelError: the model cannot be loaded.
        """
        model = open_embedder(embedder)
        store = open_store(path, create)
        refresh_terms(store)
        engine = cls(store, model, clock or SystemClock(), ids or RandomIds())
        if background and model is not None and store.missing(model.info):
            engine._catching_up = BackgroundCatchUp(store, model, engine._lock)
        return engine

    # Writing

    def remember(
        self,
        message: str | Message,
        scope: Scope,
        *,
        speaker: str = "user",
        session: str = "default",
        at: datetime | None = None,
    ) -> Receipt:
        """Keep one message word for word, durably, before returning.

        ``speaker``, ``session`` and ``at`` are for plain text; a ``Message`` carries its own, and may carry a
        ``message_id`` that makes a second call with the same message harmless.

        Raises:
            InvalidInput: a value has the wrong type. Any text is taken, empty and odd ones too.
            Conflict: the message id is known with other words.
        """
        if isinstance(message, str):
            message = Message(message, speaker=speaker, session=session, at=at)
        receipt = self._write(require_scope(scope), [accept(message)], "said")[0]
        if receipt.conflict:
            raise Conflict(
                f"Message {message.message_id!r} is already kept with other words, another speaker or another session.",
                "Give the changed message an id of its own, or leave the id out.",
            )
        return receipt

    def remember_many(
        self, messages: Iterable[Message], scope: Scope, *, progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Keep many messages, in batches of one transaction each; ``progress`` is told the size of each batch.

        Running it again after an interruption goes on where it stopped, provided the messages carry ids.
        """
        require_scope(scope)
        incoming = iter(messages)
        new = known = 0
        conflicts: list[str] = []
        while batch := [accept(message) for message in islice(incoming, IMPORT_BATCH)]:
            receipts = self._write(scope, batch, "imported")
            new += sum(receipt.new for receipt in receipts)
            known += sum(not receipt.new and not receipt.conflict for receipt in receipts)
            conflicts += [str(m.message_id) for m, receipt in zip(batch, receipts, strict=True) if receipt.conflict]
            if progress:
                progress(len(batch))
        return Imported(new, known, tuple(conflicts))

    def _write(self, scope: Scope, messages: list[Message], why: str) -> list[Receipt]:
        vectors = self._vectors([message.text for message in messages])
        batch = [Incoming(message, vector) for message, vector in zip(messages, vectors, strict=True)]
        model = self._embedder.info if self._embedder else None
        hand = Hand(scope, self._clock.now(), self._ids, scope.agent, why, model)
        with self._lock, self._store.begin(durable=True) as tx:
            return commit(tx, batch, hand)

    def _vectors(self, texts: list[str]) -> Sequence[FloatArray | None]:
        """A vector a text. A model that cannot be reached costs no message: ``catch_up`` embeds it later."""
        if self._embedder is None:
            return [None] * len(texts)
        try:
            return list(self._embedder.embed_passages(texts))
        except ModelUnavailable:
            return [None] * len(texts)

    def forget(self, memory_id: str, scope: Scope, *, why: str = "") -> Memory:
        """Let a memory no longer hold: it is kept, shown in the timeline, and not recalled. Twice is once."""
        with self._lock:
            memory = self.memory(memory_id, scope)
            if memory.valid_until is None:
                self._append(scope, Action.FORGET, why, Forgotten(memory_id, None, self._clock.now()))
            return self.memory(memory_id, scope)

    def erase(self, memory_id: str, scope: Scope, *, why: str) -> None:
        """Delete a memory for good: text, vector, index and journal content. A tombstone without content stays.

        This is the one true deletion, for when a person asks for it; ``forget`` is for everything else.
        """
        with self._lock:
            self.memory(memory_id, scope)
            with self._store.begin(durable=True) as tx:
                events = tx.events_about(scope, memory_id)
                tx.append(self._draft(scope, Action.ERASE, why, Erased((memory_id,), events)))

    def _append(self, scope: Scope, action: Action, why: str, payload: Payload, durable: bool = True) -> None:
        with self._lock, self._store.begin(durable=durable) as tx:
            tx.append(self._draft(scope, action, why, payload))

    def _draft(self, scope: Scope, action: Action, why: str, payload: Payload) -> Draft:
        return Draft(scope, self._clock.now(), scope.agent, action, why, payload, self._ids.salt())

    # Reading

    def recall(
        self,
        cue: str,
        scope: Scope,
        *,
        top_k: int = 10,
        budget_tokens: int | None = 1000,
        now: datetime | None = None,
        window: TimeWindow | None = None,
    ) -> Recollection:
        """The memories that answer ``cue``, best first, and count them as accessed.

        Args:
            cue: a question or any text.
            scope: whose memory.
            top_k: most memories to inject, from 1.
            budget_tokens: most tokens to inject; None for no limit.
            now: the moment of asking, for "last week" and for what holds; the clock's by default.
            window: only memories said within it; a time the cue itself speaks of raises, and does not filter.
        """
        return self._counted(self._recollect(Ask(cue, scope, top_k, budget_tokens, now, window)))

    def explain(
        self,
        cue: str,
        scope: Scope,
        *,
        top_k: int = 10,
        budget_tokens: int | None = 1000,
        now: datetime | None = None,
        window: TimeWindow | None = None,
    ) -> Explanation:
        """The same answer with what would have changed its order. Looking is not using: nothing is counted."""
        return explain(self._recollect(Ask(cue, scope, top_k, budget_tokens, now, window)))

    def _recollect(self, ask: Ask) -> Recollection:
        model = self._embedder
        request = ask.request(self._clock, model)
        with self._lock:
            corpus = self._store.corpus(ask.scope, model.info if model else None)
            return recall(request, corpus, self._recipe.recall)

    def _counted(self, answer: Recollection) -> Recollection:
        """Write down what was injected. A store that cannot be written still answers; the trace says so."""
        if not answer.hits:
            return answer
        started = perf_counter()
        payload = Recalled(tuple(hit.memory.id for hit in answer.hits))
        try:
            self._append(answer.scope, Action.RECALL, "", payload, durable=False)
            note = f"{len(answer.hits)} accesses counted"
        except (StoreReadOnly, StoreFull, StoreBusy) as error:
            note = f"accesses not counted: {error.message}"
        step = Step("strengthen", note, (perf_counter() - started) * 1000.0)
        return replace(answer, trace=(*answer.trace, step))

    def memory(self, memory_id: str, scope: Scope) -> Memory:
        """One memory by its id. Raises NotFound, also for an id of another scope."""
        require_scope(scope)
        with self._lock:
            memory = self._store.memory(scope, memory_id)
        if memory is None:
            raise NotFound(f"There is no memory {memory_id!r} in scope {scope}.", "Look it up with timeline or recall.")
        return memory

    def timeline(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        """Everything in the scope by the time it was said, forgotten ones too: ``start`` ≤ at < ``end``."""
        require_scope(scope)
        first, last = start and in_utc(start), end and in_utc(end)
        with self._lock:
            return list(self._store.memories(scope, session=session, start=first, end=last, limit=limit))

    def stats(self, scope: Scope) -> Stats:
        """Counts of the scope."""
        with self._lock:
            return self._store.stats(require_scope(scope))

    def scopes(self) -> list[Scope]:
        """Every scope the store holds."""
        with self._lock:
            return self._store.scopes()

    def events(self, scope: Scope, *, after: int = 0) -> list[Event]:
        """The scope's journal: who changed what, when and why."""
        require_scope(scope)
        with self._lock:
            return list(self._store.events(scope, after=after))

    # Care

    @property
    def model(self) -> str:
        """The embedding model's key, or "none"."""
        return self._embedder.info.key if self._embedder else "none"

    def missing(self) -> int:
        """How many memories of all scopes have no vector of the current model yet."""
        with self._lock:
            return self._store.missing(self._embedder.info) if self._embedder else 0

    def catch_up(self, progress: Callable[[int], None] | None = None) -> int:
        """Embed what has no vector of the current model, in batches that survive an interruption; how many."""
        if self._embedder is None:
            return 0
        return catch_up(self._store, self._embedder, self._lock, progress)

    def verify(self) -> list[Fault]:
        """Check the file, the search index, the journal's chain and what derives from it; empty: all is well."""
        with self._lock:
            return self._store.check()

    def doctor(self) -> list[Fault]:
        """``verify``, and what else is worth mending: each fault with its mend."""
        faults = self.verify()
        if self._catching_up is not None and (fault := self._catching_up.fault) is not None:
            faults.append(Fault("catch-up-stopped", fault.message, fault.mend))
        if missing := self.missing():
            faults.append(
                Fault(
                    "not-embedded",
                    f"{missing} memories have no vector of {self.model}; they are found by text alone.",
                    "Let it catch up: `reverie embed`, or Reverie.catch_up().",
                )
            )
        return faults

    def backup(self, path: str | Path) -> None:
        """Copy the whole store to a new file while others read and write. Raises Conflict if the file exists."""
        with self._lock:
            self._store.backup(Path(path))

    def replay(self, path: str | Path, progress: Callable[[int], None] | None = None) -> str:
        """Rebuild the store at a new path from the journal alone; the new store's digest.

        The digest equals ``digest()`` of this store when nothing was lost.
        """
        target = open_store(path, create=True)
        try:
            with self._lock:
                return replay(self._store, target, progress)
        finally:
            target.close()

    def digest(self) -> str:
        """SHA-256 over everything the store holds but derived index data."""
        with self._lock:
            return self._store.digest()

    def close(self) -> None:
        """Release the file. A second call does nothing; any other call afterwards raises StoreClosed."""
        if self._catching_up is not None:
            self._catching_up.stop()
            self._catching_up = None
        with self._lock:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
