"""The end of the journal, noted beside the store: a log that is removed or cut takes messages along, and this tells.

What was just written lies in SQLite's log (``-wal``) alone until it is merged. To SQLite a log that was cut is a log
that ended there. So each durable transaction, once it is on the disk, notes the journal's last event in a small file
(``-head``), with the last event that is known to be merged. At the next opening, a journal that holds the one and not
the other has lost its tail.

The note never says more than what is on the disk, whatever is killed when: it is written after the transaction. A store
that was restored from a backup, or from a copy older than what was merged, or is another one, is told by its journal,
and nothing is said of it. When all is merged and the store closed, the note tells the file's size and age too: a log
that lies beside that very file and takes its events away is somebody else's.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from reverie.answers import Fault
from reverie.errors import StoreCorrupt
from reverie.stores.chain import NO_HASH
from reverie.stores.sqlite import heads, journal
from reverie.stores.sqlite.connection import Connection
from reverie.stores.sqlite.heads import NO_FORM, NOWHERE, Note, Point, Verdict

SUFFIX = "-head"
_AT_ONCE = hasattr(os, "pwrite")
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def read(store: str) -> Note | None:
    """The note beside a store, by the store's path without links; None where there is none that can be read."""
    try:
        file = os.open(store + SUFFIX, _FLAGS & ~os.O_RDWR | os.O_RDONLY)
    except OSError:  # as a rule there is none
        return None
    try:
        return heads.parsed(os.read(file, heads.SIZE)) if stat.S_ISREG(os.fstat(file).st_mode) else None
    except OSError:
        return None
    finally:
        os.close(file)


def write(file: int, line: bytes) -> None:
    """Put a note in the place of the one before, in one step. Raises OSError."""
    if _AT_ONCE:
        os.pwrite(file, line, 0)
    else:  # pragma: no cover - the tests run where pwrite is
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, line)


class Tail:
    """The note of one store, through one connection; whatever keeps it from being read or written, the store works."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._store = connection.real
        self._file: int | None = None
        self._shut = self._noted = False
        self._before = read(self._store)  # before the journal is: another process may go on meanwhile
        self._note = Note(NOWHERE)
        self._around = heads.around(self._note)
        with suppress(OSError, StoreCorrupt):
            self._look()

    def note(self, head: Point) -> None:
        """Note an event that is on the disk as the journal's last."""
        try:
            if self._file is None:
                self._begin()
            if self._file is not None:
                write(self._file, heads.line(head, *self._around))
                self._noted = True
        except (OSError, StoreCorrupt):  # no room, or no right: then there is no newer note
            return

    def faults(self) -> list[Fault]:
        """Whether acknowledged events are missing, and which."""
        if not Path(self._store + SUFFIX).exists():  # taken away: nothing is to be said of that any more
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
        """After the connection was closed: where that has merged the log, note it and the file; and let go."""
        with suppress(OSError):
            if head is not None and (self._noted or self._before is not None) and not heads.log_size(self._store):
                note = replace(self._note, merged=head, file=heads.form(self._store))
                if self._noted or self._before != replace(note, head=head):
                    self._set(note)
                    self.note(head)
        self._let_go()
        self._shut = True

    def _begin(self) -> None:
        """Open the file, and say in it that from now on somebody writes."""
        self._file = self._opened()
        if self._file is not None and self._note.first == NO_HASH and not self._connection.closed:
            now = heads.met(self._connection)
            self._set(replace(self._note, first=now.first, copy=now.copy))

    def _forget(self) -> None:
        """Let go of the file, and know of no loss."""
        self._before = None
        self._set(replace(self._note, kept=NOWHERE, lost=NOWHERE))
        self._let_go()

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _set(self, note: Note) -> None:
        self._note, self._around = note, heads.around(note)

    def _look(self) -> None:
        """Compare the note of an earlier process with the journal."""
        head, before = journal.head(self._connection), self._before
        merged = heads.merged(self._connection, head)
        if before is None:
            self._set(Note(head, merged))
            return
        verdict = heads.judged(self._connection, head, before)
        kept, lost = (before.kept, before.lost) if self._is_lost(before.kept, before.lost) else (NOWHERE, NOWHERE)
        if verdict is Verdict.OTHER:
            self._set(Note(head, merged, kept=kept, lost=lost))
            return
        if verdict is Verdict.CUT:
            kept, lost = min(kept, head) if lost[0] else head, before.head
        self._set(Note(head, merged if merged[0] else before.merged, before.first, before.copy, NO_FORM, kept, lost))
        if verdict is Verdict.CUT:
            self.note(head)  # what is written from now on may reach the number of what was lost

    def _is_lost(self, kept: Point, lost: Point) -> bool:
        """Whether the journal goes on from the one event, and not to the other."""
        return lost[0] > kept[0] and heads.holds(self._connection, kept) and not heads.holds(self._connection, lost)

    def _opened(self) -> int | None:
        """The file to write to, with the store's own permissions; None where there can be none."""
        if self._shut:
            return None
        self._shut = True  # unless all goes well
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
