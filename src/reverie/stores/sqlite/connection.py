"""The only access to the SQLite file: it runs SQL, returns rows, and turns every SQLite error into one of Reverie's.

It also remembers where the journal, scopes and sessions end, as long as no other process writes.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote
from weakref import WeakSet

from reverie.errors import (
    InvalidInput,
    ReverieError,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
)
from reverie.stores.sqlite.cipher import Key, driver, refused, unlock, wrong_key

if TYPE_CHECKING:
    from reverie.locking import Queue

_MOST = 10_000


@dataclass(slots=True)
class Ends:
    """Cached: the file's last event (position, hash) and each scope's (number, hash), last key and models; and each
    session's next place.
    """

    last: tuple[int, str] | None = None
    heads: dict[int, tuple[int, str]] = field(default_factory=dict)
    tops: dict[int, int] = field(default_factory=dict)
    models: dict[int, frozenset[int]] = field(default_factory=dict)
    places: dict[tuple[int, str], int] = field(default_factory=dict)

    def forget(self) -> None:
        """Forget everything, because another process wrote or a transaction was rolled back."""
        self.last = None
        self.heads.clear()
        self.tops.clear()
        self.models.clear()
        self.places.clear()

    def follow(self, scope: int, session: str, place: int) -> None:
        """Update the next place of a session after a message was written at ``place``."""
        following = self.places.get((scope, session))
        if following is not None:
            self.places[scope, session] = max(following, place + 1)

    def note(self, scope: int, session: str, following: int) -> None:
        """Cache the sequence number of a session's next message, as just read from the file."""
        if len(self.places) >= _MOST:
            self.places.clear()
        self.places[scope, session] = following


Row: TypeAlias = tuple[Any, ...]
Values: TypeAlias = Sequence[object]

PAGE_SIZE = 4096
_CACHE_KIB = 65_536
_CHUNK = 4096
_AMONG = 500
_COPIED = 8
"""Pages that a copy over a database takes at a time; an empty store has more, so that none is whole after the first."""

_CLOSED = ("The store is closed.", "Open it again.")
_BUSY = ("Another process has been writing for too long.", "Wait for it to end, or raise the busy timeout.")
_FULL = ("The disk is full, or a quota or limit on file size is reached.", "Make room; nothing written before is lost.")
_READ_ONLY = ("The store can be read but not written.", "Give this user the right to write the file and its folder.")
_SIDES = ("-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside a database: its log, and the log's index."""
_CORRUPT = ("The file is damaged.", "Run `reverie doctor`; restore the last backup, or replay what can be read.")
_UNREADABLE = ("The disk failed to read or write.", "Check the disk; restore the last backup if need be.")
_NOT_OURS = (
    "This is not an SQLite file, or its first page is damaged, or it is encrypted.",
    "Check the path, or restore the last backup. An encrypted store is named sqlcipher:PATH.",
)
_CLASH = (
    "The file is damaged: what it holds and what was to be written do not go together.",
    "Run `reverie doctor`; where it finds no fault, this is one of Reverie: please report it.",
)
_MISSING = ("There is no store here, or it cannot be reached.", "Check the path and the rights on its folder.")
_TOO_BIG = ("The text is longer than a store can hold (1 GB).", "Split it.")
_ENDLESS = (
    "Reading the file took far longer than its size explains: it is damaged, or made so that reading it never ends.",
    "Restore the last backup. If the file came from somebody else, delete it.",
)

_BY_CODE: dict[int, tuple[type[ReverieError], tuple[str, str]]] = {
    sqlite3.SQLITE_BUSY: (StoreBusy, _BUSY),
    sqlite3.SQLITE_LOCKED: (StoreBusy, _BUSY),
    sqlite3.SQLITE_PROTOCOL: (StoreBusy, _BUSY),
    sqlite3.SQLITE_FULL: (StoreFull, _FULL),
    sqlite3.SQLITE_IOERR_WRITE: (StoreFull, _FULL),
    sqlite3.SQLITE_IOERR_SHMSIZE: (StoreFull, _FULL),
    sqlite3.SQLITE_READONLY: (StoreReadOnly, _READ_ONLY),
    sqlite3.SQLITE_PERM: (StoreReadOnly, _READ_ONLY),
    sqlite3.SQLITE_IOERR: (StoreCorrupt, _UNREADABLE),
    sqlite3.SQLITE_CORRUPT: (StoreCorrupt, _CORRUPT),
    sqlite3.SQLITE_NOTADB: (StoreCorrupt, _NOT_OURS),
    sqlite3.SQLITE_CANTOPEN: (StoreMissing, _MISSING),
    sqlite3.SQLITE_TOOBIG: (InvalidInput, _TOO_BIG),
    sqlite3.SQLITE_CONSTRAINT: (StoreCorrupt, _CLASH),
    sqlite3.SQLITE_MISMATCH: (StoreCorrupt, _CLASH),
    sqlite3.SQLITE_INTERRUPT: (StoreCorrupt, _ENDLESS),
}

_UNREAD = sqlite3.SQLITE_NOTADB
"""What SQLCipher says of a page that the key does not fit."""

_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_TURN_S = 2.0
"""Most seconds that a writer waits for its turn, before it tries without one: the one before may have been stopped."""
_guard = RLock()
_handles: dict[str, int] = {}
"""Descriptors of files that are open besides SQLite's own, by path."""

STATEMENT_S = 5.0
"""Seconds that one statement may take on the smallest file."""
BYTES_PER_S = 1 << 20
"""A statement may take a second longer for so many bytes of the file. A disk reads a hundred times as fast: work that
reads each page a few times, such as a VACUUM on a busy machine, still ends in time."""
_STEPS = 100_000
"""SQLite's virtual machine checks the clock after so many steps, some milliseconds; shorter statements never do."""


_REFUSED = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""What SQLite's module raises; the second if an error message names a damaged part of the schema, the third if a number
in a damaged file exceeds 64 bits."""
_OF_DAMAGE = (
    *("no such ", " already exists", "has no column named", "values were supplied", "vtable constructor failed"),
    *("ON CONFLICT clause does not match", "unrecognized option", "unrecognized column option"),
    *("integer overflow", "invalid fts5 file format", "unsupported file format"),
)
"""Messages of SQLite's generic error that mean a damaged file: its tables are missing or not as we made them, or its
numbers are not ours. Each statement of ours is right for our tables."""


def sides(path: Path) -> list[Path]:
    """Return the paths of a file's log and the log's index: beside the file itself, wherever a link to it is."""
    real = Path(os.path.realpath(path))
    return [real.with_name(real.name + end) for end in _SIDES]


def locked(path: Path) -> list[Path]:
    """List the parts of a store this user may not write: file and folder, or, if both are writable, log and index."""
    real = Path(os.path.realpath(path))
    there = [part for part in sides(real) if part.exists()]
    needed = (real,) if len(there) == len(_SIDES) else (real, real.parent)
    return [part for part in needed if not os.access(part, os.W_OK)] or [p for p in there if not os.access(p, os.W_OK)]


def kept_out(parts: Sequence[Path]) -> tuple[str, str]:
    """Return an error message for the parts of a store that are locked, and their names."""
    names = ", ".join(map(str, parts))
    return f"The store can be read but not written: this user may not write {names}.", names


def translated(error: Exception) -> ReverieError:
    """Make the Reverie error for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", None)
    if code == sqlite3.SQLITE_ERROR and any(words in str(error) for words in _OF_DAMAGE):
        return StoreCorrupt(f"The file is damaged ({error}).", _CORRUPT[1])
    if code is not None:
        other = StoreError, (f"SQLite refused: {error}.", "This is a fault in Reverie; please report it.")
        kind, (message, mend) = _BY_CODE.get(code) or _BY_CODE.get(code & 0xFF) or other
        return kind(message, mend)
    # Errors of Python's module itself: a closed connection, or bytes in a text column that are no text.
    return StoreClosed(*_CLOSED) if "closed" in str(error) else StoreCorrupt(*_CORRUPT)


def unreadable() -> StoreCorrupt:
    """Make the error for a file whose first page is no SQLite page."""
    return StoreCorrupt(*_NOT_OURS)


def text(value: str) -> str | bytes:
    """Prepare a string for storage: unchanged, or as bytes if it is no valid UTF-8 (lone surrogates)."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "surrogatepass")
    return value


def string(value: str | bytes) -> str:
    """Return the string that ``text`` stored."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def whole(value: object) -> int:
    """Return a value that must be an integer; raises StoreCorrupt for another, which a damaged file may hold."""
    if not isinstance(value, int):
        raise StoreCorrupt(f"{value!r:.40} stands where a number should.", "Run `reverie doctor`.")
    return value


class _Watch:
    """Interrupts a statement that takes longer than the file's size explains (SQLite's progress handler).

    A small damaged file can hold endless rows: pages that name each other as their children.
    """

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock
        self.until: float | None = None
        self.stopped = False

    def __call__(self) -> bool:
        try:
            now = self._clock()
            if self.until is None:  # the first call for this statement
                self.until = now + STATEMENT_S + _bytes_on_disk(self._path) / BYTES_PER_S
            return now > self.until
        except KeyboardInterrupt:  # would be lost in SQLite; the caller raises it again
            self.stopped = True
            return True

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the statement's clock while the caller works on a block of rows or runs other statements."""
        until, began = self.until, self._clock()
        try:
            yield
        finally:
            self.until = None if until is None else until + self._clock() - began


class _NotPermitted(Exception):
    """The copy over a database was stopped before it changed anything."""


class _Waiting:
    """Follows a copy over a database: asks, at the first pages, whether to go on, and waits for a busy target."""

    def __init__(self, most_s: float, permitted: Callable[[], bool]) -> None:
        self._until = time.monotonic() + most_s
        self._permitted = permitted
        self._asked = False

    def __call__(self, status: int, *_: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            if time.monotonic() > self._until:
                raise StoreBusy(*_BUSY)
        elif not self._asked:  # the target is locked for others now, and nothing is committed yet
            self._asked = True
            if not self._permitted():
                raise _NotPermitted


def _bytes_on_disk(path: Path) -> int:
    """Return the bytes that a file and its log take on disk; a file with holes takes fewer than its size."""
    total = 0
    for part in (path, *sides(path)):
        with suppress(OSError):
            held = part.stat()
            total += min(held.st_size, getattr(held, "st_blocks", held.st_size) * 512)
    return total


_connections: WeakSet[Connection] = WeakSet()


class Connection:
    """One SQLite connection, used by one thread at a time under ``lock``.

    ``numbers`` caches the row numbers of scopes and models: a number is never reused, and those a transaction added are
    forgotten when it is rolled back. ``ends`` is valid within a write transaction. ``guard`` is called to check the
    schema each time that another process changed it.
    """

    guard: Callable[[Connection], object] | None = None

    def __init__(
        self,
        path: Path,
        *,
        mode: str,
        busy_timeout_s: float,
        clock: Callable[[], float] = time.monotonic,
        real: str = "",
        key: Key | None = None,
    ) -> None:
        self.lock = RLock()
        self.path = path
        self.key = key
        self._refused = _REFUSED + refused(key)
        self.busy_timeout_s = busy_timeout_s
        self._real = real
        self._watch = _Watch(path, clock)
        self._synchronous = ""
        self._closed = self._writable = self._begun = self._queued = False
        self.numbers: dict[object, int] = {}
        self.ends = Ends()
        self._queued_at = Path(f"{real or os.path.realpath(path)}-head")
        self._queue: Queue | None = None
        self._others: Row | None = None
        self._seen: Row | None = None
        self._schema: Row | None = None
        try:
            self._raw: sqlite3.Connection = driver(key).connect(
                f"file:{quote(os.fsencode(path))}?{mode}",
                uri=True,
                timeout=busy_timeout_s,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=256,
            )
            unlock(self._raw, key)
            self._raw.set_progress_handler(self._watch, _STEPS)
            self._raw.execute("PRAGMA trusted_schema = OFF")  # neither of the two reads the file
            self._raw.execute("PRAGMA cell_size_check = ON")
            self._raw.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten; some builds do so anyway
        except self._refused as error:
            raise translated(error) from error
        with _guard:
            _connections.add(self)

    @property
    def real(self) -> str:
        """The file's path without links, resolved at opening or at first use."""
        self._real = self._real or os.path.realpath(self.path)
        return self._real

    @property
    def closed(self) -> bool:
        """Whether the connection was closed."""
        return self._closed

    @property
    def writing(self) -> bool:
        """Whether a transaction is open."""
        return not self._closed and self._raw.in_transaction

    @property
    def state(self) -> tuple[int, object]:
        """A value that changes whenever this or another connection writes."""
        self.require_open()
        others = self.row("PRAGMA data_version")  # changes when another connection writes
        self._look(others)
        return self._raw.total_changes, others

    def require_open(self) -> None:
        """Raise StoreClosed if the connection was closed."""
        if self._closed:
            raise StoreClosed(*_CLOSED)

    def tune(self) -> None:
        """Set the cache size, which holds for this connection only."""
        self.run(f"PRAGMA cache_size = -{_CACHE_KIB}")

    def run(self, sql: str, values: Values = ()) -> int:
        """Execute a statement; return how many rows it changed."""
        self._watch.until = None
        try:
            return self._raw.execute(sql, values).rowcount
        except self._refused as error:
            raise self._told(error) from error

    def run_many(self, sql: str, rows: Iterable[Values]) -> int:
        """Execute a statement once for each row; return how many rows it changed."""
        self._watch.until = None
        try:
            return self._raw.executemany(sql, rows).rowcount
        except self._refused as error:
            raise self._told(error) from error

    def row(self, sql: str, values: Values = ()) -> Row | None:
        """Return the first row of a query; None if there is none."""
        self._watch.until = None
        try:
            found: Row | None = self._raw.execute(sql, values).fetchone()
        except self._refused as error:
            raise self._told(error) from error
        return found

    def rows(self, sql: str, values: Values = ()) -> list[Row]:
        """Return all rows of a query."""
        self._watch.until = None
        try:
            return self._raw.execute(sql, values).fetchall()
        except self._refused as error:
            raise self._told(error) from error

    def rows_among(self, sql: str, among: Sequence[object], rest: Values = ()) -> Iterator[Row]:
        """Yield the rows of a query with ``IN ({})``, run for some hundred values at a time, ``rest`` after them."""
        for start in range(0, len(among), _AMONG):
            some = among[start : start + _AMONG]
            yield from self.rows(sql.format(", ".join("?" * len(some))), (*some, *rest))

    def blocks(self, sql: str, values: Values = ()) -> Iterator[list[Row]]:
        """Yield the rows of a query, some thousand at a time; the caller must read to the end under the lock."""
        self._watch.until = None
        try:
            cursor = self._raw.execute(sql, values)
            while block := cursor.fetchmany(_CHUNK):
                with self._watch.paused():
                    yield block
        except self._refused as error:
            raise self._told(error) from error

    @property
    def _turns(self) -> Queue:
        """Return the queue of the processes that write here; made when first needed, as a reader needs none."""
        if self._queue is None:
            from reverie.locking import Queue

            self._queue = Queue(self._queued_at)
        return self._queue

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Be the one process that writes, within the block, as far as the others queue as well."""
        self._turns.take(min(self.busy_timeout_s, _TURN_S))
        try:
            yield
        finally:
            self._turns.leave()

    def begin(self, *, durable: bool) -> None:
        """Begin a write transaction; waits for other writers up to the busy timeout."""
        if self.writing:
            raise StoreBusy("This thread is writing already.", "End the first transaction before the next.")
        wanted = "FULL" if durable else "NORMAL"
        if wanted != self._synchronous:
            self.run(f"PRAGMA synchronous = {wanted}")
            self._synchronous = wanted
        self._turns.take(min(self.busy_timeout_s, _TURN_S))
        self._queued = True
        try:
            self.run("BEGIN IMMEDIATE")
        except BaseException:
            self._leave()
            raise
        self._begun = True
        others = self.row("PRAGMA data_version")  # changes when another connection writes
        if others != self._others:
            self.ends.forget()
            try:
                self._look(others)
            except ReverieError:
                self.rollback()
                raise
            self._others = others

    def require_writable(self) -> None:
        """Raise StoreReadOnly unless the file can be written; SQLite begins a transaction on any file."""
        if not self._writable:
            self.run("DELETE FROM meta WHERE false")
            self._writable = True

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Run several queries on one snapshot; inside a write transaction they are so anyway."""
        if self.writing:
            yield
            return
        self.run("BEGIN")
        try:
            yield
        finally:
            self._end()

    def commit(self) -> None:
        """Commit the open transaction."""
        self.run("COMMIT")
        self._begun = False
        self._leave()

    def rollback(self) -> None:
        """Roll back the transaction if it was not committed (SQLite may have done so itself)."""
        if self._begun:
            self.numbers.clear()
            self.ends.forget()
            self._begun = False
        try:
            self._end()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._queued:
            self._queued = False
            self._turns.leave()

    def _look(self, others: Row | None) -> None:
        """Call the guard if another connection wrote and the schema's number changed since the last check."""
        if others == self._seen or self.guard is None:
            return
        schema = self.row("PRAGMA schema_version")
        if schema != self._schema:
            self.guard(self)
            self.numbers.clear()  # a repair may have given other numbers
        self._seen, self._schema = others, schema

    def _told(self, error: Exception) -> ReverieError:
        """Make the Reverie error, naming the parts that cannot be written if that is the cause."""
        if self._watch.stopped:
            self._watch.stopped = False
            raise KeyboardInterrupt from None
        made = translated(error)
        if self.key is not None and self.guard is None and getattr(error, "sqlite_errorcode", 0) == _UNREAD:
            return wrong_key(self.path, self.key)
        if not isinstance(made, StoreReadOnly) or not (parts := locked(self.path)):
            return made
        return StoreReadOnly(kept_out(parts)[0], made.mend)

    def _end(self) -> None:
        if self.writing:
            self.run("ROLLBACK")

    def copy_to(self, path: Path) -> None:
        """Copy a snapshot of the whole database into a file; others may read and write meanwhile."""
        try:
            target = driver(self.key).connect(os.fspath(path), isolation_level=None)
            try:
                unlock(target, self.key)
                self._raw.backup(target)
            finally:
                target.close()
        except self._refused as error:
            raise translated(error) from error

    def copy_over(self, target: Connection, permitted: Callable[[], bool]) -> bool:
        """Replace the whole content of another database by this one's, in one transaction; others may read meanwhile.

        ``permitted`` is asked once, when nobody else can write to the target any more; False: nothing is changed.

        Raises:
            StoreBusy: others wrote to the target for too long.
            StoreFull, StoreReadOnly: the target cannot be written.
        """
        waits = _Waiting(target.busy_timeout_s, permitted)
        try:
            self._raw.backup(target._raw, pages=_COPIED, progress=waits, sleep=0.01)
        except self._refused as error:
            raise target._told(error) from error
        except _NotPermitted:
            return False
        return True

    def close(self) -> None:
        """Close the connection; later calls raise StoreClosed."""
        self._closed = True
        try:
            self._raw.close()
        except self._refused as error:
            raise translated(error) from error
        finally:
            self._let_go()
            if self._queue is not None:
                self._queue.close()

    def handle(self) -> int:
        """Return a descriptor of the file, for reading and writing. Raises OSError.

        It stays open as long as this process has a connection to the file: closing any descriptor of a file drops all
        locks that SQLite holds on it in the process.
        """
        with _guard:
            if self.real not in _handles:
                _handles[self.real] = os.open(self.real, _FLAGS)
            return _handles[self.real]

    def _let_go(self) -> None:
        with _guard:
            _connections.discard(self)
            if self._real in _handles and not any(other.real == self._real for other in _connections):
                os.close(_handles.pop(self._real))
