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

_FORM = "reverie-head-1"
_SIZE = 512
_NOWHERE = (0, NO_HASH)
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class _Note:
    """The last event that was acknowledged, on which file; and what was found lost: after the one, up to the other."""

    head: Point
    file: tuple[int, int]
    kept: Point = _NOWHERE
    lost: Point = _NOWHERE

    def line(self) -> bytes:
        """As it is written: as long as any other."""
        numbers = (self.head[0], *self.file, self.kept[0], self.lost[0])
        body = f"{_FORM} {' '.join(map(str, numbers))} {self.head[1]} {self.kept[1]} {self.lost[1]}"
        return f"{body} {crc32(body.encode())}".ljust(_SIZE - 1).encode() + b"\n"


def _parsed(line: bytes) -> _Note | None:
    """What a line says; None for one that was not written to its end, or is none of ours."""
    body, _, check = line.decode("ascii", "replace").rstrip().rpartition(" ")
    words = body.split(" ")
    if len(words) != 9 or words[0] != _FORM or check != str(crc32(body.encode())):
        return None
    try:
        head, size, age, kept, lost = map(int, words[1:6])
    except ValueError:
        return None
    return _Note((head, words[6]), (size, age), (kept, words[7]), (lost, words[8]))


class Tail:
    """The note of one store, through one connection; whatever keeps it from being read or written, the store works."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._store = os.path.realpath(connection.path)
        self._file: int | None = None
        self._shut = self._noted = False
        self._kept = self._lost = _NOWHERE
        with suppress(OSError, StoreCorrupt):
            self._look()

    def note(self, head: Point) -> None:
        """Note an event that is on the disk as the journal's last."""
        with suppress(OSError):
            self._write(head)
            self._noted = True

    def faults(self) -> list[Fault]:
        """Whether acknowledged events are missing, and which."""
        if not Path(self._store + SUFFIX).exists():
            return []  # taken away: nothing is to be said any more
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
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._shut = True

    def _look(self) -> None:
        """Compare the note of an earlier process with the journal."""
        note = self._read()  # before the journal is: another process may go on meanwhile
        if note is None:
            return
        head = journal.head(self._connection)
        if self._is_lost(note.kept, note.lost):
            self._kept, self._lost = note.kept, note.lost
        if note.file == self._form() and not self._holds(note.head) and head[0] < note.head[0]:
            self._kept, self._lost = (min(self._kept, head) if self._lost[0] else head), note.head
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
        line = _Note(head, self._form(), self._kept, self._lost).line()
        if self._file is not None and not os.fstat(self._file).st_nlink:  # somebody took the note away
            os.close(self._file)
            self._file, self._kept, self._lost = None, _NOWHERE, _NOWHERE
            line = _Note(head, self._form()).line()
        if self._file is None:
            self._file = self._opened()
        if self._file is not None:
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
