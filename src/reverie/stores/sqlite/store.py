"""The default store: one SQLite file that several processes may use at once. It keeps the journal and its memories."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from reverie.answers import Fault, Health, Stats
from reverie.errors import (
    ReverieError,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreFull,
    StoreReadOnly,
    StoreUntrusted,
)
from reverie.events import Action, Draft, Event, Reach
from reverie.stores import codec
from reverie.stores.codec import FOREVER
from reverie.stores.corpus import CorpusView
from reverie.stores.drafts import entries_for, require_scope, require_storable, sealed_already
from reverie.stores.sqlite import file, journal, maintenance, reads, terms, writes
from reverie.stores.sqlite.agreements import Known
from reverie.stores.sqlite.cipher import Key
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.journal_end import Tail
from reverie.stores.sqlite.search import Corpora
from reverie.stores.vectors import pack
from reverie.types import Companions, Episode, FloatArray, IndexEntry, Memory, ModelInfo, Record, Relation, Scope

if TYPE_CHECKING:
    from reverie.stores.sqlite.repair import Rebuild


_SEAL = "seal:"
"""Begins the names of the rows that hold seals."""
_NEXT_SEAL = "SELECT name, value FROM meta WHERE name > ? AND name < 'seal;' ORDER BY name LIMIT 1"


class SqliteTransaction:
    """A write transaction for ``with`` (``ports.Transaction``); at its end it calls ``ended(actions, committed)``.

    Without a ``scope`` it writes in any, as what comes from a table of several scopes must be taken in whole.
    """

    def __init__(
        self,
        connection: Connection,
        scope: Scope | None,
        durable: bool,
        ended: Callable[[frozenset[Action], bool], None],
    ) -> None:
        self._connection = connection
        self._scope = scope
        self._durable = durable
        self._ended = ended
        self._last = 0
        self._did: set[Action] = set()
        self._failed: BaseException | None = None
        self._open = False

    def __enter__(self) -> SqliteTransaction:
        connection = self._connection
        connection.lock.acquire()
        try:
            connection.begin(durable=self._durable)
        except BaseException:
            connection.lock.release()
            raise
        self._open = True
        try:
            connection.require_writable()
            self._last, _ = connection.ends.last or journal.last(connection)
        except BaseException:
            self._open = False
            connection.rollback()
            connection.lock.release()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._open = False
        try:
            self._end(whole=kind is None)
        finally:
            self._connection.lock.release()

    def _end(self, *, whole: bool) -> None:
        done = False
        try:
            if whole and self._failed is not None:
                raise self._failed
            if whole:
                self._connection.commit()
                done = True
        finally:
            self._connection.rollback()
            self._ended(frozenset(self._did), done)

    def append(self, draft: Draft, index: Sequence[IndexEntry] = ()) -> Event:
        """Seal a draft as the scope's next event, apply it and return it."""
        raw = codec.encode(draft)
        seq, previous = self._head(draft)
        event = codec.seal(draft, raw, seq + 1, previous)
        self._apply(event, raw, index)
        return event

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Append an event of another journal unchanged; raises StoreCorrupt if it does not continue this one."""
        raw = codec.payload_bytes(event)
        seq, previous = self._head(event)
        codec.require(event, raw, seq + 1, previous)
        self._apply(event, raw, index)

    def next_seq(self, scope: Scope, session: str) -> int:
        """Return the sequence number for the next message of a session."""
        number = self._number(scope)
        if number is None:
            return 0
        ends = self._connection.ends
        if (number, session) not in ends.places:
            ends.note(number, session, reads.next_place(self._connection, number, session))
        return ends.places[number, session]

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """Find an episode by the message id that its host gave it, or by its own id; None if there is none."""
        number = self._number(scope)
        return None if number is None else reads.find_message(self._connection, scope, number, message_id)

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """Find the events that lose their content, or only their reason, when these memories are erased."""
        number = self._number(scope)
        if number is None:
            return Reach((), ())
        found = writes.events_about(self._connection, number, scope, memory_ids)
        emptied, unreasoned = (journal.numbers(self._connection, some) for some in (found.emptied, found.unreasoned))
        return Reach(tuple(emptied), tuple(unreasoned))

    def _apply(self, event: Event, raw: bytes | None, index: Sequence[IndexEntry]) -> None:
        self._require_open()
        try:
            require_storable(event.payload)
            writes.apply(self._connection, self._last + 1, event, raw, entries_for(event.payload, index))
        except BaseException as error:
            self._failed = error  # half of it may be written, so the transaction can only be rolled back
            raise
        self._did.add(event.action)
        self._last += 1
        ends = self._connection.ends
        ends.last = (self._last, event.hash)
        if (number := writes.scope_id(self._connection, event.scope)) is not None:
            ends.heads[number] = (event.seq, event.hash)

    def _head(self, coming: Draft | Event) -> tuple[int, str]:
        """Return number and hash of the last event of the scope that something is to be written to."""
        if self._scope is not None:
            require_scope(coming, self._scope)
        number = self._number(coming.scope)
        if number is None:
            return 0, codec.NO_HASH
        return self._connection.ends.heads.get(number) or journal.head(self._connection, number)

    def _number(self, scope: Scope) -> int | None:
        self._require_open()
        return writes.scope_id(self._connection, scope)

    def _require_open(self) -> None:
        if not self._open:
            raise StoreClosed("This transaction has ended.", "Begin a new one.")
        if self._failed is not None:
            raise self._failed


class SqliteStore:
    """A store in one SQLite file (``ports.Store``). ``state``: folder that records which stores the user agreed to.

    ``key``: that of an encrypted store.

    Raises:
        StoreMissing: there is no file and ``create`` is False, or there is no folder for it.
        StoreTooNew: a newer Reverie wrote the file.
        StoreCorrupt, InvalidInput: the file is damaged, is no store, or holds foreign SQL; or the write-ahead log
            beside it belongs to another file.
        StoreUntrusted: the user agreed to another store at this path.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        create: bool = True,
        busy_timeout_s: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
        state: Path | None = None,
        key: Key | None = None,
    ) -> None:
        self._path = Path(path)
        self.key = key
        self._connection = file.connect(
            self._path, create=create, busy_timeout_s=busy_timeout_s, clock=clock, state=state, key=key
        )
        try:
            self._known = Known(self._connection, state)
        except StoreUntrusted:
            self._connection.close()
            raise
        self._tail = Tail(self._connection)
        self._corpora = Corpora(self._connection)
        self._embedded_to: dict[ModelInfo, int] = {}  # where each model's next search for missing vectors starts
        with suppress(StoreBusy, StoreFull, StoreReadOnly, StoreCorrupt):  # `check` reports it; a later opening tries
            maintenance.scrub(self._connection)

    def begin(self, scope: Scope, *, durable: bool) -> SqliteTransaction:
        """Open a write transaction in a scope; ``durable``: it is on disk before it returns."""
        return SqliteTransaction(self._connection, scope, durable, self._acknowledged if durable else self._ended)

    def corpus(self, scope: Scope, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns, up to date with what any process has written."""
        with self._connection.lock:
            return self._corpora.view(scope, model)

    def limit_corpora(self, most_mb: int) -> None:
        """Keep at most so many megabytes of columns and vectors in memory; the scopes longest unused go first."""
        with self._connection.lock:
            self._corpora.limit(most_mb)

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return a memory by id; None if there is none."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return None if number is None else reads.by_id(self._connection, scope, number, memory_id)

    def named(self, scope: Scope, memory_ids: Sequence[str]) -> list[Memory]:
        """Return the memories with these ids, in the order of the ids; unknown ids are left out."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.by_ids(self._connection, scope, number, memory_ids)

    def outlived(self, scope: Scope, episode_ids: Sequence[str]) -> set[str]:
        """Return those of these episodes whose formed memories are all superseded (at least one was formed)."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return set() if number is None else reads.outlived(self._connection, number, episode_ids)

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode, in order of writing."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.formed(self._connection, scope, number)

    def often(self, scope: Scope, least: int) -> list[Memory]:
        """Return the formed memories with at least ``least`` accesses, in order of writing."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.often(self._connection, scope, number, least)

    def made_from(self, scope: Scope, episode_id: str) -> list[Memory]:
        """Return the memories that name this episode as a source, in order of writing."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.made_from(self._connection, scope, number, episode_id)

    def history(self, scope: Scope, memory_id: str) -> list[Event]:
        """Return the events that affected a memory, in order."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            key = None if number is None else reads.key_of(self._connection, number, memory_id)
            return [] if number is None or key is None else journal.history(self._connection, number, key, memory_id)

    def message_ids(self, scope: Scope) -> dict[str, str]:
        """Map each episode's id to the message id that its host gave it; episodes without one are left out."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return {} if number is None else reads.message_ids(self._connection, number)

    def relations(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Relation]:
        """Return the relations of the scope, or only those with one of these memories at an end."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.relations(self._connection, number, memory_ids)

    def records(self, sort: str, *, scope: Scope | None = None, about: str | None = None) -> list[Record]:
        """Return the records of a sort, by scope and name: those of one scope, those about one name, or all."""
        with self._connection.lock:
            return reads.records(self._connection, sort, scope, about)

    def companions(self, scope: Scope, memory_ids: Sequence[str] | None = None) -> list[Companions]:
        """Return the pairs of formed memories that were recalled together, all or those with one of these memories."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.companions(self._connection, number, memory_ids)

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
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
        if number is None:
            return
        span, after = reads.TimeSpan(number, session, reads.end_of(end)), reads.start_of(start)
        left = limit
        while left is None or left > 0:
            size = reads.PAGE if left is None else min(left, reads.PAGE)
            with self._connection.lock:
                found, after = reads.timeline(self._connection, scope, span, after, size)
            yield from found
            if len(found) < size:
                return
            left = None if left is None else left - size

    def latest(self, scope: Scope, session: str, limit: int | None, holding: datetime | None) -> list[Memory]:
        """Return the last ``limit`` messages of a session, oldest first; only those valid at ``holding`` if given."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return [] if number is None else reads.latest(self._connection, scope, (number, session), limit, holding)

    def scopes(self) -> list[Scope]:
        """Return every scope that was ever written to, sorted."""
        with self._connection.lock:
            return sorted(reads.scopes(self._connection).values())

    def stats(self, scope: Scope) -> Stats:
        """Count the memories, sessions, speakers and events of a scope; with the size of the whole store."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return reads.stats(self._connection, scope, number, file.size_of(self._path))

    def health(self, scope: Scope, now: datetime) -> Health:
        """Count a scope's memories by kind, tier and state, its junk and growth a day; with the size of the store."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return reads.health(self._connection, scope, number, now, file.size_of(self._path))

    def events(self, scope: Scope, *, after: int = 0, actions: Collection[Action] | None = None) -> Iterator[Event]:
        """Yield the events of a scope's journal after number ``after``, in order."""
        while True:
            with self._connection.lock:
                number = writes.scope_id(self._connection, scope)
                found = [] if number is None else journal.page(self._connection, number, after, actions=actions)
            if not found:
                return
            yield from found
            after = found[-1].seq

    def head(self, scope: Scope) -> tuple[int, str]:
        """Return number and hash of the last event of a scope."""
        with self._connection.lock:
            number = writes.scope_id(self._connection, scope)
            return (0, codec.NO_HASH) if number is None else journal.head(self._connection, number)

    def heads(self) -> dict[Scope, tuple[int, str]]:
        """Return the head of every scope's journal, scopes in order."""
        with self._connection.lock:
            return journal.heads(self._connection)

    def mark(self) -> int:
        """Return the position of the file's last event."""
        with self._connection.lock:
            return journal.last(self._connection)[0]

    def happened(self, after: int, actions: Collection[Action]) -> bool:
        """Whether an event of one of these kinds was written, in any scope, after the mark was ``after``."""
        with self._connection.lock:
            return journal.happened(self._connection, after, actions)

    def in_order(self, after: int, actions: Collection[Action] | None = None) -> Iterator[Event]:
        """Yield the events of all scopes after a position in the file, in order of writing."""
        while True:
            with self._connection.lock:
                found = journal.any_page(self._connection, after, actions=actions)
            if not found:
                return
            yield from (event for _, event, _ in found)
            after = found[-1][0]

    def begin_anywhere(self, *, durable: bool) -> SqliteTransaction:
        """Open a write transaction that is not bound to a scope: for events of several scopes that belong together."""
        return SqliteTransaction(self._connection, None, durable, self._acknowledged if durable else self._ended)

    def unindexed(self, model: ModelInfo, limit: int, scope: Scope | None = None) -> list[Memory]:
        """Return up to ``limit`` memories without a vector of this model: oldest scope first, then oldest memory."""
        connection = self._connection
        with connection.lock:
            if scope is not None:
                number = writes.scope_id(connection, scope)
                bounds = (0, 0) if number is None else (reads.base(number), reads.base(number + 1))
                return [memory for _, memory in reads.unindexed(connection, model, bounds, limit)]
            done = self._embedded_to.get(model, 0)
            found = reads.unindexed(connection, model, (done, FOREVER), limit)
            if done and len(found) < limit:
                found = reads.unindexed(connection, model, (0, FOREVER), limit)
            self._embedded_to[model] = found[0][0] - 1 if found else 0
            return [memory for _, memory in found]

    def missing(self, model: ModelInfo, scope: Scope | None = None) -> int:
        """Count the memories without a vector of this model, of a scope or of all."""
        with self._connection.lock:
            number = None if scope is None else writes.scope_id(self._connection, scope) or 0
            return reads.missing(self._connection, model, number)

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors of memories that are already written; a memory erased meanwhile is skipped."""
        packed = [(scope, memory_id, pack(vector, model)) for scope, memory_id, vector in rows]
        with self._changing() as connection:
            numbers = {scope: number for number, scope in reads.scopes(connection).items()}
            found = ((reads.key_of(connection, numbers.get(scope, 0), name), row) for scope, name, row in packed)
            writes.add_vectors(
                connection, writes.model_id(connection, model), ((key, row) for key, row in found if key is not None)
            )

    def outdated(self, keep: ModelInfo) -> list[Scope]:
        """Return the scopes that have, or had, vectors of other models than ``keep`` and its second one."""
        with self._connection.lock:
            return reads.outdated(self._connection, keep)

    def drop_vectors(self, scope: Scope, *, keep: ModelInfo) -> int:
        """Delete a scope's vectors of all models except ``keep`` and its second; return how many were deleted."""
        with self._changing() as connection:
            number = writes.scope_id(connection, scope)
            return 0 if number is None else writes.drop_vectors(connection, number, keep)

    def analyzer(self, scope: Scope | None = None) -> str:
        """Return the version of the analyzer that made the indexed terms, of a scope or of all; "" in a new store."""
        with self._connection.lock:
            number = None if scope is None else writes.scope_id(self._connection, scope)
            query = "SELECT value FROM meta WHERE name IN ('analyzer', ?) ORDER BY name DESC LIMIT 1"
            row = self._connection.row(query, (f"analyzer:{number}",))
            return "" if row is None else str(row[0])

    def reindex(self, scope: Scope, analyzer: str, entries: Iterable[tuple[str, IndexEntry]]) -> None:
        """Replace the index terms of a scope's memories, in one transaction, and record the analyzer's version."""
        with self._changing() as connection:
            number = writes.scope_id(connection, scope)
            if number is not None:
                writes.reindex(connection, number, analyzer, entries)

    def reindexed(self, analyzer: str) -> None:
        """Record that the terms of all scopes, and of those to come, are of this version of the analyzer."""
        with self._changing() as connection:
            writes.reindexed(connection, analyzer)

    def seals(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of the store's seals, ascending."""
        name = _SEAL
        while True:
            with self._connection.lock:
                row = self._connection.row(_NEXT_SEAL, (name,))
            if row is None:
                return
            name = str(row[0])
            yield int(name.removeprefix(_SEAL)), str(row[1])

    def seal(self, number: int, text: str) -> None:
        """Keep a seal. Raises Conflict if there is one of this number."""
        with self._changing() as connection:
            if not connection.run("INSERT OR IGNORE INTO meta VALUES (?, ?)", (f"{_SEAL}{number:010}", text)):
                raise sealed_already(number)

    def check(self, *, replay: bool = True) -> list[Fault]:
        """Look for damage in file, search index, journal chain and memories; return the faults."""
        with self._connection.lock:
            self._connection.require_open()
            return [*maintenance.check(self._connection, replay=replay), *self._tail.faults()]

    def advice(self) -> list[Fault]:
        """Report what would prevent a write though nothing is damaged."""
        return maintenance.advice(self._path)

    def digest(self, scope: Scope | None = None) -> str:
        """Return the SHA-256 of journal, episodes and memories, without vectors and terms; of a scope or of all."""
        with self._connection.lock, self._connection.reading():
            if scope is None:
                return maintenance.digest_of_all(self._connection)
            return maintenance.digest_of(self._connection, scope, writes.scope_id(self._connection, scope) or 0)

    def alone(self, scope: Scope) -> AbstractContextManager[None]:  # noqa: ARG002 - the whole file is locked
        """Return a lock (a file beside the store) for ``with``: one process holds it, others get Conflict at once."""
        return self.alone_in_file()

    def alone_in_file(self) -> AbstractContextManager[None]:
        """Return that lock, for work on all scopes."""
        from reverie.stores.exclusive import alone  # for dreams and repairs

        return alone(self._path)

    def merge_index(self) -> None:
        """Index every full block of memories that has no text index yet, so that it need not be searched as text."""
        with self._changing() as connection:
            terms.settle_all(connection)

    def compact(self) -> int:
        """Merge the search index, free unused pages and empty the log; return how many bytes that freed."""
        with self._connection.lock:
            before = file.size_of(self._path)
            maintenance.compact(self._connection)
            return max(0, before - file.size_of(self._path))

    def backup(self, path: Path) -> None:
        """Write a consistent copy of the store while others read and write.

        Raises:
            Conflict: a file exists at ``path``.
        """
        self._connection.require_open()
        maintenance.back_up(self._path, path, self.key)
        self._known.made(path)

    @contextmanager
    def rebuilding(self, draft: Path) -> Iterator[Rebuild]:
        """Lay out an empty store in the file ``draft`` and yield the ``Rebuild`` that puts it in this one's place.

        Raises:
            StoreCorrupt: the journal is broken, or acknowledged events are missing; a repair never mends that.
            StoreReadOnly: the store cannot be written.
        """
        from reverie.stores.sqlite.repair import rebuilding  # only a repair needs it

        connection = self._connection
        with connection.lock:
            connection.require_open()
            for fault in self._tail.faults():
                raise StoreCorrupt(f"{fault.what} Nothing was changed.", fault.mend)
            try:
                with rebuilding(connection, draft) as rebuild:
                    yield rebuild
            finally:
                self._corpora.forget()
                self._embedded_to.clear()
                connection.numbers.clear()
                connection.ends.forget()
            with suppress(StoreBusy, StoreFull, StoreReadOnly):
                maintenance.scrub(connection)

    def close(self) -> None:
        """Close the file; every later call raises StoreClosed."""
        with self._connection.lock:
            self._corpora.forget()
            try:
                last = journal.last(self._connection)
            except ReverieError:  # the recorded end stays as it is
                last = None
            self._connection.close()
            self._tail.close(last)
            self._known.close(last)

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """Open a transaction that changes only what is derived from the events, such as vectors and terms."""
        connection = self._connection
        with connection.lock:
            connection.begin(durable=False)
            try:
                connection.require_writable()
                yield connection
                connection.commit()
            finally:
                connection.rollback()

    def _acknowledged(self, did: frozenset[Action], done: bool) -> None:
        self._ended(did, done)
        if done and self._connection.ends.last is not None:
            self._tail.note(self._connection.ends.last)

    def _ended(self, did: frozenset[Action], done: bool) -> None:
        if done and self._connection.ends.last is not None:
            self._known.note(self._connection.ends.last)
        if not done:
            self._corpora.taken_back()
        elif Action.ERASE in did:
            maintenance.scrub(self._connection)
