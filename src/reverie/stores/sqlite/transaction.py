"""One unit of writing: drafts in, sealed events out; all of it in the file, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType

from reverie.errors import StoreClosed
from reverie.events import Action, Draft, Event, Reach
from reverie.stores import chain, codec
from reverie.stores.drafts import entries_for, require_storable
from reverie.stores.sqlite import journal, reading, writing
from reverie.stores.sqlite.connection import Connection
from reverie.types import Episode, IndexEntry, Scope


class SqliteTransaction:
    """A transaction as a context (``ports.Transaction``); ``ended`` is told what was done, and whether it lasts."""

    def __init__(self, connection: Connection, durable: bool, ended: Callable[[frozenset[Action], bool], None]) -> None:
        self._connection = connection
        self._durable = durable
        self._ended = ended
        self._head = (0, chain.NO_HASH)
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
            self._head = connection.ends.head or journal.head(connection)
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
        """Chain a draft to the journal and apply it."""
        raw = codec.encode(draft)
        seq, previous = self._head
        event = chain.seal(draft, raw, seq + 1, previous)
        self._apply(event, raw, index)
        return event

    def adopt(self, event: Event, index: Sequence[IndexEntry] = ()) -> None:
        """Take over an event of another journal as it is."""
        raw = chain.payload_bytes(event)
        seq, previous = self._head
        chain.require(event, raw, seq + 1, previous)
        self._apply(event, raw, index)

    def next_seq(self, scope: Scope, session: str) -> int:
        """The place after the last message of a session."""
        number = self._scope(scope)
        if number is None:
            return 0
        ends = self._connection.ends
        if (number, session) not in ends.places:
            ends.note(number, session, reading.next_place(self._connection, number, session))
        return ends.places[number, session]

    def find_message(self, scope: Scope, message_id: str) -> Episode | None:
        """The episode that came with this message id, or bears it as its own."""
        number = self._scope(scope)
        return None if number is None else reading.find_message(self._connection, scope, number, message_id)

    def events_about(self, scope: Scope, memory_ids: Sequence[str]) -> Reach:
        """What of the journal holds content of these memories."""
        number = self._scope(scope)
        return Reach((), ()) if number is None else writing.events_about(self._connection, number, scope, memory_ids)

    def _apply(self, event: Event, raw: bytes | None, index: Sequence[IndexEntry]) -> None:
        self._require_open()
        try:
            require_storable(event.payload)
            writing.apply(self._connection, event, raw, entries_for(event.payload, index))
        except BaseException as error:
            self._failed = error  # half of it may be written: the transaction can only be taken back
            raise
        self._did.add(event.action)
        self._head = self._connection.ends.head = (event.seq, event.hash)

    def _scope(self, scope: Scope) -> int | None:
        self._require_open()
        return writing.scope_id(self._connection, scope)

    def _require_open(self) -> None:
        if not self._open:
            raise StoreClosed("This transaction has ended.", "Begin a new one.")
        if self._failed is not None:
            raise self._failed
