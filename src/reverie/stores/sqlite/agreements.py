"""Record which stores the user agreed to use, and check that a store is still the one that they agreed to.

A store in a folder that others can write may be replaced there: its file, or the log beside it. Nothing in that folder
can prove this, for whoever replaces one file can replace the other. So the user's state folder holds a note for each
store that the user agreed to, in the form of the note beside the store, and a line for each backup made of it here.
Stores that the user names explicitly need no consent, and have no such note. ``state`` is the user's state folder;
None if there is none.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import file_digest, sha256
from pathlib import Path

from reverie.durable import OWNER_ONLY, open_own
from reverie.errors import ReverieError, StoreCorrupt, StoreUntrusted
from reverie.stores.sqlite import journal_end, schema
from reverie.stores.sqlite.cipher import Key
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.journal_end import NO_FORM, EndNote, EndVerdict, Point

_FOLDER = "stores"
_EACH = 256
"""Transactions between two updates of the note by one process; the note beside the store is updated with each."""
_BUSY_S = 2.0
_MOST = 1 << 20
"""Most bytes of a file of notes that are read: enough for some seven thousand backups."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """A backup that was made here: its mark, the journal's end in it, SHA-256 and size of its file."""

    copy: str
    head: Point
    digest: str
    size: int


def _place(store: str, state: Path | None) -> str | None:
    """Return the path of the note of a store (given by its path without links); None without a state folder."""
    return None if state is None else f"{state}/{_FOLDER}/{sha256(os.fsencode(store)).hexdigest()[:32]}"


def agree(store: Path, state: Path | None) -> None:
    """Record the file at a path as the user's own store, as it is now; earlier notes are replaced, except of backups.

    Raises:
        OSError: the note cannot be written.
    """
    place = _place(os.path.realpath(store), state)
    if place is None:
        return
    try:
        path = os.path.realpath(store)
        with _looking(path) as connection:
            now = replace(journal_end.met(connection), file=(journal_end.form(path)[0], *NO_FORM[1:]))
    except (ReverieError, OSError):  # it cannot be read now: the next to open it records it
        now = None
    Path(place).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = open_own(Path(place), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    try:
        journal_end.write(file, b"".ljust(journal_end.SIZE) if now is None else _written(now))
    finally:
        os.close(file)


def forget(store: Path, state: Path | None) -> None:
    """Delete the note of a store. Raises OSError."""
    place = _place(os.path.realpath(store), state)
    if place is not None:
        Path(place).unlink(missing_ok=True)


def is_still(store: Path, state: Path | None) -> bool:
    """Whether the store at a path may be the one that was agreed to; False only if it is known to be another.

    A store that was agreed to before such notes existed is recorded now. An encrypted one is examined when it is opened
    with its key: nobody without the key can put another in its place, only an older copy.
    """
    place = _place(os.path.realpath(store), state)
    if place is not None and not os.path.lexists(place):
        with suppress(OSError):
            agree(store, state)
    return place is None or _wrong(os.path.realpath(store), place) is None


def is_backup(store: Path, state: Path | None) -> bool:
    """Whether the file at a path is, byte for byte, a backup made here by this user of the store that was there."""
    path = os.path.realpath(store)
    place = _place(path, state)
    with suppress(OSError):
        size = os.stat(path).st_size  # noqa: PTH116 - the path is text already
        made = {one.digest for one in _copies(_read(place)) if one.size == size} if place else set()
        if made and not journal_end.log_size(path):
            with open(path, "rb") as file:  # noqa: PTH123 - as above
                return file_digest(file, "sha256").hexdigest() in made
    return False


def require_own_log(store: str, state: Path | None, key: Key | None = None) -> None:
    """Check, before a store is opened for writing and its log is merged, that the log belongs to the store.

    Raises:
        StoreCorrupt, StoreUntrusted: with the log, the journal is not the recorded one.

    ``store`` is a path without links.
    """
    if not journal_end.log_size(store):
        return
    place = _place(store, state)
    if place is not None and os.path.lexists(place):  # what the user agreed to counts, not what lies beside the store
        if (wrong := _wrong(store, place, key)) is not None:
            raise _untrusted(store, place, wrong)
        return
    note = journal_end.read(store)
    with suppress(OSError):
        if (
            note is not None
            and note.file != NO_FORM
            and note.file == journal_end.form(store)
            and _differs(store, note, key)
        ):
            raise StoreCorrupt(
                f"{store}-wal is not this store's log: with it, event {note.head[0]}, the journal's last when the store"
                " was closed, is not there.",
                f"Move {store}-wal away and open the store again: all that was kept is in its own file. If you put"
                f" that log there yourself, delete {store}{journal_end.SUFFIX}.",
            )


class Known:
    """Keeps the note of a store that the user agreed to up to date, through one connection.

    Raises:
        StoreUntrusted: the journal is not the recorded one.
    """

    def __init__(self, connection: Connection, state: Path | None) -> None:
        self._connection = connection
        self._store = connection.real
        self._place = _place(self._store, state)
        self._left = 0
        written = _read(self._place)
        note = journal_end.parsed(written)
        if note is None or self._place is None:
            return
        if not _is_of(note, self._store):  # another file: the check for consent notices; the user may have put it there
            self._place = None
            return
        with suppress(StoreCorrupt, OSError):  # a damaged store is opened, so that it can be examined
            now = journal_end.met(connection)
            if _is_other(connection, now.head, note):
                if not _is_copy(now, written):
                    raise _untrusted(self._store, self._place, note.head[0])
                self._write(now.head, anew=True)

    def note(self, head: Point) -> None:
        """Record the journal's last event that is on disk, once in ``_EACH`` calls."""
        self._left -= 1
        if self._left < 0:
            self._left = _EACH
            with suppress(OSError, ReverieError):
                self._write(head)

    def close(self, head: Point | None) -> None:
        """Record the journal's end after the connection was closed, if closing has merged the log."""
        if head is not None and not journal_end.log_size(self._store):
            with suppress(OSError, ReverieError):
                self._write(head, merged=True)

    def made(self, copy: Path) -> None:
        """Record a backup that was made of the store, so that it may replace the store."""
        if self._place is None or not _read(self._place):
            return
        with suppress(OSError, ReverieError), _looking(os.path.realpath(copy), self._connection.key) as connection:
            now = journal_end.met(connection)
            with copy.open("rb") as made:
                digest = file_digest(made, "sha256").hexdigest()
            line = f"{now.copy or '-'} {now.head[0]} {now.head[1]} {digest} {copy.stat().st_size}\n"
            file = open_own(Path(self._place), os.O_WRONLY | os.O_APPEND)
            try:
                os.write(file, line.encode("ascii"))
            finally:
                os.close(file)

    def _write(self, head: Point, *, merged: bool = False, anew: bool = False) -> None:
        """Record the journal's end, if the user agreed to the store. Raises OSError.

        ``merged``: all of it is in the store's own file. ``anew``: nothing recorded before is kept.
        """
        if self._place is None:
            return
        try:
            file = open_own(Path(self._place), os.O_RDWR)
        except FileNotFoundError:
            return
        try:
            before = None if anew else journal_end.parsed(os.read(file, journal_end.SIZE))
            if before is not None and not _is_of(before, self._store):
                return
            now = before or EndNote(head) if self._connection.closed else journal_end.met(self._connection)
            last = head if merged else journal_end.NOWHERE if before is None else before.merged
            note = EndNote(head, last, now.first, now.copy, journal_end.form(self._store))
            if note != before:
                journal_end.write(file, _written(note))
        finally:
            os.close(file)


def _is_of(note: EndNote, store: str) -> bool:
    """Whether a note describes the file that is at a path (by inode)."""
    try:
        return note.file[0] == journal_end.form(store)[0]
    except OSError:
        return False


def _written(note: EndNote) -> bytes:
    return journal_end.line(note.head, *journal_end.around(note))


def _untrusted(store: str, place: str, seq: int) -> StoreUntrusted:
    return StoreUntrusted(
        f"The store {store} is not the one that you agreed to: event {seq} of its journal is gone, or another. Another"
        " file was put in its place, an older copy, or a log (-wal) beside it.",
        f"If you did that, or know whose memories it holds, run `reverie config trust` in its folder, or delete"
        f" {place}. Otherwise move {store}-wal away, if there is one, or restore a backup.",
    )


def _wrong(store: str, place: str, key: Key | None = None) -> int | None:
    """Return the number of the recorded event that the store lacks, if it is another store; else None."""
    written = _read(place)
    note = journal_end.parsed(written)
    if note is None or not _is_of(note, store):
        return None
    with suppress(ReverieError, OSError):  # what cannot be read now is checked when it is opened
        before = journal_end.form(store)
        with _looking(store, key) as connection:
            now = journal_end.met(connection)
            is_other = _is_other(connection, now.head, note) and not _is_copy(now, written)
        if is_other and journal_end.form(store) == before:  # otherwise somebody wrote to the file meanwhile
            return note.head[0]
    return None


def _is_other(connection: Connection, head: Point, note: EndNote) -> bool:
    """Whether a journal is another than the recorded one.

    This includes a journal that others began while the user's was empty, if a process of the user has updated the note
    since they agreed: without an update, all of these processes may have another state folder, and record it there.
    """
    is_begun = head[0] > 0 and not note.head[0] and note.file[1] > 0
    return is_begun or journal_end.judged(connection, head, note) is EndVerdict.OTHER


def _is_copy(now: EndNote, written: bytes) -> bool:
    """Whether a journal is that of a recorded backup of the store, unchanged since it was made."""
    return any((one.copy, one.head) == (now.copy, now.head) for one in _copies(written) if one.copy)


def _differs(store: str, note: EndNote, key: Key | None) -> bool:
    """Whether a store, with the log beside it, no longer contains the recorded last event."""
    with suppress(ReverieError), _looking(store, key) as connection:
        return not journal_end.holds(connection, note.head)
    return False


class _looking:  # noqa: N801 - a context, used as a function
    """A read-only connection; closing it merges no log, and if there is no log, no file is made beside the store."""

    def __init__(self, store: str, key: Key | None = None) -> None:
        mode = "mode=ro" if journal_end.log_size(store) else "mode=ro&immutable=1"
        self._connection = Connection(Path(store), mode=mode, busy_timeout_s=_BUSY_S, key=key)

    def __enter__(self) -> Connection:
        try:
            if not schema.require_ours(self._connection):
                raise StoreCorrupt("The store is empty.", "Open it.")
        except BaseException:
            self._connection.close()
            raise
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()


def _read(place: str | None) -> bytes:
    """Read a note with its backups; empty if there is none or it is not the user's own."""
    if place is None or not os.path.lexists(place):  # as a rule there is none
        return b""
    try:
        file = open_own(Path(place), os.O_RDONLY)
    except OSError:
        return b""
    with os.fdopen(file, "rb") as held:
        return held.read(_MOST)


def _copies(written: bytes) -> list[_Copy]:
    found: list[_Copy] = []
    for one in written[journal_end.SIZE :].decode("ascii", "replace").splitlines():
        with suppress(ValueError):
            copy, seq, own, digest, size = one.split(" ")
            found.append(_Copy("" if copy == "-" else copy, (int(seq), own), digest, int(size)))
    return found
