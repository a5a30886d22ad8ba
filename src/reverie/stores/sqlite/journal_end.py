"""Record the end of the journal in a file beside the store, to detect later that messages were lost with its log.

A log that is removed or cut takes its messages along. ``judged`` compares a note with the journal found later.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from reverie.answers import Fault
from reverie.errors import StoreCorrupt
from reverie.stores.codec import NO_HASH
from reverie.stores.sqlite import journal
from reverie.stores.sqlite.cipher import Key
from reverie.stores.sqlite.connection import Connection

Point: TypeAlias = tuple[int, str]
"""An event's position in the file, from 1, and its hash."""
Form: TypeAlias = tuple[int, int, int]
"""A file's inode, size and modification time in ns."""

NOWHERE = (0, NO_HASH)
NO_FORM = (0, 0, 0)
SIZE = 640
"""Bytes of a note."""
_FORM = b"reverie-head-2"
_WORDS = 14
_COPY = re.compile("[0-9a-f]{32}")
_ENDS = """
SELECT position, lower(hex(hash)), (SELECT lower(hex(hash)) FROM event WHERE position = 1),
  (SELECT value FROM meta WHERE name = 'copy') FROM event ORDER BY position DESC LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class EndNote:
    """What was known of a store's journal at one moment.

    Attributes:
        head: the last event on disk.
        merged: the last event known to be in the store's own file, not only in its log.
        first: hash of the first event.
        copy: mark of the backup that the store was restored from; empty if it was not restored.
        file: the store's own file when all was merged into it; all 0 while the store is open for writing.
        kept, lost: the range of events found lost: after ``kept``, up to ``lost``.
    """

    head: Point
    merged: Point = NOWHERE
    first: str = NO_HASH
    copy: str = ""
    file: Form = NO_FORM
    kept: Point = NOWHERE
    lost: Point = NOWHERE


class EndVerdict(Enum):
    """How a journal compares with an earlier note: it continues, it lost its end, or it is another or an older copy."""

    WHOLE = "whole"
    CUT = "cut"
    OTHER = "other"


def around(note: EndNote) -> tuple[bytes, bytes]:
    """Return the parts of a written note before and after the head, which alone changes with each message."""
    points = " ".join(f"{seq} {own}" for seq, own in (note.merged, note.kept, note.lost))
    file = " ".join(map(str, note.file))
    return _FORM + b" ", f" {points} {note.first} {note.copy or '-'} {file}".encode("ascii")


def line(head: Point, before: bytes, behind: bytes) -> bytes:
    """Return a note as the ``SIZE`` bytes that are written."""
    body = b"%s%d %s%s" % (before, head[0], head[1].encode(), behind)
    return (b"%s %d" % (body, crc32(body))).ljust(SIZE)


def parsed(written: bytes) -> EndNote | None:
    """Parse a written note; None if it is incomplete or not ours."""
    body, _, check = written[:SIZE].rstrip().rpartition(b" ")
    words = body.split(b" ")
    if len(words) != _WORDS or words[0] != _FORM or check != b"%d" % crc32(body):
        return None
    try:
        seqs = [int(word) for word in words[1:9:2]]
        hashes = [word.decode("ascii") for word in words[2:9:2]]
        first, copy = words[9].decode("ascii"), words[10].decode("ascii")
        inode, size, age = map(int, words[11:14])
    except ValueError:
        return None
    head, merged, kept, lost = zip(seqs, hashes, strict=True)
    return EndNote(head, merged, first, "" if copy == "-" else copy, (inode, size, age), kept, lost)


def met(connection: Connection) -> EndNote:
    """Return a note of the journal as it is now; ``merged`` is ``NOWHERE`` unless all of it is in the store's file."""
    row = connection.row(_ENDS)
    if row is None:
        return EndNote(NOWHERE, copy=copy_of(connection))
    seq, own, first, copy = row
    head = (int(seq), str(own))
    return EndNote(head, merged(connection, head), str(first or NO_HASH), _copy(copy))


def merged(connection: Connection, head: Point) -> Point:
    """Return ``head``, the journal's last event as just read, if none of it is in the log alone; else ``NOWHERE``.

    The log is checked after the journal was read: if there is no log by then, what was read is in the file.
    """
    return NOWHERE if log_size(connection.real) else head


def copy_of(connection: Connection) -> str:
    """Return the mark of the backup that a store was restored from; empty if it was not restored."""
    row = connection.row("SELECT value FROM meta WHERE name = 'copy'")
    return "" if row is None else _copy(row[0])


def mark_copy(draft: Path, target: Path, key: Key | None = None) -> None:
    """Mark a copy of a store as a backup, so that it is not mistaken for a store that lost its log."""
    connection = Connection(draft, mode="mode=rw", busy_timeout_s=0, key=key)
    try:
        row = connection.row(_ENDS) or NOWHERE
        told = f"{row[0]} {row[1]} {copy_of(connection)} {os.path.abspath(target)}"  # noqa: PTH100 - text, not a path
        mark = sha256(os.fsencode(told)).hexdigest()[:32]
        connection.run("INSERT OR REPLACE INTO meta VALUES ('copy', ?)", (mark,))
    finally:
        connection.close()


def _copy(said: object) -> str:
    return said if isinstance(said, str) and _COPY.fullmatch(said) else ""


def log_size(store: str) -> int:
    """Return the bytes in a store's log; 0 if there is none."""
    try:
        return os.stat(store + "-wal").st_size  # noqa: PTH116 - at each opening
    except OSError:
        return 0


def form(store: str) -> Form:
    """Identify the file at a path; not opened, because closing it would drop SQLite's locks. Raises OSError."""
    held = os.stat(store)  # noqa: PTH116 - at each opening
    return held.st_ino, held.st_size, held.st_mtime_ns


def holds(connection: Connection, point: Point) -> bool:
    """Whether an event is in the journal."""
    seq, own = point
    return seq == 0 or connection.row("SELECT lower(hex(hash)) FROM event WHERE position = ?", (seq,)) == (own,)


def judged(connection: Connection, head: Point, note: EndNote) -> EndVerdict:
    """Compare the journal that now ends at ``head`` with an earlier note.

    A journal only grows: what was in the store's own file stays there; what was only in its log may be lost. A store
    restored from another backup than before counts as another.
    """
    if head == note.head or holds(connection, note.head):
        return EndVerdict.WHOLE
    now = met(connection)
    is_ours = now.head[0] < note.head[0] and now.copy == note.copy and holds(connection, note.merged)
    is_begun = now.head[0] == 0 or note.first in (NO_HASH, now.first)
    return EndVerdict.CUT if is_ours and is_begun else EndVerdict.OTHER


SUFFIX = "-head"
_AT_ONCE = hasattr(os, "pwrite")
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_FLAGS |= getattr(os, "O_BINARY", 0)


def read(store: str) -> EndNote | None:
    """Read the note beside a store (given by its path without links); None if there is none or it cannot be read."""
    try:
        file = os.open(store + SUFFIX, _FLAGS & ~os.O_RDWR | os.O_RDONLY)
    except OSError:  # as a rule there is none
        return None
    try:
        return parsed(os.read(file, SIZE)) if stat.S_ISREG(os.fstat(file).st_mode) else None
    except OSError:
        return None
    finally:
        os.close(file)


def write(file: int, line: bytes) -> None:
    """Replace the note in a file in one step. Raises OSError."""
    if _AT_ONCE:
        os.pwrite(file, line, 0)
    else:  # pragma: no cover - the tests run where pwrite is
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, line)


class Tail:
    """Keeps the note beside one store up to date; failing to read or write the note never stops the store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._store = connection.real
        self._file: int | None = None
        self._shut = self._noted = False
        self._before = read(self._store)  # before the journal is read: another process may write meanwhile
        self._note = EndNote(NOWHERE)
        self._around = around(self._note)
        with suppress(OSError, StoreCorrupt):
            self._look()

    def note(self, head: Point) -> None:
        """Record an event as the journal's last that is on disk."""
        try:
            if self._file is None:
                self._begin()
            if self._file is not None:
                write(self._file, line(head, *self._around))
                self._noted = True
        except (OSError, StoreCorrupt):  # no space or no permission: the older note stays
            return

    def faults(self) -> list[Fault]:
        """Report acknowledged events that are missing from the journal, if any."""
        if not Path(self._store + SUFFIX).exists():  # deleted, as the fault's remedy says
            self._forget()
            return []
        note = read(self._store)
        own = self._note
        kept, lost = (own.kept, own.lost) if note is None or own.lost[0] else (note.kept, note.lost)
        if not self._is_lost(kept, lost):
            return []
        what = (
            f"{lost[0] - kept[0]} acknowledged events are missing: {kept[0] + 1} to {lost[0]}. The store's log"
            f" ({self._store}-wal) was removed or cut before it was merged, or an older copy of the store was put back."
        )
        mend = (
            "If you still have that log, or a backup, restore the store from it (file and -wal together); otherwise"
            f" what was said is lost. Then delete {self._store}{SUFFIX}, which keeps this note."
        )
        return [Fault("tail", what, mend)]

    def close(self, head: Point | None) -> None:
        """Record the journal's end and the file after the connection was closed, if closing has merged the log."""
        with suppress(OSError):
            if head is not None and (self._noted or self._before is not None) and not log_size(self._store):
                note = replace(self._note, merged=head, file=form(self._store))
                if self._noted or self._before != replace(note, head=head):
                    self._set(note)
                    self.note(head)
        self._let_go()
        self._shut = True

    def _begin(self) -> None:
        """Open the note's file for writing, and read the journal's first hash and copy mark if they are unknown."""
        self._file = self._opened()
        if self._file is not None and self._note.first == NO_HASH and not self._connection.closed:
            now = met(self._connection)
            self._set(replace(self._note, first=now.first, copy=now.copy))

    def _forget(self) -> None:
        """Close the file and forget any loss."""
        self._before = None
        self._set(replace(self._note, kept=NOWHERE, lost=NOWHERE))
        self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _set(self, note: EndNote) -> None:
        self._note, self._around = note, around(note)

    def _look(self) -> None:
        """Compare the note of an earlier process with the journal."""
        head, before = journal.last(self._connection), self._before
        last_merge = merged(self._connection, head)
        if before is None:
            self._set(EndNote(head, last_merge))
            return
        verdict = judged(self._connection, head, before)
        kept, lost = (before.kept, before.lost) if self._is_lost(before.kept, before.lost) else (NOWHERE, NOWHERE)
        if verdict is EndVerdict.OTHER:
            self._set(EndNote(head, last_merge, kept=kept, lost=lost))
            return
        if verdict is EndVerdict.CUT:
            kept, lost = min(kept, head) if lost[0] else head, before.head
        self._set(
            EndNote(
                head, last_merge if last_merge[0] else before.merged, before.first, before.copy, NO_FORM, kept, lost
            )
        )
        if verdict is EndVerdict.CUT:
            self.note(head)  # new events may reach the number of the lost ones

    def _is_lost(self, kept: Point, lost: Point) -> bool:
        """Whether the journal has the event ``kept`` and lacks the later event ``lost``."""
        return lost[0] > kept[0] and holds(self._connection, kept) and not holds(self._connection, lost)

    def _opened(self) -> int | None:
        """Open the note's file with the store's own permissions; None if that is not possible."""
        if self._shut:
            return None
        self._shut = True  # unless the file can be opened
        mode = stat.S_IMODE(os.stat(self._store).st_mode)  # noqa: PTH116 - with a first message
        try:
            file = os.open(self._store + SUFFIX, _FLAGS | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            file = os.open(self._store + SUFFIX, _FLAGS)
        else:
            if hasattr(os, "fchmod"):
                os.fchmod(file, mode)
        if not stat.S_ISREG(os.fstat(file).st_mode):
            os.close(file)
            return None
        self._shut = False
        return file
