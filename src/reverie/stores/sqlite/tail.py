"""The end of the journal, noted beside the store: a log that is removed or cut takes messages along, and this tells.

What was just written lies in SQLite's log (``-wal``) alone until it is merged. To SQLite a log that was cut is a log
that ended there. So each durable transaction, once it is on the disk, notes the journal's last event in a small file
(``-head``), with the size and age of the store's own file at that moment. At the next opening, a store whose own file
is still that very one, but whose journal ends earlier, has lost its tail.

The note never says more than what is on the disk, whatever is killed when: it is written after the transaction. A store
that was restored, copied or merged by others has another size or age, and nothing is said of it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias
from zlib import crc32

from reverie.answers import Fault
from reverie.errors import StoreCorrupt
from reverie.stores.chain import NO_HASH
from reverie.stores.sqlite import journal
from reverie.stores.sqlite.connection import Connection

SUFFIX = "-head"
Point: TypeAlias = tuple[int, str]
"""An event's number and hash."""

_FORM = b"reverie-head-1"
_SIZE = 384
_NOWHERE = (0, NO_HASH)
_AT_ONCE = hasattr(os, "pwrite")
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class _Note:
    """The last event that was acknowledged, on which file; and what was found lost: after the one, up to the other."""

    head: Point
    file: tuple[int, int]
    kept: Point = _NOWHERE
    lost: Point = _NOWHERE


def _line(head: Point, file: tuple[int, int], loss: str) -> bytes:
    """A note as it is written, as long as any other; with each message, so without detours."""
    body = b"%s %d %d %d %s %s" % (_FORM, head[0], *file, head[1].encode(), loss.encode())
    return (b"%s %d" % (body, crc32(body))).ljust(_SIZE)


def _parsed(line: bytes) -> _Note | None:
    """What a line says; None for one that was not written to its end, or is none of ours."""
    body, _, check = line.rstrip().rpartition(b" ")
    words = body.split(b" ")
    if len(words) != 9 or words[0] != _FORM or check != b"%d" % crc32(body):
        return None
    try:
        head, size, age, kept, lost = (int(words[place]) for place in (1, 2, 3, 5, 7))
        hashes = [words[place].decode("ascii") for place in (4, 6, 8)]
    except ValueError:
        return None
    return _Note((head, hashes[0]), (size, age), (kept, hashes[1]), (lost, hashes[2]))


def _words(kept: Point, lost: Point) -> str:
    return f"{kept[0]} {kept[1]} {lost[0]} {lost[1]}"


class Tail:
    """The note of one store, through one connection; whatever keeps it from being read or written, the store works."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._store = os.path.realpath(connection.path)
        self._file: int | None = None
        self._shut = self._noted = False
        self._kept = self._lost = _NOWHERE
        self._loss = _words(_NOWHERE, _NOWHERE)
        with suppress(OSError, StoreCorrupt):
            self._look()

    def note(self, head: Point) -> None:
        """Note an event that is on the disk as the journal's last."""
        try:
            self._write(head)
            self._noted = True
        except OSError:  # no room, or no right: then there is no newer note
            return

    def faults(self) -> list[Fault]:
        """Whether acknowledged events are missing, and which."""
        if not Path(self._store + SUFFIX).exists():  # taken away: nothing is to be said of that any more
            self._forget()
            return []
        note = self._read()
        kept, lost = (self._kept, self._lost) if note is None or self._lost[0] else (note.kept, note.lost)
        if not self._is_lost(kept, lost):
            return []
        what = (
            f"{lost[0] - kept[0]} acknowledged events are missing: {kept[0] + 1} to {lost[0]}. The store's log"
            f" ({self._store}-wal) was removed or cut before it was merged."
        )
        mend = (
            "If you still have that log, or a backup, restore the store from it (file and -wal together); otherwise"
            f" what was said is lost. Then delete {self._store}{SUFFIX}, which keeps this note."
        )
        return [Fault("tail", what, mend)]

    def close(self, head: Point | None) -> None:
        """After the connection was closed, which may have merged the log: note the journal's end anew, and let go."""
        if self._noted and head is not None:
            self.note(head)
        self._forget()
        self._shut = True

    def _forget(self) -> None:
        """Let go of the file, and know of no loss."""
        self._set(_NOWHERE, _NOWHERE)
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _set(self, kept: Point, lost: Point) -> None:
        self._kept, self._lost = kept, lost
        self._loss = _words(kept, lost)

    def _look(self) -> None:
        """Compare the note of an earlier process with the journal."""
        note = self._read()  # before the journal is: another process may go on meanwhile
        if note is None:
            return
        head = journal.head(self._connection)
        if self._is_lost(note.kept, note.lost):
            self._set(note.kept, note.lost)
        if note.file == self._form() and not self._holds(note.head) and head[0] < note.head[0]:
            self._set(min(self._kept, head) if self._lost[0] else head, note.head)
            self._write(head)  # what is written from now on changes the file, and with it the only sign

    def _is_lost(self, kept: Point, lost: Point) -> bool:
        """Whether the journal goes on from the one event, and not to the other."""
        return lost[0] > kept[0] and self._holds(kept) and not self._holds(lost)

    def _holds(self, point: Point) -> bool:
        seq, own = point
        row = self._connection.row("SELECT lower(hex(hash)) FROM event WHERE seq = ?", (seq,))
        return seq == 0 or row == (own,)

    def _form(self) -> tuple[int, int]:
        """Size and age of the store's own file. By its path: to open and close it would drop SQLite's locks."""
        held = os.stat(self._store)  # noqa: PTH116 - with each message
        return held.st_size, held.st_mtime_ns

    def _write(self, head: Point) -> None:
        if self._file is None:
            self._file = self._opened()
        if self._file is not None:
            line = _line(head, self._form(), self._loss)
            if _AT_ONCE:
                os.pwrite(self._file, line, 0)
            else:  # pragma: no cover - the tests run where pwrite is
                os.lseek(self._file, 0, os.SEEK_SET)
                os.write(self._file, line)

    def _opened(self) -> int | None:
        """The file to write to, with the store's own permissions; None where there can be none."""
        if self._shut:
            return None
        self._shut = True  # unless all goes well
        mode = stat.S_IMODE(os.stat(self._store).st_mode)  # noqa: PTH116 - as above
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

    def _read(self) -> _Note | None:
        try:
            file = os.open(self._store + SUFFIX, _FLAGS & ~os.O_RDWR | os.O_RDONLY)
        except OSError:  # as a rule there is none
            return None
        try:
            return _parsed(os.read(file, _SIZE)) if stat.S_ISREG(os.fstat(file).st_mode) else None
        finally:
            os.close(file)
