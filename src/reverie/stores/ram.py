"""A store that keeps everything in memory, as plain Python objects; it is the reference the other stores agree with.

A transaction appends event drafts to the journal and applies them, all or none. A backup is written as an SQLite file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from threading import Lock, RLock
from typing import TYPE_CHECKING, Protocol

from reverie.answers import Fault, Health, Stats
from reverie.errors import Conflict, StoreBusy, StoreClosed, StoreCorrupt
from reverie.events import GATED, Action, Draft, Erased, Event, Reach
from reverie.stores import codec
from reverie.stores.corpus import Budget, CorpusView
from reverie.stores.digest import by_name, digest, digest_of_all
from reverie.stores.drafts import entries_for, require_scope, require_storable, sealed_already
from reverie.stores.erasure import CONTENT, EventReader, reach
from reverie.stores.exclusive import sole
from reverie.stores.health import health
from reverie.stores.ram_scope import RamRecord, RamScope, Undo
from reverie.stores.vectors import pack, widen
from reverie.types import (
    Companions,
    Episode,
    FloatArray,
    IndexEntry,
    Kind,
    Memory,
    ModelInfo,
    Record,
    Relation,
    Scope,
    State,
)

if TYPE_CHECKING:
    from reverie.stores.sqlite.cipher import Key


class Written(Protocol):
    """What a transaction needs of the store it writes to (``RamStore`` has it)."""

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope."""
        ...

    def of(self, scope: Scope) -> RamScope:
        """Return the records of a scope."""
        ...

    def about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the events that lose their content, or only their reason, when these memories are erased."""
        ...

    def apply(self, event: Event, index: Sequence[IndexEntry]) -> None:
        """Append a sealed event to the journal and apply its changes; ``index``: one entry for each memory, or none."""
        ...


class RamTransaction:
    """A write transaction of the in-memory store (``ports.Transaction``)."""

    def __init__(self, store: Written, scope: Scope) -> None:
        self._store = store
        self._scope = scope
        self._open = True
        self._failed: BaseException | None = None

    def end(self) -> None:
        """Accept no more events; raise the error of a failed append again, even if the caller caught it."""
        self._open = False
        if self._failed is not None:
            raise self._failed

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Seal a draft as the scope's next event, apply it and return it."""
        require_scope(draft, self._scope)
        seq, previous = self._store.head(self._scope)
        event = codec.seal(draft, codec.encode(draft), seq + 1, previous)
        self._apply(event, index)
        return event

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Append an event of another journal unchanged; raises StoreCorrupt if it does not continue this one."""
        require_scope(event, self._scope)
        seq, previous = self._store.head(self._scope)
        codec.require(event, codec.payload_bytes(event), seq + 1, previous)
        self._apply(event, index)

    def next_seq(self, scope: Scope, session: str) -> int:
        """Return the sequence number for the next message of a session."""
        return self._store.of(scope).next_place(session)

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """Find an episode by the message id that its host gave it, or by its own id; None if there is none."""
        return self._store.of(scope).find_message(message_id)

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the events that lose their content, or only their reason, when these memories are erased."""
        return self._store.about(scope, memory_ids)

    def _apply(self, event: Event, index: Sequence[IndexEntry]) -> None:
        if not self._open:
            raise StoreClosed("This transaction has ended.", "Begin a new one.")
        try:
            self._store.apply(event, index)
        except BaseException as error:
            self._failed = error  # half of it may be applied, so the transaction can only be rolled back
            raise


Vectors = tuple[ModelInfo, Sequence[tuple[Scope, str, FloatArray]]]


def back_up(
    path: Path,
    events: Iterator[tuple[Scope, Iterable[Event]]],
    analyzer: str,
    index: tuple[Iterator[tuple[Scope, str, IndexEntry]], Iterator[Vectors]],
    seals: Iterable[tuple[int, str]],
    key: Key | None = None,
) -> None:
    """Write the journals of all scopes, their seals, terms and vectors (``index``) into a new SQLite file.

    With a key it is encrypted.

    Raises:
        Conflict: a file exists at ``path``.
    """
    from reverie.stores.sqlite import SqliteStore  # needed only here

    if path.exists():
        raise Conflict(f"There is a file at {path} already.", "Choose another name, or move it away.")
    entries, vectors = index
    store = SqliteStore(path, key=key)
    try:
        for scope, found in events:
            with store.begin(scope, durable=True) as into:
                for event in found:
                    into.adopt(event)
        for scope, made in groupby(entries, key=itemgetter(0)):
            store.reindex(scope, analyzer, ((name, entry) for _, name, entry in made))
        store.reindexed(analyzer)
        for number, text in seals:
            store.seal(number, text)
        for model, rows in vectors:
            store.put_vectors(model, rows)
    finally:
        store.close()


class RamStore:
    """A store that lives in memory only and is lost with the process (``ports.Store``)."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._budget = Budget[tuple[Scope, ModelInfo | None]]()
        self._sole = Lock()
        self._undo: Undo = []
        self._did: list[Action] = []
        self._scopes: dict[Scope, RamScope] = {}
        self._models: dict[str, ModelInfo] = {}
        self._analyzer = ""
        self._analyzers: dict[Scope, str] = {}
        self._seals: dict[int, str] = {}
        self._closed = False
        self._writing = False

    @contextmanager
    def begin(self, scope: Scope, *, durable: bool) -> Iterator[RamTransaction]:  # noqa: ARG002 - memory never lasts
        """Open a write transaction in a scope, rolled back on any error; ``durable`` has no effect in memory."""
        with self._lock:
            self._require_open()
            if self._writing:
                raise StoreBusy("This thread is writing already.", "End the first transaction before the next.")
            self._writing = True
            self._undo.clear()
            tx = RamTransaction(self, scope)
            try:
                yield tx
                tx.end()
            except BaseException:
                self._take_back()
                raise
            finally:
                self._writing = False

    def corpus(self, scope: Scope, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns as they are now, with the vectors of ``model``."""
        with self._lock:
            self._require_open()
            held = self.of(scope)
            view = held.corpus(model)
            for one, other in self._budget.used((scope, model), held.corpus_bytes(model)):
                self.of(one).forget_corpus(other)
            return view

    def limit_corpora(self, most_mb: int) -> None:
        """Keep at most so many megabytes of columns and vectors for recall; the scopes longest unused go first."""
        with self._lock:
            self._budget = Budget(most_mb)
            for held in self._scopes.values():
                held.forget_corpora()

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return a memory by id; None if there is none."""
        with self._lock:
            record = self.of(scope).find(memory_id)
            return None if record is None else record.current()

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories with these ids, in the order of the ids; unknown ids are left out."""
        return [memory for name in memory_ids if (memory := self.memory(scope, name)) is not None]

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes whose formed memories are all superseded (at least one was formed)."""
        states = {name: {one.standing.state for one in self.made_from(scope, name)} for name in episode_ids}
        return {name for name, found in states.items() if found == {State.SUPERSEDED}}

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode, in order of writing."""
        with self._lock:
            return [r.current() for r in self.of(scope).in_order() if r.memory.kind is not Kind.EPISODE]

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the formed memories with at least ``least`` accesses, in order of writing."""
        return [memory for memory in self.formed(scope) if memory.accesses >= least]

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the memories that name this episode as a source, in order of writing."""
        with self._lock:
            return [record.current() for record in self.of(scope).made_from(episode_id)]

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """Return the events that affected a memory, in order."""
        with self._lock:
            held = self.of(scope)
            return [held.journal[seq - 1] for seq in held.history(memory_id)]

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """Map each episode's id to the message id that its host gave it; episodes without one are left out."""
        with self._lock:
            said = self.of(scope).episodes.values()
            return {episode.id: episode.message_id for episode in said if episode.message_id is not None}

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the relations of the scope, or only those with one of these memories at an end."""
        with self._lock:
            found = [relation for _, relation in sorted(self.of(scope).relations.items())]
        return [r for r in found if memory_ids is None or r.source in memory_ids or r.target in memory_ids]

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Return the pairs of formed memories that were recalled together, all or those with one of these memories."""
        with self._lock:
            found = [companions for _, companions in sorted(self.of(scope).companions.items())]
        return [c for c in found if memory_ids is None or c.first in memory_ids or c.second in memory_ids]

    def records(self, sort: str, *, scope: Scope | None = None, about: str | None = None) -> list[Record]:
        """Return the records of a sort, by scope and name: those of one scope, those about one name, or all."""
        with self._lock:
            self._require_open()
            held = [record for one in self._scopes.values() for record, _ in one.kept.values()]
        found = [r for r in held if r.sort == sort and scope in (None, r.scope) and about in (None, r.about)]
        return sorted(found, key=by_name)

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """Yield memories by time said, then sequence number, then order of writing; ``end`` is exclusive."""
        with self._lock:
            found = [
                record.current()
                for record in self.of(scope).in_order()
                if (session is None or record.memory.session == session)
                and (start is None or start <= record.memory.at)
                and (end is None or record.memory.at < end)
            ]
        return iter(sorted(found, key=lambda memory: (memory.at, memory.seq))[:limit])

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """Return the last ``limit`` messages of a session, oldest first; only those valid at ``holding`` if given."""
        with self._lock:
            found = [
                record.current()
                for record in self.of(scope).in_order()
                if record.memory.kind is Kind.EPISODE and record.memory.session == session
            ]
        held = [m for m in found if holding is None or m.holds_at(holding)]
        return sorted(held, key=lambda memory: memory.seq)[-(limit or len(held)) :]

    def scopes(self) -> list[Scope]:
        """Return every scope that was ever written to, sorted."""
        with self._lock:
            self._require_open()
            return sorted(self._scopes)

    def stats(self, scope: Scope) -> Stats:
        """Count the memories, sessions, speakers and events of a scope."""
        with self._lock:
            held = self.of(scope)
            records = held.in_order()
            memories = [record.memory for record in records]
            said = [memory.at for memory in memories]
            return Stats(
                scope=scope,
                memories=len(records),
                current=sum(memory.valid_until is None for memory in memories),
                sessions=len({memory.session for memory in memories}),
                speakers=len({memory.speaker for memory in memories}),
                accesses=sum(record.accesses for record in records),
                embedded=max((sum(key in record.vectors for record in records) for key in self._models), default=0),
                first_at=min(said, default=None),
                last_at=max(said, default=None),
                events=len(held.journal),
                disk_bytes=0,
                gated=sum(event.why == GATED for event in held.journal),
            )

    def health(self, scope: Scope, now: datetime) -> Health:
        """Count a scope's memories by kind, tier and state, its junk (unimportant, never accessed) and growth a day."""
        with self._lock:
            held = self.of(scope)
            records = [(record.current(), held.journal[record.event - 1].why) for record in held.in_order()]
            return health(scope, records, now, len(held.journal))

    def events(self, scope: Scope, *, after: int = 0, actions: Collection[Action] | None = None) -> Iterator[Event]:
        """Yield the events of a scope's journal after number ``after``, in order."""
        with self._lock:
            found = self.of(scope).journal[max(after, 0) :]
        return (event for event in found if actions is None or event.action in actions)

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope."""
        with self._lock:
            journal = self.of(scope).journal
            return (journal[-1].seq, journal[-1].hash) if journal else (0, codec.NO_HASH)

    def heads(self) -> dict[Scope, tuple[int, str]]:
        """Return the head of every scope's journal, scopes in order."""
        return {scope: self.head(scope) for scope in self.scopes()}

    def mark(self) -> int:
        """Return how many events were written, in all scopes."""
        with self._lock:
            self._require_open()
            return len(self._did)

    def happened(self, after: int, actions: Collection[Action]) -> bool:
        """Whether an event of one of these kinds was written, in any scope, after the mark was ``after``."""
        with self._lock:
            self._require_open()
            return any(action in actions for action in self._did[after:])

    def unindexed(self, model: ModelInfo, limit: int, scope: Scope | None = None) -> list[Memory]:
        """Return up to ``limit`` memories without a vector of this model: oldest scope first, then oldest memory."""
        with self._lock:
            return [record.current() for record in islice(self._without(model, scope), limit)]

    def missing(self, model: ModelInfo, scope: Scope | None = None) -> int:
        """Count the memories without a vector of this model, of a scope or of all."""
        with self._lock:
            return sum(1 for _ in self._without(model, scope))

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors of memories that are already written; rows are (scope, memory id, vector)."""
        with self._lock:
            self._require_open()
            self._models[model.key] = model
            packed = [(scope, memory_id, pack(vector, model)) for scope, memory_id, vector in rows]
            for scope, memory_id, row in packed:
                self.of(scope).set_vector(memory_id, model, row)

    def outdated(self, keep: ModelInfo) -> list[Scope]:
        """Return the scopes that have vectors of other models than ``keep`` and its second one."""
        with self._lock:
            self._require_open()
            stays = {one.key for one in keep.each}
            return [s for s, held in self._scopes.items() if any(r.vectors.keys() - stays for r in held.in_order())]

    def drop_vectors(self, scope: Scope, *, keep: ModelInfo) -> int:
        """Delete a scope's vectors of all models except ``keep`` and its second; return how many were deleted."""
        with self._lock:
            self._require_open()
            stays = {one.key for one in keep.each}
            dropped, held = 0, self.of(scope)
            for record in held.in_order():
                kept = {key: row for key, row in record.vectors.items() if key in stays}
                dropped += len(record.vectors) - len(kept)
                record.vectors = kept
            if dropped:
                held.forget_corpora()
            return dropped

    def analyzer(self, scope: Scope | None = None) -> str:
        """Return the version of the analyzer that made the indexed terms, of a scope or of all; "" in a new store."""
        with self._lock:
            self._require_open()
            return self._analyzer if scope is None else self._analyzers.get(scope, self._analyzer)

    def reindex(self, scope: Scope, analyzer: str, entries: Iterable[tuple[str, IndexEntry]]) -> None:
        """Replace the index terms of a scope's memories; one without an entry has none afterwards."""
        with self._lock:
            self._require_open()
            made, held = dict(entries), self.of(scope)
            held.forget_corpora()
            for record in held.in_order():
                entry = made.get(record.memory.id, IndexEntry((), 0))
                record.terms, record.words = entry.terms, entry.words
            self._analyzers[scope] = analyzer

    def reindexed(self, analyzer: str) -> None:
        """Record that the terms of all scopes, and of those to come, are of this version of the analyzer."""
        with self._lock:
            self._require_open()
            self._analyzer = analyzer
            self._analyzers.clear()

    def check(self, *, replay: bool = True) -> list[Fault]:
        """Verify the hash chain of each journal, and that replaying it gives the stored memories; return the faults."""
        with self._lock:
            self._require_open()
            if not replay:
                return []
            fresh = RamStore()
            try:
                for name, held in self._scopes.items():
                    with fresh.begin(name, durable=False) as into:
                        for event in held.journal:
                            into.adopt(event)
            except StoreCorrupt as error:
                return [Fault("journal", error.message, error.mend)]
            if fresh.digest() != self.digest():
                return [Fault("projections", "The memories are not those of the journal.", "Replay the journal.")]
            return []

    def digest(self, scope: Scope | None = None) -> str:
        """Return the SHA-256 of journal, episodes and memories, without vectors and terms; of a scope or of all."""
        with self._lock:
            if scope is None:
                return digest_of_all((one, self.digest(one)) for one in self.scopes())
            held = self.of(scope)
            marks = ((event.seq, event.hash, event.payload is None) for event in held.journal)
            episodes = (episode for _, episode in sorted(held.episodes.items()))
            kept = sorted((record for record, _ in held.kept.values()), key=by_name)
            return digest(scope, marks, episodes, (r.current() for r in held.in_order()), kept)

    def seals(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the store's seals, ascending."""
        with self._lock:
            self._require_open()
            found = sorted(self._seals.items())
        yield from found

    def seal(self, number: int, text: str) -> None:
        """Keep a seal. Raises Conflict if there is one of this number."""
        with self._lock:
            self._require_open()
            if self._seals.setdefault(number, text) is not text:
                raise sealed_already(number)

    def alone(self, scope: Scope) -> AbstractContextManager[None]:  # noqa: ARG002 - the whole store is locked
        """Return a lock for ``with``: one thread at a time holds it, others get Conflict at once."""
        return sole(self._sole)

    def merge_index(self) -> None:
        """Do nothing: this store has no index in pieces."""
        self._require_open()

    def compact(self) -> int:
        """Do nothing and return 0: there is no file to shrink."""
        with self._lock:
            self._require_open()
            return 0

    def backup(self, path: Path) -> None:
        """Write everything into a new SQLite file; raises Conflict if ``path`` exists."""
        with self._lock:
            self._require_open()
            journals = ((scope, held.journal) for scope, held in self._scopes.items())
            index = self._entries(), self._vectors()
            back_up(path, journals, self._analyzer, index, sorted(self._seals.items()))

    def close(self) -> None:
        """Discard everything; later calls raise StoreClosed."""
        with self._lock:
            self._closed = True
            self._scopes.clear()

    def apply(self, event: Event, index: Sequence[IndexEntry]) -> None:
        """Append a sealed event to its scope's journal and apply its changes; called inside a transaction."""
        require_storable(event.payload)
        entries = entries_for(event.payload, index)
        held = self._scopes.get(event.scope)
        if held is None:
            held = self._scopes[event.scope] = RamScope(self._lock, self._undo)
            self._undo.append(lambda: self._scopes.pop(event.scope))
        self._did.append(event.action)
        self._undo.append(self._did.pop)
        held.journal.append(event)
        self._undo.append(held.journal.pop)
        self._models.update((entry.model.key, entry.model) for entry in entries if entry.model)
        if isinstance(event.payload, Erased):
            self._erase(held, event, event.payload)
        else:
            held.apply(event, entries)
            held.touch(event)

    def of(self, scope: Scope) -> RamScope:
        """Return the records of a scope; an empty, unstored ``RamScope`` if nothing was written there."""
        self._require_open()
        return self._scopes.get(scope) or RamScope(self._lock, [])

    def _erase(self, held: RamScope, erasing: Event, payload: Erased) -> None:
        """Delete the memories that the named events wrote, and the content of these events from the journal."""
        about = self.about(erasing.scope, payload.memories)
        journal = held.journal
        named = {seq for seq in payload.events if 0 < seq < erasing.seq and journal[seq - 1].action in CONTENT}
        emptied = {*about.emptied, *named}
        quoting = {seq for seq in payload.reasons if 0 < seq < erasing.seq}
        held.erase(emptied)
        for seq in emptied.union(about.unreasoned, quoting):
            before = journal[seq - 1]
            after = codec.without_reason(before)
            journal[seq - 1] = replace(after, payload=None, salt=None) if seq in emptied else after
            self._undo.append(partial(journal.__setitem__, seq - 1, before))

    def about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the events that lose their content, or only their reason, when these memories are erased."""
        held = self.of(scope)

        def written(ids: Collection[str]) -> tuple[Collection[int], Collection[str]]:
            events = held.events_about(ids)
            return events, held.written_by(events)

        later = [event for event in held.journal if event.action in CONTENT]
        return reach(memory_ids, written, [EventReader(event.seq, event.why, event.payload) for event in later])

    def _take_back(self) -> None:
        while self._undo:
            self._undo.pop()()
        for scope in self._scopes.values():
            scope.forget_corpora()

    def _require_open(self) -> None:
        if self._closed:
            raise StoreClosed("The store is closed.", "Open it again.")

    def _without(self, model: ModelInfo, scope: Scope | None) -> Iterator[RamRecord]:
        self._require_open()
        among = self._scopes.values() if scope is None else [self.of(scope)]
        return (r for held in among for r in held.in_order() if model.key not in r.vectors)

    def _entries(self) -> Iterator[tuple[Scope, str, IndexEntry]]:
        for scope, held in self._scopes.items():
            for record in held.in_order():
                yield scope, record.memory.id, IndexEntry(record.terms, record.words)

    def _vectors(self) -> Iterator[tuple[ModelInfo, list[tuple[Scope, str, FloatArray]]]]:
        for model in self._models.values():
            yield (
                model,
                [
                    (scope, record.memory.id, widen(record.vectors[model.key]))
                    for scope, held in self._scopes.items()
                    for record in held.in_order()
                    if model.key in record.vectors
                ],
            )
